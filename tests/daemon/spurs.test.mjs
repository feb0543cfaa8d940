// spurs.test.mjs - the spur list: a spike at the centre and listed lines are no carriers; mistakes, reloads.

import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { call } from '../support/calls.mjs';
import { change, recording as ofRadio, run, scratch, serve, until } from '../support/fftd.mjs';

const { WebSocket } = await import('ws').catch(() => ({}));

/** A radio with nothing but a spike at its centre, 40 dB above the noise of a bin. */
const SPIKE = ['--source', 'sim', '--device', 'scene=tone,level=-20,offset=0,noise=-30', '--center', '100M'];

const rowsOf = (text) =>
  text
    .toString()
    .trimEnd()
    .split('\n')
    .map((row) => JSON.parse(row));

/** The newest row of a measurement. */
async function measure(args, measurement) {
  const { code, stdout, stderr } = await run([...args, '--measure', measurement, '--measure-json', '-']);
  assert.equal(code, 0, stderr);
  return rowsOf(stdout).at(-1);
}

const list = (t, text) => {
  const path = join(scratch(t), 'spurs.txt');
  writeFileSync(path, text);
  return path;
};

test('a DC spike is a carrier only until it is on the spur list', async (t) => {
  const short = [...SPIKE, '--fast', '--duration', '0.3'],
    peaks = 'peaks,threshold=-45';
  const counts = async (args, measurement) => (await measure([...short, ...args], measurement)).values.count;
  assert.equal(await counts([], peaks), 1); // auto: this is no radio
  assert.equal(await counts(['--dc-spur', 'yes'], peaks), 0);
  assert.equal(await counts(['--spurs', list(t, 'center 0 DC spike\n')], peaks), 0);
  assert.equal(await counts(['--spurs', list(t, '100M 0\n')], peaks), 0);
  assert.equal(await counts(['--spurs', list(t, '101M 0\ncenter+1M 0\n')], peaks), 1);
  const listed = [...short, '--dc-spur', 'yes'],
    channels = 'occupancy,start=99.9M,stop=100.1M,width=50k';
  assert.equal((await measure(short, channels)).values.in_use, 2); // it is at the border of two channels
  assert.equal((await measure(listed, channels)).values.in_use, 0);
  assert.match((await measure(listed, 'frequency-counter')).reason, /no tone is 10 dB above/);
  const marker = await measure(listed, 'marker,frequency=100M');
  assert.ok(Math.abs(marker.values.level_dbfs + 20) < 0.1, `${marker.values.level_dbfs}`);
  assert.equal(marker.note, 'this is on the spur list: DC spike');
});

const modes = ofRadio('modes1_1090M_2000k.cu8');
test(
  'a line that a real receiver adds is not its strongest signal',
  { skip: !modes && 'FFTD_IQ_DIR is not set' },
  async (t) => {
    const args = ['--replay', modes, '--line-rate', '0.1'];
    const strongest = async (more) =>
      (await measure([...args, ...more], 'peaks,count=1')).rows[0].frequency_hz - 1090e6;
    // Measured independently: the strongest line of this recording is near -66 kHz.
    assert.ok(Math.abs((await strongest([])) + 66e3) < 2e3);
    const others = await strongest(['--spurs', list(t, 'center-66k 6k a line of the receiver\n')]);
    assert.ok(Math.abs(others + 66e3) > 6e3, `${others}`);
  },
);

test(
  'the DC spike of a real receiver is a peak until the centre is listed',
  { skip: !modes && 'FFTD_IQ_DIR is not set' },
  async () => {
    // The samples have a mean: that is the spike.
    const bytes = readFileSync(modes),
      mean = [0, 0];
    bytes.forEach((byte, i) => {
      mean[i % 2] += (byte - 127.5) / 127.5 / (bytes.length / 2);
    });
    assert.ok(20 * Math.log10(Math.hypot(...mean)) > -60);
    const args = ['--replay', modes, '--fft-size', '8192', '--overlap', '75', '--average', '1'];
    const atCenter = async (when) =>
      (await measure([...args, '--dc-spur', when], 'peaks,trace=log-average,excursion=2,count=256')).rows.filter(
        ({ frequency_hz }) => Math.abs(frequency_hz - 1090e6) < 2e6 / 8192,
      ).length;
    assert.deepEqual([await atCenter('no'), await atCenter('auto'), await atCenter('yes')], [1, 1, 0]);
  },
);

