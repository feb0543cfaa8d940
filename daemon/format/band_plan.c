/* band_plan.c - parses SDR++'s band plans, and collects the rows of all forms. */
#include "daemon/format/band_plan.h"

#include <errno.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/json.h"
#include "daemon/base/reason.h"
#include "daemon/format/table_text.h"

struct reader {
    struct band_plan *plan;
    const char *name; /* of the file */
    struct reason *why;
};

/* ---- the rows --------------------------------------------------------------------------- */

/* Room for one more, in powers of two. */
static int grow(void **rows, size_t count, size_t most, size_t size)
{
    if (count == most)
        return -E2BIG;
    if ((count & (count - 1)) != 0)
        return 0;
    void *grown = realloc(*rows, (count ? 2 * count : 1) * size);
    if (!grown)
        return -ENOMEM;
    *rows = grown;
    return 0;
}

int band_plan_add_band(struct band_plan *plan, const struct band *band)
{
    void *rows = plan->band;
    const int err = grow(&rows, plan->band_count, BANDS_MAX, sizeof *band);
    plan->band = rows;
    if (err == 0)
        plan->band[plan->band_count++] = *band;
    return err;
}

int band_plan_add_bookmark(struct band_plan *plan, const struct bookmark *bookmark)
{
    void *rows = plan->bookmark;
    const int err = grow(&rows, plan->bookmark_count, BOOKMARKS_MAX, sizeof *bookmark);
    plan->bookmark = rows;
    if (err == 0)
        plan->bookmark[plan->bookmark_count++] = *bookmark;
    return err;
}

void band_plan_finish(struct band_plan *plan)
{
    free(plan->band);
    free(plan->bookmark);
    *plan = (struct band_plan){0};
}

/* ---- JSON ------------------------------------------------------------------------------- */

static int refuse(const struct reader *r, size_t index, const char *key, const json_t *value,
                  const char *expected)
{
    char excerpt[JSON_EXCERPT];
    return reason_set(r->why, -EINVAL, "%s: band %zu: %s: %s is not %s", r->name, index + 1, key,
                      value ? value_excerpt(value, excerpt) : "nothing", expected);
}

static int read_text(const struct reader *r, size_t index, const json_t *object, const char *key,
                     char *into, size_t size)
{
    const json_t *value = json_object_get(object, key);
    const char *text = json_string_value(value);
    const bool optional = strcmp(key, "type") == 0;
    if (!value && optional)
        return 0;
    if (!text || strlen(text) >= size || (!*text && !optional)) {
        char expected[48];
        snprintf(expected, sizeof expected, "a text of 1 to %zu bytes", size - 1);
        return refuse(r, index, key, value, expected);
    }
    snprintf(into, size, "%s", text);
    return 0;
}

static int read_hz(const struct reader *r, size_t index, const json_t *object, const char *key,
                   double *out)
{
    const json_t *value = json_object_get(object, key);
    *out = json_number_value(value);
    if (!json_is_number(value) || !(*out >= 0 && *out <= 1e12))
        return refuse(r, index, key, value, "a number of Hz from 0 to 1e12");
    return 0;
}

static int read_band(const struct reader *r, size_t index, const json_t *object)
{
    struct band band = {0};
    int err = json_is_object(object) ? 0 : refuse(r, index, "the row", object, "an object");
    if (err == 0)
        err = read_text(r, index, object, "name", band.name, sizeof band.name);
    if (err == 0)
        err = read_text(r, index, object, "type", band.kind, sizeof band.kind);
    if (err == 0)
        err = read_hz(r, index, object, "start", &band.low_hz);
    if (err == 0)
        err = read_hz(r, index, object, "end", &band.high_hz);
    if (err == 0 && !(band.low_hz < band.high_hz))
        err = refuse(r, index, "end", json_object_get(object, "end"), "above the start");
    if (err < 0)
        return err;
    err = band_plan_add_band(r->plan, &band);
    if (err == -E2BIG)
        return reason_set(r->why, -EINVAL, "%s: band %zu: more than %d bands", r->name, index + 1,
                          BANDS_MAX);
    return err == 0 ? 0 : reason_set(r->why, err, "%s: no memory", r->name);
}

static int add_json(const struct reader *r, const char *text, size_t size)
{
    json_error_t why;
    char fault[JSON_FAULT];
    struct table_text place = {.name = r->name, .why = r->why};
    json_t *const root = json_loadb(text, size, 0, &why);
    const json_t *bands = json_object_get(root, "bands");
    int err = 0;
    if (!root) {
        place.line = why.line > 0 ? (size_t)why.line : 0;
        err = table_text_fail(&place, "no JSON: %s", json_fault(&why, fault));
    } else if (!json_is_array(bands)) {
        err = reason_set(r->why, -EINVAL, "%s: not a band plan: \"bands\" is not a list", r->name);
    }
    for (size_t i = 0; err == 0 && i < json_array_size(bands); i++)
        err = read_band(r, i, json_array_get(bands, i));
    json_decref(root);
    return err;
}

/* ---- both ------------------------------------------------------------------------------- */

int band_plan_add(struct band_plan *plan, const char *text, size_t size, const char *name,
                  struct reason *why)
{
    static const char mark[] = "\xef\xbb\xbf"; /* that Windows begins UTF-8 with */
    const struct reader r = {plan, name, why};
    if (size >= 3 && memcmp(text, mark, 3) == 0) {
        text += 3;
        size -= 3;
    }
    size_t blanks = 0;
    while (blanks < size && strchr(" \t\r\n", text[blanks]) && text[blanks])
        blanks++;
    if (blanks < size && (text[blanks] == '{' || text[blanks] == '['))
        return add_json(&r, text, size);
    return band_plan_add_csv(plan, text, size, name, why);
}
