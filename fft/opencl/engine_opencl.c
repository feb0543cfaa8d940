/* engine_opencl.c - the engine's hooks: opens the first working device and runs spectra on it. */
#include "fft/opencl/engine_opencl.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "fft/opencl/opencl_batch_queue.h"
#include "fft/opencl/opencl_measure.h"
#include "fft/opencl/opencl_memory.h"
#include "fft/opencl/opencl_pass.h"
#include "fft/opencl/opencl_state.h"

/* ---- opening ---------------------------------------------------------------------------- */

/* Limits of the self-test are 1 % then, and 1e-6. */
static const double half_selftest_factor = 1000;

static void describe(struct fft_engine *e, const struct opencl_candidate *c)
{
    const struct opencl_engine *cl = e->priv;
    const struct opencl_profile *p = &cl->device.profile;
    const bool simulated = cl->settings.profile[0] != '\0';
    snprintf(e->about, sizeof e->about, "opencl: %.56s (%u/%u)%s%.24s%s", c->name,
             c->platform_number, c->device_number, simulated ? ", planned as " : "",
             simulated ? p->name : "", cl->settings.half ? ", half storage" : "");
}

static void close_device(struct opencl_engine *cl)
{
    if (cl->device.driver)
        opencl_queue_destroy(&cl->device, cl->queue);
    cl->queue = NULL;
    opencl_device_close(&cl->device);
}

/* Opens a device and runs the self-test on it. */
static int try_device(struct fft_engine *e, struct opencl_candidate *c)
{
    struct opencl_engine *cl = e->priv;
    char text[200] = "";
    const struct fft_reason why = {text, sizeof text};
    int err =
        opencl_device_open(&cl->device, &cl->driver, c, &cl->cache, cl->settings.profile, why);
    if (err == 0)
        err = opencl_queue_create(&cl->device, &cl->queue, why);
    if (err == 0)
        err = fft_engine_selftest(e, why);
    if (err == 0) {
        c->verdict[0] = '\0';
        describe(e, c);
        return 0;
    }
    close_device(cl);
    snprintf(c->verdict, sizeof c->verdict, "%.*s", (int)sizeof c->verdict - 1,
             text[0] ? text : strerror(-err));
    return err;
}

/* Opens the first device that works. `why` names the devices that were skipped, also on success. */
static int open_first(struct fft_engine *e, struct opencl_search *s, struct fft_reason why)
{
    int err = -ENODEV;
    for (uint32_t i = 0; i < s->count; i++) {
        if (!s->found[i].eligible)
            continue;
        const int failed = try_device(e, &s->found[i]);
        if (failed == 0) {
            for (uint32_t j = i + 1; j < s->count; j++)
                if (s->found[j].eligible)
                    snprintf(s->found[j].verdict, sizeof s->found[j].verdict, "not needed");
            opencl_search_print(s, why);
            return 0;
        }
        err = err == -ENODEV ? failed : err;
    }
    opencl_search_print(s, why);
    return err;
}

static int opencl_open(struct fft_engine *e, struct fft_reason why)
{
    struct opencl_engine *cl = e->priv;
    struct opencl_search search;
    const bool automatic = !e->config.name || strcmp(e->config.name, "auto") == 0;
    int err = opencl_settings_parse(&cl->settings, e->config.options, why);
    if (err == 0)
        err = opencl_driver_load(&cl->driver, why);
    if (err == 0)
        err = opencl_search(&search, &cl->driver, e->device, automatic, why);
    if (err != 0)
        return err;
    opencl_cache_open(&cl->cache, cl->settings.cache);
    e->selftest_factor = cl->settings.half ? half_selftest_factor : 1;
    return open_first(e, &search, why);
}

static void opencl_close(struct fft_engine *e)
{
    close_device(e->priv);
}

/* ---- spectra ---------------------------------------------------------------------------- */

static int opencl_can(const struct fft_engine *e, const struct fft_spectrum_config *plan,
                      struct fft_reason why)
{
    const struct opencl_engine *cl = e->priv;
    const struct opencl_profile *profile = &cl->device.profile;
    struct opencl_spectrum s;
    char choice[96];
    if (opencl_spectrum_plan(&s, profile, plan, &cl->settings.choice) == 0)
        return 0;
    opencl_choice_print(&cl->settings.choice, choice, sizeof choice);
    fft_reason_set(why, "no kernels for n = %u with plan %s on %s", plan->n, choice, profile->name);
    return -ENOTSUP;
}

/* As opencl_batch_queue_init.c allocates it. */
static size_t opencl_device_bytes(const struct fft_engine *e,
                                  const struct fft_spectrum_config *plan)
{
    const struct opencl_engine *cl = e->priv;
    const struct opencl_profile *profile = &cl->device.profile;
    struct opencl_spectrum s;
    if (opencl_spectrum_plan(&s, profile, plan, &cl->settings.choice) < 0)
        return 0;
    const size_t entries = plan->depth * (s.samples_bytes + s.result.bytes);
    const size_t tables = s.tables_bytes + 1; /* their copy for the upload */
    return profile->unified ? entries + s.samples_bytes + s.scratch_bytes + 2 * tables
                            : entries + tables;
}

static int opencl_spectrum_init(struct fft_spectrum *s)
{
    struct opencl_engine *cl = s->engine->priv;
    struct opencl_choice choice = cl->settings.choice;
    if (cl->settings.measure)
        opencl_measure(&choice, &cl->device, &s->config);
    return opencl_batch_queue_init(s->priv, &cl->device, &s->config, &choice,
                                   fft_spectrum_reason(s));
}

static void opencl_spectrum_finish(struct fft_spectrum *s)
{
    opencl_batch_queue_finish(s->priv);
}

static int opencl_submit(struct fft_spectrum *s, struct batch *b)
{
    return opencl_batch_queue_submit(s->priv, b);
}

static int opencl_poll(struct fft_spectrum *s, struct batch *b, int timeout_ms)
{
    return opencl_batch_queue_poll(s->priv, b, timeout_ms);
}

const struct engine_ops opencl_engine_ops = {
    .name = "opencl",
    .about = "GPUs and other devices, through their OpenCL drivers",
    .corrects = true,
    .plans_concurrently = true,
    .priv_size = sizeof(struct opencl_engine),
    .spectrum_size = sizeof(struct opencl_batch_queue),
    .open = opencl_open,
    .can = opencl_can,
    .device_bytes = opencl_device_bytes,
    .spectrum_init = opencl_spectrum_init,
    .spectrum_finish = opencl_spectrum_finish,
    .submit = opencl_submit,
    .poll = opencl_poll,
    .close = opencl_close,
    .pass_size = sizeof(struct opencl_pass_state),
    .pass_init = opencl_pass_init,
    .pass_finish = opencl_pass_finish,
    .pass_run = opencl_pass_run,
    .buffer_size = sizeof(struct opencl_memory),
    .buffer_create = opencl_memory_create,
    .buffer_map = opencl_memory_map,
    .buffer_unmap = opencl_memory_unmap,
    .buffer_destroy = opencl_memory_destroy,
    .wait = opencl_memory_wait,
};
