/* resource_band_plan.c - the band plan and the bookmarks of the operator. */
#include "daemon/api/resource.h"
#include "daemon/base/json.h"

static json_t *text_or_null(const char *text)
{
    return text[0] ? text_to_json(text) : json_null();
}

static json_t *band_to_json(const struct band *band)
{
    return json_pack("{so so so so so}", "name", text_to_json(band->name), "kind",
                     text_or_null(band->kind), "low_hz", number_to_json(band->low_hz), "high_hz",
                     number_to_json(band->high_hz), "color", text_or_null(band->color));
}

static json_t *bookmark_to_json(const struct bookmark *row)
{
    return json_pack("{so so so so so so}", "name", text_to_json(row->name), "hz",
                     number_to_json(row->hz), "width_hz",
                     row->width_hz > 0 ? number_to_json(row->width_hz) : json_null(), "mode",
                     text_or_null(row->mode), "tags", text_or_null(row->tags), "color",
                     text_or_null(row->color));
}

static int get_plan(const struct api_call *call, struct api_reply *reply, struct reason *why)
{
    static const struct band_plan none;
    const struct band_plan *plan = call->on->band_plan ? call->on->band_plan : &none;
    json_t *bands = json_array(), *bookmarks = json_array();
    (void)why;
    for (size_t i = 0; i < plan->band_count; i++)
        json_array_append_new(bands, band_to_json(&plan->band[i]));
    for (size_t i = 0; i < plan->bookmark_count; i++)
        json_array_append_new(bookmarks, bookmark_to_json(&plan->bookmark[i]));
    return api_answer(reply, json_pack("{so so}", "bands", bands, "bookmarks", bookmarks));
}

const struct api_resource api_band_plan = {
    .path = "/api/v1/band-plan",
    .tag = "state",
    .methods = (const struct api_method[]){
        {API_GET, API_WATCH, get_plan, "The bands and bookmarks of the operator's files",
         .keys = NULL},
        {0},
    }};
