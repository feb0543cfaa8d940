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
    struct fft_engine_config config; /* its strings are valid during open only */
    char device[64];                 /* what the user wrote after "name:", or "" */
    char about[160];                 /* description for users; written by open, may stay "" */
    char last_error[128];            /* the last failure of a buffer or transform; may stay "" */
    double selftest_factor;          /* of the self-test's limits; 0: 1 */
    void *priv;                      /* ops->priv_size bytes, zeroed */
};

struct batch {
    const void *span;
    struct fft_partial partial; /* position and frames are set at submit, the arrays by poll */
    uint32_t index;             /* 0 .. depth-1: whose memory it uses */
    size_t first_new;           /* index of the first sample whose clipping counts */
    bool corrected;             /* samples are corrected on load */
    struct fft_correction correction;
};

/* How a fold gets the bins of a partial whose arrays are in an order of the engine's own. */
struct fft_bin_order {
    /* bins[k] = the element of bin k of one of its arrays, times `scale` in double precision. */
    void (*to_bins)(const struct fft_bin_order *o, const float *array, double scale, float *bins);
    /* Replaces the arrays of the partial by bins in memory of the batch. */
    void (*complete)(const struct fft_bin_order *o, struct fft_partial *p);
};

struct fft_spectrum {
    struct fft_engine *engine;
    struct fft_spectrum_config config; /* config.window is the spectrum's own copy */
    float *window;
    struct fft_correction correction; /* of the batches submitted next */
    struct batch batches[FFT_SPECTRUM_MAX_DEPTH];
    uint64_t submitted, polled, released; /* counts; batch index = count % depth */
    struct clip_counter *clip_counter;    /* NULL: the engine counts, or nobody wants it */
    char last_error[128];                 /* the last failure, for users; may stay "" */
    char note[128];                       /* fft_spectrum_note; may stay "" */
    void *priv;                           /* ops->spectrum_size bytes, zeroed */
};

