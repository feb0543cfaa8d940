/* server_options.c - the options of the server and of access to it. */
#include "daemon/access/server_options.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/access/listen_address.h"
#include "daemon/option/option_text.h"
#include "daemon/option/rows.h"

static int check_listen(const char *text)
{
    struct listen_address addresses[LISTEN_ADDRESSES];
    return listen_addresses_parse(text, addresses) < 0 ? -EINVAL : 0;
}

static int check_tcp(const char *text)
{
    struct listen_address address;
    return listen_address_parse_tcp(text, &address);
}

/* Octal digits: rights of the owner, the group and others. */
static int check_mode(const char *text)
{
    const size_t length = strspn(text, "01234567");
    return length && length <= 4 && !text[length] && strtoul(text, NULL, 8) <= 0777 ? 0 : -EINVAL;
}

/* Letters, digits, dots and dashes; `also`: characters of a port or a bracketed IPv6 address. */
static bool is_host(const char *text, const char *also)
{
    for (const char *at = text; *at; at++)
        if (!isalnum((unsigned char)*at) && !strchr("-._", *at) && !strchr(also, *at))
            return false;
    return *text != '\0';
}

static int check_origin(char *item)
{
    const char *host = strstr(item, "://");
    if (!host || (strncmp(item, "http://", 7) != 0 && strncmp(item, "https://", 8) != 0))
        return -EINVAL;
    return is_host(host + 3, "[]:") ? 0 : -EINVAL;
}

static int check_origins(const char *text)
{
    return option_each_item(text, check_origin);
}

static int check_host(char *item)
{
    return is_host(item, "") ? 0 : -EINVAL;
}

static int check_hosts(const char *text)
{
    return option_each_item(text, check_host);
}

static int check_channel(const char *text)
{
    return option_name_is_valid(text) ? 0 : -EINVAL;
}

#define OPTION_OF struct server_options

const struct config_option server_options[] = {
    {"server", "listen", 'l', STRING(listen, "127.0.0.1:8010"), .metavar = "ADDRESS[,ADDRESS...]",
     .expected = "ADDRESS:PORT, [IPV6]:PORT, :PORT, unix:/PATH, systemd, or none; tls: before one "
                 "encrypts it",
     .check = check_listen,
     .help =
         "Addresses of the page and the websocket; :PORT is that port of 127.0.0.1, and [::] "
         "serves IPv4 too. With tls: before it, as in tls:[::]:8443, an address is encrypted; "
         "others serve plain HTTP: use a loopback address, a Unix socket, or a TLS proxy for them. "
         "systemd uses the socket of fftd.socket; none opens no port"},
    {"server", "tls-certificate", STRING(tls_certificate, ""), .metavar = "FILE",
     .expected = "a file name",
     .help =
         "Certificate chain in PEM, for the tls: addresses. A reload (SIGHUP) reads certificate "
         "and key again; if the new pair is invalid, the old one stays. fftd make-certificate "
         "DIR makes a self-signed one"},
    {"server", "tls-key", STRING(tls_key, ""), .metavar = "FILE", .expected = "a file name",
     .help = "Key of tls-certificate in PEM, without a passphrase"},
    {"server", "rtl-tcp", STRING(rtl_tcp, ""), .metavar = "ADDRESS",
     .expected = "PORT, ADDRESS:PORT or [IPV6]:PORT", .check = check_tcp,
     .help =
         "Serve the rtl_tcp protocol at this address; 1234 is port 1234 of 127.0.0.1. Each client "
         "gets its own channel, as if it had an RTL-SDR. Clients cannot change the radio. The "
         "protocol has no token: everyone who can connect can receive"},
    {"server", "rigctl", STRING(rigctl, ""), .metavar = "ADDRESS",
     .expected = "PORT, ADDRESS:PORT or [IPV6]:PORT", .check = check_tcp,
     .help =
         "Serve the protocol of Hamlib's rigctld at this address; 4532 is port 4532 of 127.0.0.1. "
         "Clients tune the channel rigctl-channel, never the radio. The protocol has no token: "
         "everyone who can connect can tune that channel"},
    {"server", "rigctl-channel", STRING(rigctl_channel, "rig"), .metavar = "NAME",
     .expected = "1 to 40 letters, digits, '-', '_' and '.'", .check = check_channel,
     .help = "Named channel that clients of rigctl tune; the first change opens it if there is "
             "none of this name"},
    {"server", "socket-group", STRING(socket_group, ""), .metavar = "GROUP",
     .expected = "the name of a group", .check = option_check_name,
     .help = "Group of the Unix socket, such as the group of a proxy; fftd must be a member of it"},
    {"server", "socket-mode", STRING(socket_mode, "0660"), .metavar = "MODE",
     .expected = "octal digits from 0 to 0777", .check = check_mode,
     .help = "Access rights of the Unix socket; 0666 lets every user of the machine connect"},
    {"server", "token", STRING(token, ""), .metavar = "TEXT", .expected = "some text",
     .secret = true,
     .help = "Control token, at least 16 characters recommended: a client with this token "
             "may change the radio. Every user can read a command line, so prefer token-file"},
    {"server", "token-file", STRING(token_file, ""), .metavar = "FILE", .expected = "a file name",
     .help = "File or pipe with the control token in its first line"},
    {"server", "web-root", STRING(web_root, ""), .metavar = "DIR", .expected = "a directory",
     .help = "Serve the page from this directory instead of the built-in one; for development"},
    {"server", "state-dir", STRING(state_dir, ""), .metavar = "DIR", .expected = "a directory",
     .help = "Directory for reference traces, presets, events, and learnt spurs if there is "
             "no spurs file; fftd creates it. Default: the service's STATE_DIRECTORY. "
             "Without a directory, references, presets and events end with fftd"},
    {"server", "allow-origin", STRING(allow_origin, ""), .metavar = "LIST",
     .expected = "origins as in https://sdr.example.org, separated by commas",
     .check = check_origins,
     .help =
         "Additional origins whose pages may connect; the origin of the daemon is always allowed"},
    {"server", "allow-host", STRING(allow_host, ""), .metavar = "LIST",
     .expected = "host names separated by commas", .check = check_hosts,
     .help = "Additional host names of the daemon; addresses and localhost are always allowed"},
    {"server", "band-plan", STRING(band_plan, ""), .metavar = "FILE[,FILE...]",
     .expected = "file names, separated by commas", .live = true,
     .help = "Band plans and bookmarks that the page shows on the frequency axis: SDR++'s JSON, "
             "gqrx's bandplan.csv and bookmarks.csv"},
    {"server", "max-clients", COUNT(max_clients, "256"), .metavar = "COUNT", RANGE(1, 10000),
     .help = "Maximum number of websocket clients"},
    {"server", "max-views", COUNT(max_views, "64"), .metavar = "COUNT", RANGE(1, 10000),
     .help = "Maximum number of different views; clients with the same view share one"},
    {"server", "history", BYTES(history_bytes, "64M"), RANGE(1048576, 68719476736.0),
     .help = "Memory for recent lines, which fill the waterfall of a new page or view; at "
             "most an eighth of the free memory; 0 keeps no lines"},
    {"server", "control-lease", NUMBER(lease_s, "30"), .metavar = "SECONDS", .unit = SI_SECONDS,
     RANGE(0, 86400),
     .help = "Time during which only the client that changed the radio may change it again, "
             "unless another client takes over; each change renews it; 0 lets all clients "
             "with control change it"},
    {0}};
