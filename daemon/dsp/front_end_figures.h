/*
 * front_end_figures.h - the estimated errors of a receiver's front end. Plain values, copied.
 */
#ifndef FFTD_DAEMON_DSP_FRONT_END_FIGURES_H
#define FFTD_DAEMON_DSP_FRONT_END_FIGURES_H

#include <stdbool.h>

struct front_end_figures {
    double dc_dbfs;                /* offset; NAN: no estimate yet, or not wanted, as the next */
    double gain_db, phase_degrees; /* of Q against I */
    double image_rejection_db;     /* that these two leave without a correction */
    bool plausible;                /* the samples can be corrected by these two */
    bool held;                     /* they are corrected by earlier ones */
    double doubt_db; /* level of the images that a wrong estimate would make; NAN: no doubt */
};

#endif
