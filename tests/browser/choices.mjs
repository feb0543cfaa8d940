// The choices that fftd offers in its welcome message, for the mock server; page_daemon holds them against the daemon's.

const powersOfTwo = (first, last) => Array.from({ length: Math.log2(last / first) + 1 }, (_, i) => first * 2 ** i);

export const CHOICES = {
  center_hz: { expected: 'a number from 0 to 1T', min: 0, max: 1e12 },
  rate_hz: { expected: 'a number from 1 to 10G', min: 1, max: 1e10 },
  gain: { expected: 'auto, dB, or dB for each element as in LNA=20,TIA=8' },
  ppm: { expected: 'a number from -1000 to 1000', min: -1000, max: 1000 },
  bandwidth_hz: { expected: 'a number from 0 to 10G', min: 0, max: 1e10 },
  antenna: { expected: 'a name of at most 31 characters' },
  rbw_hz: { expected: 'a number from 0 to 10G', min: 0, max: 1e10 },
  fft_size: { expected: 'a power of two from 64 to 4194304', values: powersOfTwo(64, 4194304) },
  overlap: { expected: 'a number from 0 to less than 100', min: 0, below: 100 },
  window: { expected: 'a window', values: ['rect', 'hann', 'hamming', 'blackman', 'blackman-harris', 'nuttall', 'flat-top',
    'kaiser(8.6)', 'gauss(2.5)'] },
  average: { expected: 'a number from 0 to 1G', min: 0, max: 1e9 },
  line_rate: { expected: 'a number from 0.001 to 100k', min: 0.001, max: 1e5 },
  detector: { expected: 'one of mean, max, min, sample', values: ['mean', 'max', 'min', 'sample'] },
};
