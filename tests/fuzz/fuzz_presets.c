/*
 * fuzz_presets.c - libFuzzer target: the file of presets in the state directory.
 *
 * An accepted list has names that a preset may have, and is accepted again as jansson writes it.
 */
#include "daemon/control/fields.h"
#include "daemon/control/presets.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    const char *name;
    json_t *all = presets_parse((const char *)bytes, size), *fields;
    if (!all)
        return 0;
    check(json_object_size(all) <= PRESETS_MAX);
    json_object_foreach(all, name, fields)
    {
        check(fields_is_name(name) && json_is_object(fields));
    }
    char *text = json_dumps(all, JSON_INDENT(1));
    check(text != NULL);
    json_t *again = presets_parse(text, strlen(text));
    check(again && json_equal(again, all));
    json_decref(again);
    json_decref(all);
    free(text);
    return 0;
}
