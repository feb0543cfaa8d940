/*
 * services.h - what this process has for resources: the radio, and the parts that measure, record
 * and decide. Loop thread only.
 */
#ifndef FFTD_DAEMON_API_SERVICES_H
#define FFTD_DAEMON_API_SERVICES_H

#include <jansson.h>

#include "daemon/control/radio_control.h"
#include "daemon/format/band_plan.h"
#include "daemon/measure/measure_thread.h"
#include "daemon/record/recorder/recorder.h"
#include "daemon/trigger/triggers.h"

struct audio;
struct channels;
struct channel_set;
struct reference_takes;
struct spur_learning;
struct spurs;

struct services {
    struct radio_control *radio;
    struct measure_thread *measure_thread; /* NULL: no measurements */
    struct channels *channels;             /* NULL: none are possible */
    struct channel_set **channel_set;      /* the named ones; NULL, or NULL there: none */
    struct audio *audio;                   /* NULL: none comes of channels */
    struct recorder *recorder;             /* NULL: no recordings */
    struct triggers *triggers;             /* NULL: none are possible */
    struct reference_takes *references;    /* with or without a store */
    struct spur_learning *learning;
    struct spurs *spurs;               /* NULL: no list */
    const struct band_plan *band_plan; /* NULL: none; may change between calls */
    void *user;
    /* Of the whole process, by struct status with what carriers add; NULL: no memory. */
    json_t *(*status)(void *user, const struct status *now);
    void (*measures_changed)(void *user); /* (optional) a measurement came or went */
};

#endif
