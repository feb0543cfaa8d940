/*
 * resident.cu - cuda-resident: fused spectra of samples in device memory. The kernels of
 * kernels/cuda, launched as planned, are compared with double precision, repeated to check for
 * equal bits, timed, and compared with the best pipeline around cuFFT.
 *
 *     cuda-resident IMAGES [FROM [TO]]    IMAGES: folder of the fatbins; lengths from .. to
 *
 * Environment: SPAN_LOG2 (bytes of samples, 30), REPEATS (300), MEAN_OF (16 or 64 alone), FORMATS
 * ("density detectors cs16 cu8 cs8 cf32"), NO_CUFFT.
 */
#include "bench/cuda/cufft.h"
#include "bench/cuda/detectors.h"
#include "bench/cuda/gpu.h"
#include "bench/cuda/launches.h"
#include "bench/cuda/roof.h"

#include <cmath>
#include <cstring>

extern "C" {
#include "fft/cuda/cuda_form.h"
#include "fft/window.h"
#include "reference/reference.h"
}

namespace
{

size_t span_bytes = (size_t)1 << 30;
int repeats = 300;
uint32_t mean_of;            // 0: all
double copy_rate, read_rate; /* of device memory, GB/s */

/* Lines of `line_frames` frames from all samples, as one list of launches. */
struct job {
    cuda_spectrum s;
    cuda_spectrum_memory places;
    uint32_t line_frames, frames;
    float *lines;
    std::vector<cuda_launch> launches;
};

/* Returns how many blocks the device runs at a time. */
uint32_t resident_blocks(const cuda_spectrum &s, const cuda_launch &l)
{
    if (l.cluster > 1)
        return s.clusters * l.cluster;
    int blocks = 0;
    GPU(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel_of(l), (int)l.block,
                                                      l.shared));
    if (blocks < 1) {
        fprintf(stderr, "%s does not fit\n", l.kernel);
        exit(1);
    }
    return facts.processors * (uint32_t)blocks;
}

/* Adds the planner's launch, changed to write lines instead of groups. */
void add_launch(job &j, cuda_launch l, uint32_t index)
{
    spectrum_args &a = l.args.spectrum;
    const bool two = strncmp(l.kernel, "spectrum", 8) != 0; // kernels for a frame
    const uint32_t first = two ? index / 2 * j.s.chunk_frames : 0;
    a.group_frames = std::min(j.line_frames, a.frames);
    a.groups = (a.frames + a.group_frames - 1) / a.group_frames;
    a.sum = j.lines + (size_t)(first / j.line_frames) * j.s.plan.n;
    a.resume = first % j.line_frames != 0;
    a.keep = two && (first + a.frames) % j.line_frames != 0;
    if (two && index % 2 == 1)
        l.grid[1] = a.groups;
    if (!two && !l.together) {
        const cuda_form *form = strstr(l.kernel, "_mean_") ? j.s.bulk : j.s.plain;
        const uint32_t wanted = (a.groups + form->rows - 1) / form->rows * l.cluster;
        l.grid[0] = std::min(resident_blocks(j.s, l), wanted);
    }
    j.launches.push_back(l);
}

/* Chunks contain whole lines, or whole parts of one: powers of two. */
void prepare(job &j)
{
    uint32_t chunk = 1;
    while (j.s.rows && chunk * 2 <= j.s.chunk_frames)
        chunk *= 2;
    if (j.s.rows)
        j.s.chunk_frames = chunk;
    cuda_launch l;
    for (uint32_t i = 0; cuda_spectrum_launch(&j.s, &j.places, j.frames, i, &l); i++)
        if (strncmp(l.module, "spectrum", 8) == 0)
            add_launch(j, l, i);
        else if (strcmp(l.kernel, "clear") == 0)
            j.launches.push_back(l);
}

void run(const job &j)
{
    for (const cuda_launch &l : j.launches)
        launch_one(l);
}

