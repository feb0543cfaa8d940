// A mock of fftd: serves the page as the daemon does and sends synthetic spectra by protocol fftd.3.
import { createServer } from 'node:http';
import { WebSocketServer } from 'ws';
import { baseOf, signed, writeChanges } from '../golden/coded.mjs';
import { frame } from '../golden/frame.mjs';
import { CHOICES } from './choices.mjs';
import { pageFile } from './page_files.mjs';

/** The state of the mock; tests change it while the page is open. */
export const defaults = () => ({
  linesPerSecond: 25,
  centerHz: 433.92e6,
  rateHz: 2.4e6,
  n: 4096,
  hop: 2048,
  simulated: false,
  rateAssumed: false,
  deflate: false,
  coded: false,
  tone: { hz: 434.1e6, db: -20 },
  noiseDb: -100,
  gapNext: false,
  merged: 1,
  control: false,
  token: 'secret',
  lost: { overflow: 0, overrun: 0, gap: 0, retune: 0, tail: 0 },
  clipped: 0,
  engine: 'cpu',
  window: 'hann',
  wantedWindow: 'hann',
  source: 'made up',
  state: 'running',
  message: '',
  advice: '',
  refuseHttp: null,
  refuseOrigin: null,
  closeWith: null,
  setError: null,
  limits: undefined, // undefined: an older server says none
  sound: null, // { hz, amplitude, ppm }: the tone that is heard, from a radio whose clock is off
  refuseSound: '',
  channels: [],
  withoutStatus: false, // the server has none yet
  archive: null, // { start, row_s }: it has one
  silent: false,
  sourceName: 'soapy',
  wantedGain: 'auto',
  gainInForce: undefined, // undefined: that which is wanted
  choices: CHOICES, // undefined: a server from before they were added
});

/** Levels of a view: noise that differs from line to line, and a tone. */
function spectrum(s, view, line) {
  const binHz = s.rateHz / s.n,
    spanLow = s.centerHz - s.rateHz / 2 - binHz / 2;
  const low = Math.max(spanLow, view.low_hz ?? -Infinity),
    high = Math.min(spanLow + s.rateHz, view.high_hz ?? Infinity);
  const first = Math.floor((low - spanLow) / binHz + 1e-6),
    bins = Math.max(1, Math.ceil((high - spanLow) / binHz - 1e-6) - first);
  const columns = Math.min(view.columns, bins),
    columnHz = (bins * binHz) / columns,
    lowHz = spanLow + first * binHz;
  const levels = new Uint8Array(columns);
  let noise = (line * 2654435761) >>> 0;
  for (let i = 0; i < columns; i++) {
    noise = (noise * 1664525 + 1013904223) >>> 0;
    levels[i] = Math.round((s.noiseDb + (noise >>> 24) / 50 + 140) / 0.5);
  }
  // The tone's bin and the main lobe of a window around it.
  const at = Math.floor((s.tone.hz - lowHz) / columnHz);
  for (const [offset, belowDb] of [
    [-2, 60],
    [-1, 12],
    [0, 0],
    [1, 12],
    [2, 60],
  ])
    if (at + offset >= 0 && at + offset < columns) levels[at + offset] = Math.round((s.tone.db - belowDb + 140) / 0.5);
  return { levels, columns, columnHz, lowHz };
}

export class MockServer {
  constructor(options = {}) {
    this.state = { ...defaults(), ...options };
    this.views = []; // every view message
    this.sets = [];
    this.hellos = [];
    this.credits = 0;
    this.maxInFlight = 0; // frames
    this.heard = []; // the query of every request for sound
    this.line = 0;
    this.clients = new Set();
    this.connections = 0;
  }

