/* demod_list.c - the demodulators. A new one is its file and one row. */
#include <math.h>
#include <string.h>

#include "daemon/demod/demod.h"

extern const struct demod_ops demod_am;
extern const struct demod_ops demod_cw;
extern const struct demod_ops demod_lsb;
extern const struct demod_ops demod_mpx;
extern const struct demod_ops demod_nfm;
extern const struct demod_ops demod_sam;
extern const struct demod_ops demod_usb;
extern const struct demod_ops demod_wfm;

const struct demod_ops *const demods[] = {&demod_nfm, &demod_wfm, &demod_am,
                                          &demod_sam, &demod_usb, &demod_lsb,
                                          &demod_cw,  &demod_mpx, NULL};

const struct demod_ops *demod_find(const char *name)
{
    for (size_t i = 0; demods[i]; i++)
        if (strcmp(demods[i]->name, name) == 0)
            return demods[i];
    return NULL;
}

size_t demod_audio_max(const struct demod_plan *p, size_t count)
{
    enum { HELD = 256 }; /* frames that an earlier call left */
    const double frames = ceil((double)count * p->audio_rate_hz / p->rate_hz);
    return p->audio_channels * ((size_t)frames + HELD);
}

void demod_report_init(struct demod_report *r)
{
    *r = (struct demod_report){.level_dbfs = NAN,
                               .snr_db = NAN,
                               .noise_db = NAN,
                               .offset_hz = NAN,
                               .deviation_hz = NAN,
                               .depth = NAN,
                               .tone_hz = NAN,
                               .pilot = NAN,
                               .gain_db = NAN,
                               .rds = {.pi = -1, .programme_type = -1}};
}
