/* hub_run.c - the event loop of a hub: a server, and nothing of a radio. */
#include "daemon/hub/serve/hub_run.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/log.h"
#include "daemon/base/reason.h"
#include "daemon/http/service/http_server_check.h"
#include "daemon/http/service/http_service.h"
#include "daemon/hub/serve/hub_server.h"
#include "daemon/hub/serve/hub_service.h"
#include "daemon/nats/link_broker.h"
#include "daemon/system/interrupt.h"
#include "daemon/system/systemd.h"

enum { TICK_MS = 1000 };

struct hub {
    uv_loop_t loop;
    uv_signal_t on_int, on_term, on_hup;
    uv_timer_t tick;
    struct hub_service *service;
    bool stopping;
};

/* The options of a connection, with the hub's broker. */
static struct nats_options broker_of(const struct config *c)
{
    struct nats_options o = c->nats;
    o.url = o.hub;
    return o;
}

static void stop(struct hub *h)
{
    if (h->stopping)
        return;
    h->stopping = true;
    systemd_notify("STOPPING=1");
    if (h->service)
        hub_server_stop(h->service);
    uv_close((uv_handle_t *)&h->on_int, NULL);
    uv_close((uv_handle_t *)&h->on_term, NULL);
    uv_close((uv_handle_t *)&h->on_hup, NULL);
    uv_close((uv_handle_t *)&h->tick, NULL);
}

static void on_signal(uv_signal_t *handle, int number)
{
    log_info("signal %d: stopping", number);
    interrupt_request(); /* the collector may be repairing a copy */
    stop(handle->data);
}

static void on_reload(uv_signal_t *handle, int number)
{
    const struct hub *h = handle->data;
    (void)number;
    if (!h->service || h->stopping)
        return;
    log_info("reload: a hub has no settings to reload%s",
             h->service->http.tls ? ", but its certificate" : "");
    http_service_reload_tls(&h->service->http);
}

static void on_tick(uv_timer_t *tick)
{
    (void)tick;
    systemd_notify("WATCHDOG=1");
}

static int init_loop(struct hub *h)
{
    int err = uv_loop_init(&h->loop);
    if (err < 0)
        return err;
    uv_timer_init(&h->loop, &h->tick);
    uv_signal_init(&h->loop, &h->on_int);
    uv_signal_init(&h->loop, &h->on_term);
    uv_signal_init(&h->loop, &h->on_hup);
    h->on_int.data = h->on_term.data = h->on_hup.data = h->tick.data = h;
    err = uv_signal_start(&h->on_hup, on_reload, SIGHUP);
    interrupt_catch_signals(); /* the loop does not run before everything has started */
    signal(SIGPIPE, SIG_IGN);
    return err;
}

static void take_signals(struct hub *h)
{
    uv_signal_start(&h->on_int, on_signal, SIGINT);
    uv_signal_start(&h->on_term, on_signal, SIGTERM);
    if (interrupt_requested()) /* it came while the last part started */
        raise(interrupt_signal());
}

static int start(struct hub *h, const struct config *c, const struct nats_options *nats,
                 struct reason *why)
{
    const uint64_t watchdog_ms = systemd_watchdog_us() / 2000;
    const struct hub_server_config config = {
        .loop = &h->loop, .server = &c->server, .nats = nats, .archive = &c->archive};
    const int err = hub_server_start(&h->service, &config, why);
    if (err < 0)
        return why->sentence[0] ? err : reason_set(why, err, "start: %s", strerror(-err));
    log_info("serving %s%s", h->service->http.listener.url, h->service->http.listener.note);
    const uint64_t tick_ms = watchdog_ms && watchdog_ms < TICK_MS ? watchdog_ms : TICK_MS;
    uv_timer_start(&h->tick, on_tick, tick_ms, tick_ms);
    systemd_notify("READY=1\nSTATUS=%s", h->service->http.listener.url);
    return 0;
}

int hub_run(const struct config *config)
{
    struct hub h = {.stopping = false};
    const struct nats_options nats = broker_of(config);
    struct reason why = {0};
    int status = EXIT_SUCCESS;
    const int err = init_loop(&h);
    if (err < 0) { /* the process ends: nothing is worth closing */
        log_error("event loop: %s", uv_strerror(err));
        return EXIT_FAILURE;
    }
    if (start(&h, config, &nats, &why) == 0) {
        take_signals(&h);
    } else if (interrupt_requested()) {
        log_info("signal %d: stopping", interrupt_signal());
        stop(&h);
    } else {
        log_error("%s", why.sentence);
        status = EXIT_FAILURE;
        stop(&h);
    }
    uv_run(&h.loop, UV_RUN_DEFAULT);
    hub_server_destroy(h.service);
    if (uv_loop_close(&h.loop) < 0)
        log_warn("loop close: handles are open");
    return status;
}

int hub_check(const struct config *config, struct reason *why)
{
    const struct nats_options nats = broker_of(config);
    const int err = http_server_check(&config->server, why);
    return err < 0 ? err : link_check(&nats, why);
}