test('the list and the centre change while fftd runs', async (t) => {
  const file = list(t, '# none yet\n');
  const daemon = await serve(t, [...SPIKE, '--spurs', file, '--measure', 'peaks,threshold=-45,name=p']);
  const count = async () => (await (await fetch(`${daemon.url}api/v1/measurements/p`)).json()).values.count;
  const becomes = (want) => until(`${want} peaks`, async () => (await count()) === want);
  const put = (query) => fetch(`${daemon.url}api/v1/settings?${query}`, { method: 'PUT' });
  await becomes(1);
  assert.equal((await put('dc_spur=yes')).status, 200);
  await becomes(0);
  assert.equal((await put('dc_spur=auto')).status, 200);
  await becomes(1);
  writeFileSync(file, '100M 1k\n');
  daemon.child.kill('SIGHUP');
  await becomes(0);
  assert.equal((await put('center_hz=101M')).status, 200); // an absolute entry does not follow
  await becomes(1);
  writeFileSync(file, 'center 0 DC spike\n');
  daemon.child.kill('SIGHUP');
  await becomes(0);
  assert.equal((await put('center_hz=102M')).status, 200); // a relative one does
  await until('the tuning', async () => (await daemon.status()).source.tuning.center_hz === 102e6);
  await becomes(0);
  writeFileSync(file, 'center 0\nnonsense\n');
  daemon.child.kill('SIGHUP');
  await until('the error', () =>
    /reload: --spurs: .*spurs\.txt:2: a row is: frequency width note\n/.test(daemon.stderr),
  );
  await becomes(0);
  assert.equal(await daemon.stop(), 0);
});

test('--learn-spurs adds the lines that a radio shows, once', async (t) => {
  const file = join(scratch(t), 'learnt.txt');
  const learn = (device, args = []) =>
    run(['--source', 'sim', '--fast', '--device', device, '--center', '100M', '--learn-spurs', file, ...args]);
  const spike = 'scene=tone,level=-20,offset=0,noise=-30',
    clock = 'scene=tone,level=-20,offset=300k,noise=-30';
  const first = await learn(spike);
  assert.equal(first.code, 0, first.stderr);
  // -20 dBFS over noise of -30 dBFS in 4096 / 2.004 bins: -63.1 dBFS
  assert.match(first.stdout.toString(), /^center +0 +learnt \d{4}-\d\d-\d\d, 43\.[0-3] dB above the noise\n$/);
  const text = readFileSync(file, 'utf8');
  assert.match(text, /^serial = simulated radio \(cs16\)\ndate = \d{4}-\d\d-\d\d\n/m);
  assert.match(text, /: 10 dB above the noise, RBW 1174 Hz, gain auto, centre 100000000 Hz\n/);
  assert.ok(text.endsWith(first.stdout.toString()));
  const again = await learn(spike);
  assert.deepEqual([again.code, again.stdout.toString(), readFileSync(file, 'utf8')], [0, '', text]);
  assert.match(again.stderr, /: 0 new lines are 10 dB above the noise floor\n/);

  writeFileSync(file, `# by hand\ncenter 0 mine\n${text}`); // what is there stays
  const second = await learn(clock, ['--learn-threshold', '20dB', '--fft-size', '16384', '--average', '10']);
  assert.match(second.stdout.toString(), /^100\.3M +0 +learnt/);
  assert.equal(readFileSync(file, 'utf8').indexOf(`# by hand\ncenter 0 mine\n${text}`), 0);
  for (const device of [spike, clock]) {
    const { values } = await measure(
      ['--source', 'sim', '--fast', '--duration', '0.3', '--device', device, '--spurs', file],
      'peaks,threshold=-45',
    );
    assert.equal(values.count, 0, device);
  }
});

test('--learn-spurs refuses what it cannot learn from', async (t) => {
  const folder = scratch(t),
    good = join(folder, 'good.txt'),
    bad = list(t, 'centre 0\n');
  const refused = async (args) => {
    const { code, stdout, stderr } = await run(args);
    assert.deepEqual([code, stdout.toString()], [1, '']);
    return stderr;
  };
  const sim = ['--source', 'sim', '--fast', '--learn-spurs'];
  assert.match(await refused([...sim, bad]), /learn-spurs: .*spurs\.txt:1: frequency: 'centre' is neither/);
  assert.match(
    await refused([...sim, join(folder, 'no/file'), ...SPIKE.slice(2)]),
    /learn-spurs: .*no\/file: No such file or directory\n$/,
  );
  assert.match(await refused([...sim, good, '--lines', '1', '--average', '5']), /learn-spurs: 5 spectra are too few /);
  assert.match(await refused([...sim, good, '--learn-threshold', '1']), /--learn-threshold: .*'1'.* from 3 to 100/);
  const nameless = join(folder, 'x.cu8');
  writeFileSync(nameless, Buffer.alloc(1 << 20, 128));
  assert.match(
    await refused(['--replay', nameless, '--learn-spurs', good]),
    /learn-spurs: the sample rate is not known: give --rate\n$/,
  );
  assert.ok(!existsSync(good));
});

