/* options_help.c - the text of --help. */
#include <stdio.h>

#include "bench/options.h"

void options_help(void)
{
    puts(
        "fft-bench spectrum [options]: how fast an engine turns raw samples into mean spectra\n"
        "fft-bench transform [options]: how fast it computes plain Fourier transforms\n"
        "fft-bench plan --options profile=NAME [options]: how the opencl engine would compute\n"
        "                  spectra on that device, which need not be installed\n"
        "\n"
        "  --engine NAME   auto, cpu, ... (auto)\n"
        "  --isa NAME      instruction set of the cpu engine (the best)\n"
        "  --options TEXT  of the opencl engine, as in plan=local,measure\n"
        "  --n LIST        sizes, 1K = 1024 (256,1K,4K,16K,64K,256K,1M,4M); transform: any\n"
        "                  2^a 3^b 5^c 7^d, and rank 2 and 3 as 512x512\n"
        "  --threads T     (1)\n"
        "  --vs fftw       against FFTW, loaded at run time; $FFT_BENCH_FFTW names another build\n"
        "  --vs cufft      transforms of the cuda engine against cuFFT, loaded likewise;\n"
        "                  $FFT_BENCH_CUFFT names another build\n"
        "  --vs clfft, --vs vkfft   spectra of the opencl engine against these libraries' plain\n"
        "                  complex transforms of points in device memory\n"
        "  --patient       with FFTW's PATIENT plans: minutes at 256K and more, kept in ~/.cache\n"
        "  --quick         short runs, for tests: the figures are not reliable\n"
        "  --json          an array of rows\n"
        "spectrum:\n"
        "  --hop H         samples from frame to frame (half a frame)\n"
        "  --format F      cu8, cs8, cs16, cf32 (cs16)\n"
        "  --detectors LIST   of mean, max, min, sample (mean)\n"
        "  --density CxL   also counts hits in C columns and L levels; compared with the same\n"
        "                  engine without density\n"
        "transform:\n"
        "  --type T        forward, inverse, r2c, c2r (forward)\n"
        "  --scale S       results times 1/n or 1/sqrt(n): none, n, root-n (none)\n"
        "  --in-place      the output overwrites the input\n"
        "  --place P       cache: 1 MiB of arrays; memory: 64 MiB; auto: cache to 64K points\n"
        "plan: the options of spectrum, and\n"
        "  --explain       also prints passes, radices, work-groups and bytes a sample\n"
        "\n"
        "MS/s are millions of samples in frames; a stream of overlapped frames has hop/n of that.\n"
        "Errors are relative to double precision. The bound is computed from the machine's "
        "measured\n"
        "rates.");
}