double relative_error(const std::vector<float> &got, const std::vector<double> &want)
{
    double off = 0, all = 0;
    for (size_t i = 0; i < got.size(); i++) {
        off += (got[i] - want[i]) * (got[i] - want[i]);
        all += want[i] * want[i];
    }
    return std::isfinite(off) ? sqrt(off / all) : INFINITY;
}

/* Compares one line with the double-precision reference. */
double error_of(const job &j, const gpu_block &samples, size_t line, bool centred = true)
{
    const fft_spectrum_config &plan = j.s.plan;
    const size_t frame = (size_t)plan.hop * fft_iq_bytes(plan.format);
    std::vector<char> raw(j.line_frames * frame);
    std::vector<double> want(plan.n), one(plan.n);
    std::vector<float> got(plan.n);
    GPU(cudaMemcpy(raw.data(), (const char *)samples.at + line * raw.size(), raw.size(),
                   cudaMemcpyDeviceToHost));
    GPU(cudaMemcpy(got.data(), j.lines + line * plan.n, plan.n * sizeof(float),
                   cudaMemcpyDeviceToHost));
    for (uint32_t f = 0; f < j.line_frames; f++) {
        reference_power(&plan, raw.data(), (uint64_t)f * plan.hop, one.data());
        for (uint32_t k = 0; k < plan.n; k++)
            want[k] += one[centred ? k : k ^ plan.n / 2];
    }
    return relative_error(got, want);
}

/* Prints the shares of the device's limits in %; two kernels write as much as they read. */
void print_roofs(const job &j, double rate)
{
    const cuda_launch &l = j.launches.back();
    const bool one = strncmp(l.kernel, "spectrum", 8) == 0; // the samples alone cross memory
    const bool bulk = one && strstr(l.kernel, "_mean_") && !l.together;
    const roof cost = roof_cost(j.s, bulk, j.line_frames);
    const roof most = roof_device(facts, 1e9 * (one ? read_rate : copy_rate));
    const double share = 100 * 1e9 * rate;
    printf("  memory %4.1f %% operations %4.1f %% shared %4.1f %%",
           share * cost.memory / most.memory, share * cost.operations / most.operations,
           share * cost.shared / most.shared);
}

void report(const job &j, const gpu_block &samples, gpu_block &lines, double cufft)
{
    const uint32_t n = j.s.plan.n, count = j.frames / j.line_frames;
    const size_t bytes = (size_t)count * n * sizeof(float), all = (size_t)j.frames * n;
    const bool quick = n <= 1048576; // the reference is slow
    const double cufft_error = cufft > 0 && quick ? error_of(j, samples, count - 1, false) : 0;
    lines.poison(stream);
    run(j);
    GPU(cudaStreamSynchronize(stream));
    double error = error_of(j, samples, count - 1);
    if (n <= 65536)
        error = std::max(error, std::max(error_of(j, samples, 0), error_of(j, samples, count / 3)));
    const double ms = gpu_median_ms(stream, 9, [&] { run(j); });
    const double rate = (double)all / ms / 1e6;
    printf("%-5s n %7u mean of %2u  %7.1f GS/s  error %.1e", fft_iq_name(j.s.plan.format), n,
           j.line_frames, rate, error);
    print_roofs(j, rate);
    if (cufft > 0)
        printf("  cuFFT %6.1f (error %.1e)  ratio %.2f", cufft, cufft_error, rate / cufft);
    if (j.line_frames == 16 && repeats > 0) {
        gpu_block first(bytes);
        GPU(cudaMemcpy(first.at, lines.at, bytes, cudaMemcpyDeviceToDevice));
        int differing = 0;
        for (int i = 0; i < repeats; i++) {
            GPU(cudaMemsetAsync(lines.at, 0xff, bytes, stream));
            run(j);
            GPU(cudaStreamSynchronize(stream));
            differing += gpu_differing(first.at, lines.at, bytes) != 0;
        }
        printf("  %d of %d repeats differ", differing, repeats);
    }
    printf("\n");
    fflush(stdout);
}

