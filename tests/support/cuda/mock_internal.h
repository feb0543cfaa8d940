/*
 * mock_internal.h - internal interface between the files of the mock driver. Several threads may
 * call the driver; one call at a time runs.
 */
#ifndef FFTD_TESTS_SUPPORT_CUDA_MOCK_INTERNAL_H
#define FFTD_TESTS_SUPPORT_CUDA_MOCK_INTERNAL_H

#include <pthread.h>

#include "fft/cuda/cuda_driver.h"
#include "fft/cuda/cuda_plan.h"
#include "tests/support/cuda/mock.h"

/* Keeps other threads out until the call returns. Each exported call begins with it, or with ENTER.
 */
#define ALONE                                                                                      \
    __attribute__((cleanup(mock_unlock), unused)) pthread_mutex_t *const alone_ = mock_lock()
pthread_mutex_t *mock_lock(void);
void mock_unlock(pthread_mutex_t *const *lock);

/* Each exported call begins with ENTER, which counts it and fails it if the test wants that. */
int mock_enter(const char *name);
int mock_here(void); /* the current context's device, -1: none */

#define CALL(name, ...)                                                                            \
    __attribute__((visibility("default"))) int name(__VA_ARGS__);                                  \
    int name(__VA_ARGS__)
#define ENTER                                                                                      \
    ALONE;                                                                                         \
    do {                                                                                           \
        const int failed_ = mock_enter(__func__);                                                  \
        if (failed_)                                                                               \
            return failed_;                                                                        \
    } while (0)

/* ---- queued work ------------------------------------------------------------------------ */

enum op_kind { OP_COPY, OP_LAUNCH, OP_WAIT };

struct op {
    enum op_kind kind;
    void *to;
    const void *from;
    size_t bytes;
    char kernel[64];
    struct cuda_launch launch; /* launch.kernel is `kernel` above */
    struct CUstream_st *other; /* OP_WAIT: waits for this stream */
    uint64_t until;            /* to have done this many operations */
};

/* Queued work: `added` operations were queued, `done` of them have run. */
struct CUstream_st {
    struct op *ops;
    uint64_t added, done, capacity;
    bool has_launches; /* since it was last empty */
    bool capturing, working;
    int device;
    struct CUstream_st *next;
};

struct CUevent_st {
    struct CUstream_st *stream; /* NULL: never recorded, which counts as done */
    uint64_t until;
};

void queue_add(struct CUstream_st *s, const struct op *op);
/* Runs operations until the stream has done `until`; false: the mock is stalled. */
bool queue_reach(struct CUstream_st *s, uint64_t until);

struct CUstream_st *queue_create(int device);
void queue_destroy(struct CUstream_st *s);

/* mock_device.c: replaces the launch by this node. */
int mock_kernel_retarget(struct op *launch, const struct cuda_kernel_node *what);

/* mock_kernel.c: computes the result of a launch. */
void mock_kernel_run(struct cuda_launch *launch);

#endif
