/* guess.c - opens a raw recording whose format is guessed, and words what was. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/log.h"
#include "daemon/base/text.h"
#include "daemon/source/file/recording_source.h"

enum { BLOCK = 262144, PIPE_MS = 8000 }; /* bytes; the longest wait for a pipe's first block */

/* ---- reading ---------------------------------------------------------------------------- */

/* Silence says nothing about the format of the rest. */
static bool is_constant(const uint8_t *block, size_t bytes)
{
    return bytes > 8 && memcmp(block, block + 8, bytes - 8) == 0;
}

/* The first block, and one from the middle. */
static int count_file(struct recording *r, struct iq_guess_counts *c)
{
    const uint64_t size = r->bytes.size, starts[] = {0, size / 2 / 8 * 8};
    uint8_t *block = malloc(BLOCK);
    const int blocks = size > (uint64_t)2 * BLOCK ? 2 : 1;
    int err = block ? 0 : -ENOMEM;
    for (int i = 0; err == 0 && i < blocks; i++) {
        const uint64_t left = size - starts[i];
        const size_t bytes = left < BLOCK ? (size_t)left : BLOCK;
        byte_stream_seek(&r->bytes, starts[i]);
        err = byte_stream_fill(&r->bytes, block, bytes, RECORDING_HEADER_MS);
        if (err == 0 && (i + 1 == blocks || !is_constant(block, bytes)))
            iq_guess_add(c, block, bytes);
    }
    byte_stream_seek(&r->bytes, 0);
    free(block);
    return err < 0 ? recording_fail(r, err, "%s: %s", r->name, strerror(-err)) : 0;
}

/* *length: of the whole pipe if it ended, else 0. *bytes: that arrived. */
static int count_pipe(struct recording *r, struct iq_guess_counts *c, uint64_t *length,
                      uint64_t *bytes)
{
    bool ended = false;
    const int64_t got =
        byte_stream_peek(&r->bytes, BLOCK, BLOCK, RECORDING_HEADER_MS, PIPE_MS, &ended);
    if (got < 0)
        return recording_fail(r, (int)got, "%s: %s", r->name, byte_stream_error(&r->bytes, got));
    if (got > 0)
        iq_guess_add(c, r->bytes.ahead, (size_t)got);
    *bytes = (uint64_t)got;
    *length = ended ? *bytes : 0;
    return ended && got == 0 ? recording_fail(r, -EINVAL, "%s: empty, no samples", r->name) : 0;
}

/* ---- command lines ---------------------------------------------------------------------- */

const char *recording_shell_word(const char *path, size_t most, char into[RECORDING_WORD_MAX])
{
    struct text word = {0};
    text_add_shell_word(&word, path);
    if (word.failed || word.length > most || word.length >= RECORDING_WORD_MAX)
        snprintf(into, RECORDING_WORD_MAX, "FILE");
    else
        snprintf(into, RECORDING_WORD_MAX, "%.*s", (int)word.length, word.data);
    text_finish(&word);
    return into;
}

/* "cs16 or cf32": the formats that are possible or likely. "": none. */
static const char *possible_formats(const struct iq_guess *g, const char *before, char into[64])
{
    into[0] = 0;
    for (int format = 0; format < FFT_IQ_FORMATS; format++) {
        const size_t used = strlen(into);
        if (g->likelihood[format] != IQ_EXCLUDED && (enum fft_iq_format)format != g->format)
            snprintf(into + used, 64 - used, "%s%s%s", used ? " or " : "", before,
                     fft_iq_name((enum fft_iq_format)format));
    }
    return into;
}

static const char *confidence(const struct iq_guess *g, char into[120])
{
    char others[64];
    if (g->sure)
        snprintf(into, 120, "confidence high");
    else
        snprintf(into, 120, "confidence medium, %s cannot be excluded",
                 possible_formats(g, "", others));
    return into;
}

/* ---- the guess -------------------------------------------------------------------------- */