void measure(const gpu_block &samples, gpu_block &lines, uint32_t n, fft_iq_format format,
             bool contest)
{
    std::vector<float> window(n);
    const struct fft_window hann = {FFT_WINDOW_HANN, 0};
    fft_window_fill(&hann, window.data(), n, 1.0, nullptr);
    fft_spectrum_config plan = {};
    plan.n = plan.hop = n;
    plan.max_frames = (uint32_t)(span_bytes / fft_iq_bytes(format) / n);
    plan.depth = 1;
    plan.format = format;
    plan.window = window.data();
    plan.detectors = FFT_DETECTOR_MEAN;
    for (uint32_t line_frames : {16U, 64U}) {
        if (mean_of != 0 && line_frames != mean_of)
            continue;
        job j = {};
        if (cuda_spectrum_plan(&j.s, &facts, &plan) != 0)
            exit(1);
        limit_clusters(j.s);
        gpu_block tables(j.s.tables_bytes), scratch(j.s.scratch_bytes);
        upload_tables(j.s, tables);
        j.places = {samples.address(), tables.address(), scratch.address(), lines.address(), 0};
        j.line_frames = line_frames;
        j.frames = plan.max_frames / line_frames * line_frames;
        if (j.frames == 0)
            continue;
        j.lines = (float *)lines.at;
        prepare(j);
        double cufft = 0;
        if (contest)
            cufft =
                cufft_spectrum_rate(stream, samples.at, (size_t)j.frames * n,
                                    (const float *)tables.at, n, line_frames, (float *)lines.at);
        report(j, samples, lines, cufft);
    }
}

/* Compares hits of the first `frames` frames with the reference; counts columns that are wrong
 * beyond rounding. */
uint32_t wrong_columns(const fft_spectrum_config &plan, const gpu_block &samples,
                       const uint32_t *hits, uint32_t frames)
{
    std::vector<char> raw(((size_t)(frames - 1) * plan.hop + plan.n) * fft_iq_bytes(plan.format));
    GPU(cudaMemcpy(raw.data(), samples.at, raw.size(), cudaMemcpyDeviceToHost));
    reference want;
    reference_spectrum(&want, &plan, raw.data(), frames);
    uint32_t wrong = 0;
    for (uint32_t c = 0; c < plan.density.columns; c++) {
        const size_t at = (size_t)c * plan.density.levels;
        int64_t sum = 0, doubt = 0, off = 0;
        for (uint32_t r = 0; r < plan.density.levels; r++) {
            sum += hits[at + r];
            doubt += (int64_t)want.doubtful[at + r];
            off += std::abs((int64_t)hits[at + r] - (int64_t)want.hits[at + r]);
        }
        wrong += sum != frames || off > 2 * doubt;
    }
    reference_finish(&want);
    return wrong;
}

/*
 * Measures density of 801 columns and 201 levels at 75 % overlap: a hit is one column of one frame.
 */
