// hub.mjs - a hub, and viewers of it.

import { serve, until } from './fftd.mjs';

const { WebSocket } = await import('ws').catch(() => {
  console.log('skipped: node_modules is missing (npm ci in tests/)');
  process.exit(77);
});

/** Starts a hub on a free port and waits until it reads from the broker. */
export async function hub(t, url, args = []) {
  const daemon = await serve(t, ['--hub', url, ...args]);
  daemon.list = async () => (await fetch(`${daemon.url}api/v1/radios`)).json();
  /** A radio of the list, by its name; undefined: there is none. */
  daemon.radio = async (name) => (await daemon.list()).radios.find(({ radio }) => radio === name);
  daemon.untilState = (name, state) =>
    until(`${name} is ${state}`, async () => {
      const radio = await daemon.radio(name);
      return radio?.state === state && radio;
    });
  await until('the hub reads', async () => (await daemon.list()).broker.connected);
  return daemon;
}

/** A list with changes put in. */
const merge = (list, { radios, left = [], ...rest }) => ({
  ...list,
  ...rest,
  type: 'radios',
  radios: [...new Map([...list.radios, ...radios].map((row) => [row.id, row])).values()].filter(
    ({ id }) => !left.includes(id),
  ),
});

/** A viewer: what it got, by kind; `lists` has what each list or message of changes amounts to, `whole` counts lists. */
export async function viewer(t, { url }, options = {}) {
  const socket = new WebSocket(`${url.replace('http', 'ws')}ws`, 'fftd.3', options);
  const got = {
    socket,
    lists: [],
    frames: [],
    errors: [],
    answers: [],
    wanted: [],
    changes: [],
    whole: 0,
    dropped: 0,
    welcome: null,
    say: (message) => socket.send(JSON.stringify(message)),
  };
  socket.on('message', (data, binary) => {
    if (binary) {
      got.frames.push({ id: data.readUInt32LE(0), message: Buffer.from(data.subarray(4)) });
      return;
    }
    const message = JSON.parse(data);
    if (message.type === 'radios') {
      got.lists.push(message);
      got.whole++;
    }
    if (message.type === 'changes') {
      got.lists.push(merge(got.lists.at(-1), message));
      got.changes.push(message);
    }
    if (message.id !== undefined && message.status)
      got.answers.push(message); // to a call
    else if (message.type === 'error') got.errors.push(message.message);
    if (message.type === 'wanted') got.wanted.push({ serial: message.serial, frames: got.frames.length });
    if (message.type === 'welcome') got.welcome = message;
    if (message.type === 'dropped') got.dropped = message.frames;
  });
  t.after(() => socket.terminate());
  await new Promise((resolve, reject) => {
    socket.on('open', resolve).on('error', reject);
  });
  /** The id of a radio in the newest list. */
  got.id = (name) => got.lists.at(-1)?.radios.find(({ radio }) => radio === name)?.id;
  return got;
}
