// siggen.cpp - a radio for the tests: a SoapySDR module with a known signal, an exact clock and
// faults on demand (siggen.hpp).
//
// Device arguments, all optional, after driver=fftdtest:
//     serial=T1          which of the radios (there are `count` of them: T1, T2, ...)
//     signal=tone        or counter
//     tone=100.25e6      the tone's radio frequency in Hz
//     level=0.5          its amplitude, 1 = full scale
//     native=CS16 full_scale=2048 formats=CF32:CS16      results of the stream calls
//     paced=1            0: samples as fast as they are read
//     buffer=0.25        seconds of samples for a slow reader (else environment FFTDTEST_BUFFER)
//     time=1             0: no time stamps
//     correction=0       1: corrects its frequency itself
//     crystal=0          error of its crystal in ppm
//     agc=1 settings=1 gains=1 antennas=1    0: has none
//     stamps=1           rate of its time stamps by that of its samples
//     channels=1 clocks=1         receivers; 0: no clock to choose
//     absurd=0           n: one in n of its stamps is one of the year 2141
//     streams=           1: no second stream while one is open
//     control=FILE       faults, see siggen.hpp (else environment FFTDTEST_CONTROL)
//     mtu=16384
#include "tests/support/soapy/siggen_radio.hpp"

#include <SoapySDR/Registry.hpp>
#include <SoapySDR/Time.hpp>

#include <stdexcept>
#include <thread>
#include <utility>

SoapySDR::Stream *Siggen::setupStream(const int, const std::string &format,
                                      const std::vector<size_t> &channels, const Kwargs &streamArgs)
{
    settings["stream channel"] = std::to_string(channels.at(0));
    const Strings known = getStreamFormats(SOAPY_SDR_RX, 0);
    if (std::find(known.begin(), known.end(), format) == known.end())
        throw std::runtime_error("siggen has no format " + format);
    if (streams == std::stoul(get(args, "streams", "1000")))
        throw std::runtime_error("siggen has a stream already");
    streams++;
    auto s = new Stream();
    s->signal.counter = get(args, "signal", "tone") == "counter";
    s->signal.amplitude = std::stod(get(args, "level", "0.5"));
    s->signal.type = format == "CU8"    ? Signal::U8
                     : format == "CS8"  ? Signal::S8
                     : format == "CS16" ? Signal::S16
                     : format == "CS12" ? Signal::S12
                     : format == "CS32" ? Signal::S32
                                        : Signal::F32;
    // As SoapySDR's converters: the full scale of the format unless it is the native format.
    static const double own[] = {127.5, 128, 32768, 1, 2048, 2147483648};
    s->signal.fullScale = format == native && format != "CU8" ? fullScale : own[s->signal.type];
    for (const auto &arg : streamArgs)
        settings["stream " + arg.first] = arg.second;
    return reinterpret_cast<SoapySDR::Stream *>(s);
}

int Siggen::activateStream(SoapySDR::Stream *stream, const int, const long long, const size_t)
{
    auto &s = *reinterpret_cast<Stream *>(stream);
    s.start = Clock::now() - std::chrono::nanoseconds(int64_t(double(s.position) * 1e9 / rate));
    s.active = true;
    settings["activations"] = std::to_string(1 + std::stoi(get(settings, "activations", "0")));
    return 0;
}

static double bufferSeconds(const Kwargs &args)
{
    const char *given = getenv("FFTDTEST_BUFFER");
    return std::stod(get(args, "buffer", given ? given : "0.25"));
}

// Samples that the radio has made until now.
uint64_t Siggen::due(const Stream &s) const
{
    if (get(args, "paced", "1") == "0")
        return UINT64_MAX;
    return uint64_t(std::chrono::duration<double>(Clock::now() - s.start).count() * rate);
}

// True if the radio has made this many more samples in time. It delivers no fewer, as drivers
// deliver whole transfers.
bool Siggen::wait(const Stream &s, size_t wanted, long timeoutUs) const
{
    const auto until = Clock::now() + std::chrono::microseconds(timeoutUs);
    while (due(s) < s.position + wanted) {
        if (Clock::now() >= until)
            return false;
        std::this_thread::sleep_for(std::chrono::microseconds(500));
    }
    return true;
}

// Applies the control file and the clock. Returns a code for readStream, or 0.
int Siggen::fault(Stream &s, Faults &f)
{
    if (f.unplugged)
        return SOAPY_SDR_STREAM_ERROR;
    if (std::exchange(f.thrown, false))
        throw std::runtime_error("siggen was set to throw");
    s.position += std::exchange(f.gap, 0);
    clockNs += std::exchange(f.clockStep, 0);
    if (f.code != 0) {
        s.position += f.codeLost;
        return std::exchange(f.code, 0);
    }
    if (f.every && s.position >= s.untilOverflow) {
        const bool first = s.untilOverflow == 0;
        s.position += first ? 0 : f.everyLost;
        s.untilOverflow = s.position + f.every;
        return first ? 0 : SOAPY_SDR_OVERFLOW;
    }
    const uint64_t made = due(s), capacity = uint64_t(rate * bufferSeconds(args));
    if (made != UINT64_MAX && made > s.position + capacity) {
        s.position = made;
        return SOAPY_SDR_OVERFLOW;
    }
    return 0;
}

