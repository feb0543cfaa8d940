/*
 * channel_file.h - the output of --channel: the samples of a channel, to a file, a FIFO or standard
 * output.
 *
 * In a lossless replay the replay waits for the reader of the file, which so gets every sample.
 * Otherwise what it reads too slowly is replaced by zeros (channel_reader.h).
 */
#ifndef FFTD_DAEMON_OUTPUT_CHANNEL_FILE_H
#define FFTD_DAEMON_OUTPUT_CHANNEL_FILE_H

#include "daemon/channel/channel_text.h"
#include "daemon/files/out_file.h"
#include "daemon/status/output_state.h"

struct channel_file;
struct channels;
struct reason;

struct channel_file_config {
    const struct channel_text *text; /* outlives the output */
    struct channels *channels;
    struct out_file_config file;
    bool lossless;
    double duration_s;         /* of the samples; 0: no limit */
    void (*ended)(void *user); /* on the output's thread, after the last sample */
    void *user;
};

/* As output_start and output_start_writing. Before the first sample of the stream is read. */
int channel_file_start(struct channel_file **out, const struct channel_file_config *config,
                       struct reason *why);
int channel_file_start_writing(struct channel_file *f, struct reason *why);
void channel_file_state(struct channel_file *f, struct output_state *out);
/* Ends the thread now, and the channel. NULL is fine. */
void channel_file_stop(struct channel_file *f);
void channel_file_destroy(struct channel_file *f); /* NULL is fine */

#endif
