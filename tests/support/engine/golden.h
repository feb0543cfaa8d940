/*
 * golden.h - published figures of the windows, for n = 1024.
 *
 * Sources: Harris 1978 table 1; Heinzel, Ruediger, Schilling 2002; a separate computation outside
 * this project. The parameter of kaiser is beta, that of gauss alpha.
 */
#ifndef FFTD_TESTS_SUPPORT_ENGINE_GOLDEN_H
#define FFTD_TESTS_SUPPORT_ENGINE_GOLDEN_H

#include "fft/window.h"

struct golden_window {
    const char *text;
    double coherent_gain, enbw_bins, enbw_db, scalloping_db, sidelobe_db;
    double width_3db_bins, width_6db_bins;
};

static const struct golden_window golden_windows[] = {
    {"rect", 1, 1.0000, 0.000, 3.922, -13.3, 0.886, 1.207},
    {"hann", .5, 1.5000, 1.761, 1.424, -31.5, 1.441, 2.000},
    {"hamming", .54, 1.3628, 1.344, 1.751, -42.7, 1.303, 1.815},
    {"blackman", .42, 1.7268, 2.372, 1.099, -58.1, 1.644, 2.299},
    {"blackman-harris", .35875, 2.0044, 3.020, 0.826, -92.0, 1.899, 2.666},
    {"nuttall", .36358, 1.9761, 2.958, 0.851, -98.2, 1.872, 2.629},
    {"flat-top", .21558, 3.7702, 5.764, 0.010, -93.0, 3.725, 4.583},
    {"kaiser(8.6)", .4208, 1.7214, 2.359, 1.109, -63.3, 1.637, 2.291},
    {"kaiser(14)", .3319, 2.1611, 3.347, 0.713, -106.1, 2.045, 2.874},
    {"gauss(2.5)", .495, 1.4456, 1.600, 1.580, -43.3, 1.373, 1.921},
    {"gauss(3.5)", .358, 1.9765, 2.959, 0.870, -71.0, 1.858, 2.625},
};
enum { GOLDEN_WINDOWS = sizeof golden_windows / sizeof golden_windows[0] };

#endif
