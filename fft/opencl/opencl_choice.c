/* opencl_choice.c - prints and parses the choices of a plan. */
#include <stdlib.h>
#include <string.h>

#include "fft/opencl/opencl_plan.h"

static const char *const names[OPENCL_STRATEGIES] = {
    [OPENCL_AUTO] = "auto",       [OPENCL_PASSES] = "passes",     [OPENCL_DIGITREV] = "digitrev",
    [OPENCL_LOCAL_MEM] = "local", [OPENCL_FOURSTEP] = "fourstep",
};

const char *opencl_strategy_name(enum opencl_strategy strategy)
{
    return names[strategy];
}

static const struct field {
    const char *name;
    size_t at;
} fields[] = {
    {"radix", offsetof(struct opencl_choice, max_radix)},
    {"group", offsetof(struct opencl_choice, group)},
    {"chunk", offsetof(struct opencl_choice, chunk_frames)},
    {"columns", offsetof(struct opencl_choice, columns)},
    {"roots", offsetof(struct opencl_choice, roots)},
    {"half", offsetof(struct opencl_choice, half)},
};
enum { FIELDS = sizeof fields / sizeof fields[0] };

int opencl_choice_print(const struct opencl_choice *choice, char *out, size_t size)
{
    int length = snprintf(out, size, "%s", names[choice->strategy]);
    for (uint32_t i = 0; i < FIELDS; i++) {
        uint32_t value;
        memcpy(&value, (const char *)choice + fields[i].at, sizeof value);
        const size_t used = (size_t)length < size ? (size_t)length : size;
        if (value != 0)
            length += snprintf(out + used, size - used, " %s=%u", fields[i].name, value);
    }
    return length;
}

/* Parses one word: the name of a strategy, or FIELD=NUMBER. */
static bool parse_word(struct opencl_choice *out, const char *word, size_t length)
{
    for (int i = 0; i < OPENCL_STRATEGIES; i++) {
        if (strlen(names[i]) == length && strncmp(word, names[i], length) == 0) {
            out->strategy = (enum opencl_strategy)i;
            return true;
        }
    }
    for (uint32_t i = 0; i < FIELDS; i++) {
        const size_t name = strlen(fields[i].name);
        if (name + 1 < length && strncmp(word, fields[i].name, name) == 0 && word[name] == '=') {
            char *end;
            const unsigned long value = strtoul(word + name + 1, &end, 10);
            const uint32_t word_value = (uint32_t)value;
            memcpy((char *)out + fields[i].at, &word_value, sizeof word_value);
            return end == word + length && value > 0 && value <= UINT32_MAX;
        }
    }
    return false;
}

bool opencl_choice_parse(struct opencl_choice *out, const char *text)
{
    *out = (struct opencl_choice){0};
    for (text += strspn(text, " "); *text; text += strspn(text, " ")) {
        const size_t length = strcspn(text, " ");
        if (!parse_word(out, text, length))
            return false;
        text += length;
    }
    return true;
}
