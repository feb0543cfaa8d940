// client.mjs - a NATS subscriber on a TCP socket: enough of the protocol to read what sensors publish, without a library.
// https://docs.nats.io/reference/reference-protocols/nats-protocol

import { connect } from 'node:net';

const NEWLINE = Buffer.from('\r\n');

/** Splits the broker's bytes into lines and payloads. */
class Parser {
  constructor(on) {
    this.on = on;
    this.rest = Buffer.alloc(0);
    this.message = null; // whose payload is awaited
  }

  push(data) {
    this.rest = Buffer.concat([this.rest, data]);
    while (this.message ? this.readPayload() : this.readLine());
  }

  readPayload() {
    const { size, ...message } = this.message;
    if (this.rest.length < size + NEWLINE.length) return false;
    this.message = null;
    this.on.message({ ...message, data: Buffer.from(this.rest.subarray(0, size)) });
    this.rest = this.rest.subarray(size + NEWLINE.length);
    return true;
  }

  readLine() {
    const end = this.rest.indexOf(NEWLINE);
    if (end < 0) return false;
    const [verb, ...words] = this.rest.subarray(0, end).toString().split(' ');
    this.rest = this.rest.subarray(end + NEWLINE.length);
    if (verb === 'MSG')
      this.message = { subject: words[0], reply: words.length > 3 ? words[2] : '', size: Number(words.at(-1)) };
    else this.on.line(verb, words.join(' '));
    return true;
  }
}

/** Subscribes again after each loss of the broker, ten times a second. */
export class NatsClient {
  /**
   * @param {{host?: string, port: number, user?: string, password?: string, subjects: string[],
   *          subscribed?: () => void, message: (m: {subject: string, reply: string, data: Buffer}) => void}} options
   *          subscribed: once, when the broker has accepted the subscriptions
   */
  constructor(options) {
    this.options = options;
    this.links = 0; // times that the broker accepted it
    this.open();
  }

  open() {
    const { host = '127.0.0.1', port, user, password, subjects, message } = this.options;
    const parser = new Parser({ message, line: (verb, words) => this.answer(verb, words) });
    this.socket = connect(port, host);
    this.socket.on('data', (data) => parser.push(data));
    this.socket.on('error', () => {});
    this.socket.on('close', () => {
      if (!this.ended) this.timer = setTimeout(() => this.open(), 100);
    });
    const login = user ? { user, pass: password } : {};
    this.socket.write(
      `CONNECT ${JSON.stringify({ verbose: false, pedantic: false, lang: 'node', version: '1', ...login })}\r\n`,
    );
    subjects.forEach((subject, i) => this.socket.write(`SUB ${subject} ${i + 1}\r\n`));
    this.socket.write('PING\r\n');
  }

  answer(verb, words) {
    if (verb === 'PING') this.socket.write('PONG\r\n');
    if (verb === 'PONG' && this.links++ === 0) this.options.subscribed?.();
    if (verb === '-ERR') this.error = words;
  }

  /** @param {string} subject @param {Buffer | string} data @param {string} [reply]  the subject where an answer is awaited */
  publish(subject, data, reply = '') {
    const bytes = Buffer.from(data);
    this.socket.write(
      Buffer.concat([Buffer.from(`PUB ${subject} ${reply ? `${reply} ` : ''}${bytes.length}\r\n`), bytes, NEWLINE]),
    );
  }

  end() {
    this.ended = true;
    clearTimeout(this.timer);
    this.socket.destroy();
  }
}
