/* opencl_search.c - lists platforms and devices and selects candidates. */
#include "fft/opencl/opencl_search.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { PLATFORMS = 16, DEVICES = 16 };

/* ---- platforms and devices -------------------------------------------------------------- */

static void reject(struct opencl_candidate *c, const char *verdict)
{
    c->eligible = false;
    snprintf(c->verdict, sizeof c->verdict, "%s", verdict);
}

/* A name longer than the buffer is an error, and the platform is then "unknown". */
static void platform_name(const struct opencl_driver *d, struct opencl_candidate *c)
{
    char text[256] = "";
    if (d->platform_info(c->platform, OPENCL_PLATFORM_NAME, sizeof text, text, NULL) != OPENCL_OK)
        snprintf(text, sizeof text, "unknown");
    text[sizeof text - 1] = '\0';
    snprintf(c->platform_name, sizeof c->platform_name, "%.63s", text);
}

static void read_candidate(const struct opencl_driver *d, struct opencl_candidate *c)
{
    uint32_t available = 0, compiler = 0;
    char text[256] = "";
    int32_t result = d->device_info(c->device, OPENCL_DEVICE_NAME, sizeof text, text, NULL);
    text[sizeof text - 1] = '\0';
    snprintf(c->name, sizeof c->name, "%.63s", text);
    if (result == OPENCL_OK)
        result = d->device_info(c->device, OPENCL_DEVICE_TYPE, sizeof c->type, &c->type, NULL);
    if (result == OPENCL_OK)
        result =
            d->device_info(c->device, OPENCL_DEVICE_AVAILABLE, sizeof available, &available, NULL);
    if (result == OPENCL_OK)
        result =
            d->device_info(c->device, OPENCL_DEVICE_COMPILER, sizeof compiler, &compiler, NULL);
    c->eligible = true;
    if (result != OPENCL_OK) {
        c->eligible = false;
        opencl_check(result, "device query", (struct fft_reason){c->verdict, sizeof c->verdict});
    } else if (!available) {
        reject(c, "not available");
    } else if (!compiler) {
        reject(c, "has no compiler");
    }
}

static struct opencl_candidate *add(struct opencl_search *s, struct _cl_platform_id *platform,
                                    uint32_t number)
{
    if (s->count == OPENCL_SEARCH_MAX)
        return NULL;
    struct opencl_candidate *c = &s->found[s->count++];
    *c = (struct opencl_candidate){.platform = platform, .platform_number = number};
    return c;
}

static void add_platform(struct opencl_search *s, const struct opencl_driver *d,
                         struct _cl_platform_id *platform, uint32_t number)
{
    struct _cl_device_id *devices[DEVICES];
    uint32_t count = 0;
    struct opencl_candidate *c;
    const int32_t result = d->devices(platform, OPENCL_TYPE_ALL, DEVICES, devices, &count);
    if (result != OPENCL_OK || count == 0) {
        c = add(s, platform, number);
        if (!c)
            return;
        platform_name(d, c);
        if (result == OPENCL_OK || result == OPENCL_DEVICE_NOT_FOUND)
            reject(c, "no devices");
        else
            opencl_check(result, "no devices", (struct fft_reason){c->verdict, sizeof c->verdict});
        return;
    }
    for (uint32_t i = 0; i < count && i < DEVICES; i++) {
        c = add(s, platform, number);
        if (!c)
            return;
        c->device = devices[i];
        c->device_number = i;
        platform_name(d, c);
        read_candidate(d, c);
    }
}

/* ---- selection -------------------------------------------------------------------------- */

static bool is_number(const char *text, size_t length)
{
    return length > 0 && strspn(text, "0123456789") >= length;
}

static bool contains(const char *name, const char *part, size_t length)
{
    for (; *name; name++)
        if (strncasecmp(name, part, length) == 0)
            return true;
    return false;
}

static bool matches(const char *part, size_t length, uint32_t number, const char *name)
{
    if (length == 0)
        return true;
    if (is_number(part, length))
        return strtoul(part, NULL, 10) == number;
    return contains(name, part, length);
}

