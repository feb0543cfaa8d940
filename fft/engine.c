/* engine.c - opens an engine by name, or the best one that works; collects the reasons of the
 * others. */
#include "fft/engine.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WHY = 400 }; /* one clause for each device */

void fft_reason_set(struct fft_reason why, const char *format, ...)
{
    if (!why.text || why.size == 0)
        return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why.text, why.size, format, arguments);
    va_end(arguments);
}

void fft_engine_close(struct fft_engine *e)
{
    if (!e)
        return;
    if (e->priv)
        e->ops->close(e);
    free(e->priv);
    free(e);
}

static int open_one(struct fft_engine **out, const struct engine_ops *ops,
                    const struct fft_engine_config *config, const char *device,
                    struct fft_reason why)
{
    struct fft_engine *e = calloc(1, sizeof *e);
    if (!e)
        return -ENOMEM;
    e->ops = ops;
    e->config = *config;
    snprintf(e->device, sizeof e->device, "%s", device);
    snprintf(e->about, sizeof e->about, "%s: %s", ops->name, ops->about);
    e->priv = calloc(1, ops->priv_size ? ops->priv_size : 1);

    fft_reason_set(why, "%s", "");
    char wrong[WHY] = "";
    int err = e->priv ? ops->open(e, why) : -ENOMEM;
    if (err == 0) {
        err = fft_engine_selftest(e, (struct fft_reason){wrong, sizeof wrong});
        if (err < 0)
            fft_reason_set(why, "%s", wrong);
    }
    e->config.name = e->config.isa = e->config.options = NULL;
    if (err < 0) {
        fft_engine_close(e);
        return err;
    }
    *out = e;
    return 0;
}

/* "name: reason; " appended to the reasons of the engines before it. */
static void append(struct fft_reason why, const char *name, int err, const char *text)
{
    const size_t used = why.text ? strnlen(why.text, why.size) : why.size;
    if (used < why.size && (err < 0 || *text))
        snprintf(why.text + used, why.size - used, "%s%s: %s", used ? "; " : "", name,
                 *text ? text : strerror(-err));
}

static void fail_unknown(const struct engine_ops *const *list, const char *name,
                         struct fft_reason why)
{
    char names[WHY] = "";
    const size_t length = strcspn(name, ":");
    for (const struct engine_absence *a = fft_engines_absent; a->name; a++)
        if (strncmp(name, a->name, length) == 0 && !a->name[length]) {
            fft_reason_set(why, "this program %s", a->why);
            return;
        }
    for (size_t used = 0; *list && used < sizeof names; list++, used = strlen(names))
        snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "", (*list)->name);
    fft_reason_set(why, "no engine is called \"%s\": this build has %s", name, names);
}

int fft_engine_open_from(const struct engine_ops *const *list,
                         const struct fft_engine_config *config, struct fft_engine **out,
                         struct fft_reason why)
{
    const char *name = config->name ? config->name : "auto";
    const size_t length = strcspn(name, ":");
    const char *device = name[length] ? name + length + 1 : "";
    const bool any = strcmp(name, "auto") == 0;
    const struct engine_ops *const *const all = list;
    int err = -ENOENT;

    *out = NULL;
    fft_reason_set(why, "%s", "");
    for (; *list; list++) {
        if (any ? (*list)->by_name_only
                : strncmp(name, (*list)->name, length) != 0 || (*list)->name[length])
            continue;
        char text[WHY] = "";
        err = open_one(out, *list, config, device, (struct fft_reason){text, sizeof text});
        append(why, (*list)->name, err, text);
        if (err == 0)
            return 0;
    }
    if (err == -ENOENT)
        fail_unknown(all, name, why);
    return err;
}

int fft_engine_open(struct fft_engine **out, const struct fft_engine_config *config, char *why,
                    size_t why_size)
{
    return fft_engine_open_from(fft_engine_list, config, out, (struct fft_reason){why, why_size});
}

const char *fft_engine_name(const struct fft_engine *e)
{
    return e->ops->name;
}

bool fft_engine_plans_concurrently(const struct fft_engine *e)
{
    return e->ops->plans_concurrently;
}

bool fft_engine_pins_memory(const struct fft_engine *e)
{
    return e->ops->pins_memory;
}

const char *fft_engine_describe(const struct fft_engine *e)
{
    return e->about;
}

const char *fft_engine_last_error(const struct fft_engine *e)
{
    return e->last_error;
}

void fft_engine_each(void (*visit)(void *user, const char *name, int err, const char *text),
                     void *user)
{
    for (size_t i = 0; fft_engine_list[i]; i++) {
        const struct fft_engine_config config = {.name = fft_engine_list[i]->name};
        struct fft_engine *e = NULL;
        char why[WHY], text[WHY + 192];
        const int err = fft_engine_open(&e, &config, why, sizeof why);
        snprintf(text, sizeof text, "%s%s%s", err ? "" : fft_engine_describe(e),
                 !err && why[0] ? "; passed over: " : "", why);
        visit(user, config.name, err, text);
        fft_engine_close(e);
    }
}
