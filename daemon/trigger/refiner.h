/*
 * refiner.h - computes the spectra of a line's frames again, one by one, from the IQ ring.
 *
 * It has a plan of its own on the CPU engine, in one thread: the caller's. The frames are those of
 * the line, with its window and correction, so that their maximum is the line's. The trigger
 * thread.
 */
#ifndef FFTD_DAEMON_TRIGGER_REFINER_H
#define FFTD_DAEMON_TRIGGER_REFINER_H

#include "daemon/line/line.h"
#include "daemon/stream/epoch/iq_tap.h"

struct reason;
struct refiner;

int refiner_create(struct refiner **out, struct iq_tap *tap); /* -ENOMEM */
void refiner_destroy(struct refiner *r);                      /* NULL is fine */

/* Whether the frames of this line lie at equal distances in one epoch: else none can be found. */
bool refiner_finds_frames(const struct line *line);
/*
 * Begins with the first frame of a line. -ENODATA: its frames cannot be found; -ENOMEM, or the
 * engine's error, with the reason.
 */
int refiner_begin(struct refiner *r, const struct line *line, struct reason *why);
/* The powers [n] of the next frame, valid until the next call. NULL: its samples are gone. */
const float *refiner_next(struct refiner *r);

#endif
