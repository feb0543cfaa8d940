// siggen_parts.cpp - the test radio's signal and its faults.
#include "tests/support/soapy/siggen.hpp"

#include <cmath>
#include <fstream>
#include <sstream>
#include <sys/stat.h>
#include <vector>

static Faults parse(std::istream &in)
{
    Faults f;
    for (std::string line; std::getline(in, line);) {
        std::istringstream words(line);
        std::string word;
        words >> word;
        if (word == "unplug")
            f.unplugged = true;
        else if (word == "hang")
            f.hang = true;
        else if (word == "hang-once")
            f.hangOnce = true;
        else if (word == "throw")
            f.thrown = true;
        else if (word == "mute")
            f.mute = true;
        else if (word == "code")
            words >> f.code >> f.codeLost;
        else if (word == "gap")
            words >> f.gap;
        else if (word == "abrupt")
            words >> f.abrupt;
        else if (word == "overflow-every")
            words >> f.every >> f.everyLost;
        else if (word == "clock")
            words >> f.clockStep;
    }
    return f;
}

Faults &Control::refresh()
{
    struct stat st;
    if (path.empty() || stat(path.c_str(), &st) != 0)
        return faults;
    const uint64_t version = uint64_t(st.st_ino) * 0x9e3779b97f4a7c15u ^
                             uint64_t(st.st_mtim.tv_sec) * 1000000000u ^
                             uint64_t(st.st_mtim.tv_nsec);
    if (version != seen) {
        std::ifstream file(path);
        faults = parse(file);
        seen = version;
    }
    return faults;
}

template <typename T> static void counter(T *out, size_t samples, uint64_t first)
{
    for (size_t i = 0; i < samples; i++) {
        out[2 * i] = T(uint16_t(first + i));
        out[2 * i + 1] = T(uint16_t((first + i) >> 16));
    }
}

// One rotation a sample; the phase is exact at the start of each call.
template <typename T, typename Round>
static void tone(T *out, size_t samples, const Signal &s, uint64_t first, Round round)
{
    const long double turns = (long double)s.cycles * (long double)first;
    const double phase = 2 * M_PI * double(turns - std::floor(turns));
    const double scale = s.amplitude * s.fullScale, step = 2 * M_PI * s.cycles;
    double re = scale * std::cos(phase), im = scale * std::sin(phase);
    const double c = std::cos(step), d = std::sin(step);
    for (size_t i = 0; i < samples; i++) {
        out[2 * i] = round(re);
        out[2 * i + 1] = round(im);
        const double next = re * c - im * d;
        im = re * d + im * c;
        re = next;
    }
}

// The 12 bits of I, then those of Q, low bits first, as SoapyRemote and LimeSuite pack them.
static void pack12(uint8_t *out, size_t samples, const std::vector<int32_t> &iq)
{
    for (size_t i = 0; i < samples; i++) {
        const uint32_t both = (uint32_t(iq[2 * i]) & 0xfff) | (uint32_t(iq[2 * i + 1]) & 0xfff)
                                                                  << 12;
        for (int byte = 0; byte < 3; byte++)
            *out++ = uint8_t(both >> 8 * byte);
    }
}

void Signal::render(void *out, size_t samples, uint64_t first) const
{
    if (counter)
        return ::counter(static_cast<int16_t *>(out), samples, first);
    switch (type) {
    case U8:
        return tone(static_cast<uint8_t *>(out), samples, *this, first,
                    [](double v) { return uint8_t(v + 128.0); });
    case S8:
        return tone(static_cast<int8_t *>(out), samples, *this, first,
                    [](double v) { return int8_t(std::lrint(v)); });
    case S16:
        return tone(static_cast<int16_t *>(out), samples, *this, first,
                    [](double v) { return int16_t(std::lrint(v)); });
    case S12: {
        std::vector<int32_t> iq(2 * samples);
        tone(iq.data(), samples, *this, first, [](double v) { return int32_t(std::lrint(v)); });
        return pack12(static_cast<uint8_t *>(out), samples, iq);
    }
    case S32:
        return tone(static_cast<int32_t *>(out), samples, *this, first,
                    [](double v) { return int32_t(std::lrint(v)); });
    case F32:
        return tone(static_cast<float *>(out), samples, *this, first,
                    [](double v) { return float(v); });
    }
}
