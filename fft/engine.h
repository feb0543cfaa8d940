/*
 * engine.h - the contract between the library and one engine. Internal: users include fft/fft.h.
 *
 * The common code (engine.c, spectrum.c) allocates an engine's and a spectrum's private state,
 * checks arguments, counts batches and keeps their order; a back-end never does. One back-end is
 * one folder that exports one `const struct engine_ops`, named in engine_list.c.
 */
#ifndef FFTD_FFT_ENGINE_H
#define FFTD_FFT_ENGINE_H

#include "fft/fft.h"

struct engine_ops;

struct fft_engine {
    const struct engine_ops *ops;
    struct fft_engine_config config; /* name and isa are valid during open only */
    char device[64];                 /* what the user wrote behind "name:", or "" */
    char about[128];                 /* what this engine became; written by open, may stay "" */
    void *priv;                      /* ops->priv_size bytes, zeroed */
};

struct batch {
    const void *span;
    struct partial partial; /* position and frames are set at submit, the arrays by poll */
    uint32_t index;         /* 0 .. depth-1: whose memory it uses */
};

struct spectrum {
    struct fft_engine *engine;
    struct spectrum_plan plan; /* plan.window is the spectrum's own copy */
    float *window;
    struct batch batches[SPECTRUM_MAX_DEPTH];
    uint64_t submitted, polled, released; /* counts; batch index = count % depth */
    void *priv;                           /* ops->spectrum_size bytes, zeroed */
};

/* Where a refusal is told to the user: one line, no newline. */
struct reason {
    char *text; /* may be NULL */
    size_t size;
};
void reason_set(struct reason why, const char *format, ...) __attribute__((format(printf, 2, 3)));

/*
 * One 1-D pass of a transform: every row of an array through a DFT of n points, unscaled, natural
 * order. Strides are counted in points (struct iq). The rows are nested loops of up to three counts
 * (other axes and the batch; 1 where there is none), in no particular order:
 *
 *     point j of row (a, b, c)    j * from + a * rows[0].from + b * rows[1].from + c * rows[2].from
 *
 * and with `to` where it goes. A pass may work in place: same memory, each `to` equal to its `from`.
 * Rotate-on-store is a matter of strides, too: from = 1, to = number of rows. A run may have a
 * smaller rows[0].count than the init.
 */
struct engine_rows {
    uint32_t count;
    size_t from, to;
};

struct engine_pass {
    uint32_t n; /* radix_is_smooth */
    bool inverse;
    size_t from, to;
    struct engine_rows rows[3];
    void *priv; /* ops->pass_size bytes, zeroed */
};

struct engine_ops {
    const char *name;     /* what the user writes: "cpu" */
    const char *about;    /* one line for --list-engines */
    size_t priv_size;     /* of an engine */
    size_t spectrum_size; /* of a spectrum */

    /* Find the device. -ENODEV: not on this machine; -EINVAL: no such device or instruction set. */
    int (*open)(struct fft_engine *e, struct reason why);
    /* Can it do this valid plan? 0, or -ENOTSUP with the reason. (optional: it can do all) */
    int (*can)(const struct fft_engine *e, const struct spectrum_plan *plan, struct reason why);
    /* Take all memory, threads and tables for s->plan. finish follows also after a failed init. */
    int (*spectrum_init)(struct spectrum *s);
    void (*spectrum_finish)(struct spectrum *s);
    /* Start b->partial.frames frames from b->span; must not wait for them. */
    int (*submit)(struct spectrum *s, struct batch *b);
    /*
     * b is the oldest batch that was not polled. 1: done, and the arrays of b->partial are set, 0:
     * not within timeout_ms (< 0: for ever), -errno: the engine is lost.
     */
    int (*poll)(struct spectrum *s, struct batch *b, int timeout_ms);
    void (*close)(struct fft_engine *e); /* also after a failed open */

    /* Transforms. (optional, all three together) transform.c makes all kinds of them of passes. */
    size_t pass_size;                                                    /* of a pass */
    int (*pass_init)(const struct fft_engine *e, struct engine_pass *p); /* 0 or -ENOMEM */
    void (*pass_finish)(struct engine_pass *p); /* also after a failed init */
    /* from == to: in place, else they do not overlap. Returns when it is done; takes no memory. */
    int (*pass_run)(struct fft_engine *e, const struct engine_pass *p, const struct iq *from,
                    struct iq *to);
};

/* Every engine in this build, best first, NULL last. See engine_list.c. */
extern const struct engine_ops *const engine_list[];

/*
 * fft_engine_open with the list of engines given (tests inject their own): config->name chooses
 * among them. A list of one is how a certain back-end is opened.
 */
int engine_open_from(const struct engine_ops *const *list, const struct fft_engine_config *config,
                     struct fft_engine **out, struct reason why);

/* Runs a small spectrum and holds it against the direct sum. 0, or -EIO with the reason. */
int engine_selftest(struct fft_engine *e, struct reason why);

#endif
