// output_files.test.mjs - files of outputs that exist: what is not theirs stays, earlier rows stay, others may move or shorten them.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  rmdirSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { binary, run, scratch, serve, until } from '../support/fftd.mjs';

const SIM = ['--source', 'sim', '--rate', '1M', '--fft-size', '64', '--fast', '--duration', '0.5'];
const OUTPUTS = ['csv', 'json', 'stats', 'events', 'measure-json'];
const MORE = ['--trigger', 'level=-20', '--measure', 'channel-power'];
const rows = (path) => readFileSync(path, 'latin1').split('\n').slice(0, -1);

test('a file that is no earlier output is refused before anything starts, and stays', async (t) => {
  const folder = scratch(t),
    recording = join(folder, 'capture_1M.cu8'),
    other = join(folder, 'new');
  const bytes = Buffer.from(Array.from({ length: 20000 }, (_, i) => i * 7));
  writeFileSync(recording, bytes);
  for (const output of OUTPUTS)
    for (const check of [[], ['--check-config']]) {
      const { code, stderr } = await run([
        ...SIM,
        ...MORE,
        ...check,
        `--${output}`,
        recording,
        output === 'csv' ? '--json' : '--csv',
        other,
      ]);
      assert.equal(code, 1, stderr);
      assert.match(
        stderr,
        /^fftd: \S+capture_1M\.cu8: it exists and is not .*: give another name, or --overwrite to replace it \(to analyse it: fftd \S+capture_1M\.cu8 --(\S+) OTHER-NAME\)\n$/,
      );
      assert.equal(stderr.match(/ --(\S+) OTHER-NAME/)[1], output);
    }
  const note = join(folder, 'notes.txt');
  writeFileSync(note, 'a note\n');
  assert.match((await run([...SIM, '--csv', note])).stderr, /to replace it\n$/);
  assert.match((await run([recording, '--csv', note])).stderr, /to replace it\n$/);
  rmSync(note);
  const hard = join(folder, 'hard');
  linkSync(recording, hard);
  assert.match((await run([recording, '--csv', hard, '--overwrite'])).stderr, /--replay and --csv are both/);
  assert.match(
    (
      await run(['--csv', hard, '--overwrite', '--replay', '/dev/stdin', '--format', 'cu8'], {
        wrap: ['sh', '-c', `exec "$0" "$@" <${recording}`],
      })
    ).stderr,
    /both/,
  );
  assert.deepEqual(readFileSync(recording), bytes);
  assert.deepEqual(readdirSync(folder).sort(), ['capture_1M.cu8', 'hard']);
  const { code, stderr } = await run([...SIM, '--csv', recording, '--overwrite']);
  assert.equal(code, 0, stderr);
  assert.equal(rows(hard).length, 10);
});

test('rows are added to an earlier output of the same form, after its whole rows', async (t) => {
  const folder = scratch(t),
    path = (name) => join(folder, name);
  const args = [...SIM, ...MORE, ...OUTPUTS.flatMap((name) => [`--${name}`, path(name)])];
  assert.equal((await run(args)).code, 0);
  const first = OUTPUTS.map((name) => rows(path(name)));
  for (const name of OUTPUTS)
    writeFileSync(path(name), readFileSync(path(name), 'latin1') + first[OUTPUTS.indexOf(name)].at(-1).slice(0, 30));
  const again = await run(args);
  assert.equal(again.code, 0, again.stderr);
  assert.equal(again.stderr.match(/last row was not whole: 30 bytes/g).length, OUTPUTS.length, again.stderr);
  OUTPUTS.forEach((name, i) => {
    const head = name === 'events' ? 1 : 0,
      both = rows(path(name));
    assert.deepEqual(both.slice(0, first[i].length), first[i], name);
    assert.equal(both.length, 2 * first[i].length - head, name);
  });
  for (const [other, what] of [
    [['--csv-format', 'hackrf_sweep', '--csv'], 'csv'],
    [['--csv-time', 'seconds', '--csv'], 'csv'],
    [['--detector', 'max', '--json'], 'json'],
    [['--json'], 'csv'],
    [['--stats'], 'json'],
  ]) {
    const { code, stderr } = await run([...SIM, ...other, path(what)]);
    assert.equal(code, 1, `${other} ${stderr}`);
    assert.match(stderr, /it exists and is not/);
  }
  const fresh = await run([...args, '--overwrite']);
  assert.equal(fresh.code, 0, fresh.stderr);
  OUTPUTS.forEach((name, i) => assert.equal(rows(path(name)).length, first[i].length, name));
});

