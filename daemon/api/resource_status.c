/* resource_status.c - the state of the whole daemon, and the document of the API. */
#include <errno.h>

#include "daemon/api/resource.h"

static int get_status(const struct api_call *call, struct api_reply *reply, struct reason *why)
{
    struct status now;
    (void)why;
    radio_control_status(call->on->radio, &now);
    return api_answer(reply, call->on->status(call->on->user, &now));
}

const struct api_resource api_status = {
    .path = "/api/v1/status",
    .tag = "state",
    .methods = (const struct api_method[]){
        {API_GET, API_WATCH, get_status,
         "The state of the source, the spectra, the ledger of samples, and every part",
         .keys = NULL},
        {0},
    }};

static int get_document(const struct api_call *call, struct api_reply *reply, struct reason *why)
{
    (void)call;
    (void)why;
    return api_answer(reply, api_document());
}

const struct api_resource api_openapi = {
    .path = "/api/v1/openapi.json",
    .tag = "state",
    .methods = (const struct api_method[]){
        {API_GET, API_WATCH, get_document,
         "The description of these paths for programs (OpenAPI 3.0)", .keys = NULL},
        {0},
    }};