static bool is_selected(const struct opencl_candidate *c, const char *selector)
{
    const size_t length = strcspn(selector, "/");
    if (!selector[length])
        return matches(selector, length, c->platform_number, c->platform_name) ||
               (!is_number(selector, length) && c->device && contains(c->name, selector, length));
    return c->device && matches(selector, length, c->platform_number, c->platform_name) &&
           matches(selector + length + 1, strlen(selector + length + 1), c->device_number, c->name);
}

/* Candidates with lower ranks are tried first. */
static int rank_of(const struct opencl_candidate *c)
{
    if (c->type & OPENCL_TYPE_GPU)
        return 0;
    return c->type & OPENCL_TYPE_CPU ? 2 : 1;
}

static void sort(struct opencl_search *s)
{
    for (uint32_t i = 1; i < s->count; i++) {
        const struct opencl_candidate moved = s->found[i];
        uint32_t at = i;
        for (; at > 0 && rank_of(&s->found[at - 1]) > rank_of(&moved); at--)
            s->found[at] = s->found[at - 1];
        s->found[at] = moved;
    }
}

/* GPUs of the Raspberry Pi, by what their drivers call them: VC4CL, and Mesa. */
static const char *const slow_gpus[] = {"VideoCore", "V3D"};

/* Why "auto" leaves the device to the cpu engine; NULL: it does not. See docs/engines/cpu.md. */
static const char *why_not_automatic(const struct opencl_candidate *c)
{
    if (c->type & OPENCL_TYPE_CPU)
        return "a processor, which the cpu engine makes better use of";
    for (size_t i = 0; i < sizeof slow_gpus / sizeof slow_gpus[0]; i++)
        if (contains(c->name, slow_gpus[i], strlen(slow_gpus[i])))
            return "a Raspberry Pi's GPU: the cpu engine is estimated to be quicker";
    return NULL;
}

/* ---- the search ------------------------------------------------------------------------- */

static int choose(struct opencl_search *s, const char *selector, bool automatic,
                  struct fft_reason why)
{
    uint32_t named = 0, eligible = 0;
    for (uint32_t i = 0; i < s->count; i++) {
        struct opencl_candidate *c = &s->found[i];
        const char *why_not = automatic ? why_not_automatic(c) : NULL;
        if (c->eligible && !is_selected(c, selector))
            reject(c, "not asked for");
        else if (c->eligible && why_not)
            reject(c, why_not);
        named += is_selected(c, selector);
        eligible += c->eligible;
    }
    if (eligible > 0)
        return 0;
    char all[400] = "";
    opencl_search_print(s, (struct fft_reason){all, sizeof all});
    if (named > 0)
        fft_reason_set(why, "%s", all);
    else
        fft_reason_set(why, "no device \"%s\": %s", selector, all);
    return named > 0 ? -ENODEV : -EINVAL;
}

int opencl_search(struct opencl_search *s, const struct opencl_driver *d, const char *selector,
                  bool automatic, struct fft_reason why)
{
    struct _cl_platform_id *platforms[PLATFORMS];
    uint32_t count = 0;
    const int32_t result = d->platforms(PLATFORMS, platforms, &count);
    *s = (struct opencl_search){0};
    if (result == OPENCL_NO_PLATFORM || (result == OPENCL_OK && count == 0)) {
        fft_reason_set(why, "no OpenCL driver is installed");
        return -ENODEV;
    }
    if (result != OPENCL_OK) {
        opencl_check(result, "listing the platforms", why);
        return -ENODEV;
    }
    for (uint32_t i = 0; i < count && i < PLATFORMS; i++)
        add_platform(s, d, platforms[i], i);
    sort(s);
    return choose(s, selector, automatic, why);
}

void opencl_search_print(const struct opencl_search *s, struct fft_reason to)
{
    size_t used = 0;
    fft_reason_set(to, "%s", "");
    for (uint32_t i = 0; i < s->count && used < to.size; i++) {
        const struct opencl_candidate *c = &s->found[i];
        if (!c->verdict[0])
            continue;
        char at[24];
        snprintf(at, sizeof at, c->device ? "%u/%u" : "%u", c->platform_number, c->device_number);
        const int length = snprintf(to.text + used, to.size - used, "%s%s %s: %s", used ? "; " : "",
                                    at, c->device ? c->name : c->platform_name, c->verdict);
        used += length > 0 ? (size_t)length : 0;
    }
}