test('SIGHUP opens a moved file again, and a shortened file gets whole rows without zeros', async (t) => {
  const folder = scratch(t),
    csv = join(folder, 'l.csv');
  const daemon = await serve(t, [
    '--source',
    'sim',
    '--rate',
    '1M',
    '--fft-size',
    '256',
    '--line-rate',
    '50',
    '--csv',
    csv,
  ]);
  const many = (path) =>
    until('rows', () => {
      try {
        return rows(path).length > 3;
      } catch {
        return false;
      }
    });
  await many(csv);
  copyFileSync(csv, join(folder, 'copy'));
  truncateSync(csv);
  await many(csv);
  renameSync(csv, join(folder, 'moved'));
  daemon.child.kill('SIGHUP');
  await many(csv);
  renameSync(csv, join(folder, 'moved2'));
  writeFileSync(csv, 'a note\n');
  daemon.child.kill('SIGHUP');
  await until('it is refused', () => /l\.csv: it exists and is not CSV/.test(daemon.stderr));
  assert.equal((await daemon.status()).outputs.csv.state, 'retrying');
  assert.equal(readFileSync(csv, 'latin1'), 'a note\n');
  renameSync(csv, join(folder, 'note'));
  await many(csv);
  await daemon.stop();
  for (const name of ['l.csv', 'moved', 'moved2'])
    for (const row of rows(join(folder, name)))
      assert.equal(row.split(', ').length, 6 + 256, `${name}: ${row.slice(0, 60)}`);
});

test('full files are numbered, and the oldest are deleted with a line in the log', async (t) => {
  const folder = scratch(t),
    json = join(folder, 'l.json'),
    foreign = `${json}.000001`;
  writeFileSync(foreign, 'mine\n');
  const args = [
    '--source',
    'sim',
    '--rate',
    '1M',
    '--fft-size',
    '64',
    '--line-rate',
    '100',
    '--output-max-bytes',
    '4k',
    '--output-keep',
    '2',
  ];
  const daemon = await serve(t, [...args, '--json', json]);
  await until('files are deleted', () => (daemon.stderr.match(/deleted: output-keep is 2/g) ?? []).length > 3);
  await daemon.stop();
  const kept = readdirSync(folder)
    .filter((name) => name !== 'l.json.000001')
    .sort();
  assert.equal(kept.length, 3, `${kept}`);
  assert.equal(readFileSync(foreign, 'latin1'), 'mine\n');
  const [newest, ...older] = kept;
  const lines = [...older, newest].flatMap((name) => {
    const text = rows(join(folder, name));
    assert.ok(text.join('\n').length < 4096);
    return text
      .map((row) => JSON.parse(row))
      .flatMap((row) => Array.from({ length: row.merged }, (_, i) => row.line - row.merged + 1 + i));
  });
  lines.forEach((line, i) => assert.equal(line, lines[0] + i)); // none is missing between two files
  const all = scratch(t); // a replay loses none
  assert.equal(
    (
      await run([
        ...SIM,
        '--line-rate',
        '100',
        '--json',
        join(all, 'x'),
        '--output-max-bytes',
        '4k',
        '--output-keep',
        '1',
      ])
    ).code,
    0,
  );
  assert.equal(
    readdirSync(all).reduce((sum, name) => sum + rows(join(all, name)).length, 0),
    50,
  );
});

test('events, measurements and statistics are rotated too, and none of their rows is missing', async (t) => {
  const folder = scratch(t),
    path = (name) => join(folder, name);
  const all = (name) =>
    readdirSync(folder)
      .filter((file) => file.startsWith(name))
      .sort((a, b) => (a === name) - (b === name) || (a < b ? -1 : 1));
  const sim = [
    '--source',
    'sim',
    '--rate',
    '50k',
    '--fft-size',
    '64',
    '--fast',
    '--duration',
    '120',
    '--line-rate',
    '4',
  ];
  const outputs = [
    '--events',
    path('events'),
    '--measure-json',
    path('measures'),
    '--trigger',
    'calendar,calendar=00:00,duration=500ms,every=1s',
    '--measure',
    'channel-power',
  ];
  const whole = scratch(t),
    plain = outputs.map((word) => word.replace(folder, whole));
  assert.equal((await run([...sim, ...plain])).code, 0); // the same run in one file each
  const { code, stderr } = await run([...sim, ...outputs, '--output-max-bytes', '4k']);
  assert.equal(code, 0, stderr);
  for (const name of ['events', 'measures']) {
    const files = all(name),
      head = name === 'events' ? 1 : 0,
      want = rows(join(whole, name));
    assert.ok(files.length > 2, `${files}`);
    files.forEach((file) => assert.ok(readFileSync(path(file)).length <= 4096, file));
    if (head) files.forEach((file) => assert.equal(rows(path(file))[0], want[0]));
    assert.deepEqual(
      files.flatMap((file) => rows(path(file)).slice(head)),
      want.slice(head),
      name,
    );
  }
  for (let i = 0; i < 12; i++)
    assert.equal((await run([...SIM, '--stats', path('stats'), '--output-max-bytes', '4k'])).code, 0);
  const files = all('stats');
  assert.ok(files.length > 1, `${files}`);
  assert.equal(
    files
      .flatMap((file) => rows(path(file)).map((row) => JSON.parse(row).produced))
      .filter((produced) => produced === 500000).length,
    12,
  );
});

