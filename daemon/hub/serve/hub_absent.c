/* hub_absent.c - the hub of a build without libnats: it refuses to start. */
#include "daemon/base/reason.h"
#include "daemon/hub/copies/collector.h"
#include "daemon/hub/link_reader.h"
#include "daemon/nats/link_broker.h"

int link_reader_start(struct link_reader **out, const struct link_reader_config *config,
                      struct reason *why)
{
    *out = NULL;
    return link_check(config->options, why);
}

void link_reader_state(struct link_reader *l, struct link_reader_state *out)
{
    (void)l;
    *out = (struct link_reader_state){0};
}

void link_reader_stop(struct link_reader *l)
{
    (void)l;
}

void link_reader_destroy(struct link_reader *l)
{
    (void)l;
}

int collector_start(struct collector **out, const struct collector_config *config,
                    struct reason *why)
{
    *out = NULL;
    return link_check(config->nats, why);
}

struct copy_table *collector_table(struct collector *c)
{
    (void)c;
    return NULL;
}

void collector_stop(struct collector *c)
{
    (void)c;
}

void collector_destroy(struct collector *c)
{
    (void)c;
}