test(
  'the peak that a client reads is none of the list, unless it asks for those',
  { skip: !WebSocket && 'node_modules is missing' },
  async (t) => {
    const daemon = await serve(t, [...SPIKE, '--dc-spur', 'yes']),
      bin = 2.4e6 / 4096;
    const socket = new WebSocket(`${daemon.url.replace('http', 'ws')}ws`, 'fftd.3');
    let newest = {};
    socket.on('message', (data, isBinary) => {
      if (isBinary) socket.send('{"type":"credit"}');
      else if (JSON.parse(data).type === 'markers') newest = JSON.parse(data);
    });
    t.after(() => socket.terminate());
    await new Promise((done, failed) => {
      socket.on('open', done).on('error', failed);
    });
    const say = (message) => socket.send(JSON.stringify(message));
    say({ type: 'view', id: 1, columns: 100 });
    say(call('put', 'connection/markers', { id: 1, markers: [{ hz: 100e6 }], peaks: { threshold: -45 } }));
    const plain = await until('a table', () => newest.id === 1 && newest.peaks && newest);
    assert.deepEqual([plain.left_out, plain.peaks], [1, []]);
    assert.ok(plain.peak.db < -50 && Math.abs(plain.peak.bin_hz - 100e6) > 3 * bin, JSON.stringify(plain.peak));
    assert.ok(Math.abs(plain.markers[0].db + 20) < 0.1, 'a marker reads what is there');
    say(call('put', 'connection/markers', { id: 2, spurs: true, peaks: { threshold: -45 } }));
    const all = await until('the spike', () => newest.id === 2 && newest.peaks && newest);
    assert.deepEqual([all.left_out, all.peaks.length], [undefined, 1]);
    assert.ok(Math.abs(all.peak.db + 20) < 0.1 && Math.abs(all.peak.hz - 100e6) < 0.1 * bin, JSON.stringify(all.peak));
    assert.deepEqual(
      [plain.peak.hz, all.peak.bin_hz],
      [undefined, undefined],
      'the centre of the bin, where there is no tone',
    );
  },
);

test('HTTP answers with the list in force', async (t) => {
  const file = list(t, 'serial = 00000001\ndate = 2026-05-04\ncenter-1.2M 10k image\n28.8M 2k\n');
  const daemon = await serve(t, [...SPIKE, '--spurs', file]);
  const get = async () => (await fetch(`${daemon.url}api/v1/spurs`)).json();
  await until('a line', async () => (await daemon.status()).ledger.lines > 0);
  const image = { frequency: 'center-1.2M', hz: 98.8e6, width_hz: 10e3, note: 'image' };
  const clock = { frequency: '28.8M', hz: 28.8e6, width_hz: 2e3, note: '' };
  assert.deepEqual(await get(), {
    serial: '00000001',
    date: '2026-05-04',
    dc_spur: false,
    spurs: [image, clock],
    learning: null,
    learnt: null,
  });
  await fetch(`${daemon.url}api/v1/settings?dc_spur=yes&center_hz=200M`, { method: 'PUT' });
  await until('the tuning', async () => (await get()).spurs[0].hz === 198.8e6);
  assert.equal((await get()).dc_spur, true);
  writeFileSync(file, '');
  daemon.child.kill('SIGHUP');
  await until('the new list', async () => (await get()).spurs.length === 0);
  assert.deepEqual(await get(), { serial: null, date: null, dc_spur: true, spurs: [], learning: null, learnt: null });
  assert.equal(await daemon.stop(), 0);
});

const getSpurs = async (daemon) => (await fetch(`${daemon.url}api/v1/spurs`)).json();
/** POST to /api/v1/spurs: status and text. */
const learn = (daemon, query = '', headers = {}) => change(daemon, `spurs${query}`, { method: 'POST', headers });
const learnt = (daemon, when) =>
  until('the result', async () => {
    const got = await getSpurs(daemon);
    return got.learning === null && got.learnt !== null && got.learnt.time !== when && got;
  });

