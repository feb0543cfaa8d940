/* nats_options.c - the options of sensors and hubs. */
#include "daemon/nats/nats_options.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "daemon/base/si.h"
#include "daemon/option/rows.h"

static bool is_port(const char *text)
{
    uint16_t port;
    return si_parse_port(text, strlen(text), &port) && port > 0;
}

/* No user and no path: passwords belong in a file. */
static int check_nats(const char *text)
{
    static const char *const schemes[] = {"nats://", "tls://"};
    const char *host = NULL;
    for (size_t i = 0; i < sizeof schemes / sizeof schemes[0]; i++)
        if (strncmp(text, schemes[i], strlen(schemes[i])) == 0)
            host = text + strlen(schemes[i]);
    if (!host || !*host || *host == ':')
        return -EINVAL;
    for (const char *at = host; *at; at++)
        if (!isalnum((unsigned char)*at) && !strchr("-_.:[]", *at))
            return -EINVAL;
    const char *end = strrchr(host, ']'), *port = strchr(end ? end : host, ':');
    return !port || is_port(port + 1) ? 0 : -EINVAL;
}

#define OPTION_OF struct nats_options

const struct config_option nats_options[] = {
    {"nats", "nats", STRING(url, ""), .metavar = "URL",
     .expected = "nats://HOST[:PORT] or tls://HOST[:PORT]; user and password are in the file of "
                 "nats-credentials",
     .check = check_nats,
     .help = "Publish lines, status, events and measurements at this NATS broker"},
    {"nats", "hub", STRING(hub, ""), .metavar = "URL",
     .expected = "nats://HOST[:PORT] or tls://HOST[:PORT]; user and password are in the file of "
                 "nats-credentials",
     .check = check_nats,
     .help = "Serve as a hub: no radio, but one web page for all sensors of this NATS broker"},
    {"nats", "nats-prefix", STRING(prefix, "fftd"), .metavar = "WORD",
     .expected = "letters, digits, - and _", .check = option_check_word,
     .help = "First word of the subjects PREFIX.SITE.RADIO.KIND"},
    {"nats", "nats-site", STRING(site, ""), .metavar = "WORD",
     .expected = "letters, digits, - and _", .check = option_check_word,
     .help = "Name of the site in the subjects; by default, the host name up to its first dot"},
    {"nats", "nats-radio", STRING(radio, "radio"), .metavar = "WORD",
     .expected = "letters, digits, - and _", .check = option_check_word,
     .help = "Name of the radio in the subjects; each fftd of a site needs its own"},
    {"nats", "nats-credentials", STRING(credentials, ""), .metavar = "FILE",
     .expected = "a file name",
     .help = "Credentials file for the broker, as nsc writes it, or a file with one line "
             "USER:PASSWORD"},
    {"nats", "nats-ca", STRING(ca, ""), .metavar = "FILE", .expected = "a file name",
     .help = "Certificate authorities (PEM) for the certificate of a tls:// broker; by "
             "default, those of the system"},
    {"nats", "nats-columns", COUNT(columns, "1024"), .metavar = "COUNT", RANGE(16, 8192),
     .help = "Maximum number of columns in a published line; a column has the level of its "
             "strongest bin"},
    {"nats", "nats-rate", NUMBER(rate_hz, "5"), .metavar = "LINES", .unit = SI_HZ, RANGE(0.01, 100),
     .help = "Largest number of published lines a second; the sensor folds further lines by "
             "the rule of detector"},
    {"nats", "nats-step", NUMBER(step_db, "1"), .metavar = "DB", .unit = SI_DB, RANGE(0.25, 20),
     .help = "Smallest difference between two levels of a published line; a coarser step "
             "needs fewer bytes"},
    {"nats", "nats-archive-rate", BYTES(archive_rate, "64k"), RANGE(1024, 1073741824.0),
     .help = "Bytes of the archive that all hubs together may fetch in a second; 0 sends "
             "nothing"},
    {0}};
