// siggen_radio.hpp - the SoapySDR device of the test radio. All of its settings can be read back.
#pragma once

#include "tests/support/soapy/siggen.hpp"

#include <SoapySDR/Device.hpp>
#include <SoapySDR/Formats.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

using Clock = std::chrono::steady_clock;
using SoapySDR::Kwargs;
using SoapySDR::RangeList;
using Strings = std::vector<std::string>;

inline std::string get(const Kwargs &args, const std::string &key, const std::string &otherwise)
{
    const auto it = args.find(key);
    return it == args.end() ? otherwise : it->second;
}

inline std::string controlPath(const Kwargs &args)
{
    const char *path = std::getenv("FFTDTEST_CONTROL");
    return get(args, "control", path ? path : "");
}

struct Stream {
    Signal signal;
    bool active = false;
    uint64_t position = 0, untilOverflow = 0;
    unsigned stamps = 0;
    Clock::time_point start;
};

class Siggen : public SoapySDR::Device
{
  public:
    explicit Siggen(const Kwargs &given)
        : args(given), control(controlPath(given)), native(get(given, "native", "CS16")),
          fullScale(std::stod(get(given, "full_scale", "2048")))
    {
    }
    std::string getDriverKey() const override
    {
        return "fftdtest";
    }
    std::string getHardwareKey() const override
    {
        return "siggen";
    }
    size_t getNumChannels(const int direction) const override
    {
        return direction == SOAPY_SDR_RX ? std::stoul(get(args, "channels", "1")) : 0;
    }

    // Formats and the stream
    Strings getStreamFormats(const int, const size_t) const override
    {
        std::string list = get(args, "formats", native + ":CS16:CF32");
        std::replace(list.begin(), list.end(), ':', ' ');
        Strings formats;
        for (size_t at = 0, end; at < list.size(); at = end + 1) {
            end = std::min(list.find(' ', at), list.size());
            formats.push_back(list.substr(at, end - at));
        }
        return formats;
    }
    std::string getNativeStreamFormat(const int, const size_t, double &scale) const override
    {
        scale = fullScale;
        return native;
    }
    SoapySDR::Stream *setupStream(const int, const std::string &format, const std::vector<size_t> &,
                                  const Kwargs &streamArgs) override;
    void closeStream(SoapySDR::Stream *stream) override
    {
        delete reinterpret_cast<Stream *>(stream);
        streams--;
    }
    size_t getStreamMTU(SoapySDR::Stream *) const override
    {
        return std::stoul(get(args, "mtu", "16384"));
    }
    int activateStream(SoapySDR::Stream *, const int, const long long, const size_t) override;
    int deactivateStream(SoapySDR::Stream *stream, const int, const long long) override
    {
        reinterpret_cast<Stream *>(stream)->active = false;
        return 0;
    }
    int readStream(SoapySDR::Stream *, void *const *, const size_t, int &, long long &,
                   const long) override;

    // Antenna, gain, frequency, rate, filter
    Strings listAntennas(const int, const size_t) const override
    {
        return get(args, "antennas", "1") == "1" ? Strings{"RX1", "RX2"} : Strings{};
    }
    void setAntenna(const int, const size_t, const std::string &name) override
    {
        antenna = name;
    }
    std::string getAntenna(const int, const size_t) const override
    {
        return antenna;
    }

    Strings listGains(const int, const size_t) const override
    {
        return get(args, "gains", "1") == "1" ? Strings{"LNA", "TIA"} : Strings{};
    }
    bool hasGainMode(const int, const size_t) const override
    {
        return get(args, "agc", "1") == "1";
    }
    void setGainMode(const int, const size_t, const bool automatic) override
    {
        agc = automatic;
    }
    bool getGainMode(const int, const size_t) const override
    {
        return agc;
    }
    using SoapySDR::Device::setGain, SoapySDR::Device::getGain, SoapySDR::Device::getGainRange;
    void setGain(const int, const size_t, const std::string &name, const double db) override
    {
        (name == "LNA" ? lna : tia) = std::round(db);
    }
    double getGain(const int, const size_t, const std::string &name) const override
    {
        return name == "LNA" ? lna : tia;
    }
    SoapySDR::Range getGainRange(const int, const size_t, const std::string &name) const override
    {
        return name == "LNA" ? SoapySDR::Range(0, 40, 0.5) : SoapySDR::Range(0, 12);
    }

