/*
 * sim_args.h - parses --device of the simulated radio: "scene=tone,offset=250k,vanish_after=2".
 *
 *     seed=N             seed of the noise, default 1
 *     scene=NAME         show tone noise silence counter world channels sensor squitter nfm am ssb
 *                        ax25: scene.h, transmitters.h
 *     level=DBFS  noise=DBFS  offset=HZ
 *     copy=yes           no: the scene fills the ring once, and reading costs nothing. Samples that
 *                        an overflow or a full ring loses are not skipped in the scene then
 *     dc=DBFS  gain_error=DB  phase_error=DEGREES    of the receiver: scene.h
 *     tones=LIST         of the scene world: world.h
 *     settle=S           after a change of the centre, discards S seconds of samples; default 0
 *     serial=TEXT        of the radio, as calibration tables have it
 *
 * Faults, in seconds of samples since the start:
 *
 *     overflow_every=S   reports an overflow with a known loss every S seconds ...
 *     overflow_lost=N    ... of N samples, default rate/100
 *     vanish_after=S     read fails with -EIO; opened again, it runs for S again
 *     stall_after=S      read returns 0 for ever
 *     hang_after=S       read never returns
 */
#ifndef FFTD_DAEMON_SOURCE_SIM_SIM_ARGS_H
#define FFTD_DAEMON_SOURCE_SIM_SIM_ARGS_H

#include <stdbool.h>

#include "daemon/source/sim/scene.h"
#include "daemon/source/sim/world.h"

struct reason;

struct sim_args {
    struct sim_scene scene;
    bool in_place;  /* copy=no */
    bool has_scene; /* scene= is given; else it is show */
    struct sim_world world;
    double settle_s; /* NAN: none */
    char serial[32];
    double overflow_every_s, overflow_lost;             /* NAN: never, default */
    double vanish_after_s, stall_after_s, hang_after_s; /* NAN: never */
};

/* text NULL or "": the defaults. 0, or -EINVAL with one line in *why. Pure. */
int sim_args_parse(const char *text, struct sim_args *out, struct reason *why);

#endif
