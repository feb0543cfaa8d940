/*
 * mock_pi.h - a mock Raspberry Pi for the device layer: device tree, lock file, firmware mailbox,
 * /dev/mem with memory and the GPU's registers, and a clock that advances when it is read. It
 * asserts that no memory is unmapped or freed while a program runs, and that the firmware and
 * registers do not both start programs. Calls come from one thread, except the firmware's execute.
 */
#ifndef FFTD_TESTS_SUPPORT_QPU_MOCK_PI_H
#define FFTD_TESTS_SUPPORT_QPU_MOCK_PI_H

#include <pthread.h>
#include <stdbool.h>

#include "fft/qpu/qpu_device.h"
#include "fft/qpu/qpu_system.h"

enum { MOCK_HANDLES = 64, MOCK_LOG = 64, MOCK_POKES = 128 };

struct mock_memory {
    uint32_t handle, bus, flags;
    size_t size;
    void *bytes;
    bool locked;
};

struct mock_poke {
    uint32_t offset, value;
};

struct mock_pi {
    struct qpu_system os; /* for qpu_hardware_open */

    /* the board */
    const char *compatible; /* strings terminated by 0, then an empty one; NULL: no device tree */
    uint32_t ranges;        /* the peripherals' address in the tree; 0: not in it */
    uint32_t memory_alias;  /* third cell of vc_mem's registers; 0: not in the tree */
    const char *gpu_status; /* of the GPU's node; NULL: not in the tree */
    uint32_t bus_alias;     /* upper bits of the firmware's bus addresses */

    /* faults to inject */
    int vcio_error, mem_error, lock_error, map_error, store_error; /* -errno */
    int registers_error; /* -errno: the registers cannot be mapped, memory can */
    bool locked_by_other, firmware_refuses, firmware_silent, no_gpu_memory;
    uint32_t ident;
    int ends_after; /* status reads until programs end; -1: never */
    bool gpu_error;
    uint32_t execute_answer;
    bool hold_execute; /* the firmware's call lasts until mock_pi_release */

    /* recorded calls and state */
    int files_open, maps, enabled, executes;
    bool lock_opened, holds_lock, maps_registers;
    struct mock_memory memory[MOCK_HANDLES];
    uint32_t next_handle;
    uint8_t journal[4096];
    int journal_size;
    uint32_t execute_values[4];
    uint32_t control[2 * QPU_COUNT]; /* at the firmware's execute */
    struct mock_poke pokes[MOCK_POKES];
    int poke_count, status_reads, queued;
    uint64_t clock_us;
    uint32_t registers[0x1000 / 4];
    uint64_t registers_at;

    pthread_mutex_t lock; /* protects `executing` and `released` */
    pthread_cond_t changed;
    bool executing, released;
};

void mock_pi_init(struct mock_pi *pi, const char *compatible);
void mock_pi_finish(struct mock_pi *pi);

/* Simulates the death of the process: files and mappings are released, firmware memory is not. */
void mock_pi_kill(struct mock_pi *pi);

/* await: waits until the firmware executes. release: lets the execution end. Any thread. */
void mock_pi_await_execute(struct mock_pi *pi);
void mock_pi_release(struct mock_pi *pi);

/* The number of allocations that the firmware has not got back. */
int mock_pi_allocations(const struct mock_pi *pi);

#endif
