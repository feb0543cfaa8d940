/* topics.c - the topics of websockets: their names and keys (topics.h). */
#include "daemon/api/topics.h"

#include <string.h>

static const struct api_key density_keys[] = {
    {"coding", "how the hits of a frame are coded, as its flags say; plain is the default",
     "plain, range"},
    {"step_db", "adds neighbouring levels up to a step of at least this, 0.25 to 20", NULL},
    {0},
};

const struct api_topic api_topics[TOPICS] = {
    [TOPIC_STATUS] = {"status",
                      "once a second and after a change; every client has it from the start",
                      "status"},
    [TOPIC_MEASUREMENTS] = {"measurements",
                            "with each line, at most ten times and a megabyte a second", "measure"},
    [TOPIC_EVENTS] = {"events", "each event of a trigger from now on", "event"},
    [TOPIC_DENSITY] = {"density",
                       "at most ten a second; they take no credit. In a sweep there is no density, "
                       "and the subscription is refused",
                       "density-frames", density_keys},
    [TOPIC_RECORDINGS] = {"recordings",
                          "at once, if there are any; within a second of a start or an end; while "
                          "one runs, once a second",
                          "recording"},
    [TOPIC_LEASE] = {"lease",
                     "at once, when the holder changes or the lease ends, and within a second of "
                     "each renewal. Nothing comes of a server without leases",
                     "lease"},
    [TOPIC_PRESETS] = {"presets", "at once, and after each change", "presets"},
};

const struct api_resource *api_topic_resource(unsigned topic)
{
    unsigned i = TOPICS;
    for (const struct api_resource *const *r = api_resources; *r; r++)
        if ((*r)->topic && i++ == topic)
            return *r;
    return NULL;
}

unsigned api_topic_count(void)
{
    unsigned count = TOPICS;
    while (count < TOPICS + TOPIC_STATES_MAX && api_topic_resource(count))
        count++;
    return count;
}

const char *api_topic_name(unsigned topic)
{
    const struct api_resource *r = api_topic_resource(topic);
    return r ? r->path + sizeof "/api/v1/" - 1 : api_topics[topic].name;
}

unsigned api_topic_find(const char *name)
{
    const unsigned count = api_topic_count();
    unsigned i = 0;
    while (i < count && strcmp(name, api_topic_name(i)) != 0)
        i++;
    return i;
}
