#!/usr/bin/env node
// nats-reader.mjs - prints what the sensors of a NATS broker publish: nats-reader.mjs HOST:PORT [PREFIX]
//
// A line of text for each frame, event and change of a sensor. It ends when the last sensor that it saw is gone, or by a signal.
// docs/sensor-messages.md explains the subjects.

import { NatsClient } from './client.mjs';
import { LineReader } from './lines.mjs';

const [address, prefix = 'fftd'] = process.argv.slice(2);
if (!/^[^:]+:\d+$/.test(address ?? '')) {
  console.error('usage: nats-reader.mjs HOST:PORT [PREFIX]');
  process.exit(2);
}
const [host, port] = address.split(':');
const sensors = new Map(); // by SITE.RADIO

function sensorOf(name) {
  if (!sensors.has(name)) sensors.set(name, { reader: new LineReader(), state: '' });
  return sensors.get(name);
}

const show = {
  lines(name, sensor, data) {
    const line = sensor.reader.read(data);
    if (!line) return;
    const { missing } = sensor.reader;
    console.log(
      `${name}: line ${line.line} of ${line.merged}, ${line.columns} columns, peak ${line.peakDb.toFixed(2)} dBFS at ${(
        line.peakHz / 1e6
      ).toFixed(6)} MHz${missing ? `, ${missing} missing` : ''}`,
    );
  },
  announce(name, sensor, data) {
    const { state, lines } = JSON.parse(data);
    if (state !== sensor.state)
      console.log(state === 'gone' ? `${name} is gone after ${lines} lines` : `${name} is ${state}`);
    sensor.state = state;
    if ([...sensors.values()].every((each) => each.state === 'gone')) client.end();
  },
  events(name, sensor, data) {
    const { trigger, open, peak_dbfs: level } = JSON.parse(data);
    console.log(
      `${name}: trigger ${trigger}: an event ${open ? 'begins' : 'ended'}${level === null ? '' : `, ${level.toFixed(1)} dBFS`}`,
    );
  },
  link(name, sensor, data) {
    const { lines, lost_ns: lost, back_ns: back } = JSON.parse(data);
    console.log(`${name}: the link was away for ${((back - lost) / 1e9).toFixed(1)} s; ${lines} lines were folded`);
  },
};

const subscribed = () => console.log(`subscribed to ${prefix}.>`);
const client = new NatsClient({
  host,
  port: Number(port),
  subjects: [`${prefix}.>`],
  subscribed,
  message: ({ subject, data }) => {
    const [site, radio, kind] = subject.slice(prefix.length + 1).split('.');
    try {
      show[kind]?.(`${site}.${radio}`, sensorOf(`${site}.${radio}`), data);
    } catch (error) {
      console.log(`${subject}: ${error.message}`);
    }
  },
});
