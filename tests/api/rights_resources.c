/*
 * rights_resources.c - a list of resources for tests, in place of resource_list.c: one of each
 * right.
 *
 * Each has GET and PUT with the same right, so that a carrier that goes by the method is found out.
 */
#include <stddef.h>

#include "daemon/api/resource.h"

static int run(const struct api_call *call, struct api_reply *reply, struct reason *why)
{
    (void)call;
    (void)why;
    return api_answer(reply, json_pack("{sb}", "ran", 1));
}

#define RESOURCE(name, needs)                                                                      \
    static const struct api_resource name = {                                                      \
        .path = "/api/v1/" #name,                                                                  \
        .tag = "test",                                                                             \
        .methods = (const struct api_method[]){{API_GET, needs, run, "Reads", .keys = NULL},       \
                                               {API_PUT, needs, run, "Changes", .keys = NULL},     \
                                               {0}}};

RESOURCE(watch, API_WATCH)
RESOURCE(operate, API_OPERATE)
RESOURCE(tune, API_TUNE)

extern const struct api_resource api_lease;
const struct api_resource *const api_resources[] = {&watch, &operate, &tune, &api_lease, NULL};
const struct api_resource *const api_connection_resources[] = {NULL};
