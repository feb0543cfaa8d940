// bench_table.mjs - writes fft-bench's rows as tables between a document's <!-- bench --> marks.
//
//     bench_table.mjs FOLDER [bench/results/cpu.md]
//
// FOLDER contains the results of script/bench: arrays of rows in VERB-REFERENCE-PIECE.json.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** Formats a size in K or M: 4096 -> "4K". */
const sizeOf = (n) => (n < 1024 ? `${n}` : n < 2 ** 20 ? `${n / 1024}K` : `${n / 2 ** 20}M`);

/** The speed relative to FFTW; p marks PATIENT plans. */
const ratio = (row) => (row ? `${row.ratio.toFixed(2)}${row.ref.endsWith('PATIENT') ? 'p' : ''}` : '');
const error = (value) => value.toExponential(1);
const bound = (row) => `${((100 * row.msps) / row.bound_msps).toFixed(0)} %`;

/** All rows of the pieces whose names begin with `name`, by n. */
function group(pieces, name) {
  const rows = Object.keys(pieces)
    .filter((piece) => piece.startsWith(`${name}-`))
    .sort()
    .flatMap((piece) => pieces[piece]);
  return new Map(rows.map((row) => [row.n, row]));
}

function table(titles, lines) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return [line(titles), line(titles.map(() => '---:')), ...lines.map(line)].join('\n');
}

/** @param {string} what "spectrum" or "transform" */
function versus(pieces, what) {
  const system = group(pieces, `${what}-system`),
    other = group(pieces, `${what}-other`);
  const second = other.size > 0;
  const build = (rows) => [...rows.values()][0].ref.split(' ')[0].replace(/^fftw-[0-9.]+-/, '');
  return table(
    [
      'n',
      'fftd, MS/s',
      `times FFTW (${build(system)})`,
      ...(second ? [`times FFTW (${build(other)})`] : []),
      'error',
      "FFTW's",
      'of the bound',
    ],
    [...system.values()].map((row) => [
      sizeOf(row.n),
      row.msps.toFixed(0),
      ratio(row),
      ...(second ? [ratio(other.get(row.n))] : []),
      error(row.rel_error),
      error(row.ref_rel_error),
      bound(row),
    ]),
  );
}

function threadsAndDensity(pieces) {
  const one = group(pieces, 'threads-one'),
    all = group(pieces, 'threads-all'),
    density = group(pieces, 'density');
  const threads = [...all.values()][0]?.threads;
  return table(
    [
      'n',
      '1 thread, MS/s',
      ...(threads ? [`${threads} threads`, 'times'] : []),
      'density, M hits/s',
      'time, times without',
    ],
    [...one.values()].map((row) => {
      const many = all.get(row.n),
        hits = density.get(row.n);
      return [
        sizeOf(row.n),
        row.msps.toFixed(0),
        ...(threads ? [many.msps.toFixed(0), (many.msps / row.msps).toFixed(2)] : []),
        hits.mhits.toFixed(0),
        (1 / hits.ratio).toFixed(1),
      ];
    }),
  );
}

/** @param {Record<string, object[]>} pieces @param {string} cpu @param {string} date */
export function tables(pieces, cpu, date) {
  const { ref } = [...group(pieces, 'spectrum-system').values()][0];
  return [
    `${cpu}, ${date}; ${ref.split(' ')[0].replace('fftw-', 'FFTW ').split('-')[0]}, MEASURE plans (p: PATIENT `
      + 'plans). Spectra, cs16, one thread:',
    versus(pieces, 'spectrum'),
    'Plain complex transforms, out of place, one thread; arrays of 1 MiB up to 64K points, of 64 MiB above:',
    versus(pieces, 'transform'),
    'Several threads, and a density of 4096 columns (at most n) and 256 levels in addition to mean and max:',
    threadsAndDensity(pieces),
  ].join('\n\n');
}

/** What each row of fft-bench daemon says. @param {object[]} rows @param {string} cpu @param {string} date */
export function daemonTable(rows, cpu, date) {
  const lost = (row) => Object.values(row.lost).reduce((sum, samples) => sum + samples, 0);
  const threads = (row) =>
    Object.entries(row.threads)
      .filter(([, share]) => share >= 0.005)
      .map(([name, share]) => `${name} ${share.toFixed(2)}`)
      .join(', ');
  return [
    `${cpu}, ${date}; ${rows[0].engine}; ${rows[0].format}, ${rows[0].measurements} measurements, all detectors, one `
      + `viewer;\n${rows[0].seconds.toFixed(0)} s each; load of the machine before: ${rows[0].load_before.toFixed(2)}:`,
    table(
      [
        'n',
        'hop',
        'density',
        'asked, MS/s',
        'MS/s',
        'spectra/s',
        'lost samples',
        'processors',
        'of these',
        'memory and ring, MiB',
      ],
      rows.map((row) => [
        sizeOf(row.n),
        row.hop,
        row.density === '0x0' ? '' : row.density,
        row.asked_msps.toFixed(2),
        row.msps.toFixed(2),
        row.spectra_per_second,
        lost(row),
        row.processors.toFixed(2),
        threads(row),
        `${row.memory_mib} + ${row.ring_mib}`,
      ]),
    ),
  ].join('\n\n');
}

function machine() {
  const cpu = readFileSync('/proc/cpuinfo', 'utf8').match(/model name\s*: (.*)/)?.[1] ?? 'unknown';
  return cpu.replace(/\(R\)|\(TM\)| Processor/g, '').trim();
}

/** Replaces the tables between the marks. @param {string} document @param {string} written */
export function withTables(document, written, mark = 'bench') {
  const marked = new RegExp(`(<!-- ${mark} -->\\n)[^]*?(<!-- /${mark} -->)`);
  if (!marked.test(document)) throw new Error(`there are no <!-- ${mark} --> marks`);
  return document.replace(marked, (_, open, close) => `${open}${written}\n${close}`);
}

function main([folder, file = fileURLToPath(new URL('../bench/results/cpu.md', import.meta.url))]) {
  const pieces = Object.fromEntries(
    readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .map((name) => [name, JSON.parse(readFileSync(join(folder, name), 'utf8'))]),
  );
  const date = new Date().toISOString().slice(0, 10);
  const written = tables(pieces, machine(), date);
  const daemon = daemonTable(
    Object.keys(pieces)
      .filter((name) => name.startsWith('daemon-'))
      .sort()
      .flatMap((name) => pieces[name]),
    machine(),
    date,
  );
  writeFileSync(file, withTables(withTables(readFileSync(file, 'utf8'), written), daemon, 'daemon'));
  console.log(`${written}\n\n${daemon}`);
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) main(process.argv.slice(2));
