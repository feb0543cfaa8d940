/* refiner.c - reads the samples of a line in pieces, and transforms them frame by frame. */
#include "daemon/trigger/refiner.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/reason.h"
#include "fft/fft.h"
#include "fft/window.h"

enum { PIECE_FRAMES = 64, PIECE_SAMPLES = 1 << 20 };

struct refiner {
    struct iq_tap *tap;
    struct fft_engine *engine;
    struct fft_spectrum *spectrum; /* NULL: none yet */
    bool polled;                   /* its partial is in use */
    uint32_t n, hop;
    char window[32]; /* of the spectrum */

    struct fft_iq *iq; /* the piece: frames from `first` on */
    size_t capacity;
    uint64_t first, frames; /* of the line; frames in the piece */

    /* the line */
    uint32_t epoch;
    uint64_t position, next, count; /* of frames */
};

int refiner_create(struct refiner **out, struct iq_tap *tap)
{
    struct refiner *r = calloc(1, sizeof *r);
    if (r)
        r->tap = tap;
    *out = r;
    return r ? 0 : -ENOMEM;
}

void refiner_destroy(struct refiner *r)
{
    if (!r)
        return;
    fft_spectrum_destroy(r->spectrum);
    fft_engine_close(r->engine);
    free(r->iq);
    free(r);
}

bool refiner_finds_frames(const struct line *line)
{
    return line->dwells == 0 && line->position != UINT64_MAX && line->frames > 0 &&
           line->sample_count == (line->frames - 1) * line->hop + line->n;
}

/* ---- the plan ---------------------------------------------------------------------------- */

static int open_engine(struct refiner *r, struct reason *why)
{
    const struct fft_engine_config config = {.name = "cpu", .threads = 1};
    char text[sizeof why->sentence];
    const int err = r->engine ? 0 : fft_engine_open(&r->engine, &config, text, sizeof text);
    return err < 0 ? reason_set(why, err, "%s", text) : 0;
}

static int make_spectrum(struct refiner *r, const struct line *line, const float *window,
                         struct reason *why)
{
    const struct fft_spectrum_config plan = {.n = line->n,
                                             .hop = line->hop,
                                             .max_frames = 1,
                                             .depth = 1,
                                             .format = FFT_IQ_CF32,
                                             .detectors = FFT_DETECTOR_MAX,
                                             .window = window,
                                             .corrected = true};
    fft_spectrum_destroy(r->spectrum);
    r->spectrum = NULL;
    r->polled = false;
    char text[sizeof why->sentence];
    const int err = fft_spectrum_create(&r->spectrum, r->engine, &plan, text, sizeof text);
    if (err < 0)
        return reason_set(why, err, "%s", text);
    r->n = line->n;
    r->hop = line->hop;
    memcpy(r->window, line->window, sizeof r->window);
    return 0;
}

static int prepare(struct refiner *r, const struct line *line, struct reason *why)
{
    struct fft_window window;
    if (r->spectrum && r->n == line->n && r->hop == line->hop &&
        strcmp(r->window, line->window) == 0)
        return 0;
    if (fft_window_parse(line->window, &window) < 0)
        return reason_set(why, -EINVAL, "unknown window %s", line->window);
    float *w = malloc(line->n * sizeof *w);
    int err = w ? open_engine(r, why) : -ENOMEM;
    if (err == 0) {
        fft_window_fill(&window, w, line->n, 1, NULL);
        err = make_spectrum(r, line, w, why);
    }
    free(w);
    return err;
}

int refiner_begin(struct refiner *r, const struct line *line, struct reason *why)
{
    static const struct fft_correction none = {.ii = 1, .qq = 1};
    if (!refiner_finds_frames(line))
        return reason_set(why, -ENODATA, "samples are missing within the line");
    int err = prepare(r, line, why);
    if (err == 0)
        err = fft_spectrum_correct(r->spectrum, line->corrected ? &line->correction : &none);
    if (err < 0)
        return err;
    r->epoch = line->epoch;
    r->position = line->position;
    r->count = line->frames;
    r->next = r->first = r->frames = 0;
    return 0;
}

/* ---- frames ------------------------------------------------------------------------------ */

static bool reserve(struct refiner *r, size_t samples)
{
    if (samples <= r->capacity)
        return true;
    struct fft_iq *grown = realloc(r->iq, samples * sizeof *grown);
    if (!grown)
        return false;
    r->iq = grown;
    r->capacity = samples;
    return true;
}

/* Reads the frames from the next one on. */
static bool read_piece(struct refiner *r)
{
    uint64_t frames = r->count - r->next;
    const uint64_t fit = PIECE_SAMPLES > r->n ? (PIECE_SAMPLES - r->n) / r->hop + 1 : 1;
    frames = frames < PIECE_FRAMES ? frames : PIECE_FRAMES;
    frames = frames < fit ? frames : fit;
    const size_t samples = (size_t)((frames - 1) * r->hop + r->n);
    r->first = r->next;
    r->frames = 0;
    if (!reserve(r, samples) ||
        iq_tap_read(r->tap, r->epoch, r->position + r->first * r->hop, samples, r->iq) != samples)
        return false;
    r->frames = frames;
    return true;
}

const float *refiner_next(struct refiner *r)
{
    struct fft_partial partial;
    if (r->next >= r->count || (r->next >= r->first + r->frames && !read_piece(r)))
        return NULL;
    if (r->polled)
        fft_spectrum_release(r->spectrum);
    r->polled = false;
    const struct fft_iq *frame = r->iq + (r->next - r->first) * r->hop;
    if (fft_spectrum_submit(r->spectrum, frame, r->position + r->next * r->hop, 1, 0) < 0 ||
        fft_spectrum_poll(r->spectrum, &partial, -1) <= 0)
        return NULL;
    r->polled = true;
    r->next++;
    return partial.max;
}
