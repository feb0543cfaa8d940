/* link_options.c - the options of libnats from those of the configuration. */
#include "daemon/nats/link_options.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "daemon/base/reason.h"
#include "daemon/base/text.h"
#include "daemon/files/text_file.h"
#include "daemon/nats/link_check.h"

enum {
    WRITE_MS = 1000,
    CREDENTIALS_MAX = 64 << 10,
    PING_MS = 1000,
    PINGS_MAX = 3 /* without an answer */
};

static int fail(struct reason *why, const char *what, natsStatus s)
{
    return reason_set(why, s == NATS_NO_MEMORY ? -ENOMEM : -EINVAL, "%s: %s", what,
                      natsStatus_GetText(s));
}

/* A file of nsc has several lines; one line is USER:PASSWORD. */
static int set_credentials(natsOptions *to, const char *path, struct reason *why)
{
    struct text file = {0};
    natsStatus s;
    if (!path)
        return 0;
    const int err = text_file_read(&file, path, CREDENTIALS_MAX, why);
    if (err < 0) {
        text_finish(&file);
        return err;
    }
    text_add_bytes(&file, "", 1);
    if (file.failed || strstr(file.data, "BEGIN NATS USER JWT")) {
        s = file.failed ? NATS_NO_MEMORY : natsOptions_SetUserCredentialsFromFiles(to, path, NULL);
    } else {
        file.data[strcspn(file.data, "\r\n")] = '\0';
        char *colon = strchr(file.data, ':');
        if (colon)
            *colon = '\0';
        s = colon ? natsOptions_SetUserInfo(to, file.data, colon + 1) : NATS_INVALID_ARG;
    }
    text_finish(&file);
    return s == NATS_OK ? 0
           : s == NATS_INVALID_ARG
               ? reason_set(why, -EINVAL, "%s: neither a credentials file nor a line USER:PASSWORD",
                            path)
               : fail(why, path, s);
}

/* The name in the broker's certificate must be that of the URL. */
static natsStatus set_host(natsOptions *to, const char *url)
{
    char host[256];
    const char *from = strstr(url, "//") + 2;
    const size_t length = strcspn(from, *from == '[' ? "]" : ":");
    snprintf(host, sizeof host, "%.*s", (int)length - (*from == '['), from + (*from == '['));
    return natsOptions_SetExpectedHostname(to, host);
}

static int set_tls(natsOptions *to, const struct nats_options *o, struct reason *why)
{
    if (strncmp(o->url, "tls://", 6) != 0 && !o->ca)
        return 0;
    natsStatus s = natsOptions_SetSecure(to, true);
    if (s == NATS_OK)
        s = set_host(to, o->url);
    if (s != NATS_OK)
        return fail(why, "nats", s);
    s = o->ca ? natsOptions_LoadCATrustedCertificates(to, o->ca) : NATS_OK;
    return s == NATS_OK ? 0 : fail(why, o->ca, s);
}

static natsStatus set_plain(natsOptions *to, const char *url, const char *name)
{
    natsStatus s = natsOptions_SetURL(to, url);
    if (s == NATS_OK)
        s = natsOptions_SetName(to, name);
    if (s == NATS_OK)
        s = natsOptions_SetAllowReconnect(to, false);
    if (s == NATS_OK) /* else a broker names the servers that get the credentials next */
        s = natsOptions_SetIgnoreDiscoveredServers(to, true);
    if (s == NATS_OK)
        s = natsOptions_SetTimeout(to, LINK_CONNECT_MS);
    return s == NATS_OK ? natsOptions_SetWriteDeadline(to, WRITE_MS) : s;
}

int link_options_create(natsOptions **out, const struct nats_options *o, const char *name,
                        struct reason *why)
{
    *out = NULL;
    natsStatus s = natsOptions_Create(out);
    if (s == NATS_OK)
        s = set_plain(*out, o->url, name);
    int err = s == NATS_OK ? 0 : fail(why, "nats", s);
    if (err == 0)
        err = set_credentials(*out, o->credentials, why);
    return err < 0 ? err : set_tls(*out, o, why);
}

natsStatus link_options_set_ping(natsOptions *to)
{
    const natsStatus s = natsOptions_SetPingInterval(to, PING_MS);
    return s == NATS_OK ? natsOptions_SetMaxPingsOut(to, PINGS_MAX) : s;
}

int link_check(const struct nats_options *options, struct reason *why)
{
    enum { END_MS = 2000 };
    natsOptions *made = NULL;
    const int err = link_options_create(&made, options, "check", why);
    natsOptions_Destroy(made);
    nats_CloseAndWait(END_MS); /* of the whole process, where nothing else uses libnats */
    return err;
}
