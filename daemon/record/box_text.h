/* box_text.h - a box of time and frequency as text: "12.5s:14s,433.9M:433.95M". Pure, any thread.
 */
#ifndef FFTD_DAEMON_RECORD_BOX_TEXT_H
#define FFTD_DAEMON_RECORD_BOX_TEXT_H

struct box_text {
    double from_s, to_s; /* positions in a recording; to_s 0: its end */
    double low_hz, high_hz;
};

/* FROM:TO,LOW:HIGH, with units as in the options from and center. 0 or -EINVAL. */
int box_text_parse(const char *text, struct box_text *out);

#endif
