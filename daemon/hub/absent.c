/* absent.c - sensor and hub of a build without libnats: they refuse to start. */
#include <errno.h>

#include "daemon/base/reason.h"
#include "daemon/hub/collector.h"
#include "daemon/hub/link_process.h"
#include "daemon/hub/link_reader.h"
#include "daemon/hub/sensor.h"

int sensor_check(const struct nats_options *options, char *error, size_t error_size)
{
    (void)options;
    return reason_set(error, error_size, -ENOSYS,
                      "nats: this fftd was built without libnats (libnats-dev)");
}

bool link_process_is_asked(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    return false;
}

int link_process_run(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    return 1;
}

int sensor_start(struct sensor **out, const struct sensor_config *config, char *error,
                 size_t error_size)
{
    *out = NULL;
    return sensor_check(&config->config->nats, error, error_size);
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

int link_reader_start(struct link_reader **out, const struct link_reader_config *config,
                      char *error, size_t error_size)
{
    *out = NULL;
    return sensor_check(config->options, error, error_size);
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

int collector_start(struct collector **out, const struct collector_config *config, char *error,
                    size_t error_size)
{
    *out = NULL;
    return sensor_check(config->nats, error, error_size);
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