test('a running fftd learns the lines that it shows, once, and keeps them', async (t) => {
  const file = list(t, '# by hand\n'),
    args = [...SPIKE, '--measure', 'peaks,threshold=-45,name=p'];
  const daemon = await serve(t, [...args, '--spurs', file]);
  const count = async (of) => (await (await fetch(`${of.url}api/v1/measurements/p`)).json()).values.count;
  await until('the spike', async () => (await count(daemon)) === 1);
  assert.deepEqual(await learn(daemon, '?duration=0.5'), [202, 'done']);
  assert.deepEqual(await learn(daemon), [503, 'spurs are being learnt already']);
  assert.equal((await getSpurs(daemon)).learning.wanted, 0.5);
  const first = await learnt(daemon);
  assert.deepEqual([first.learnt.added, first.learnt.error, first.spurs.length], [1, null, 1]);
  assert.deepEqual([first.spurs[0].frequency, first.spurs[0].width_hz], ['center', 0]);
  assert.match(first.spurs[0].note, /^learnt \d{4}-\d\d-\d\d, 4[23]\.\d dB above the noise$/); // as --learn-spurs: 43.1 dB
  await until('no spike', async () => (await count(daemon)) === 0);
  const text = readFileSync(file, 'utf8');
  assert.match(text, /^# by hand\n\n# .*simulated radio.*: 10 dB above the noise, RBW 1174 Hz, .*\ncenter +0 +learnt/);
  await learn(daemon, '?duration=0.5&threshold=20');
  const second = await learnt(daemon, first.learnt.time);
  assert.deepEqual([second.learnt.added, second.learnt.error, second.spurs.length], [0, null, 1]);
  assert.equal(readFileSync(file, 'utf8'), text);
  // Tuning elsewhere meanwhile leaves nothing behind.
  await learn(daemon, '?duration=60');
  await until('lines', async () => (await getSpurs(daemon)).learning.seconds > 0);
  await fetch(`${daemon.url}api/v1/settings?center_hz=101M`, { method: 'PUT' });
  const third = await learnt(daemon, second.learnt.time);
  assert.equal(third.learnt.error, 'the tuning or the gain changed while lines were learnt');
  assert.equal(third.learnt.added, 0);
});

test('without --spurs the state directory keeps what was learnt', async (t) => {
  const folder = scratch(t),
    args = [...SPIKE, '--state-dir', folder];
  const daemon = await serve(t, args);
  assert.equal((await learn(daemon, '?duration=0.5'))[0], 202);
  assert.equal((await learnt(daemon)).learnt.added, 1);
  assert.ok(existsSync(join(folder, 'spurs.txt')));
  await daemon.stop();
  assert.equal((await getSpurs(await serve(t, args))).spurs[0].frequency, 'center');
});

test('learning over HTTP is refused with the reason', async (t) => {
  const file = list(t, ''),
    bare = await serve(t, SPIKE);
  assert.deepEqual(await learn(bare), [
    400,
    'there is no file to keep spurs in: start fftd with --spurs FILE or --state-dir DIR',
  ]);
  const token = join(scratch(t), 'token');
  writeFileSync(token, 'secret-of-the-test\n', { mode: 0o600 });
  const daemon = await serve(t, [...SPIKE, '--spurs', file, '--token-file', token]);
  const bearer = { Authorization: 'Bearer secret-of-the-test' };
  assert.equal((await learn(daemon, '?duration=0.5'))[0], 401);
  for (const [query, why] of [
    ['?duration=0', /^duration: "0" is not a time from 0\.1 to 60 s; units/],
    ['?threshold=101', /^threshold: "101" is not a number from 3 to 100$/],
    ['?seconds=1', /^"seconds": there is no such key \(known: duration, threshold\)$/],
  ]) {
    const [status, text] = await learn(daemon, query, bearer);
    assert.equal(status, 400);
    assert.match(text, why);
  }
  writeFileSync(file, 'nonsense\n');
  assert.equal((await learn(daemon, '?duration=0.1', bearer))[0], 202);
  assert.match((await learnt(daemon)).learnt.error, /spurs\.txt:1: a row is: frequency width note$/);
  assert.equal(readFileSync(file, 'utf8'), 'nonsense\n');
  const sweep = await serve(t, ['--source', 'sim', '--rate', '2M', '--span', '100M:104M', '--spurs', list(t, '')]);
  assert.deepEqual(await learn(sweep), [400, 'spurs cannot be learnt in a sweep']);
});

test('a list that cannot be read is one line, and ends fftd', async (t) => {
  const refused = async (file) => {
    const { code, stderr } = await run([...SPIKE, '--fast', '--spurs', file]);
    assert.equal(code, 1);
    return stderr;
  };
  assert.match(
    await refused(list(t, 'centre 0\n')),
    /^fftd: .*--spurs: .*spurs\.txt:1: frequency: 'centre' is neither .*\n$/,
  );
  assert.match(await refused('/nonexistent'), /^fftd: .*--spurs: \/nonexistent: No such file or directory\n$/);
  assert.match(await refused(scratch(t)), /^fftd: .*--spurs: .*: Is a directory\n$/);
});
