/* audio_answer.h - the audio of a channel as an answer: channel_answer.h with a mode. Loop thread.
 */
#ifndef FFTD_DAEMON_HTTP_CHANNEL_AUDIO_ANSWER_H
#define FFTD_DAEMON_HTTP_CHANNEL_AUDIO_ANSWER_H

struct answer;
struct channel_streams;
struct request;

void audio_answer(struct channel_streams *all, const struct request *r, struct answer *a);

#endif
