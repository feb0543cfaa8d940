/* cut_file.h - fftd cut: a box of a recording as a recording of its own. One thread; waits for
 * files.
 */
#ifndef FFTD_DAEMON_RECORD_CUT_FILE_H
#define FFTD_DAEMON_RECORD_CUT_FILE_H

#include "daemon/record/box_text.h"
#include "daemon/record/record_name.h"
#include "daemon/record/record_options.h"
#include "daemon/source/source.h"

struct reason;

struct cut_file_result {
    char name[RECORD_NAME]; /* of the newest pair, without suffix */
    uint64_t samples, missing;
    double rate_hz;
};

/*
 * source: names the recording; its part and its pace are ignored. Reads only the samples of the
 * box, in blocks. 0, or -errno with one line in *why; the file is then a valid, shorter recording.
 */
int cut_file(const struct source_config *source, const struct record_options *options,
             const struct box_text *box, struct cut_file_result *out, struct reason *why);

#endif
