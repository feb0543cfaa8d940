/* world.c - renders tones at absolute frequencies. */
#include "daemon/source/sim/world.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "daemon/base/si.h"
#include "daemon/source/sim/scene.h"
#include "daemon/source/sim/turn.h"

enum { CHUNK = 1024 };

static const double carrier_hz = 10e6, nyquist = 0.5;

static int parse_tone(const char *text, size_t length, struct sim_tone *out)
{
    char item[64];
    if (length >= sizeof item)
        return -EINVAL;
    snprintf(item, sizeof item, "%.*s", (int)length, text);
    char *at = strchr(item, '@');
    if (!at)
        return -EINVAL;
    *at = '\0';
    if (si_parse_unit(item, SI_HZ, &out->hz) < 0 || si_parse_unit(at + 1, SI_DB, &out->dbfs) < 0)
        return -EINVAL;
    return fabs(out->hz) <= 1e12 && fabs(out->dbfs) <= 400 ? 0 : -EINVAL;
}

int sim_world_parse(const char *text, struct sim_world *out)
{
    *out = (struct sim_world){0};
    for (;; text++) {
        const size_t length = strcspn(text, "/");
        if (out->tones == SIM_TONES || parse_tone(text, length, &out->tone[out->tones]) < 0)
            return -EINVAL;
        out->tones++;
        text += length;
        if (!*text)
            return 0;
    }
}

static void add_tone(struct sim_reception *r, double fraction, double dbfs)
{
    if (fabs(fraction) < nyquist && r->tones < SIM_TONES)
        r->tone[r->tones++] =
            (struct sim_reception_tone){.fraction = fraction, .amplitude = pow(10, dbfs / 20)};
}

static void add_carriers(struct sim_reception *r, double center_hz, double rate_hz)
{
    const double first = fmax(1, ceil((center_hz - rate_hz / 2) / carrier_hz));
    const double last = floor((center_hz + rate_hz / 2) / carrier_hz);
    for (double k = first; k <= last && r->tones < SIM_TONES; k++)
        add_tone(r, (k * carrier_hz - center_hz) / rate_hz, -20 - 5 * fmod(k, 7));
}

void sim_world_receive(const struct sim_world *w, double center_hz, double rate_hz,
                       struct sim_reception *out)
{
    out->tones = 0;
    for (unsigned i = 0; i < w->tones; i++)
        add_tone(out, (w->tone[i].hz - center_hz) / rate_hz, w->tone[i].dbfs);
    if (w->tones == 0)
        add_carriers(out, center_hz, rate_hz);
}

void sim_reception_render(const struct sim_reception *r, uint64_t first, uint32_t count,
                          enum fft_iq_format format, void *into)
{
    double re[CHUNK], im[CHUNK];
    for (uint32_t done = 0; done < count; done += CHUNK) {
        const uint32_t run = count - done < CHUNK ? count - done : CHUNK;
        for (uint32_t i = 0; i < run; i++) {
            const struct fft_iq *x = &r->noise[(first + done + i) & (r->period - 1)];
            re[i] = (double)x->re;
            im[i] = (double)x->im;
        }
        for (unsigned t = 0; t < r->tones; t++)
            turn_add_tone(re, im, run, r->tone[t].amplitude,
                          r->tone[t].fraction * (double)(first + done), r->tone[t].fraction);
        sim_write(format, re, im, run, (char *)into + done * fft_iq_bytes(format));
    }
}
