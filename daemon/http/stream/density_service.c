/* density_service.c - counts the densities that are asked for. */
#include "daemon/http/stream/density_service.h"

#include "daemon/base/clock.h"
#include "daemon/http/stream/demand.h"

static const uint64_t forget_ns = 60000000000;

static void forget(struct asked_density *asked)
{
    density_finish(&asked->density);
    *asked = (struct asked_density){0};
}

void density_service_on_tick(struct density_service *d)
{
    const uint64_t now = clock_now_ns();
    for (int i = 0; i < DENSITY_PERSISTENCES; i++) {
        struct asked_density *asked = &d->asked[i];
        if (asked->asked_ns > 0 && now - asked->asked_ns > forget_ns)
            forget(asked);
    }
}

void density_service_on_line(struct density_service *d, const struct line *line)
{
    for (int i = 0; i < DENSITY_PERSISTENCES && line->hits; i++) {
        if (d->asked[i].asked_ns > 0 && density_add(&d->asked[i].density, line) < 0)
            forget(&d->asked[i]);
    }
}

void density_service_finish(struct density_service *d)
{
    for (int i = 0; i < DENSITY_PERSISTENCES; i++)
        forget(&d->asked[i]);
}

const struct density *density_service_ask(struct density_service *d, double persistence_s)
{
    struct asked_density *found = NULL;
    for (int i = DENSITY_PERSISTENCES; i-- > 0;) {
        struct asked_density *asked = &d->asked[i];
        if (asked->asked_ns == 0)
            found = asked;
        else if (!(asked->density.persistence_s < persistence_s ||
                   asked->density.persistence_s > persistence_s)) {
            found = asked;
            break;
        }
    }
    if (!found)
        return NULL;
    found->density.persistence_s = persistence_s;
    found->asked_ns = clock_now_ns();
    demand_ask_density(d->demand);
    return &found->density;
}
