// Writes fft-bench's rows as a table between README's <!-- bench --> marks.
//
//     bench_table.mjs ROWS.json README.md

import { readFileSync, writeFileSync } from 'node:fs';

const [rowsFile, readme] = process.argv.slice(2);
const rows = JSON.parse(readFileSync(rowsFile, 'utf8'));
const [first] = rows;

/** 4096 -> "4K", as people name FFT sizes. */
const sizeOf = (n) => (n < 1024 ? `${n}` : n < 2 ** 20 ? `${n / 1024}K` : `${n / 2 ** 20}M`);

function machine() {
    const cpu = readFileSync('/proc/cpuinfo', 'utf8').match(/model name\s*: (.*)/)?.[1] ?? 'unknown';
    return cpu.replace(/\(R\)|\(TM\)| Processor/g, '').trim();
}

const columns = [
    ['n', (row) => sizeOf(row.n)],
    ['fftd, MS/s', (row) => row.msps.toFixed(0)],
    ['FFTW pipeline, MS/s', (row) => row.ref_msps.toFixed(0)],
    ['ratio', (row) => row.ratio.toFixed(2)],
    ['error', (row) => row.rel_error.toExponential(1)],
    ['FFTW\'s', (row) => row.ref_rel_error.toExponential(1)],
    ['of the bound', (row) => `${(100 * row.msps / row.bound_msps).toFixed(0)} %`],
];

const line = (cells) => `| ${cells.join(' | ')} |`;
const table = [
    `${machine()}, ${new Date().toISOString().slice(0, 10)}, ${first.format}, ${first.threads} thread, `
        + `half-overlapped frames; against ${first.ref}:`,
    '',
    line(columns.map(([title]) => title)),
    line(columns.map(() => '---:')),
    ...rows.map((row) => line(columns.map(([, cell]) => cell(row)))),
].join('\n');

const text = readFileSync(readme, 'utf8');
const marked = /(<!-- bench -->\n)[^]*?(<!-- \/bench -->)/;
if (!marked.test(text)) throw new Error(`${readme} has no <!-- bench --> marks`);
writeFileSync(readme, text.replace(marked, (_, open, close) => `${open}${table}\n${close}`));
console.log(table);