static int refuse(struct recording *r, const char *path, uint64_t bytes)
{
    char formats[64], options[64], word[RECORDING_WORD_MAX];
    if (bytes < IQ_GUESS_MIN)
        return recording_fail(r, -EINVAL,
                              "%s: unknown sample format: %llu bytes are too few to guess it: give "
                              "--format cu8, cs8, cs16 or cf32",
                              r->name, (unsigned long long)bytes);
    possible_formats(&r->guess, "", formats);
    possible_formats(&r->guess, "--format ", options);
    if (!formats[0])
        return recording_fail(
            r, -EINVAL,
            "%s: unknown sample format: %llu bytes are no whole number of samples "
            "in any format that fftd reads",
            r->name, (unsigned long long)bytes);
    return recording_fail(r, -EINVAL,
                          "%s: unknown sample format, perhaps %s: try fftd --replay %s %s", r->name,
                          formats, recording_shell_word(path, 60, word), options);
}

/* The length of whole samples is evidence. The recorder may have been killed within one. */
static struct iq_guess guess(const struct iq_guess_counts *counts, uint64_t length)
{
    const struct iq_guess whole = iq_guess_result(counts, length);
    const struct iq_guess any = iq_guess_result(counts, 0);
    return whole.format == FFT_IQ_FORMATS && any.format != FFT_IQ_FORMATS ? any : whole;
}

int recording_open_unknown(struct recording *r, const char *path)
{
    int err = recording_open_raw(r, path);
    if (err < 0)
        return err;
    if (r->bytes.size == 0)
        return recording_fail(r, -EINVAL, "%s: empty, no samples", r->name);
    struct iq_guess_counts *counts = calloc(1, sizeof *counts);
    uint64_t length = r->bytes.size, bytes = length;
    if (!counts)
        return recording_fail(r, -ENOMEM, "%s: no memory", r->name);
    err = r->bytes.seekable ? count_file(r, counts) : count_pipe(r, counts, &length, &bytes);
    r->guess = guess(counts, length);
    free(counts);
    if (err < 0)
        return err;
    r->format_guessed = r->guess.format != FFT_IQ_FORMATS;
    if (r->format_guessed)
        r->sample = iq_sample_of(r->guess.format);
    return r->format_guessed ? 0 : refuse(r, path, bytes);
}

/* ---- warnings --------------------------------------------------------------------------- */

void recording_warn(const struct recording *r, const char *path)
{
    char word[RECORDING_WORD_MAX], sure[120], format[200] = "", option[32] = "";
    if (!r->format_guessed && !r->rate_assumed)
        return;
    if (r->format_guessed) {
        snprintf(format, sizeof format, "the sample format is guessed from the data: %s (%s)%s",
                 r->sample->name, confidence(&r->guess, sure), r->rate_assumed ? ", and " : "");
        snprintf(option, sizeof option, " --format %s", r->sample->name);
    }
    log_warn("WARNING: %s: %s%s. To set %s: fftd --replay %s%s%s", r->name, format,
             r->rate_assumed
                 ? "the sample rate is not known: frequencies are fractions of it, times "
                   "assume 1 MS/s"
                 : "",
             r->format_guessed && r->rate_assumed ? "both" : "it",
             recording_shell_word(path, RECORDING_WORD_MAX, word), option,
             r->rate_assumed ? " --rate 2.4M" : "");
}

/*
 * Floats as integers, or integers as floats, are no signal, although any bytes may be integers: the
 * likely one of both is right.
 */
static bool contradicts(const struct iq_guess *g, enum fft_iq_format named)
{
    const bool of_other_kind = (g->format == FFT_IQ_CF32) != (named == FFT_IQ_CF32);
    return g->format != FFT_IQ_FORMATS && (g->likelihood[named] == IQ_EXCLUDED ||
                                           (of_other_kind && g->likelihood[named] != IQ_LIKELY &&
                                            g->likelihood[g->format] == IQ_LIKELY));
}

void recording_check_name(struct recording *r, const char *path)
{
    char word[RECORDING_WORD_MAX], sure[120];
    struct iq_guess_counts *counts = r->sample->convert ? NULL : calloc(1, sizeof *counts);
    if (counts && r->bytes.seekable && count_file(r, counts) == 0) {
        const struct iq_guess g = iq_guess_result(counts, 0);
        if (contradicts(&g, r->sample->ring))
            log_warn(
                "WARNING: %s: its name says %s, but the data look like %s (%s). To read them as "
                "that: fftd --replay %s --format %s",
                r->name, r->sample->name, fft_iq_name(g.format), confidence(&g, sure),
                recording_shell_word(path, RECORDING_WORD_MAX, word), fft_iq_name(g.format));
    }
    free(counts);
}