/* Receives the reason of a refusal, for users: one line, no newline. */
struct fft_reason {
    char *text; /* may be NULL */
    size_t size;
};
void fft_reason_set(struct fft_reason why, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Where an engine reports a failure at run time: of a buffer or a transform, and of a spectrum. */
static inline struct fft_reason fft_engine_reason(struct fft_engine *e)
{
    return (struct fft_reason){e->last_error, sizeof e->last_error};
}

static inline struct fft_reason fft_spectrum_reason(struct fft_spectrum *s)
{
    return (struct fft_reason){s->last_error, sizeof s->last_error};
}

/*
 * Memory that transforms work on. Without buffer hooks it is host memory, `memory` points to it,
 * and transform.c wraps the user's own arrays in buffers, too. With hooks the engine decides where
 * the bytes are; the common code accesses them between map and unmap only.
 */
struct fft_buffer {
    struct fft_engine *engine;
    size_t bytes;
    void *memory;    /* host memory, aligned to 4 bytes at least; NULL if the engine has hooks */
    unsigned access; /* FFT_BUFFER_ bits while it is mapped, else 0 */
    void *priv;      /* ops->buffer_size bytes, zeroed; NULL without hooks */
};

/*
 * One 1-D pass of a transform: every row of an array through a DFT of n points, natural order, its
 * results multiplied by `scale`. The rows are nested loops of up to three counts (other axes and
 * the batch; 1 where there is none), in no particular order:
 *
 *     point j of row (a, b, c)    j * from + a * rows[0].from + b * rows[1].from + c * rows[2].from
 *
 * and with `to` where it goes. Strides count elements of their side: struct fft_iq, or float on the
 * real side of a real pass, whose complex side has n/2 + 1 points in a row (see fft.h).
 *
 * A pass over two axes transforms planes: the rows of each plane through their DFT, then its
 * columns through one of next.count points, which are next.from and next.to apart. The loops then
 * count planes. Engines get such a pass only after they said that it wins (pass_joins).
 *
 * The strides define the order. A pass in place: same buffer, each `to` equal to its `from`
 * (real passes: the complex side's, doubled, as fft.h says). Strided axis: from = to = points of a
 * row of the array. Rotate-on-store: from = 1, to = number of rows, so that the next axis is
 * adjacent.
 */
enum pass_kind { PASS_COMPLEX, PASS_R2C, PASS_C2R };

struct engine_rows {
    uint32_t count;
    size_t from, to;
};

struct engine_pass {
    struct fft_engine *engine;
    enum pass_kind kind;
    uint32_t n; /* fft_radix_is_smooth; points, or reals, in a row */
    bool inverse;
    float scale; /* 0: unscaled, as 1; fft_pass_scale */
    size_t from, to;
    struct engine_rows next; /* count 0: one axis */
    struct engine_rows rows[3];
    void *priv; /* ops->pass_size bytes, zeroed */
};

/* The factor of the results. */
static inline float fft_pass_scale(const struct engine_pass *p)
{
    return p->scale != 0 ? p->scale : 1;
}

struct engine_ops {
    const char *name;        /* what the user writes: "cpu" */
    const char *about;       /* one line for fftd list engines */
    size_t priv_size;        /* of an engine */
    size_t spectrum_size;    /* of a spectrum */
    bool by_name_only;       /* "auto" skips it */
    bool counts_clipped;     /* poll sets partial.clipped; else the common code counts */
    bool corrects;           /* applies the correction of a batch; else such a config is refused */
    bool plans_concurrently; /* fft_engine_plans_concurrently */
    bool pins_memory;        /* fft_engine_pins_memory */

    /*
     * Find the device. -ENODEV: not on this machine; -EINVAL: no such device or instruction set. On
     * success `why` may name devices that were skipped.
     */
    int (*open)(struct fft_engine *e, struct fft_reason why);
    /* 0 if the engine supports this valid config, or -ENOTSUP with the reason. (optional: all) */
    int (*can)(const struct fft_engine *e, const struct fft_spectrum_config *config,
               struct fft_reason why);
    /* Bytes that spectrum_init takes of the host's memory, without a density. (optional) */
    size_t (*spectrum_bytes)(const struct fft_engine_config *engine,
                             const struct fft_spectrum_config *config);
    /* The same of an open engine for a device: fft_spectrum_device_bytes. (optional: none) */
    size_t (*device_bytes)(const struct fft_engine *e, const struct fft_spectrum_config *config);
    /* Allocate memory, threads and tables for s->config. finish follows also after a failed init.
     */
    int (*spectrum_init)(struct fft_spectrum *s);
    void (*spectrum_finish)(struct fft_spectrum *s);
    /* Start b->partial.frames frames from b->span; must not wait for them. */
    int (*submit)(struct fft_spectrum *s, struct batch *b);
    /*
     * b is the oldest batch that was not polled. 1: done, and the arrays of b->partial are set. 0:
     * not within timeout_ms (< 0: no limit). -errno: the engine is lost.
     */
    int (*poll)(struct fft_spectrum *s, struct batch *b, int timeout_ms);
    void (*close)(struct fft_engine *e); /* also after a failed open */

    /*
     * Transforms. (optional, the three hooks together) compose.c builds every transform from
     * passes.
     *
     * pass_init takes all memory and tables: 0, -ENOMEM, or -ENOTSUP with the reason where it
     * cannot do this length, kind or order. pass_finish follows also after a failed init.
     *
     * pass_run: from is to: in place, else they are apart. It may return before the pass is done;
     * every later call (passes, map, wait, finish, destroy) must behave as if it had been. The
     * caller may lower rows[0].count for a call; it is read before pass_run returns.
     */
    bool prefers_rotate; /* rank 2, 3: passes from work to work with rows together (compose.h) */
    bool real_passes;    /* does PASS_R2C and PASS_C2R; else real.c makes them of complex ones */
    size_t pass_size;    /* of a pass */
    int (*pass_init)(struct engine_pass *p, struct fft_reason why);
    void (*pass_finish)(struct engine_pass *p);
    int (*pass_run)(const struct engine_pass *p, struct fft_buffer *from, struct fft_buffer *to);
    /*
     * Is this complex pass over two axes faster than a pass over each? If so, pass_init must accept
     * it. (optional: never)
     */
    bool (*pass_joins)(const struct engine_pass *p);

    /*
     * Memory of the engine's own, of b->bytes. (optional, the four hooks together)
     * buffer_map: *at is aligned to 64 bytes and has the contents if b->access has READ.
     * buffer_unmap: stores the contents if it has WRITE. The common code pairs the calls.
     */
    size_t buffer_size; /* of a buffer's private state */
    int (*buffer_create)(struct fft_buffer *b);
    int (*buffer_map)(struct fft_buffer *b, void **at);
    int (*buffer_unmap)(struct fft_buffer *b);
    void (*buffer_destroy)(struct fft_buffer *b); /* also after a failed create */
    int (*wait)(struct fft_engine *e); /* until every pass is done (optional: pass_run waits) */
};

/* Every engine in this build, best first, NULL last. See engine_list.c. */
extern const struct engine_ops *const fft_engine_list[];
/* Engines that other builds have, and why this one does not (engine_absent.c); a NULL name ends
 * them. */
struct engine_absence {
    const char *name, *why; /* "was built without..." */
};
extern const struct engine_absence fft_engines_absent[];

/*
 * fft_engine_open with the list of engines given (tests inject their own): config->name chooses
 * among them. A list of one opens that back-end.
 */
int fft_engine_open_from(const struct engine_ops *const *list,
                         const struct fft_engine_config *config, struct fft_engine **out,
                         struct fft_reason why);

/* Runs a small spectrum and compares it with the direct sum. 0, or -EIO with the reason. */
int fft_engine_selftest(struct fft_engine *e, struct fft_reason why);

#endif
