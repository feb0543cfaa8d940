/* calibration_options.c - the options of calibration and of spur lists. */
#include "daemon/calibration/calibration_options.h"

#include "daemon/option/rows.h"

#define OPTION_OF struct calibration_options

const struct config_option calibration_options[] = {
    {"radio", "calibration", STRING(file, ""), .metavar = "FILE", .expected = "a file name",
     .live = true,
     .help = "Calibration table of the radio: measurements and csv-format mhz-dbm are in dBm where "
             "it knows the frequency, gain and antenna, and its ppm is the default of ppm"},
    {"radio", "spurs", STRING(spurs_file, ""), .metavar = "FILE", .expected = "a file name",
     .live = true,
     .help = "Spur list: frequencies, absolute or relative to the centre, that fftd never "
             "reports as carriers"},
    {"output", "level-unit", .kind = OPTION_INDEX, FIELD(unit_index), .fallback = "auto",
     .metavar = "UNIT", .choices = "auto, dbfs, dbm, dbuv", .live = true,
     .help = "Unit of calibrated levels. auto: dBm in measurements and in csv-format "
             "mhz-dbm, dBFS in json. dbfs, dbm and dbuv (in 50 ohm): in all of these"},
    {NULL, "calibrate-level", NUMBER(level_dbm, ""), .metavar = "DBM", .unit = SI_DBM,
     RANGE(-200, 60), .missing = NAN,
     .help =
         "Measure the tone nearest to calibrate-at for one second, or for duration, store "
         "the offset between its level in dBFS and this level in the calibration table, print the "
         "row, and exit"},
    {NULL, "calibrate-ppm", FLAG(ppm),
     .help = "Measure the tone nearest to calibrate-at in the same way, store the clock error in "
             "ppm in the calibration table, print it, and exit. May be combined with "
             "calibrate-level"},
    {NULL, "calibrate-at", NUMBER(at_hz, ""), .metavar = "HZ", .unit = SI_HZ, RANGE(0, 1e12),
     .missing = NAN, .help = "Frequency of the tone of calibrate-level and calibrate-ppm"},
    {NULL, "learn-spurs", STRING(learn.file, ""), .metavar = "FILE", .expected = "a file name",
     .help =
         "Run for one second, or for duration, add the lines above the noise that the spur list "
         "FILE does not have yet, print their rows, and exit. Take the antenna off before"},
    {NULL, "learn-threshold", NUMBER(learn.threshold_db, "10"), .metavar = "DB", .unit = SI_DB,
     RANGE(3, 100),
     .help = "Smallest distance from the noise floor of a line that learn-spurs adds"},
    {0}};
