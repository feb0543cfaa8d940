// load.mjs - measures a hub with many radios and many viewers, on this machine. Not a test.
//
//     FFTD=fftd CROWD=hub_crowd node load.mjs [radios=100] [rate=20] [columns=4096] [viewers=1000] [seconds=30] [settle=4]
//
// One simulated sensor publishes; what it says comes to the hub under the name of every radio, with its numbers.
// Prints what hub, broker and viewers did, and the processor time of the hub and the broker; hub_us_per_frame is that of the
// hub for each frame that it sent, from the first viewer on.

import { execFile, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { NatsClient } from '../../tools/nats-reader/client.mjs';
import { freePort } from '../support/nats.mjs';

const given = Object.fromEntries(process.argv.slice(2).map((argument) => argument.split('=')));
const { radios, rate, columns, viewers, seconds, settle } = Object.fromEntries(Object.entries(
  { radios: 100, rate: 20, columns: 4096, viewers: 1000, seconds: 30, settle: 4, ...given }).map(([key, value]) => [key, Number(value)]));
const fftd = process.env.FFTD ?? 'fftd', crowd = process.env.CROWD ?? 'hub_crowd';
const sleep = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });
const children = [];
process.on('exit', () => { for (const child of children) child.kill('SIGTERM'); });

function start(program, args) {
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  children.push(child);
  return child.pid;
}

/** Processor time of a process and all its threads, in seconds. @param {number} pid */
function processorSeconds(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** Publishes each message of the sensor "load.one" for every radio. */
function multiply(port) {
  const named = (text, name) => text.replace(/"radio":\s*"one"/, `"radio":"${name}"`);
  const client = new NatsClient({ port, subjects: ['fftd.load.one.*'], message({ subject, data }) {
    const kind = subject.split('.').at(-1);
    if (kind === 'echo') return;
    for (let i = 1; i < radios; i++)
      client.publish(`fftd.load.r${i}.${kind}`, kind === 'lines' ? data : named(data.toString(), `r${i}`));
  } });
  return client;
}

const port = await freePort(), web = await freePort();
const broker = start('nats-server', ['-a', '127.0.0.1', '-p', `${port}`, '-l', '/dev/null']);
await sleep(1000);
const hub = start(fftd, ['--hub', `nats://127.0.0.1:${port}`, '--listen', `127.0.0.1:${web}`, '--max-clients', `${Math.max(viewers, 1)}`]);
const client = multiply(port);
await sleep(1000);
start(fftd, ['--source', 'sim', '--rate', '8M', '--fft-size', `${columns}`, '--line-rate', `${rate}`, '--listen', 'none',
  '--nats', `nats://127.0.0.1:${port}`, '--nats-site', 'load', '--nats-radio', 'one', '--nats-rate', `${rate}`,
  '--nats-columns', `${columns}`]);
await sleep(1000 * settle);

/** A counter of the hub. @param {string} name */
async function counted(name) {
  const text = await (await fetch(`http://127.0.0.1:${web}/metrics`)).text();
  return Number(new RegExp(`^fftd_hub_${name}_total (\\d+)$`, 'm').exec(text)?.[1]);
}

const framesBefore = await counted('sent_frames');
const before = { hub: processorSeconds(hub), broker: processorSeconds(broker), at: Date.now() };
const seen = viewers > 0
  ? JSON.parse((await promisify(execFile)(crowd, [`${web}`, `${viewers}`, `${radios}`, `${seconds}`])).stdout)
  : await sleep(1000 * seconds);
const used = processorSeconds(hub) - before.hub, frames = await counted('sent_frames') - framesBefore;
const lasted = (Date.now() - before.at) / 1000;
const list = await (await fetch(`http://127.0.0.1:${web}/api/v1/radios`)).json();
const sum = (key) => list.radios.reduce((all, radio) => all + radio[key], 0);
console.log(JSON.stringify({
  radios: list.radios.length, lines: sum('lines'), missing: sum('missing'), undecoded: sum('undecoded'), garbage: sum('garbage'),
  dropped: list.broker.dropped_messages, bytes: sum('bytes'), viewers: seen,
  hub_us_per_frame: 1e6 * used / frames, left_out: await counted('dropped_frames'), hub_cores: used / lasted, broker_cores: (processorSeconds(broker) - before.broker) / lasted,
}, null, 1));
client.end();
process.exit();
