/*
 * stand_in_plan.c - a planner for tests of the host side, which replaces fft/opencl/opencl_plan.c.
 * It uses two kernels of the mock driver (mock_kernel.c): the first copies the raw samples to
 * scratch, the second computes spectra from them. So any early overwrite of samples, scratch or
 * tables shows in the result. A pass is one kernel that does everything and one that does nothing,
 * up to 512 points.
 */
#include <errno.h>
#include <string.h>

#include "fft/opencl/opencl_pass_plan.h"

enum { LONGEST = 65536, LONGEST_PASS = 512, GROUP = 64, TABLE = 64 };

/* ---- profiles and choices --------------------------------------------------------------- */

bool opencl_profile_find(const char *name, struct opencl_profile *out)
{
    if (strcmp(name, "elsewhere") != 0)
        return false;
    *out = (struct opencl_profile){.name = "elsewhere", .type = OPENCL_GPU, .max_group = GROUP};
    return true;
}

uint32_t opencl_nvidia_local_bytes(uint32_t major, uint32_t minor)
{
    return major == 8 && minor == 6 ? 99 << 10 : 0;
}

int opencl_choice_print(const struct opencl_choice *choice, char *out, size_t size)
{
    return snprintf(out, size, "local radix=%u roots=%u", choice->max_radix, choice->roots);
}

bool opencl_choice_parse(struct opencl_choice *out, const char *text)
{
    unsigned radix = 0, roots = 0;
    if (sscanf(text, "local radix=%u roots=%u", &radix, &roots) < 1 && strcmp(text, "local") != 0)
        return false;
    *out = (struct opencl_choice){.strategy = OPENCL_LOCAL_MEM, .max_radix = radix, .roots = roots};
    return true;
}

/* ---- spectra ---------------------------------------------------------------------------- */

static size_t take(size_t *at, bool wanted, size_t bytes)
{
    const size_t here = *at;
    if (!wanted)
        return OPENCL_ABSENT;
    *at += bytes;
    return here;
}

static void name_kernel(struct opencl_kernel *k, const char *name)
{
    snprintf(k->name, sizeof k->name, "%s", name);
}

int opencl_spectrum_plan(struct opencl_spectrum *out, const struct opencl_profile *profile,
                         const struct fft_spectrum_config *spec, const struct opencl_choice *choice)
{
    const size_t bytes = spec->n * sizeof(float);
    size_t at = 0;
    if (spec->n > LONGEST)
        return -ENOTSUP;
    *out = (struct opencl_spectrum){.profile = *profile, .spec = *spec, .options = "-Dstand_in"};
    out->choice = *choice;
    if (out->choice.group == 0)
        out->choice.group = GROUP;
    out->samples_bytes =
        ((size_t)(spec->max_frames - 1) * spec->hop + spec->n) * fft_iq_bytes(spec->format);
    out->tables_bytes = bytes;
    out->scratch_bytes = out->samples_bytes;
    out->result.sum = take(&at, spec->detectors & FFT_DETECTOR_MEAN, bytes);
    out->result.max = take(&at, spec->detectors & FFT_DETECTOR_MAX, bytes);
    out->result.min = take(&at, spec->detectors & FFT_DETECTOR_MIN, bytes);
    out->result.last = take(&at, spec->detectors & FFT_DETECTOR_SAMPLE, bytes);
    out->result.hits = OPENCL_ABSENT;
    out->result.bytes = at;
    out->kernel_count = 2;
    name_kernel(&out->kernels[0], "stand_in_load");
    name_kernel(&out->kernels[1], "stand_in_spectra");
    return 0;
}

size_t opencl_spectrum_source(const struct opencl_spectrum *s, char *out, size_t size)
{
    return (size_t)snprintf(out, size, "stand-in of %u points, radix %u, roots %u", s->spec.n,
                            s->choice.max_radix, s->choice.roots);
}

void opencl_spectrum_tables(const struct opencl_spectrum *s, void *tables)
{
    memcpy(tables, s->spec.window, s->spec.n * sizeof(float));
}

static void add_word(struct opencl_launch *l, uint32_t word)
{
    l->args[l->arg_count++] = (struct opencl_arg){.kind = OPENCL_WORD, .u.word = word};
}

static void add_buffer(struct opencl_launch *l, enum opencl_role role)
{
    l->args[l->arg_count++] = (struct opencl_arg){.kind = OPENCL_BUFFER, .u.role = role};
}

static struct opencl_launch launch_of(const void *plan, uint32_t kernel, uint32_t group)
{
    struct opencl_launch l = {.kernel = kernel, .dims = 1, .global = {group}, .local = {group}};
    add_word(&l, (uint32_t)(uintptr_t)plan);
    add_word(&l, (uint32_t)((uint64_t)(uintptr_t)plan >> 32));
    return l;
}

bool opencl_spectrum_launch(const struct opencl_spectrum *s, uint32_t samples_at, uint32_t frames,
                            uint32_t index, struct opencl_launch *out)
{
    if (index > 1 || samples_at > 0)
        return false;
    *out = launch_of(s, index, s->choice.group);
    add_buffer(out, OPENCL_SCRATCH);
    add_buffer(out, index ? OPENCL_TABLES : OPENCL_SAMPLES);
    add_buffer(out, OPENCL_RESULT);
    add_word(out, frames);
    return true;
}

bool opencl_spectrum_candidate(const struct opencl_profile *profile,
                               const struct fft_spectrum_config *spec, uint32_t half,
                               uint32_t index, struct opencl_choice *out)
{
    (void)profile, (void)spec, (void)half;
    *out = (struct opencl_choice){.strategy = OPENCL_LOCAL_MEM, .max_radix = 2U << index};
    return index < 4;
}

/* ---- passes ----------------------------------------------------------------------------- */

int opencl_pass_plan(struct opencl_pass *out, const struct opencl_profile *profile,
                     const struct engine_pass *spec, const struct opencl_choice *choice)
{
    if (spec->n > LONGEST_PASS || spec->kind != PASS_COMPLEX)
        return -ENOTSUP;
    *out = (struct opencl_pass){.tables_bytes = TABLE,
                                .options = "-Dstand_in",
                                .kernel_count = 2,
                                .profile = *profile,
                                .spec = *spec,
                                .choice = *choice};
    if (out->choice.group == 0)
        out->choice.group = GROUP;
    name_kernel(&out->kernels[0], "stand_in_pass");
    name_kernel(&out->kernels[1], "stand_in_rest");
    return 0;
}

size_t opencl_pass_source(const struct opencl_pass *p, char *out, size_t size)
{
    (void)p;
    return (size_t)snprintf(out, size, "stand-in of all passes");
}

void opencl_pass_tables(const struct opencl_pass *p, void *tables)
{
    (void)p;
    memset(tables, 1, TABLE);
}

bool opencl_pass_launch(const struct opencl_pass *p, uint32_t rows0, uint32_t index,
                        struct opencl_launch *out)
{
    if (index > 1)
        return false;
    *out = launch_of(p, index, p->choice.group);
    add_buffer(out, OPENCL_FROM);
    add_buffer(out, OPENCL_TO);
    add_word(out, rows0);
    return true;
}
