/*
 * engine_list_hanging.c - replaces the library's engine list by cpu and "hanging". "hanging:50" is
 * the CPU engine for 50 batches, then its poll never returns.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "fft/cpu/engine_cpu.h"
#include "fft/engine.h"

static struct engine_ops hanging_ops;
static long polls_left;

static int hanging_open(struct fft_engine *e, struct fft_reason why)
{
    const long batches = atol(e->device);
    e->device[0] = '\0';
    polls_left = batches;
    const int err = cpu_engine_ops.open(e, why);
    snprintf(e->about, sizeof e->about, "hanging: the CPU engine for %ld batches", batches);
    return err;
}

static int hanging_poll(struct fft_spectrum *s, struct batch *b, int timeout_ms)
{
    while (polls_left <= 0)
        pause();
    const int done = cpu_engine_ops.poll(s, b, timeout_ms);
    polls_left -= done == 1;
    return done;
}

__attribute__((constructor)) static void fill(void)
{
    hanging_ops = cpu_engine_ops;
    hanging_ops.name = "hanging";
    hanging_ops.by_name_only = true;
    hanging_ops.open = hanging_open;
    hanging_ops.poll = hanging_poll;
}

const struct engine_ops *const fft_engine_list[] = {&cpu_engine_ops, &hanging_ops, NULL};
