/*
 * mock_pi.h - a Raspberry Pi as the device layer sees it: device tree, lock file, firmware mailbox,
 * /dev/mem with memory and the GPU's registers, and a clock that only runs when it is looked at. It
 * asserts that nothing is taken away from under a program that runs. Calls come from one thread,
 * but for the firmware's execute.
 */
#ifndef FFTD_TESTS_SUPPORT_QPU_MOCK_PI_H
#define FFTD_TESTS_SUPPORT_QPU_MOCK_PI_H

#include <pthread.h>
#include <stdbool.h>

#include "fft/qpu/device.h"
#include "fft/qpu/system.h"

enum { MOCK_HANDLES = 64, MOCK_LOG = 64, MOCK_POKES = 64 };

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
    struct qpu_system os; /* hand this to qpu_hardware_open */

    /* what it is */
    const char
        *compatible; /* strings, each with its 0, and an empty one at the end; NULL: no tree */
    uint32_t ranges; /* the peripherals' address in the tree; 0: not there */
    const char *gpu_status; /* of the GPU's node; NULL: not there */
    uint32_t bus_alias;     /* upper bits of the firmware's bus addresses */

    /* what goes wrong */
    int vcio_error, mem_error, lock_error, map_error, store_error; /* -errno */
    bool locked_by_other, firmware_refuses, firmware_silent, no_gpu_memory;
    uint32_t ident;
    int ends_after; /* looks until programs end; -1: never */
    bool gpu_error;
    uint32_t execute_answer;
    bool hold_execute; /* the firmware's call lasts until mock_pi_release */

    /* what happened */
    int files_open, maps, enabled, executes;
    bool holds_lock;
    struct mock_memory memory[MOCK_HANDLES];
    uint32_t next_handle;
    uint8_t journal[4096];
    int journal_size;
    uint32_t execute_values[4];
    uint32_t control[2 * QPU_COUNT]; /* as it was when the firmware was asked to execute */
    struct mock_poke pokes[MOCK_POKES];
    int poke_count, looks, queued;
    uint64_t clock_us;
    uint32_t registers[0x1000 / 4];
    uint64_t registers_at;

    pthread_mutex_t lock; /* of the firmware's execute */
    pthread_cond_t changed;
    bool executing, released;
};

void mock_pi_init(struct mock_pi *pi, const char *compatible);
void mock_pi_finish(struct mock_pi *pi);

/* The process dies: files and maps go with it, the firmware keeps what it gave. */
void mock_pi_kill(struct mock_pi *pi);

/* Waits until the firmware executes; lets it end. Any thread. */
void mock_pi_await_execute(struct mock_pi *pi);
void mock_pi_release(struct mock_pi *pi);

/* How many allocations the firmware still has out. */
int mock_pi_allocations(const struct mock_pi *pi);

#endif
