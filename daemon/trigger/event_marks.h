/*
 * event_marks.h - passes completed events to the rows of an output, by line.
 *
 * In replay a row waits until its line and the start of the next one are decided, so that the same
 * recording gives the same rows. In real time a row has the events that are known. Beyond
 * EVENT_MARKS events the oldest is dropped.
 */
#ifndef FFTD_DAEMON_TRIGGER_EVENT_MARKS_H
#define FFTD_DAEMON_TRIGGER_EVENT_MARKS_H

#include "daemon/trigger/event.h"

enum { EVENT_MARKS = 1024 };

struct event_marks;

/* expected: there are triggers from the first line on. -ENOMEM */
int event_marks_create(struct event_marks **out, bool expected);
void event_marks_destroy(struct event_marks *m); /* NULL is fine */

/* ---- the trigger thread; NULL is fine ---- */

void event_marks_begin_line(struct event_marks *m, uint64_t line);   /* those before are decided */
void event_marks_push(struct event_marks *m, const struct event *e); /* known in this line */
void event_marks_end(struct event_marks *m);                         /* all lines are */

/* ---- the thread of the output; NULL is fine ---- */

/*
 * The events up to this line that were not taken yet, as the text of a JSON array; with `wait`,
 * when the line is decided, else of all lines so far. NULL: none. The caller frees it.
 */
char *event_marks_take(struct event_marks *m, uint64_t line, bool wait);

#endif