  async start(port = 0) {
    this.http = createServer((request, answer) => this.#serve(request, answer));
    this.sockets = new WebSocketServer({
      noServer: true,
      handleProtocols: (set) => (set.has('fftd.3') ? 'fftd.3' : false),
    });
    this.http.on('upgrade', (request, socket, head) => {
      if (!request.url.endsWith('/ws') || this.state.refuseHttp || this.state.refuseOrigin)
        return socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n');
      this.sockets.handleUpgrade(request, socket, head, (ws) => this.#client(ws));
    });
    await new Promise((done) => {
      this.http.listen(port, '127.0.0.1', done);
    });
    this.port = this.http.address().port;
    this.url = `http://127.0.0.1:${this.port}/`;
    this.timer = setInterval(() => this.#tick(), 1000 / this.state.linesPerSecond);
    this.statusTimer = setInterval(() => this.sendStatus(), 1000);
    return this;
  }

  async stop() {
    clearInterval(this.timer);
    clearInterval(this.statusTimer);
    for (const client of this.clients) client.ws.terminate();
    this.http.closeAllConnections?.();
    await new Promise((done) => {
      this.http.close(done);
    });
  }

  async #serve(request, answer) {
    const path = new URL(request.url, 'http://x').pathname.replace(/^\/(below\/)?/, '');
    const headers = { 'Content-Security-Policy': "default-src 'self'", 'Cache-Control': 'no-store' };
    if (this.state.refuseOrigin && request.method !== 'GET')
      return answer.writeHead(403, headers).end(this.state.refuseOrigin);
    if (this.state.refuseHttp) return answer.writeHead(403, headers).end(this.state.refuseHttp);
    if (path === 'api/v1/status')
      return answer.writeHead(200, { ...headers, 'Content-Type': 'application/json' }).end('{}');
    if (path === 'api/v1/archive' && this.state.archive)
      return answer.writeHead(200, headers).end(JSON.stringify(this.state.archive));
    if (path === 'api/v1/channels')
      return answer.writeHead(200, headers).end(JSON.stringify({ channels: this.state.channels }));
    if (path === 'api/v1/channel-stream') return this.#stream(request, answer, headers);
    try {
      const { body, type } = await pageFile(path || 'index.html');
      answer.writeHead(200, { ...headers, 'Content-Type': type }).end(body);
    } catch {
      answer.writeHead(404, headers).end('not found');
    }
  }

  /** A tone in real time, 8 ms at once as the daemon does. */
  #stream(request, answer, headers) {
    const query = Object.fromEntries(new URL(request.url, 'http://x').searchParams),
      { sound } = this.state;
    this.heard.push(query);
    if (this.state.refuseSound)
      return answer.writeHead(416, headers).end(JSON.stringify({ error: this.state.refuseSound, key: 'center_hz' }));
    const rate = Number(query.audio_rate_hz),
      start = performance.now();
    let sent = 0;
    answer.writeHead(200, { ...headers, 'X-Fftd-Audio-Rate-Hz': String(rate), 'X-Fftd-Audio-Channels': '1' });
    const timer = setInterval(() => {
      const due = Math.floor(((performance.now() - start) / 1000) * rate * (1 + sound.ppm * 1e-6));
      const samples = Int16Array.from({ length: due - sent }, (_, i) =>
        Math.round(32767 * sound.amplitude * Math.sin((2 * Math.PI * sound.hz * (sent + i)) / rate)),
      );
      sent = due;
      answer.write(new Uint8Array(samples.buffer));
    }, 8);
    answer.on('close', () => clearInterval(timer));
  }

  #client(ws) {
    const client = { ws, view: null, credit: 0, control: this.state.control, greeted: false };
    if (this.state.closeWith) return ws.close(...this.state.closeWith);
    this.clients.add(client);
    this.connections += 1;
    ws.on('close', () => this.clients.delete(client));
    ws.on('message', (data) => this.#message(client, JSON.parse(data)));
  }

  #message(client, message) {
    const send = (object) => client.ws.send(JSON.stringify(object));
    if (message.type === 'hello' && message.token) {
      this.hellos.push(message);
      client.control ||= message.token === this.state.token;
    }
    if (!client.greeted || message.type === 'hello') {
      client.greeted = true;
      send({
        type: 'welcome',
        version: '0.1.0',
        control: client.control,
        token: this.state.token, // undefined: as an older server
        choices: this.state.choices,
        limits: this.state.limits,
      });
      this.sendStatus();
    }
    if (message.type === 'view') {
      if (!client.view) client.credit = 2;
      client.view = message;
      this.views.push(message);
      if (this.line > 0) this.#sendFrame(client); // the newest line at once, as the daemon does
    }
    if (message.type === 'credit') {
      this.credits += message.count;
      client.credit = Math.min(2, client.credit + message.count);
    }
    if (message.put === '/api/v1/settings') this.#set(message, send);
    else if ('id' in message && ('subscribe' in message || 'unsubscribe' in message))
      send({ id: message.id, status: 200, body: {} });
  }

