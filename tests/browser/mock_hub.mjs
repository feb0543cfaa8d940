// A mock of fftd --hub: serves its page as the daemon does, tells of radios and sends lines as their sensors make them.
import { createServer } from 'node:http';
import { WebSocketServer } from 'ws';
import { baseOf, signed, writeChanges } from '../golden/coded.mjs';
import { frame } from '../golden/frame.mjs';
import { CHOICES } from './choices.mjs';
import { pageFile } from './page_files.mjs';

const COLUMNS = 256,
  HOP = 2048,
  N = 4096,
  FRAMES = 10;
const NS = 1000000n;

/** A radio of the mock; tests change it while the page is open. */
export const radio = (name, centerHz, more = {}) => {
  const [site, word] = name.split('.');
  return {
    site,
    radio: word,
    name,
    state: 'running',
    centerHz,
    rateHz: 2.4e6,
    lineRate: 5,
    tone: { hz: centerHz + 3e5, db: -20 },
    noiseDb: -100,
    line: 0,
    run: 1,
    missing: 0,
    malformed: 0,
    skewMs: 1.5,
    clockMs: 0,
    goneMs: 0,
    lastMs: 0,
    last: null,
    protocol: 1,
    token: null,
    writer: null,
    past: [],
    archive: null,
    ...more,
  };
};

/** Noise that differs from line to line, and a tone in one column. */
function levelsOf({ centerHz, rateHz, tone, noiseDb, line }) {
  const levels = new Uint8Array(COLUMNS),
    columnHz = rateHz / COLUMNS,
    lowHz = centerHz - rateHz / 2 - rateHz / N / 2;
  let noise = (line * 2654435761 + centerHz) >>> 0;
  for (let i = 0; i < COLUMNS; i++) {
    noise = (noise * 1664525 + 1013904223) >>> 0;
    levels[i] = noiseDb + (noise >>> 28) / 2 + 140;
  }
  levels[Math.floor((tone.hz - lowHz) / columnHz)] = tone.db + 140;
  return { levels, columnHz, lowHz };
}

/** A message of the subject PREFIX.SITE.RADIO.lines: docs/sensor-messages.md. */
export function lineMessage(r, timeMs, { merged = 1, afterLoss = false } = {}) {
  const { levels, columnHz, lowHz } = levelsOf(r),
    samples = Math.round(r.rateHz / r.lineRate) * merged;
  const values = {
    magic: 'FFTD',
    version: 1,
    kind: 1,
    flags: 0,
    detector: 0,
    header_bytes: 240,
    view: 0,
    line: r.line,
    merged,
    columns: COLUMNS,
    first_sample: r.line * samples,
    samples,
    time_ns: BigInt(Math.round(timeMs * 1000)) * 1000n,
    center_hz: r.centerHz,
    rate_hz: r.rateHz,
    gain_db: null,
    low_hz: lowHz,
    column_hz: columnHz,
    level_offset_db: -140,
    level_step_db: 1,
    enbw_bins: 1.5,
    peak_db: r.tone.db,
    peak_hz: r.tone.hz,
    n: N,
    hop: HOP,
    frames: FRAMES * merged,
    line_rate_hz: r.lineRate,
    produced: r.line * samples,
    seen: r.line * samples,
    lost_overflow: 0,
    lost_overrun: 0,
    lost_gap: 0,
    lost_retune: 0,
    lost_tail: 0,
    clipped: 0,
    engine: 'cpu',
    window: 'hann',
  };
  const plain = frame(values, Buffer.from(levels));
  // Changes of a base to itself, but for what its fields say relative to each other: merged, samples.
  const fields = [...(merged > 1 ? signed(merged - 1) : []), ...signed(samples - (FRAMES * merged - 1) * HOP - N)];
  const header = Buffer.alloc(32);
  header.write('FFTN');
  header.set([1, afterLoss ? 1 : 0], 4);
  header.writeUInt32LE(r.run, 8);
  header.writeUInt32LE(r.line, 12);
  header.writeBigInt64LE(BigInt(Math.round(timeMs)) * NS, 16);
  header.writeUInt32LE(2000, 24);
  header.writeUInt32LE(32, 28);
  return Buffer.concat([
    header,
    baseOf(plain),
    writeChanges({ values, present: merged > 1 ? 18 : 16, fields, row: levels }),
  ]);
}

