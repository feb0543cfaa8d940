// load.mjs - measures a hub with many radios and many viewers, on this machine. Not a test.
//
//     FFTD=fftd CROWD=hub_crowd node load.mjs [radios=20] [sensors=4] [rate=10] [columns=1024] [viewers=1000] [seconds=30] [settle=4]
//
// Each sensor is an fftd with a simulated radio of its own. If there are fewer sensors than radios, the messages of each are
// published again under the names of more radios. Prints what hub and viewers did, what hub, broker, sensors, viewers, this
// program and the rest of the machine took of its cores, and the processor time of the hub for each frame that it sent.

import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { NatsClient } from '../../tools/nats-reader/client.mjs';
import { freePort } from '../support/nats.mjs';

const given = Object.fromEntries(process.argv.slice(2).map((argument) => argument.split('=')));
const settings = { radios: 20, rate: 10, columns: 1024, viewers: 1000, seconds: 30, settle: 4, ...given };
const { radios, sensors, rate, columns, viewers, seconds, settle } = Object.fromEntries(
  Object.entries({ sensors: Math.min(settings.radios, 4), ...settings }).map(([key, value]) => [key, Number(value)]),
);
const fftd = process.env.FFTD ?? 'fftd',
  crowd = process.env.CROWD ?? 'hub_crowd';
const sleep = (ms) =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
const children = [];
process.on('exit', () => {
  for (const child of children) child.kill('SIGTERM');
});

function start(program, args, { stdout = 'ignore', stderr = 'inherit' } = {}) {
  const child = spawn(program, args, { stdio: ['ignore', stdout, stderr] });
  children.push(child);
  return child;
}

/** User and system time of a process and all its threads, in seconds. @param {number} pid */
function processTimes(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return [Number(fields[11]) / 100, Number(fields[12]) / 100];
}
const processorSeconds = (pids) => pids.flatMap(processTimes).reduce((all, part) => all + part, 0);

/** Seconds that the cores of the machine worked, for whatever. */
function machineSeconds() {
  const [user, nice, system, , , irq, softirq] = readFileSync('/proc/stat', 'utf8')
    .split('\n')[0]
    .trim()
    .split(/\s+/)
    .slice(1)
    .map(Number);
  return (user + nice + system + irq + softirq) / 100;
}

/** Publishes each message of a sensor also as those radios that have none. */
function multiply(port) {
  const client = new NatsClient({
    port,
    subjects: ['fftd.load.*.*'],
    message({ subject, data }) {
      const [, , name, kind] = subject.split('.'),
        from = Number(name.slice(1));
      if (kind === 'echo' || from > sensors) return;
      for (let i = from + sensors; i <= radios; i += sensors)
        client.publish(
          `fftd.load.r${i}.${kind}`,
          kind === 'lines' ? data : data.toString().replace(/"radio":\s*"\w+"/, `"radio":"r${i}"`),
        );
    },
  });
  return client;
}

function startSensor(port, name) {
  const samples = 4 * columns * rate;
  return start(
    fftd,
    [
      '--source',
      'sim',
      '--rate',
      `${samples}`,
      '--fft-size',
      `${columns}`,
      '--line-rate',
      `${rate}`,
      '--listen',
      'none',
      '--threads',
      '1',
      '--nats',
      `nats://127.0.0.1:${port}`,
      '--nats-site',
      'load',
      '--nats-radio',
      name,
      '--nats-rate',
      `${rate}`,
      '--nats-columns',
      `${columns}`,
    ],
    { stderr: 'ignore' },
  ).pid;
}

const port = await freePort(),
  web = await freePort();
const broker = start('nats-server', ['-a', '127.0.0.1', '-p', `${port}`, '-l', '/dev/null']).pid;
await sleep(1000);
const hub = start(fftd, [
  '--hub',
  `nats://127.0.0.1:${port}`,
  '--listen',
  `127.0.0.1:${web}`,
  '--max-clients',
  `${Math.max(viewers, 1)}`,
]).pid;
const client = sensors < radios ? multiply(port) : null;
await sleep(1000);
const sources = Array.from({ length: sensors }, (_, i) => startSensor(port, `r${i + 1}`));
await sleep(1000 * settle);

/** A counter of the hub. @param {string} name */
async function counted(name) {
  const text = await (await fetch(`http://127.0.0.1:${web}/metrics`)).text();
  return Number(new RegExp(`^fftd_hub_${name}_total (\\d+)$`, 'm').exec(text)?.[1]);
}

const list = async () => (await fetch(`http://127.0.0.1:${web}/api/v1/radios`)).json();
const sum = ({ radios }, key) => radios.reduce((all, radio) => all + radio[key], 0);

/** What everybody has used up to now. */
function used() {
  const { user, system } = process.cpuUsage();
  return {
    at: performance.now() / 1000,
    machine: machineSeconds(),
    hub: processorSeconds([hub]),
    broker: processorSeconds([broker]),
    sensors: processorSeconds(sources),
    generator: (user + system) / 1e6,
  };
}

/** Cores that each used between two times. */
function cores(before, after, viewers) {
  const per = (key) => (after[key] - before[key]) / (after.at - before.at);
  const mine = Object.fromEntries(
    ['hub', 'broker', 'sensors', 'generator'].map((key) => [key, Number(per(key).toFixed(3))]),
  );
  mine.viewers = viewers ? Number((viewers.processor_s / viewers.seconds).toFixed(3)) : 0;
  const others = per('machine') - Object.values(mine).reduce((a, b) => a + b);
  return { ...mine, others: Number(others.toFixed(3)), idle: Number((cpus().length - per('machine')).toFixed(3)) };
}

/** Resolves with what the viewers print; `connected` when they say that all are. */
function watch() {
  const child = start(crowd, [`${web}`, `${viewers}`, `${radios}`, `${seconds}`], { stdout: 'pipe' });
  const seen = { out: '' };
  seen.connected = new Promise((resolve) => {
    child.stdout.on('data', (data) => {
      seen.out += data;
      if (seen.out.includes('\n')) resolve();
    });
  });
  seen.ended = new Promise((resolve) => {
    child.on('close', resolve);
  });
  return seen;
}

while ((await list()).radios.filter(({ lines }) => lines > 0).length < radios) await sleep(100); // a viewer asks once
const watched = viewers > 0 ? watch() : null;
if (watched) await watched.connected;
const before = used(),
  first = await list(),
  framesBefore = await counted('sent_frames');
await sleep(1000 * seconds - 200); // the viewers end by themselves
const memory = 4096 * Number(readFileSync(`/proc/${hub}/statm`, 'utf8').split(' ')[1]);
const after = used(),
  last = await list(),
  frames = (await counted('sent_frames')) - framesBefore;
if (watched) await watched.ended;
const seen = watched && JSON.parse(watched.out.split('\n')[1]);
const lasted = after.at - before.at,
  all = last.radios.length;
console.log(
  JSON.stringify(
    {
      radios: all,
      sensors,
      seconds: lasted,
      lines: sum(last, 'lines'),
      missing: sum(last, 'missing'),
      undecoded: sum(last, 'undecoded'),
      malformed: sum(last, 'malformed'),
      dropped: last.broker.dropped_messages,
      bytes: sum(last, 'bytes'),
      frames_per_radio: (sum(last, 'frames') - sum(first, 'frames')) / all / lasted,
      viewers: seen,
      hub_us_per_frame: (1e6 * (after.hub - before.hub)) / frames,
      left_out: await counted('dropped_frames'),
      hub_bytes: memory,
      cores: cores(before, after, seen),
    },
    null,
    1,
  ),
);
client?.end();
process.exit();
