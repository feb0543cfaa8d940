/* carry.c - runs a call for a carrier, and says what came of it as HTTP does. */
#include "daemon/api/carry.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

int api_carry(const struct api_method *method, const struct api_call *call, struct api_reply *reply,
              struct reason *why)
{
    const int err = api_run(method, call, reply, why);
    if (err == -EBUSY && api_needs_control(method))
        reason_add(why, ": PUT %slease takes it over", call->at ? call->at : "/api/v1/");
    return err;
}

unsigned api_status_of(int err, const struct api_reply *reply)
{
    static const struct {
        int err;
        unsigned status;
    } statuses[] = {{-EKEYREJECTED, 401}, {-ENOKEY, 403}, {-ENOENT, 404}, {-EBUSY, 409},
                    {-EALREADY, 409},     {-ENOMEM, 503}, {-EMFILE, 503}, {-ENOBUFS, 503},
                    {-ENOSPC, 503},       {-EAGAIN, 503}};
    if (err >= 0)
        return reply->bytes ? 200 : reply->later ? 202 : reply->made[0] ? 201 : 200;
    for (size_t i = 0; i < sizeof statuses / sizeof statuses[0]; i++)
        if (err == statuses[i].err)
            return statuses[i].status;
    return 400;
}

const char *api_location(const char *path, const struct api_reply *reply, char *into, size_t size)
{
    const size_t length = strlen(path);
    into[0] = '\0';
    if (!reply->later && reply->made[0])
        snprintf(into, size, "%s%s%s", path, path[length - 1] == '/' ? "" : "/", reply->made);
    return into;
}

size_t api_encode(char *into, size_t size, size_t at, const char *text)
{
    for (; *text && at + 4 < size; text++) {
        if (isalnum((unsigned char)*text) || strchr("/-._~=", *text))
            into[at++] = *text;
        else
            at += (size_t)snprintf(into + at, size - at, "%%%02X", (unsigned char)*text);
    }
    into[at] = '\0';
    return at;
}

bool api_decode(char *text)
{
    char *to = text;
    for (const char *at = text; *at; at++) {
        char digits[3] = "";
        if (*at != '%') {
            *to = *at;
            if (*to == '+')
                *to = ' ';
            to++;
            continue;
        }
        memccpy(digits, at + 1, '\0', 2);
        if (!isxdigit((unsigned char)digits[0]) || !isxdigit((unsigned char)digits[1]) ||
            strcmp(digits, "00") == 0)
            return false;
        *to++ = (char)strtoul(digits, NULL, 16);
        at += 2;
    }
    *to = '\0';
    return true;
}

enum api_verb api_verb_of(const char *name)
{
    enum api_verb verb = API_GET;
    while (verb < API_VERBS && strcasecmp(name, api_verb_names[verb]) != 0)
        verb++;
    return verb;
}
