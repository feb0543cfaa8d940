// siggen.hpp - the parts of the test radio: its faults on demand and its signal. See siggen.cpp.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>

// The faults that a test requests, read from a file that it may replace at any time (by rename).
// Each line is one word with its numbers. A new file replaces the old state.
struct Faults {
    bool unplugged = false; // unplug: STREAM_ERROR, not found, cannot be made
    bool hang = false;      // hang: readStream never returns
    bool hangOnce = false;  // hang-once: the next readStream never returns, later ones do
    bool thrown = false;    // throw: the next readStream throws
    bool mute = false;      // mute: TIMEOUT only
    int code = 0;           // code N LOST: the next readStream returns N, LOST samples later
    uint64_t codeLost = 0;
    uint64_t gap = 0;    // gap N: N samples are missing; only the clock shows it
    uint64_t abrupt = 0; // abrupt N: END_ABRUPT with the next samples, N are missing after them
    uint64_t every = 0;  // overflow-every N LOST: as code -4, each N samples
    uint64_t everyLost = 0;
    int64_t clockStep = 0; // clock NS: the time stamps jump
};

class Control
{
  public:
    explicit Control(std::string file) : path(std::move(file))
    {
    }
    Faults &refresh(); // reads the file again if it was replaced
    std::mutex mutex;

  private:
    const std::string path;
    uint64_t seen = 0;
    Faults faults;
};

// A tone or a counter, a pure function of the sample number. Writes interleaved samples.
//     tone:    amplitude * exp(i 2 pi cycles n), amplitude 1 = full scale
//     counter: I = low 16 bits, Q = high 16 bits of n (CS16 only)
struct Signal {
    bool counter;
    double amplitude, cycles, fullScale;
    enum Type { U8, S8, S16, F32, S12, S32 } type;

    void render(void *out, size_t samples, uint64_t first) const;
};
