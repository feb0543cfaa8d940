/*
 * rigctl_command.h - the lines of Hamlib's rigctld protocol: what a client asks, and the answer.
 * Pure, any thread.
 *
 *     f                 145800000\n
 *     \get_mode         FM\n12500\n
 *     F 145800000       RPRT 0\n
 *     +f                get_freq:\nFrequency: 145800000\nRPRT 0\n
 *
 * Each command has a letter and a long name; '+' before it asks for the extended form. A refusal is
 * "RPRT -N" with an error of Hamlib. After the commands of the manual page rigctl(1), Hamlib 4.5.
 */
#ifndef FFTD_DAEMON_RIGCTL_RIGCTL_COMMAND_H
#define FFTD_DAEMON_RIGCTL_RIGCTL_COMMAND_H

#include "daemon/base/text.h"

struct rigctl_setting {
    double center_hz;
    const char *mode;   /* of demod/; NULL: it has none */
    double passband_hz; /* of the mode filter */
};

/* The rig: what commands read and change. 0, -EINVAL: it cannot be set to that, or another -errno.
 */
struct rigctl_rig {
    void (*get)(void *user, struct rigctl_setting *out);
    int (*tune)(void *user, double center_hz);
    /* passband_hz 0: that of the mode; below 0: as it is. */
    int (*set_mode)(void *user, const char *mode, double passband_hz);
    void *user;
};

enum rigctl_next {
    RIGCTL_NEXT, /* the next line */
    RIGCTL_END,  /* the client leaves, or speaks another protocol: close the connection */
};

/* Does what a line asks, which ends without its newline, and appends the answer. */
enum rigctl_next rigctl_command_run(const struct rigctl_rig *rig, const char *line,
                                    struct text *answer);

#endif