test("with --overwrite too, an output takes no file of fftd's own directories that is no output", async (t) => {
  const state = scratch(t),
    archive = scratch(t),
    record = scratch(t),
    spectra = scratch(t),
    elsewhere = scratch(t);
  const own = ['--state-dir', state, '--archive', archive, '--record', record, '--iq-history', '64M'];
  const inside = { [state]: 'presets.json', [archive]: 'index.sqlite', [record]: 'x.sigmf-meta' };
  for (const [folder, name] of Object.entries(inside))
    for (const output of OUTPUTS) {
      const path = join(folder, name),
        link = join(elsewhere, 'link');
      rmSync(link, { force: true });
      writeFileSync(path, 'precious');
      symlinkSync(path, link);
      for (const target of [path, link]) {
        const { code, stderr } = await run([
          ...SIM,
          ...MORE,
          ...own,
          '--overwrite',
          '--check-config',
          `--${output}`,
          target,
        ]);
        assert.equal(code, 1, `${output} ${target}`);
        assert.match(
          stderr,
          /fftd keeps its own files in this directory, and this one is not an earlier output: give another name/,
        );
      }
      assert.equal(readFileSync(path, 'latin1'), 'precious');
      rmSync(path);
    }
  assert.equal((await run([...SIM, '--archive', spectra])).code, 0);
  writeFileSync(join(spectra, 'x'), 'precious');
  const replay = await run(['--replay-spectra', spectra, '--overwrite', '--check-config', '--csv', join(spectra, 'x')]);
  assert.deepEqual([replay.code, /fftd keeps its own files/.test(replay.stderr)], [1, true], replay.stderr);
  // An earlier output there may be emptied, and any file elsewhere.
  const csv = join(record, 'l.csv'),
    other = join(elsewhere, 'note');
  writeFileSync(other, 'a note\n');
  const args = [...SIM, '--state-dir', state, '--record', record];
  for (let i = 0; i < 2; i++) assert.equal((await run([...args, '--overwrite', '--csv', csv])).code, 0);
  assert.equal(rows(csv).length, 10);
  assert.equal((await run([...args, '--overwrite', '--csv', other])).code, 0);
  assert.equal(rows(other).length, 10);
});

test('two processes do not write one output', async (t) => {
  const csv = join(scratch(t), 'l.csv');
  await serve(t, ['--source', 'sim', '--rate', '1M', '--csv', csv]);
  const child = spawn(binary, [...SIM, '--csv', csv], { stdio: ['ignore', 'ignore', 'pipe'] });
  let log = '';
  child.stderr.on('data', (data) => {
    log += data;
  });
  assert.equal(await new Promise((resolve) => child.on('close', resolve)), 1);
  assert.match(log, /another process writes it/);
});

// What other programs and people write.
const FOREIGN = {
  text: 'Grüße aus Köln, 2024-01-01\n',
  gqrx: '# Tag name          ;  color\nUntagged            ; #c0c0c0\n\n# Frequency ; Name                     ; Modulation          ;  Bandwidth; Tags\n   868950000; meter                    ; Narrow FM           ;      10000; Untagged\n',
  rtl_power: '2024-01-01, 12:00:00, 88000000, 88004687, 2343.75, 100, -1.00, -2.00, -2.00\n',
  rtl_433: '{"time" : "2024-01-01 12:00:00", "model" : "Acurite", "id" : 1}\n',
  log: '{"time":"2024-01-01T12:00:00.123456Z","line":7,"message":"started"}\n',
  letter: 'd2',
  brace: '{]',
  date: '2024-01-01, I',
  head: 'date, title, ',
  empty: '\n',
  zeros: Buffer.alloc(5000),
};

