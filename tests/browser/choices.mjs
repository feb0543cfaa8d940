// The choices that fftd offers in its welcome message, for the mock server; page_daemon holds them against the daemon's.

const powersOfTwo = (first, last) => Array.from({ length: Math.log2(last / first) + 1 }, (_, i) => first * 2 ** i);

export const CHOICES = {
  center_hz: { label: 'Centre', group: 'radio', unit: 'Hz', expected: 'a number from 0 to 1T', min: 0, max: 1e12 },
  rate_hz: { label: 'Sample rate', group: 'radio', unit: 'S/s', expected: 'a number from 1 to 10G', min: 1, max: 1e10 },
  gain: { label: 'Gain', group: 'radio', expected: 'auto, dB, or dB for each element as in LNA=20,TIA=8' },
  ppm: { label: 'Correction', group: 'radio', unit: 'ppm', expected: 'a number from -1000 to 1000', min: -1000, max: 1000 },
  converter_hz: { label: 'Converter', group: 'radio', unit: 'Hz', expected: 'a number from -1T to 1T', min: -1e12, max: 1e12 },
  bandwidth_hz: { label: 'Bandwidth', group: 'radio', unit: 'Hz', expected: 'a number from 0 to 10G', min: 0, max: 1e10 },
  antenna: { label: 'Antenna', group: 'radio', expected: 'a name of at most 31 characters' },
  rbw_hz: { label: 'RBW', group: 'spectrum', unit: 'Hz', expected: 'a number from 0 to 10G', min: 0, max: 1e10 },
  fft_size: { label: 'FFT size', group: 'spectrum', expected: 'a power of two from 64 to 4194304', values: powersOfTwo(64, 4194304) },
  overlap: { label: 'Overlap', group: 'spectrum', unit: '%', expected: 'a number from 0 to less than 100', min: 0, below: 100 },
  window: { label: 'Window', group: 'spectrum', expected: 'a window', values: ['rect', 'hann', 'hamming', 'blackman', 'blackman-harris', 'nuttall', 'flat-top',
    'kaiser(8.6)', 'gauss(2.5)'] },
  vbw_hz: { label: 'VBW', group: 'spectrum', unit: 'Hz', expected: 'a number from 0 to 10G', min: 0, max: 1e10 },
  average: { label: 'Frames per line', group: 'spectrum', expected: 'a number from 0 to 1G', min: 0, max: 1e9 },
  line_rate: { label: 'Line rate', group: 'spectrum', unit: 'lines/s', expected: 'a number from 0.001 to 100k', min: 0.001, max: 1e5 },
  dc_removal: { label: 'DC removal', group: 'spectrum', expected: 'yes or no', values: ['no', 'yes'] },
  iq_correction: { label: 'IQ correction', group: 'spectrum', expected: 'yes or no', values: ['no', 'yes'] },
  span: { label: 'Sweep span', group: 'sweep', expected: 'two frequencies with LOW below HIGH, as in 88M:108M' },
  dwell: { label: 'Dwell', group: 'sweep', unit: 's', expected: 'a number from 1e-06 to 3600', min: 1e-6, max: 3600 },
  usable_band: { label: 'Usable band', group: 'spectrum', unit: '%', expected: 'a number from 10 to 100', min: 10, max: 100 },
  dc_spur: { label: 'DC spur', group: 'radio', expected: 'one of auto, yes, no', values: ['auto', 'yes', 'no'] },
  detector: { label: 'Detector', group: 'output', expected: 'one of mean, max, min, sample', values: ['mean', 'max', 'min', 'sample'] },
};