void measure_density(const gpu_block &samples, uint32_t n)
{
    std::vector<float> window(n);
    const struct fft_window hann = {FFT_WINDOW_HANN, 0};
    fft_window_fill(&hann, window.data(), n, 1.0, nullptr);
    fft_spectrum_config plan = {};
    plan.n = n;
    plan.hop = n / 4;
    plan.max_frames = (uint32_t)((span_bytes / fft_iq_bytes(FFT_IQ_CS16) - n) / plan.hop + 1);
    plan.depth = 1;
    plan.format = FFT_IQ_CS16;
    plan.window = window.data();
    plan.detectors = FFT_DETECTOR_MEAN | FFT_DETECTOR_MAX;
    plan.density = {801, 201, 0, 0.5F};
    cuda_spectrum s;
    if (cuda_spectrum_plan(&s, &facts, &plan) != 0)
        exit(1);
    gpu_block tables(s.tables_bytes), scratch(s.scratch_bytes), result(s.result.bytes);
    upload_tables(s, tables);
    const cuda_spectrum_memory places = {samples.address(), tables.address(), scratch.address(),
                                         result.address(), 0};
    /* The same without density, to see what counting adds; its memory is the first part of the
     * other's. */
    cuda_spectrum detectors_alone;
    plan.density = {};
    if (cuda_spectrum_plan(&detectors_alone, &facts, &plan) != 0)
        exit(1);
    const auto run = [&](const cuda_spectrum &what, uint32_t frames) {
        cuda_launch l;
        for (uint32_t i = 0; cuda_spectrum_launch(&what, &places, frames, i, &l); i++)
            launch_one(l);
    };
    constexpr uint32_t few = 64;
    std::vector<uint32_t> hits((size_t)s.plan.density.columns * s.plan.density.levels);
    result.poison(stream);
    run(s, few);
    GPU(cudaStreamSynchronize(stream));
    GPU(cudaMemcpy(hits.data(), (char *)result.at + s.result.hits, 4 * hits.size(),
                   cudaMemcpyDeviceToHost));
    const uint32_t wrong = wrong_columns(s.plan, samples, hits.data(), few);
    const double ms = gpu_median_ms(stream, 9, [&] { run(s, plan.max_frames); });
    const double spectra_ms =
        gpu_median_ms(stream, 9, [&] { run(detectors_alone, plan.max_frames); });
    const double all = (double)plan.max_frames * s.plan.density.columns;
    const double points = (double)plan.max_frames * n;
    printf("density n %u hop %u, 801 x 201: %.1f G hits/s with spectra (%.1f GS/s of frames; %.1f "
           "without density); %u columns wrong\n",
           n, plan.hop, all / ms / 1e6, points / ms / 1e6, points / spectra_ms / 1e6, wrong);
    fflush(stdout);
}

} // namespace

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "usage: cuda-resident IMAGES [FROM [TO]]\n");
        return 1;
    }
    const uint32_t from = argc > 2 ? (uint32_t)atoi(argv[2]) : 64;
    const uint32_t to = argc > 3 ? (uint32_t)atoi(argv[3]) : FFT_SPECTRUM_MAX_N;
    const char *formats =
        getenv("FORMATS") ? getenv("FORMATS") : "density detectors cs16 cu8 cs8 cf32";
    if (getenv("SPAN_LOG2"))
        span_bytes = (size_t)1 << atoi(getenv("SPAN_LOG2"));
    if (getenv("REPEATS"))
        repeats = atoi(getenv("REPEATS"));
    if (getenv("MEAN_OF"))
        mean_of = (uint32_t)atoi(getenv("MEAN_OF"));
    const bool contest = cufft_open() && !getenv("NO_CUFFT");
    launches_open(argv[1]);
    copy_rate = gpu_copy_rate(stream, span_bytes);
    read_rate = gpu_read_rate(stream, span_bytes);
    printf("copy %.0f GB/s, read %.0f GB/s; cuFFT: %s\n", copy_rate, read_rate,
           contest ? "yes" : "no");

    gpu_block samples(span_bytes), lines(span_bytes / 8);
    gpu_fill_bits(samples.at, span_bytes, 12345);
    for (uint32_t n : {1024U, 4096U})
        if (strstr(formats, "density"))
            measure_density(samples, n);
    for (uint32_t n = from; n <= to && strstr(formats, "detectors"); n *= 2)
        measure_detectors(samples, n);
    for (fft_iq_format format : {FFT_IQ_CS16, FFT_IQ_CU8, FFT_IQ_CS8, FFT_IQ_CF32}) {
        if (!strstr(formats, fft_iq_name(format)))
            continue;
        if (format == FFT_IQ_CF32)
            gpu_fill_floats(samples.at, span_bytes / 4, 99);
        const bool all = format == FFT_IQ_CS16;
        for (uint32_t n = from; n <= to && (all || n <= 524288); n *= all ? 2 : 4)
            measure(samples, lines, n, format, all && contest);
    }
    return 0;
}