test('files of other programs are refused and stay', async (t) => {
  const folder = scratch(t);
  for (const [i, [name, text]] of Object.entries(FOREIGN).entries()) {
    const path = join(folder, name),
      link = join(folder, `${name}-link`);
    writeFileSync(path, text);
    symlinkSync(path, link);
    for (const [j, form] of [
      ['--csv'],
      ['--csv-time', 'seconds', '--csv'],
      ['--csv-format', 'hackrf_sweep', '--csv'],
      ['--csv-format', 'mhz-dbm', '--csv'],
      ['--json'],
      ['--events'],
      ['--measure-json'],
      ['--stats'],
    ].entries()) {
      const target = (i + j) % 2 ? link : path; // half of the pairs by a link, of each form and of each file
      const { code, stderr } = await run(['--check-config', ...SIM, ...MORE, ...form, target]);
      assert.equal(code, 1, `${name} ${form}`);
      assert.match(stderr, /it exists and is not/);
    }
    assert.equal((await run([...SIM, '--csv', link])).code, 1);
    assert.deepEqual(readFileSync(path), Buffer.from(text));
  }
});

test('a first row that a kill left unfinished is moved aside, and the next start writes rows', async (t) => {
  const folder = scratch(t),
    path = (name) => join(folder, name);
  const args = ['--fft-size', '8192', ...SIM.filter((_, i) => i < 4 || i > 5), ...MORE];
  const first = {};
  assert.equal((await run([...args, ...OUTPUTS.flatMap((name) => [`--${name}`, path(name)])])).code, 0);
  for (const name of OUTPUTS) first[name] = rows(path(name))[0];
  assert.ok(first.csv.length > 40000);
  for (const cut of [1, 11, 29, 70, 4096, 20000, 40000]) {
    const names = OUTPUTS.filter((name) => cut <= first[name].length);
    for (const name of names) {
      rmSync(path(name));
      writeFileSync(path(`${name}-${cut}`), first[name].slice(0, cut));
      symlinkSync(path(`${name}-${cut}`), path(name));
    }
    const all = [...args, ...names.flatMap((name) => [`--${name}`, path(name)])];
    assert.equal((await run([...all, '--check-config'])).code, 0);
    for (const name of names) assert.equal(readFileSync(path(`${name}-${cut}`), 'latin1').length, cut);
    const { code, stderr } = await run(all);
    assert.equal(code, 0, `${cut}: ${stderr}`);
    for (const name of names) {
      const lines = stderr.split('\n').filter((line) => line.includes(`${path(name)}-${cut}: `));
      assert.deepEqual(
        [lines.length, /first row is not whole.*renamed to \S+\.damaged-1$/.test(lines[0])],
        [1, true],
        stderr,
      );
      assert.equal(readFileSync(path(`${name}-${cut}.damaged-1`), 'latin1'), first[name].slice(0, cut));
      assert.ok(lstatSync(path(name)).isSymbolicLink());
      assert.equal(rows(path(name))[0].length > 70, true);
    }
  }
  for (const [name, other] of [
    ['csv', 'json'],
    ['json', 'csv'],
    ['stats', 'json'],
    ['events', 'csv'],
    ['measure-json', 'stats'],
  ]) {
    const part = path(`${name}-of-${other}`),
      text = first[other].slice(0, 40);
    writeFileSync(part, text);
    const { code, stderr } = await run([...args, `--${name}`, part]);
    assert.equal(code, 1);
    assert.match(stderr, /it exists and is not/);
    assert.equal(readFileSync(part, 'latin1'), text);
  }
});

test('each form of CSV gets more rows, through a link to an earlier output too', async (t) => {
  const folder = scratch(t);
  for (const form of [
    ['rtl_power', 'microseconds'],
    ['rtl_power', 'seconds'],
    ['hackrf_sweep', 'microseconds'],
    ['mhz-dbm', 'microseconds'],
  ])
    for (const more of [[], ['--usable-band', '70'], ['--rate', '20M', '--fft-size', '512'], ['--fft-size', '65536']]) {
      const path = join(folder, 'real'),
        link = join(folder, 'link');
      rmSync(link, { force: true });
      rmSync(path, { force: true });
      symlinkSync(path, link);
      const args = [...SIM, ...more, '--csv-format', form[0], '--csv-time', form[1], '--csv', link];
      assert.equal((await run(args)).code, 0);
      const first = readFileSync(path, 'latin1');
      assert.ok(first.length > 0);
      appendFileSync(path, first.slice(0, 9));
      const { code, stderr } = await run(args);
      assert.equal(code, 0, `${form} ${more}: ${stderr}`);
      assert.equal(readFileSync(path, 'latin1'), first + first, `${form} ${more}`);
      assert.ok(lstatSync(link).isSymbolicLink());
    }
});

