/* detectors.cu - measures batches of all detectors and of the mean alone, as the engine runs them.
 */
#include "bench/cuda/detectors.h"

#include <cmath>

#include "bench/cuda/launches.h"

extern "C" {
#include "fft/cuda/cuda_form.h"
#include "fft/window.h"
#include "reference/reference.h"
}

namespace
{

constexpr unsigned all_detectors =
    FFT_DETECTOR_MEAN | FFT_DETECTOR_MAX | FFT_DETECTOR_MIN | FFT_DETECTOR_SAMPLE;

/* A plan with its memory on the device. */
struct batch {
    cuda_spectrum s;
    gpu_block tables, scratch, result;
    uint64_t samples;

    batch(const cuda_spectrum &planned, const gpu_block &raw)
        : s(planned), tables(s.tables_bytes), scratch(s.scratch_bytes), result(s.result.bytes),
          samples(raw.address())
    {
        upload_tables(s, tables);
    }
    void run(uint32_t frames) const
    {
        cuda_spectrum_memory places = {};
        places.samples = samples;
        places.tables = tables.address();
        places.scratch = scratch.address();
        places.result = result.address();
        cuda_launch l;
        for (uint32_t i = 0; cuda_spectrum_launch(&s, &places, frames, i, &l); i++)
            launch_one(l);
    }
};

cuda_spectrum planned(fft_spectrum_config plan, unsigned detectors)
{
    cuda_spectrum s;
    plan.detectors = detectors;
    if (cuda_spectrum_plan(&s, &facts, &plan) != 0)
        exit(1);
    limit_clusters(s);
    return s;
}

/* The root of the mean square error of a detector, in units of that of the mean detector. */
double error_of(const batch &b, size_t at, const double *want, const double *mean, double scale)
{
    const uint32_t n = b.s.plan.n;
    std::vector<float> got(n);
    GPU(cudaMemcpy(got.data(), (const char *)b.result.at + at, n * sizeof(float),
                   cudaMemcpyDeviceToHost));
    double off = 0, all = 0;
    for (uint32_t k = 0; k < n; k++) {
        off += (got[k] * scale - want[k]) * (got[k] * scale - want[k]);
        all += mean[k] * mean[k];
    }
    return std::isfinite(off) ? sqrt(off / all) : INFINITY;
}

/* Of all detectors of the first frames: enough for the kernels that batches run. */
double worst_error(batch &b, const gpu_block &samples)
{
    const fft_spectrum_config &plan = b.s.plan;
    const uint32_t enough = b.s.plain      ? facts.processors + 68
                            : b.s.clusters ? facts.processors / b.s.bulk->sharing + 3
                                           : 3;
    const uint32_t frames = std::min(plan.max_frames, enough);
    std::vector<char> raw((size_t)frames * plan.n * fft_iq_bytes(plan.format));
    GPU(cudaMemcpy(raw.data(), samples.at, raw.size(), cudaMemcpyDeviceToHost));
    reference want;
    reference_spectrum(&want, &plan, raw.data(), frames);
    b.result.poison(stream);
    b.run(frames);
    GPU(cudaStreamSynchronize(stream));
    const cuda_result &r = b.s.result;
    const double errors[] = {error_of(b, r.sum, want.mean, want.mean, 1.0 / frames),
                             error_of(b, r.max, want.max, want.mean, 1),
                             error_of(b, r.min, want.min, want.mean, 1),
                             error_of(b, r.last, want.last, want.mean, 1)};
    reference_finish(&want);
    return *std::max_element(errors, errors + 4);
}

} // namespace

void measure_detectors(const gpu_block &samples, uint32_t n)
{
    std::vector<float> window(n);
    const struct fft_window hann = {FFT_WINDOW_HANN, 0};
    fft_window_fill(&hann, window.data(), n, 1.0, nullptr);
    fft_spectrum_config plan = {};
    plan.n = plan.hop = n;
    plan.max_frames = (uint32_t)(samples.bytes / fft_iq_bytes(FFT_IQ_CS16) / n);
    plan.depth = 1;
    plan.format = FFT_IQ_CS16;
    plan.window = window.data();
    const batch mean(planned(plan, FFT_DETECTOR_MEAN), samples);
    batch all(planned(plan, all_detectors), samples);
    const double points = (double)plan.max_frames * n;
    const double mean_ms = gpu_median_ms(stream, 9, [&] { mean.run(plan.max_frames); });
    const double all_ms = gpu_median_ms(stream, 9, [&] { all.run(plan.max_frames); });
    const double error = worst_error(all, samples);
    printf("all detectors n %7u  %6.1f GS/s, mean alone %6.1f: %.2f  error %.1e\n", n,
           points / all_ms / 1e6, points / mean_ms / 1e6, mean_ms / all_ms, error);
    fflush(stdout);
}
