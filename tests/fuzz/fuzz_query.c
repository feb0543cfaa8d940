/*
 * fuzz_query.c - libFuzzer target: the parameters of /api/v1/spectrum, and the headers Accept and
 * Accept-Encoding.
 *
 * An input has one "name=value" in each line. A query that is accepted is a view within the bounds.
 */
#include <math.h>

#include "daemon/base/reason.h"
#include "daemon/http/accept.h"
#include "daemon/http/stream/spectrum_text.h"
#include "tests/fuzz/fuzz.h"

static void check_printable(const char *text)
{
    for (; *text; text++)
        check(*text >= ' ' && *text < 127);
}

static void check_view(const struct view *v)
{
    check(v->columns >= 1 && v->columns <= SPECTRUM_COLUMNS_MAX);
    check(v->detector < FFT_DETECTORS);
    check(!(v->low_hz >= v->high_hz));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct input in = {bytes, size};
    struct query q = {0};
    struct spectrum_query w = {.view = {.low_hz = NAN, .high_hz = NAN, .columns = 1}};
    struct reason why = {0};
    char *accept = take_text(&in);
    while (in.size > 0) {
        char *pair = take_text(&in);
        query_add(&q, pair);
        free(pair);
    }
    check(q.count <= QUERY_PARAMETERS);
    for (unsigned i = 0; i < q.count; i++) {
        check_printable(q.parameter[i].name);
        check_printable(q.parameter[i].value);
    }
    const int err = spectrum_parse(&w, &q, &why);
    check_error(err, why.sentence);
    if (err == 0)
        check_view(&w.view);
    if (accept_prefers(accept, "gzip", "identity"))
        check(strcasestr(accept, "gzip") != NULL);
    free(accept);
    return 0;
}
