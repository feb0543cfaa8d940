/* message.c - reads subjects, and bounds the sizes of messages. */
#include "daemon/nats/message.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

static const struct {
    const char *name;
    size_t max;
} kinds[HUB_KINDS] = {
    [HUB_ANNOUNCE] = {"announce", 4 << 10}, [HUB_LINES] = {"lines", 16 << 10},
    [HUB_LEDGER] = {"ledger", 4 << 10},     [HUB_STATUS] = {"status", 64 << 10},
    [HUB_LINK] = {"link", 4 << 10},         [HUB_EVENTS] = {"events", 16 << 10},
};

static const char *const faults[HUB_FAULTS] = {
    [HUB_FAULT_SUBJECT] = "subject", [HUB_FAULT_SIZE] = "size",     [HUB_FAULT_JSON] = "json",
    [HUB_FAULT_LINE] = "line",       [HUB_FAULT_RADIOS] = "radios", [HUB_FAULT_MEMORY] = "memory",
};

const char *hub_kind_name(enum hub_kind kind)
{
    return kinds[kind].name;
}

const char *hub_fault_name(enum hub_fault fault)
{
    return faults[fault];
}

/* Copies the word before the next dot. Returns what follows the dot; NULL: it is no word. */
static const char *read_word(const char *at, char into[HUB_WORD])
{
    const size_t length = strcspn(at, ".");
    if (length == 0 || length >= HUB_WORD || at[length] != '.')
        return NULL;
    for (size_t i = 0; i < length; i++)
        if (!isalnum((unsigned char)at[i]) && at[i] != '-' && at[i] != '_')
            return NULL;
    memcpy(into, at, length);
    into[length] = '\0';
    return at + length + 1;
}

static bool find_kind(const char *name, enum hub_kind *out)
{
    for (int i = 0; i < HUB_KINDS; i++)
        if (strcmp(kinds[i].name, name) == 0) {
            *out = (enum hub_kind)i;
            return true;
        }
    return false;
}

int hub_message_read(struct hub_message *out, const char *prefix, const char *subject,
                     const void *data, size_t size)
{
    const size_t length = strlen(prefix);
    *out = (struct hub_message){.data = data, .size = size};
    if (strncmp(subject, prefix, length) != 0 || subject[length] != '.')
        return HUB_FAULT_SUBJECT;
    const char *at = read_word(subject + length + 1, out->site);
    at = at ? read_word(at, out->radio) : NULL;
    if (!at || !find_kind(at, &out->kind))
        return HUB_FAULT_SUBJECT;
    return size > kinds[out->kind].max ? HUB_FAULT_SIZE : -1;
}