  #set({ id, body }, send) {
    this.sets.push(body);
    if (this.state.setError) return send({ id, status: 400, error: this.state.setError });
    if (body.center_hz) this.state.centerHz = body.center_hz;
    this.state.wantedGain = body.gain ?? this.state.wantedGain;
    send({ id, status: 200, body: {} });
    this.sendStatus();
  }

  sendStatus() {
    const s = this.state;
    const tuning = {
      center_hz: s.centerHz,
      rate_hz: s.rateHz,
      gain: s.gainInForce ?? s.wantedGain,
      ppm: 0,
      bandwidth_hz: 0,
      antenna: '',
    };
    const status = {
      type: 'status',
      version: '0.1.0',
      state: s.state,
      message: s.message,
      advice: s.advice,
      source: { name: s.sourceName, about: s.source, tuning },
      archive: s.archive && { lines: 1, rows: 1 },
      engine: { name: s.engine, note: '' },
      wanted: {
        ...tuning,
        gain: s.wantedGain,
        fft_size: s.n,
        overlap: 50,
        window: s.wantedWindow,
        average: 0,
        line_rate: s.linesPerSecond,
      },
    };
    if (!s.withoutStatus) for (const { ws } of this.clients) ws.send(JSON.stringify(status));
  }

  #frame(client) {
    const s = this.state,
      { levels, columns, columnHz, lowHz } = spectrum(s, client.view, this.line);
    const lost = Object.fromEntries(Object.entries(s.lost).map(([cause, count]) => [`lost_${cause}`, count]));
    const sum = Object.values(s.lost).reduce((a, b) => a + b, 0),
      seen = this.line * s.hop;
    const values = {
      magic: 'FFTD',
      version: 1,
      kind: 1,
      flags: (s.deflate ? 1 : 0) | (s.simulated ? 2 : 0) | (s.gapNext ? 8 : 0) | (s.rateAssumed ? 16 : 0),
      detector: ['mean', 'max', 'min', 'sample'].indexOf(client.view.detector),
      header_bytes: 240,
      view: client.view.id,
      line: this.line,
      merged: s.merged,
      columns,
      first_sample: seen,
      samples: s.hop,
      time_ns:
        BigInt(Date.UTC(2026, 1, 3, 12, 0, 0)) * 1000000n + BigInt(Math.round((this.line * 1e9) / s.linesPerSecond)),
      center_hz: s.centerHz,
      rate_hz: s.rateHz,
      gain_db: null,
      low_hz: lowHz,
      column_hz: columnHz,
      level_offset_db: -140,
      level_step_db: 0.5,
      enbw_bins: 1.5,
      peak_db: s.tone.db,
      peak_hz: s.tone.hz,
      n: s.n,
      hop: s.hop,
      frames: 10,
      line_rate_hz: s.linesPerSecond,
      produced: seen + sum,
      seen,
      ...lost,
      clipped: s.clipped,
      engine: s.engine,
      window: s.window,
    };
    const plain = frame(values, Buffer.from(levels));
    if (!s.coded || client.view.coding !== 'range') return plain;
    const fields = signed(s.hop - 9 * s.hop - s.n); // samples of 10 frames
    return Buffer.concat([baseOf(plain), writeChanges({ values, present: 16, fields, row: levels })]);
  }

  /** false: the client has no credit. */
  #sendFrame(client) {
    if (client.credit <= 0) return false;
    client.ws.send(this.#frame(client));
    client.credit -= 1;
    this.maxInFlight = Math.max(this.maxInFlight, 2 - client.credit);
    return true;
  }

  #tick() {
    if (this.state.silent) return;
    this.line += 1;
    let sent = 0;
    for (const client of this.clients) {
      if (client.view && this.#sendFrame(client)) sent += 1;
    }
    if (sent > 0) this.state.gapNext = false;
  }

  /** Sends data that a daemon would not send. */
  sendRaw(data) {
    for (const { ws } of this.clients) ws.send(data);
  }
}

// To look at the page: node tests/browser/mock_server.mjs [port]
if (process.argv[1]?.endsWith('mock_server.mjs')) {
  const server = await new MockServer({ simulated: true }).start(Number(process.argv[2] ?? 8011));
  console.log(server.url);
}
