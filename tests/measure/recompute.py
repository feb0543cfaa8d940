# recompute.py - channel power, occupied bandwidth and CCDF of a generated file, computed by numpy.
#
#     recompute.py MEASURE_FILE
#
# numpy makes the samples, its FFT the spectrum, and its cumulative sums and quantiles the values. The
# project's program reads the same file. The two share no code.

import os
import subprocess
import sys
import tempfile

import numpy

N, HOP, CENTER, RATE = 2048, 1024, 433.92e6, 2e6
COUNT = 1 << 20


def make_samples():
    """Coloured noise in 300 kHz, a tone, and white noise."""
    random = numpy.random.default_rng(14)
    white = random.normal(size=(2, COUNT, 2)) @ [1, 1j] / numpy.sqrt(2)
    offset = numpy.fft.fftfreq(COUNT, 1 / RATE) - 210e3
    shape = numpy.where(abs(offset) < 150e3, numpy.cos(offset / 150e3 * numpy.pi / 2), 0)
    tone = 0.02 * numpy.exp(2j * numpy.pi * -0.3217 * numpy.arange(COUNT))
    samples = 0.3 * numpy.fft.ifft(numpy.fft.fft(white[0]) * shape) + tone + 0.001 * white[1]
    return samples.astype(numpy.complex64)


def spectrum(samples):
    """Mean power of each bin from the lowest frequency on, and the window's ENBW in bins."""
    window = 0.5 - 0.5 * numpy.cos(2 * numpy.pi * numpy.arange(N) / N)
    frames = numpy.lib.stride_tricks.sliding_window_view(samples, N)[::HOP]
    power = numpy.mean(abs(numpy.fft.fft(frames * window / window.sum(), axis=1)) ** 2, axis=0)
    return numpy.fft.fftshift(power), N * (window ** 2).sum() / window.sum() ** 2


def below(power):
    """The power below a frequency, as a function: bins have the width RATE / N."""
    edges = CENTER + (numpy.arange(N + 1) - N / 2 - 0.5) * RATE / N
    return edges, numpy.concatenate([[0], numpy.cumsum(power)])


def measure(program, path, name, options):
    """The values by name, and the rows."""
    command = [program, path, str(N), str(HOP), 'hann', repr(CENTER), repr(RATE), name, options]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    lines = [line.split() for line in text.splitlines()]
    rows = [[float(word) for word in line[1:]] for line in lines if line[0] == 'row']
    return {line[0]: float(line[1]) for line in lines if line[0] != 'row'}, rows


failed = False


def expect(what, got, want, tolerance):
    global failed
    good = abs(got - want) <= tolerance
    failed = failed or not good
    print(f'{"ok" if good else "NOT OK"}: {what} {got:.9g}, numpy {want:.9g}, within {tolerance:g}')


def check_channel_power(program, path, samples):
    power, enbw = spectrum(samples)
    edges, total = below(power)
    for low, high in ((434.0e6, 434.2e6), (433.3001e6, 433.3002e6 + 30e3), (433e6, 434.9e6)):
        want = 10 * numpy.log10(numpy.diff(numpy.interp([low, high], edges, total))[0] / enbw)
        options = f'center={(low + high) / 2!r} width={high - low!r}'
        values, _ = measure(program, path, 'channel-power', options)
        expect('channel power', values['power'], want, 0.001)
        expect('density', values['density'], want - 10 * numpy.log10(high - low), 0.001)


def check_obw(program, path, samples):
    power, _ = spectrum(samples)
    edges, total = below(power)
    for percent in (99, 90, 50):
        tail = (1 - percent / 100) / 2
        low, high = numpy.interp([tail * total[-1], (1 - tail) * total[-1]], total, edges)
        values, _ = measure(program, path, 'obw', f'percent={percent} above-noise=0')
        expect(f'OBW {percent} %', values['bandwidth'], high - low, 1)
        expect('its centre', values['center'], (high + low) / 2, 1)


def check_ccdf(program, path, samples):
    power = abs(samples.astype(numpy.complex128)) ** 2
    values, rows = measure(program, path, 'ccdf', f'samples={COUNT}')
    expect('mean', values['mean'], 10 * numpy.log10(power.mean()), 0.001)
    expect('peak', values['peak'], 10 * numpy.log10(power.max() / power.mean()), 0.001)
    for name, part in (('level_10', 1e-1), ('level_1', 1e-2), ('level_0_1', 1e-3), ('level_0_01', 1e-4)):
        want = 10 * numpy.log10(numpy.quantile(power, 1 - part) / power.mean())
        expect(name, values[name], want, 0.01)
    for above_mean, probability, _ in rows[:21]:
        want = 100 * numpy.mean(power >= power.mean() * 10 ** (above_mean / 10))
        expect(f'probability at {above_mean} dB', probability, want, 0.01 * want + 0.001)


def main():
    samples = make_samples()
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'generated.cf32')
        samples.tofile(path)
        check_channel_power(sys.argv[1], path, samples)
        check_obw(sys.argv[1], path, samples)
        check_ccdf(sys.argv[1], path, samples)
    sys.exit(failed)


main()
