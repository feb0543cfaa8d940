/* sensor_absent.c - the sensor of a build without libnats: it refuses to start. */
#include "daemon/base/reason.h"
#include "daemon/nats/link_broker.h"
#include "daemon/sensor/sensor.h"

int sensor_start(struct sensor **out, const struct sensor_config *config, struct reason *why)
{
    *out = NULL;
    return link_check(&config->config->nats, why);
}

void sensor_set_status(struct sensor *s, const struct status *status)
{
    (void)s;
    (void)status;
}

void sensor_push_event(struct sensor *s, const struct event *e)
{
    (void)s;
    (void)e;
}

void sensor_stop(struct sensor *s, int patience_ms)
{
    (void)s;
    (void)patience_ms;
}

void sensor_destroy(struct sensor *s)
{
    (void)s;
}

void sensor_state(struct sensor *s, struct nats_state *out)
{
    (void)s;
    *out = (struct nats_state){0};
}