export class MockHub {
  constructor(radios) {
    this.radios = radios.map((each, i) => ({ id: i + 1, ...each }));
    this.clients = new Set();
    this.wants = [];
    this.asked = []; // calls
    this.pasts = []; // past_s of the requests
    this.pictures = []; // queries of archives
    this.token = null; // of the hub itself
    this.refuseHttp = null;
    this.refuseArchive = null;
    this.silent = false;
    this.connected = true; // to the broker
  }

  /** Lines of the last seconds, as if the hub had heard them. Before start. */
  remember(seconds) {
    for (const r of this.radios)
      for (let left = seconds * r.lineRate; left > 0; left--) {
        r.line += 1;
        const ms = (r.lastMs = Date.now() - (1000 * left) / r.lineRate);
        r.last = lineMessage(r, ms - 1000 / r.lineRate);
        r.past.push({ ms, last: r.last });
      }
    return this;
  }

  async start(port = 0) {
    this.http = createServer((request, answer) => this.#serve(request, answer));
    this.sockets = new WebSocketServer({
      noServer: true,
      handleProtocols: (set) => (set.has('fftd.3') ? 'fftd.3' : false),
    });
    this.http.on('upgrade', (request, socket, head) => {
      if (request.url !== '/ws' || this.refuseHttp)
        return socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n');
      this.sockets.handleUpgrade(request, socket, head, (ws) => this.#client(ws));
    });
    await new Promise((done) => {
      this.http.listen(port, '127.0.0.1', done);
    });
    this.port = this.http.address().port;
    this.url = `http://127.0.0.1:${this.port}/`;
    this.timers = [
      setInterval(() => this.tell(), 2000),
      ...this.radios.map((each) => setInterval(() => this.#tick(each), 1000 / each.lineRate)),
    ];
    return this;
  }

  async stop() {
    for (const timer of this.timers) clearInterval(timer);
    for (const { ws } of this.clients) ws.terminate();
    this.http.closeAllConnections();
    await new Promise((done) => {
      this.http.close(done);
    });
  }

  /** By name. */
  of(name) {
    return this.radios.find((each) => each.name === name);
  }

  message() {
    const radios = this.radios
      .filter(({ state }) => state !== 'unheard')
      .map((r) => ({
        id: r.id,
        site: r.site,
        radio: r.radio,
        state: r.state,
        ...(r.state === 'gone' && { gone_since_ns: r.goneMs * 1e6 }),
        announce: {
          protocol: r.protocol,
          version: '0.1.0',
          site: r.site,
          radio: r.radio,
          state: r.state,
          interval_s: 2,
          source: 'made up',
          center_hz: r.centerHz,
          rate_hz: r.rateHz,
          columns: COLUMNS,
          line_rate: r.lineRate,
          detector: 'mean',
          lines: r.line,
          missed: 0,
          dropped_lines: 0,
          dropped_events: 0,
          run: r.run,
          controllable: r.token !== null,
          ...(r.writer && { control: r.writer }),
        },
        ...(r.latitude !== undefined && { latitude: r.latitude, longitude: r.longitude }),
        ...(r.archive && { archive: { oldest_ns: r.archive.fromMs * 1e6, newest_ns: Date.now() * 1e6, bytes: 1 } }),
        lines: r.line,
        missing: r.missing,
        malformed: r.malformed,
        skew_ms: r.skewMs,
        last_line_ns: r.lastMs * 1e6,
      }));
    return JSON.stringify({ type: 'radios', sent_ns: Date.now() * 1e6, broker: { connected: this.connected }, radios });
  }

  /** Tells all clients of the radios. */
  tell() {
    if (!this.silent) for (const { ws } of this.clients) ws.send(this.message());
  }

  /** A radio goes, with its last line. */
  kill(name) {
    Object.assign(this.of(name), { state: 'gone', goneMs: Date.now() });
    this.tell();
  }

  /** It is back; so many lines did not reach the hub. */
  revive(name, missing) {
    const r = this.of(name);
    Object.assign(r, { state: 'running', line: r.line + missing, missing: r.missing + missing });
    this.tell();
  }

  async #serve(request, answer) {
    const path = new URL(request.url, 'http://x').pathname.slice(1) || 'hub/index.html';
    const headers = { 'Content-Security-Policy': "default-src 'self'", 'Cache-Control': 'no-store' };
    if (this.refuseHttp) return answer.writeHead(403, headers).end(this.refuseHttp);
    if (path === 'api/v1/radios')
      return answer.writeHead(200, { ...headers, 'Content-Type': 'application/json' }).end(this.message());
    const archived = /^api\/v1\/radios\/([^/]+)\/archive$/.exec(path),
      owner = archived && this.of(archived[1]);
    if (archived && this.refuseArchive) return answer.writeHead(503, headers).end(this.refuseArchive);
    if (owner?.archive)
      return answer
        .writeHead(200, { ...headers, 'Content-Type': 'application/octet-stream' })
        .end(this.#picture(owner, new URL(request.url, 'http://x').searchParams));
    try {
      const { body, type } = await pageFile(path);
      answer.writeHead(200, { ...headers, 'Content-Type': type }).end(body);
    } catch {
      answer.writeHead(404, headers).end('not found');
    }
  }

  #client(ws) {
    const client = { ws, wanted: [] };
    this.clients.add(client);
    ws.on('close', () => this.clients.delete(client));
    ws.on('message', (data) => {
      const message = JSON.parse(data);
      if (!client.welcomed) this.#welcome(client, message);
      if (message.type === 'hello') return;
      if (message.id !== undefined)
        return ws.send(JSON.stringify({ id: message.id, ...this.#answer(client, message) }));
      if (message.type !== 'want')
        return ws.send(JSON.stringify({ type: 'error', message: `unknown type ${message.type}` }));
      this.wants.push(message.radios);
      this.pasts.push(message.past_s ?? 0);
      if (message.serial !== undefined) ws.send(JSON.stringify({ type: 'wanted', serial: message.serial }));
      for (const r of this.radios)
        if (message.radios.includes(r.id) && (message.again || !client.wanted.includes(r.id)))
          this.#sendPast(client, r, message.past_s ?? 0);
      client.wanted = message.radios;
    });
    ws.send(this.message());
  }

  #welcome(client, message) {
    client.welcomed = true;
    client.control = !this.token || message.token === this.token;
    client.ws.send(JSON.stringify({ type: 'welcome', version: '0.1.0', control: client.control }));
  }

  /** What a radio says to a call; its token is `token`. */
  #answer(client, { id: _, ...call }) {
    const { get, put, token, name = '', body: fields = {} } = call,
      [, of, resource] = /^\/api\/v1\/radios\/([^/]+)\/(.+)$/.exec(get ?? put);
    const r = this.of(of),
      refuse = (status, error) => ({ status, error }),
      status = {
        wanted: { center_hz: r.centerHz, rate_hz: r.rateHz, gain: 'auto', fft_size: 4096 },
        source: { tuning: { center_hz: r.centerHz, rate_hz: r.rateHz } },
        spectrum: { fft_size: 4096 },
      };
    this.asked.push(call);
    if (!client.control) return refuse(401, 'calls need the control token of this hub, too');
    if (r.token !== token) return refuse(401, 'the control token is wrong');
    if (get && resource === 'status') return { status: 200, body: status };
    const choices = { ...CHOICES, 'gain.LNA': { label: 'LNA', group: 'radio', unit: 'dB', min: 0, max: 40, step: 1 } };
    if (get) return { status: 200, body: { settings: status.wanted, choices, refused: '' } };
    if (fields.rate_hz > 10e6)
      return { ...refuse(400, 'rate_hz: 20000000 is not a number from 1 to 10M'), key: 'rate_hz' };
    Object.assign(r, {
      centerHz: fields.center_hz ?? r.centerHz,
      rateHz: fields.rate_hz ?? r.rateHz,
      writer: { name, time_ns: Date.now() * 1e6 },
    });
    r.tone = { ...r.tone, hz: r.centerHz + 3e5 };
    this.tell();
    return { status: 200, body: { settings: { ...status.wanted, ...fields }, choices, refused: '' } };
  }

  /** The lines of the last seconds, the newest one at least. */
  #sendPast(client, r, pastS) {
    const all = r.past.length ? r.past : r.last ? [{ ms: r.lastMs, last: r.last }] : [];
    const from = Math.min(
      all.length - 1,
      all.findIndex(({ ms }) => ms >= Date.now() - 1000 * pastS),
    );
    for (const { last } of all.slice(from < 0 ? -1 : from)) this.#send(client, { id: r.id, last });
  }

  /** A picture as of docs/archive.md, with a tone at archive.hz; before archive.fromMs nothing was received. */
  #picture(r, query) {
    const number = (key) => Number(query.get(key)),
      rows = number('rows'),
      columns = Math.min(128, number('columns')),
      from = number('from'),
      to = number('to');
    const rowMs = (1000 * (to - from)) / rows,
      lowHz = r.archive.hz - 1e6,
      columnHz = 2e6 / columns,
      picture = Buffer.alloc(56 + 2 * rows * columns);
    this.pictures.push(Object.fromEntries(query));
    picture.write('FSV1');
    for (const [at, value] of [
      [4, 1],
      [8, rows],
      [12, columns],
    ])
      picture.writeUInt32LE(value, at);
    for (const [at, ms] of [
      [16, 1000 * from],
      [24, rowMs],
      [48, rowMs],
    ])
      picture.writeBigInt64LE(BigInt(Math.round(ms * 1e6)), at);
    picture.writeDoubleLE(lowHz, 32);
    picture.writeDoubleLE(columnHz, 40);
    for (let row = 0; row < rows; row++)
      for (let column = 0; column < columns; column++)
        picture.writeInt16LE(
          1000 * from + row * rowMs < r.archive.fromMs ? -32768 : column === columns / 2 ? -3000 : -9000,
          56 + 2 * (row * columns + column),
        );
    return picture;
  }

  #send({ ws }, { id, last }) {
    const prefix = Buffer.alloc(4);
    prefix.writeUInt32LE(id);
    ws.send(Buffer.concat([prefix, last]));
  }

  #tick(r) {
    if (r.state !== 'running' || this.silent) return;
    r.line += 1;
    r.lastMs = Date.now();
    r.last = lineMessage(r, r.lastMs + r.clockMs - 1000 / r.lineRate);
    r.past = [...r.past, { ms: r.lastMs, last: r.last }].slice(-2000);
    for (const client of this.clients) if (client.wanted.includes(r.id)) this.#send(client, r);
  }

  sendRaw(data) {
    for (const { ws } of this.clients) ws.send(data);
  }
}

// To look at the page: node tests/browser/mock_hub.mjs [port]
if (process.argv[1]?.endsWith('mock_hub.mjs')) {
  const hub = await new MockHub([
    radio('roof.south', 100e6, { latitude: 48.1, longitude: 11.5 }),
    radio('barn.north', 101.5e6, { latitude: 48.3, longitude: 11.8 }),
    radio('mast.west', 433.92e6),
    radio('shed.old', 145e6, { state: 'gone', goneMs: Date.now() - 6e5 }),
  ]).start(Number(process.argv[2] ?? 8012));
  console.log(hub.url);
}
