/*
 * emulator.h - emulates the QPUs of a VideoCore IV instruction by instruction, for tests.
 *
 * A machine has twelve QPUs with their register files, accumulators and flags, the two TMUs of each
 * slice, the VPM with its DMA in both directions, sixteen semaphores, the mutex, uniforms and the
 * host interrupt. Float arithmetic is that of the silicon: rounded toward zero, denormals flushed.
 * There is no clock. An event that can occur at several times occurs at the worst one, which the
 * mode selects.
 *
 * An error of the program ends the run with one line that says where and what. Errors are: the
 * hazards of the reference guide, except the one that is a warning; memory, VPM or code out of
 * bounds; undefined values that reach memory, an address or a branch; stale lines in the TMU's
 * cache; semaphores that do not return to zero; deadlocks. The emulator tracks defined values lane
 * by lane, as valgrind's memcheck does: moving an undefined value is no error, using it is.
 *
 * Sources: "VideoCore IV 3D Architecture Reference Guide" (Broadcom, 2013) and M. Mueller,
 * "Addendum to VideoCore IV documentation". A machine is used by one thread at a time.
 */
#ifndef FFTD_EMULATE_QPU_EMULATOR_H
#define FFTD_EMULATE_QPU_EMULATOR_H

#include <stdbool.h>
#include <stdint.h>

struct emulator;

/* Creates a machine with `bytes` of GPU memory. NULL: out of memory. */
struct emulator *emulator_create(uint32_t bytes);
void emulator_destroy(struct emulator *e);

/* Allocates a zeroed block: its bus address, a multiple of align (a power of two, >= 64); 0: no
 * room. */
uint32_t emulator_alloc(struct emulator *e, uint32_t bytes, uint32_t align);
void emulator_free(struct emulator *e, uint32_t bus);
/* The host's pointer to a bus address in a block. */
void *emulator_at(struct emulator *e, uint32_t bus);

enum emulator_schedule {
    EMULATOR_ROUND_ROBIN,  /* one instruction of each QPU */
    EMULATOR_RUN_TO_BLOCK, /* each QPU until it stalls */
    EMULATOR_RANDOM,       /* bursts of random length on random QPUs */
};

/*
 * late: a DMA transfer occurs when a QPU waits for it, and a TMU request reads memory when it is
 * made. Not late: a transfer occurs when it is started, and a request reads memory when its result
 * is loaded. Each is the worst case for one kind of missing wait.
 */
struct emulator_mode {
    enum emulator_schedule schedule;
    uint64_t seed; /* of EMULATOR_RANDOM */
    bool late;
};

/* The start of one QPU: bus addresses, and the number of uniforms that it must read; 0: not
 * checked. */
struct emulator_start {
    uint32_t code, uniforms, uniform_words;
};

struct emulator_report {
    char error[200];               /* "": none */
    char warning[200];             /* the first one; "": none */
    uint64_t early_vpm_reads;      /* warnings: VPM reads within three instructions of the setup */
    uint64_t instructions;         /* issued by all QPUs, with delay slots, without stalls */
    uint64_t max_instructions;     /* the largest number issued by one QPU */
    uint64_t read_bytes;           /* requested through the TMUs */
    uint64_t stored_bytes;         /* by DMA */
    uint64_t loaded_bytes;         /* by DMA */
    uint64_t tmu_hits, tmu_misses; /* cache lookups; adjacent lanes in one line share one */
    uint64_t lines_read;           /* from memory, of 64 bytes: misses of the L2 cache */
    uint64_t draining_reads;       /* TMU results loaded that left the queue empty */
    uint32_t interrupts;
};

/*
 * Runs QPUs 0 .. count-1 until all have ended. Caches start empty and semaphores at 0. 0, or -EIO
 * with report->error.
 *
 * A VPM read within three instructions of its setup is a warning: the guide calls its result
 * undefined, but the addendum says that the read waits, and GPU_FFT's programs, which run on
 * silicon, rely on that. The emulator waits, too.
 */
int emulator_run(struct emulator *e, const struct emulator_start *start, uint32_t count,
                 const struct emulator_mode *mode, struct emulator_report *report);

/* True if a QPU executed the instruction at this address in the last run. */
bool emulator_ran(const struct emulator *e, uint32_t bus);

/* Sets the number of instructions after which a run fails as endless; the default is 10^9. */
void emulator_limit(struct emulator *e, uint64_t instructions);

/* All schedules, random with three seeds, each with early and late transfers; the name is for
 * messages. */
struct emulator_named_mode {
    const char *name;
    struct emulator_mode mode;
};
enum { EMULATOR_MODES = 10 };
extern const struct emulator_named_mode emulator_modes[EMULATOR_MODES];

#endif
