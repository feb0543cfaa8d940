/*
 * emulator.h - the QPUs of a VideoCore IV, run instruction by instruction; for tests.
 *
 * Twelve QPUs with their register files, accumulators and flags, the two TMUs of each slice, the
 * VPM with its DMA both ways, sixteen semaphores, the mutex, uniforms and the host interrupt. Float
 * arithmetic is the silicon's: rounded toward zero, denormals flushed. There is no clock: what may
 * happen at several moments happens at the worst one, which the mode chooses.
 *
 * Whatever a program may not do ends the run with one line that says where and what: the hazards of
 * the reference guide, memory, VPM or code out of bounds, values that nobody wrote reaching memory,
 * an address, or a branch, a line of the TMU's cache older than the memory behind it, semaphores
 * that are not back at zero, a deadlock. Definedness is followed lane by lane, as in valgrind's
 * memcheck: moving what is undefined is no error, using it is.
 *
 * After "VideoCore IV 3D Architecture Reference Guide" (Broadcom, 2013) and M. Mueller, "Addendum
 * to VideoCore IV documentation". One thread a machine.
 */
#ifndef FFTD_EMULATE_QPU_EMULATOR_H
#define FFTD_EMULATE_QPU_EMULATOR_H

#include <stdbool.h>
#include <stdint.h>

struct emulator;

/* A machine with `bytes` of GPU memory, nothing allocated. NULL: no memory. */
struct emulator *emulator_create(uint32_t bytes);
void emulator_destroy(struct emulator *e);

/* Bus address of a zeroed block, a multiple of align (a power of two, >= 64); 0: no room. */
uint32_t emulator_alloc(struct emulator *e, uint32_t bytes, uint32_t align);
void emulator_free(struct emulator *e, uint32_t bus);
/* The host's view of a bus address inside of a block. */
void *emulator_at(struct emulator *e, uint32_t bus);

enum emulator_schedule {
    EMULATOR_ROUND_ROBIN,  /* one instruction each in turn */
    EMULATOR_RUN_TO_BLOCK, /* each as far as it gets */
    EMULATOR_RANDOM,       /* bursts of chance */
};

/*
 * late: a DMA transfer happens when somebody waits for it, and a TMU request reads memory when it
 * is made. Else a transfer happens when it is started, and a request reads when its result is
 * taken. Either is the worst case for one kind of missing wait.
 */
struct emulator_mode {
    enum emulator_schedule schedule;
    uint64_t seed; /* of EMULATOR_RANDOM */
    bool late;
};

/* One QPU's start. uniform_words: exactly so many are read; 0: not checked. */
struct emulator_start {
    uint32_t code, uniforms, uniform_words;
};

struct emulator_report {
    char error[200];               /* "" : none */
    uint64_t instructions;         /* issued by all QPUs, delay slots included, stalls not */
    uint64_t most_instructions;    /* of one QPU */
    uint64_t read_bytes;           /* asked for through the TMUs */
    uint64_t stored_bytes;         /* by DMA */
    uint64_t loaded_bytes;         /* by DMA */
    uint64_t tmu_hits, tmu_misses; /* by line: neighbouring lanes in one line look once */
    uint64_t idle_takes;           /* results taken that left no request queued behind them */
    uint32_t interrupts;
};

/*
 * Runs `count` QPUs (number 0 .. count-1) until all have ended, caches cleared first, semaphores 0.
 * 0, or -EIO with report->error.
 */
int emulator_run(struct emulator *e, const struct emulator_start *start, uint32_t count,
                 const struct emulator_mode *mode, struct emulator_report *report);

/* Whether any QPU came to the instruction at this address in the last run. */
bool emulator_ran(const struct emulator *e, uint32_t bus);

/* Runs that issue more instructions than this are in a loop without end (10^9 unless set). */
void emulator_limit(struct emulator *e, uint64_t instructions);

/*
 * Whether a read of the VPM waits for its setup. The guide calls a read sooner than three
 * instructions after it undefined, and here it is an error; the addendum says that it waits, and
 * GPU_FFT, which runs on silicon, relies on that.
 */
void emulator_let_reads_wait(struct emulator *e, bool wait);

/* All schedules (three seeds) with both kinds of DMA; name for messages. */
struct emulator_named_mode {
    const char *name;
    struct emulator_mode mode;
};
enum { EMULATOR_MODES = 10 };
extern const struct emulator_named_mode emulator_modes[EMULATOR_MODES];

#endif
