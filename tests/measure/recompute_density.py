# recompute_density.py - the density of a generated file, computed by numpy.
#
#     recompute_density.py FFTD
#
# numpy makes the samples, transforms every frame, and counts the level of each column's strongest bin.
# The daemon replays the same file and answers /api/v1/density. The two share no code.
#
# The engine computes in float, so a level beside the edge of a row may be on either side of it: the
# amplitude of a bin may be off by a few roundings of the largest amplitude in the file. So for each
# column and row, the hits above the row's lower edge must lie between those of the smallest and those
# of the largest levels that this leaves possible.

import json
import os
import re
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

import numpy

RATE, COUNT = 250e3, 1 << 19
ERROR = 0.5 * 2 ** -23 # of an amplitude: the tone has 0.5


def make_samples():
    """Noise whose density changes over the span, a tone, and one that is there for a third of the time."""
    random = numpy.random.default_rng(15)
    white = random.normal(size=(COUNT, 2)) @ [1, 1j] / numpy.sqrt(2)
    slope = 10 ** (-1 - 1.5 * numpy.abs(numpy.fft.fftfreq(COUNT)))
    index = numpy.arange(COUNT)
    tone = 0.5 * numpy.exp(2j * numpy.pi * 0.1173 * index)
    pulsed = 0.3 * numpy.exp(-2j * numpy.pi * 0.31 * index) * (index % 30000 < 10000)
    samples = numpy.fft.ifft(numpy.fft.fft(white) * slope) + tone + pulsed
    return samples.astype(numpy.complex64)


WINDOWS = {'hann': [0.5, -0.5], 'blackman-harris': [0.35875, -0.48829, 0.14128, -0.01168]}


def levels_of(samples, n, hop, window, columns):
    """dBFS of the strongest bin of each column in each frame: [frame, column]."""
    phase = 2 * numpy.pi * numpy.arange(n) / n
    shape = sum(a * numpy.cos(k * phase) for k, a in enumerate(WINDOWS[window]))
    frames = numpy.lib.stride_tricks.sliding_window_view(samples.astype(numpy.complex128), n)[::hop]
    power = numpy.abs(numpy.fft.fft(frames * (shape / shape.sum()), axis=1)) ** 2
    first = -(-numpy.arange(columns) * n // columns) # column c has the bins k with floor(k columns / n) = c
    return 10 * numpy.log10(numpy.maximum.reduceat(numpy.fft.fftshift(power, axes=1), first, axis=1))


def pieces(first, count):
    """The parts of a run of samples that lie in one pass of the file: a frame spans no two."""
    while count > 0:
        start = first % COUNT
        length = min(count, COUNT - start)
        yield start, length
        first, count = first + length, count - length


def count_hits(levels, rows, top, step):
    """Hits above the lower edge of each row: [column, row]. The last row has no lower edge."""
    row = numpy.floor((top - levels) / step)
    row = numpy.clip(row, 0, rows - 1).astype(int)
    hits = numpy.zeros((levels.shape[1], rows), int)
    for column in range(levels.shape[1]):
        hits[column] = numpy.bincount(row[:, column], minlength=rows)
    return numpy.cumsum(hits, axis=1)


failed = False


def expect(what, good):
    global failed
    failed = failed or not good
    print(f'{"ok" if good else "NOT OK"}: {what}')


def check(samples, options, answer):
    n, hop, window = options['fft-size'], options['hop'], options['window']
    rows, step, top = answer['levels'], answer['step_db'], answer['top']
    got = numpy.array(answer['hits'])
    columns = min(options['density-columns'], n)
    levels = numpy.concatenate([levels_of(samples[start:start + length], n, hop, window, columns)
                                for start, length in pieces(answer['first_sample'], answer['samples'])
                                if length >= n])
    what = f'n {n}, hop {hop}, {window}, persistence {answer["persistence"]}, {answer["lines"]} lines'
    expect(f'{what}: {answer["frames"]} frames, numpy {len(levels)}', answer['frames'] == len(levels))
    expect(f'{what}: {got.shape} cells', got.shape == (columns, rows))
    error_db = 20 * numpy.log10(1 + ERROR / 10 ** (levels / 20))
    least, exact, most = (count_hits(levels + shift, rows, top, step) for shift in (-error_db, 0, error_db))
    above = numpy.cumsum(got, axis=1)
    differ, doubtful = numpy.abs(above - exact).sum(), (most - least).sum()
    expect(f'{what}: {differ} of {levels.size} hits differ, at most {doubtful} may',
           bool(numpy.all((above >= least) & (above <= most))))
    expect(f'{what}: few may differ', doubtful <= 0.005 * levels.size)


def ask(url, persistence, lines):
    """The density, as soon as it has so many lines."""
    while True:
        with urllib.request.urlopen(f'{url}api/v1/density?persistence={persistence}') as answer:
            density = json.load(answer)
            if density['lines'] >= lines:
                return density
        time.sleep(0.02)


def run(program, path, samples, options):
    arguments = [part for key, value in options.items() if key != 'hop' for part in (f'--{key}', str(value))]
    daemon = subprocess.Popen([program, '--replay', path, '--rate', str(RATE), '--loop', '--ring-size', '64M',
                               '--line-rate', '10', '--engine', 'cpu', '--listen', '127.0.0.1:0', *arguments],
                              stderr=subprocess.PIPE, text=True)
    try:
        url = None
        while not url:
            line = daemon.stderr.readline()
            if not line:
                sys.exit('fftd ended')
            url = re.search(r'serving (http://\S+)', line)
        for persistence, lines in (('none', 1), ('infinite', 5)):
            check(samples, options, ask(url[1], persistence, lines))
    finally:
        daemon.terminate()
        daemon.communicate()


def main():
    samples = make_samples()
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'generated.cf32')
        samples.tofile(path)
        run(sys.argv[1], path, samples, {'fft-size': 1024, 'overlap': 75, 'hop': 256, 'window': 'hann',
                                         'density-columns': 801})
        run(sys.argv[1], path, samples, {'fft-size': 256, 'overlap': 50, 'hop': 128, 'window': 'blackman-harris',
                                         'density-columns': 801, 'density-levels': 60, 'density-top': '-20',
                                         'density-step': '1.5'})
    sys.exit(failed)


main()