test('a recording, its other files and other outputs are no outputs, under any name', async (t) => {
  const folder = scratch(t),
    at = (name) => join(folder, name),
    meta =
      '{"global":{"core:datatype":"cu8","core:sample_rate":1000000},"captures":[{"core:sample_start":0}],"annotations":[]}';
  writeFileSync(at('a.sigmf-meta'), meta);
  writeFileSync(at('a.sigmf-data'), Buffer.alloc(4096, 127));
  linkSync(at('a.sigmf-data'), at('hard'));
  symlinkSync('a.sigmf-meta', at('soft'));
  for (const name of ['a.sigmf-meta', 'a.sigmf-data', 'hard', 'soft'])
    for (const output of OUTPUTS)
      for (const check of [[], ['--check-config']]) {
        const { code, stderr } = await run([
          '--replay',
          at('a.sigmf-meta'),
          ...MORE,
          '--overwrite',
          ...check,
          `--${output}`,
          at(name),
        ]);
        assert.equal(code, 1, `${name} ${output} ${stderr}`);
      }
  assert.equal(readFileSync(at('a.sigmf-meta'), 'utf8'), meta);
  assert.deepEqual(readFileSync(at('a.sigmf-data')), Buffer.alloc(4096, 127));
  symlinkSync('new', at('to-new'));
  for (const check of [[], ['--check-config']]) {
    const { code, stderr } = await run([...SIM, ...check, '--csv', at('new'), '--json', at('to-new')]);
    assert.equal(code, 1);
    assert.match(stderr, /--csv and --json are both/);
  }
  assert.ok(!existsSync(at('new')));
});

test('a directory or a link in the place of a moved file takes no rows of a file', async (t) => {
  const folder = scratch(t),
    csv = join(folder, 'l.csv'),
    note = join(folder, 'note');
  const daemon = await serve(t, [
    '--source',
    'sim',
    '--rate',
    '1M',
    '--fft-size',
    '256',
    '--line-rate',
    '50',
    '--csv',
    csv,
  ]);
  const state = async () => (await daemon.status()).outputs.csv;
  const resumes = () => until('rows', () => existsSync(csv) && rows(csv).length > 3);
  writeFileSync(note, 'a note\n');
  for (const [make, remove, problem] of [
    [() => mkdirSync(csv), () => rmdirSync(csv), /l\.csv: Is a directory; rows are dropped/],
    [() => symlinkSync(note, csv), () => rmSync(csv), /l\.csv: it exists and is not CSV[^\n]*; rows are dropped/],
  ]) {
    await resumes();
    renameSync(csv, join(folder, 'moved'));
    make();
    daemon.child.kill('SIGHUP');
    await until('it is refused', () => problem.test(daemon.stderr));
    assert.equal((await state()).state, 'retrying');
    remove();
    await until('it is written', async () => (await state()).state === 'ok');
    await resumes();
  }
  await daemon.stop();
  assert.equal(readFileSync(note, 'latin1'), 'a note\n');
  for (const row of [...rows(csv), ...rows(join(folder, 'moved'))]) assert.equal(row.split(', ').length, 6 + 256);
});

test('files are renamed by age, which a clock years ahead does not give them', async (t) => {
  const folder = scratch(t),
    json = join(folder, 'l.json'),
    ahead = new Date(Date.now() + 10 * 365 * 86400e3);
  const args = [
    '--source',
    'sim',
    '--rate',
    '1M',
    '--fft-size',
    '64',
    '--line-rate',
    '50',
    '--json',
    json,
    '--output-keep',
    '1',
  ];
  assert.equal((await run([...SIM, '--json', json])).code, 0);
  copyFileSync(json, `${json}.000001`);
  copyFileSync(json, `${json}.000002`);
  for (const name of readdirSync(folder)) utimesSync(join(folder, name), ahead, ahead);
  const slow = await serve(t, [...args, '--output-max-age', '1h']);
  await until('rows', () => rows(json).length > 15);
  await slow.stop();
  assert.deepEqual(readdirSync(folder).sort(), ['l.json', 'l.json.000001', 'l.json.000002']);
  const fast = await serve(t, [...args, '--output-max-age', '0.2']);
  await until('a file of its age', () => existsSync(`${json}.000004`));
  await fast.stop();
  assert.ok(!existsSync(`${json}.000001`) && !existsSync(`${json}.000002`));
  for (const name of readdirSync(folder)) for (const row of rows(join(folder, name))) JSON.parse(row);
});