    using SoapySDR::Device::getFrequencyRange;
    using SoapySDR::Device::setFrequency, SoapySDR::Device::getFrequency;
    void setFrequency(const int, const size_t, const double hz, const Kwargs &) override
    {
        center = hz;
    }
    double getFrequency(const int, const size_t) const override
    {
        return center;
    }
    RangeList getFrequencyRange(const int, const size_t) const override
    {
        return {{24e6, 1.8e9}};
    }
    bool hasFrequencyCorrection(const int, const size_t) const override
    {
        return get(args, "correction", "0") == "1";
    }
    void setFrequencyCorrection(const int, const size_t, const double value) override
    {
        ppm = value;
    }
    double getFrequencyCorrection(const int, const size_t) const override
    {
        return ppm;
    }

    RangeList getSampleRateRange(const int, const size_t) const override
    {
        return {{0.25e6, 3.2e6}, {10e6, 61.44e6}};
    }
    void setSampleRate(const int, const size_t, const double hz) override
    {
        rate = hz > 3.2e6 && hz < 10e6 ? 3.2e6 : 1000 * std::round(hz / 1000);
    }
    double getSampleRate(const int, const size_t) const override
    {
        return rate;
    }
    RangeList getBandwidthRange(const int, const size_t) const override
    {
        return {{0.2e6, 60e6}, {1.5e6, 1.5e6}, {5e6, 5e6}};
    }
    void setBandwidth(const int, const size_t, const double hz) override
    {
        bandwidth = hz;
    }
    double getBandwidth(const int, const size_t) const override
    {
        return bandwidth;
    }

    // Clock, time and settings
    Strings listClockSources() const override
    {
        return get(args, "clocks", "1") == "1" ? Strings{"internal", "external"} : Strings{};
    }
    void setClockSource(const std::string &name) override
    {
        settings["clock"] = name;
    }
    RangeList getReferenceClockRates() const override
    {
        return {{5e6, 20e6}};
    }
    void setReferenceClockRate(const double hz) override
    {
        settings["reference"] = std::to_string(int(hz));
    }
    Strings listTimeSources() const override
    {
        return {"none", "gpsdo"};
    }
    void setTimeSource(const std::string &name) override
    {
        settings["time"] = name;
    }
    bool hasHardwareTime(const std::string &) const override
    {
        return get(args, "time", "1") == "1";
    }
    SoapySDR::ArgInfoList getSettingInfo() const override;
    void writeSetting(const std::string &key, const std::string &value) override;
    std::string readSetting(const std::string &key) const override
    {
        return get(settings, key, "");
    }
    SoapySDR::ArgInfoList getSettingInfo(const int, const size_t) const override;
    void writeSetting(const int, const size_t, const std::string &key,
                      const std::string &value) override
    {
        writeSetting("channel " + key, value);
    }

  private:
    uint64_t due(const Stream &s) const;
    long long stamp(Stream &s) const;
    int fault(Stream &s, Faults &f);
    bool wait(const Stream &s, size_t wanted, long timeoutUs) const;

    const Kwargs args;
    Control control;
    const std::string native;
    const double fullScale;
    std::string antenna = "RX1";
    bool agc = false;
    double lna = 10, tia = 0, center = 100e6, ppm = 0, rate = 2.4e6, bandwidth = 2e6;
    Kwargs settings;
    size_t streams = 0;
    int64_t clockNs = 5000000000;
};
