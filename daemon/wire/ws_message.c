/* ws_message.c - allocates and counts frames. */
#include "daemon/wire/ws_message.h"

#include <stdlib.h>
#include <string.h>

#include "daemon/base/json.h"

struct ws_message *ws_message_create(size_t size)
{
    struct ws_message *f = malloc(sizeof *f + WS_MESSAGE_PRE + size);
    if (f)
        *f = (struct ws_message){
            .refs = 1, .size = size, .data = (uint8_t *)(f + 1) + WS_MESSAGE_PRE};
    return f;
}

struct ws_message *ws_message_from_text(const char *text, size_t length)
{
    struct ws_message *f = ws_message_create(length);
    if (f) {
        memcpy(f->data, text, length);
        f->text = true;
    }
    return f;
}

struct ws_message *ws_message_from_json(json_t *value)
{
    char *text = json_text(value, JSON_COMPACT);
    struct ws_message *f = text ? ws_message_from_text(text, strlen(text)) : NULL;
    free(text);
    json_decref(value);
    return f;
}

struct ws_message *ws_message_ref(struct ws_message *f)
{
    f->refs++;
    return f;
}

void ws_message_unref(struct ws_message *f)
{
    if (f && --f->refs == 0)
        free(f);
}
