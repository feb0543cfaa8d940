/* measurer_config.c - makes the measurements of a configuration those of a measurer. Loop thread.
 */
#include <errno.h>
#include <string.h>

#include "daemon/base/reason.h"
#include "daemon/measure/measurer_private.h"

static bool is_in(const struct config *c, const char *name)
{
    for (size_t i = 0; i < c->measure_count; i++)
        if (strcmp(c->measures[i].name, name) == 0)
            return true;
    return false;
}

static int configure_one(struct measurer *m, const struct config *c, size_t i, struct reason *why)
{
    struct measure_setup *setup;
    const size_t at = measurer_find(m, 0, c->measures[i].name);
    int err = measure_setup_from_config(&setup, c, i, why);
    if (err < 0)
        return err;
    if (at < m->entries && m->entry[at].configured &&
        measure_setup_same(m->entry[at].setup, setup)) {
        measure_setup_destroy(setup);
        return 0;
    }
    err = measurer_set(m, setup);
    if (err < 0)
        return reason_set(why, err, "measure %s: %s", c->measures[i].name,
                          err == -EMFILE ? "too many measurements" : strerror(-err));
    m->entry[at].configured = true;
    return 0;
}

int measurer_configure(struct measurer *m, const struct config *c, struct reason *why)
{
    int err = 0;
    for (size_t i = m->entries; i > 0; i--)
        if (m->entry[i - 1].configured && !is_in(c, m->entry[i - 1].setup->text.name))
            measurer_remove(m, 0, m->entry[i - 1].setup->text.name);
    for (size_t i = 0; err == 0 && i < c->measure_count; i++)
        err = configure_one(m, c, i, why);
    return err;
}

int measurer_reread_files(struct measurer *m, const struct config *c, struct reason *why)
{
    int err = 0;
    for (size_t i = 0; err == 0 && i < c->measure_count; i++) {
        const size_t at = measurer_find(m, 0, c->measures[i].name);
        if (at < m->entries && m->entry[at].configured && m->entry[at].setup->ops->same_files)
            err = configure_one(m, c, i, why);
    }
    return err;
}