long long Siggen::stamp(Stream &s) const
{
    const unsigned absurd = unsigned(std::stoul(get(args, "absurd", "0")));
    if (absurd > 0 && ++s.stamps % absurd == 0)
        return 5403559341571466134;
    const double speed = std::stod(get(args, "stamps", "1"));
    const long long ns = SoapySDR::ticksToTimeNs((long long)s.position, rate);
    return clockNs + (speed == 1 ? ns : std::llround(double(ns) * speed));
}

int Siggen::readStream(SoapySDR::Stream *stream, void *const *buffs, const size_t elems, int &flags,
                       long long &timeNs, const long timeoutUs)
{
    auto &s = *reinterpret_cast<Stream *>(stream);
    std::unique_lock<std::mutex> lock(control.mutex);
    Faults &f = control.refresh();
    const bool stuck = f.hang || std::exchange(f.hangOnce, false), mute = f.mute || !s.active;
    const int code = stuck || mute ? 0 : fault(s, f);
    lock.unlock();
    while (stuck)
        std::this_thread::sleep_for(std::chrono::seconds(1));
    if (code != 0)
        return code;
    if (mute) {
        std::this_thread::sleep_for(std::chrono::microseconds(timeoutUs));
        return SOAPY_SDR_TIMEOUT;
    }
    const size_t got = std::min(elems, getStreamMTU(stream));
    if (!wait(s, got, timeoutUs))
        return SOAPY_SDR_TIMEOUT;
    const double lo = center * (1 + (std::stod(get(args, "crystal", "0")) - ppm) * 1e-6);
    s.signal.cycles = (std::stod(get(args, "tone", "100.25e6")) - lo) / rate;
    s.signal.render(buffs[0], got, s.position);
    if (get(args, "time", "1") == "1") {
        flags |= SOAPY_SDR_HAS_TIME;
        timeNs = stamp(s);
    }
    s.position += got;
    lock.lock();
    if (f.abrupt)
        flags |= SOAPY_SDR_END_ABRUPT;
    s.position += std::exchange(f.abrupt, 0);
    return int(got);
}

static SoapySDR::ArgInfo info(const std::string &key, SoapySDR::ArgInfo::Type type, Strings options)
{
    SoapySDR::ArgInfo i;
    i.key = key;
    i.type = type;
    i.options = options;
    i.optionNames = std::move(options); // the C interface counts these
    return i;
}

static SoapySDR::ArgInfo setpoint()
{
    SoapySDR::ArgInfo out = info("agc_setpoint", SoapySDR::ArgInfo::INT, {});
    out.name = "AGC setpoint";
    out.units = "dB";
    out.range = SoapySDR::Range(-60, 0);
    return out;
}

SoapySDR::ArgInfoList Siggen::getSettingInfo() const
{
    if (get(args, "settings", "1") == "0")
        return {};
    return {info("biastee", SoapySDR::ArgInfo::BOOL, {}),
            info("direct", SoapySDR::ArgInfo::STRING, {"0", "1", "2"}), setpoint()};
}

SoapySDR::ArgInfoList Siggen::getSettingInfo(const int, const size_t) const
{
    if (get(args, "settings", "1") == "0")
        return {};
    return {info("notch", SoapySDR::ArgInfo::BOOL, {})};
}

void Siggen::writeSetting(const std::string &key, const std::string &value)
{
    settings[key] = value;
}

static bool isUnplugged(const Kwargs &args)
{
    Control control(controlPath(args));
    return control.refresh().unplugged;
}

static SoapySDR::KwargsList find(const Kwargs &args)
{
    SoapySDR::KwargsList found;
    if (get(args, "driver", "fftdtest") != "fftdtest" || isUnplugged(args))
        return found;
    const int count = std::stoi(get(args, "count", "1"));
    for (int i = 1; i <= count; i++) {
        Kwargs radio = args;
        radio["serial"] = "T" + std::to_string(i);
        radio["label"] = "Test generator T" + std::to_string(i);
        if (get(args, "serial", radio["serial"]) == radio["serial"])
            found.push_back(radio);
    }
    return found;
}

static SoapySDR::Device *make(const Kwargs &args)
{
    if (isUnplugged(args))
        throw std::runtime_error("siggen is unplugged");
    return new Siggen(args);
}

// A sound card, as SoapyAudio lists it: before the radios. FFTDTEST_SOUND_CARD=1: there is one.
static SoapySDR::KwargsList findSoundCard(const Kwargs &args)
{
    if (!std::getenv("FFTDTEST_SOUND_CARD") || get(args, "driver", "audio") != "audio")
        return {};
    Kwargs card = args;
    card["label"] = "Built-in Audio";
    return {card};
}

static SoapySDR::Registry soundCard("audio", &findSoundCard, &make, SOAPY_SDR_ABI_VERSION);
static SoapySDR::Registry registration("fftdtest", &find, &make, SOAPY_SDR_ABI_VERSION);
