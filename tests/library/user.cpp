/* user.cpp - a C++ program that uses the shared library: a transform and its inverse, and a
 * spectrum. */
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstring>
#include <memory>
#include <vector>

#include <fft/fft.h>
#include <fft/iq.h>
#include <fft/version.h>
#include <fft/window.h>

namespace
{

int checks, failures;

void check(bool right, const char *name)
{
    std::printf("%s %d - %s\n", right ? "ok" : "not ok", ++checks, name);
    failures += right ? 0 : 1;
}

struct closer {
    void operator()(fft_engine *e) const
    {
        fft_engine_close(e);
    }
    void operator()(fft_transform *t) const
    {
        fft_transform_destroy(t);
    }
    void operator()(fft_spectrum *s) const
    {
        fft_spectrum_destroy(s);
    }
};
template <typename T> using owned = std::unique_ptr<T, closer>;

/* struct fft_iq is laid out as std::complex<float>. */
using points = std::vector<std::complex<float>>;

bool transform(fft_engine *engine, fft_transform_type type, const points &in, points &out)
{
    fft_transform_config config = {};
    config.type = type;
    config.scale = type == FFT_TRANSFORM_INVERSE ? FFT_TRANSFORM_BY_N : FFT_TRANSFORM_UNSCALED;
    config.rank = 1;
    config.n[0] = static_cast<uint32_t>(in.size());
    config.batch = 1;
    fft_transform *made = nullptr;
    const int err = fft_transform_create(&made, engine, &config, nullptr, 0);
    const owned<fft_transform> t(made);
    return err == 0 && fft_transform_execute(t.get(), in.data(), out.data()) == 0;
}

/* A tone of 7 cycles is in bin 7 alone, and the inverse gives it back. */
void transforms(fft_engine *engine)
{
    enum { N = 360, CYCLES = 7 };
    points tone(N), bins(N), back(N);
    for (int i = 0; i < N; i++)
        tone[i] = std::polar(1.0F, static_cast<float>(2 * M_PI * CYCLES * i / N));
    check(transform(engine, FFT_TRANSFORM_FORWARD, tone, bins), "a transform runs");
    float others = 0, difference = 0;
    for (int k = 0; k < N; k++)
        others = k == CYCLES ? others : std::fmax(others, std::abs(bins[k]));
    check(std::abs(bins[CYCLES] - static_cast<float>(N)) < 1e-3F && others < 1e-3F,
          "a tone is in its bin alone");
    check(transform(engine, FFT_TRANSFORM_INVERSE, bins, back), "its inverse runs");
    for (int i = 0; i < N; i++)
        difference = std::fmax(difference, std::abs(back[i] - tone[i]));
    check(difference < 1e-5F, "the inverse gives the tone back");
}

/* A constant at half of full scale reads -6.02 dBFS in the middle bin. */
void spectra(fft_engine *engine)
{
    enum { N = 256 };
    std::vector<int16_t> samples(2 * N);
    std::vector<float> window(N);
    for (int i = 0; i < N; i++)
        samples[2 * i] = 16384;
    fft_window hann = {};
    check(fft_window_parse("hann", &hann) == 0, "a window has a name");
    fft_window_fill(&hann, window.data(), N, 1.0, nullptr);

    fft_spectrum_config config = {};
    config.n = config.hop = N;
    config.max_frames = config.depth = 1;
    config.format = FFT_IQ_CS16;
    config.window = window.data();
    config.detectors = FFT_DETECTOR_MEAN;
    fft_spectrum *made = nullptr;
    const int err = fft_spectrum_create(&made, engine, &config, nullptr, 0);
    const owned<fft_spectrum> s(made);
    fft_partial partial = {};
    const bool done = err == 0 && fft_spectrum_submit(s.get(), samples.data(), 0, 1, 0) == 0 &&
                      fft_spectrum_poll(s.get(), &partial, -1) == 1;
    check(done, "a batch comes back");
    check(done && std::fabs(10 * std::log10(partial.sum[N / 2]) + 6.02) < 0.01,
          "half of full scale reads -6.02 dBFS");
}

} // namespace

int main()
{
    check(fft_version() == FFT_VERSION, "the library has the version of its headers");
    check(FFT_VERSION_NUMBER(0, 2, 0) > FFT_VERSION_NUMBER(0, 1, 99), "versions can be compared");
    char why[200];
    fft_engine *made = nullptr;
    fft_engine_config config = {};
    config.name = "cpu";
    check(fft_engine_open(&made, &config, why, sizeof why) == 0, "an engine opens");
    const owned<fft_engine> engine(made);
    if (!engine) {
        std::printf("# %s\n", why);
        return 1;
    }
    check(std::strcmp(fft_engine_name(made), "cpu") == 0, "it is the one that was named");
    transforms(made);
    spectra(made);
    std::printf("1..%d\n", checks);
    return failures > 0;
}
