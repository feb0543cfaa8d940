/* recording_file.h - the files of recordings for download. Loop thread. */
#ifndef FFTD_DAEMON_HTTP_STREAM_RECORDING_FILE_H
#define FFTD_DAEMON_HTTP_STREAM_RECORDING_FILE_H

struct answer;
struct request;

/* Of the route /api/v1/recording-files/; recorder: a struct recorder; NULL: no recordings. */
void recording_file_answer(void *recorder, const struct request *r, struct answer *a);

#endif
