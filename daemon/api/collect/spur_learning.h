/*
 * spur_learning.h - learns the spurs of the radio from the lines that come, and adds them to the
 * list. Loop thread; a thread of the pool writes the file.
 */
#ifndef FFTD_DAEMON_API_SPUR_LEARNING_H
#define FFTD_DAEMON_API_SPUR_LEARNING_H

#include <uv.h>

#include "daemon/base/reason.h"
#include "daemon/calibration/spur_search.h"
#include "daemon/calibration/spurs.h"
#include "daemon/control/radio_control.h"
#include "daemon/line/line.h"

struct spur_learning_config {
    uv_loop_t *loop;
    struct radio_control *radio;
    const char *file;    /* that learnt spurs are added to; NULL: nowhere */
    bool own;            /* it is in the state directory */
    struct spurs *spurs; /* read again afterwards */
};

struct spur_learning_wanted {
    double duration_s, threshold_db;
};

/* Zeroed but for `config`: nothing was learnt yet. */
struct spur_learning {
    struct spur_learning_config config;
    struct spur_search search;
    double duration_s, threshold_db; /* as requested */
    double seconds;                  /* of the lines so far */
    char radio[64];
    bool adding, writing; /* lines; the file */
    uv_work_t work;

    /* of the newest attempt that has ended */
    bool tried;
    int64_t time_ns;
    size_t added;
    int err;
    struct reason why;
};

/* 0: it begins. -EINVAL, -ENOBUFS with a sentence. */
int spur_learning_begin(struct spur_learning *l, const struct spur_learning_wanted *wanted,
                        struct reason *why);
void spur_learning_on_line(struct spur_learning *l, const struct line *line);
/* {"seconds", "wanted"}; null: nothing is being learnt. */
json_t *spur_learning_progress_json(const struct spur_learning *l);
/* {"time", "added", "error"} of the newest attempt that has ended; null: none has. */
json_t *spur_learning_result_json(const struct spur_learning *l);
void spur_learning_finish(struct spur_learning *l); /* after the loop ended */

#endif
