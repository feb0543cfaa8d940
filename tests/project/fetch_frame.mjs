// Opens the websocket of fftd like a browser, sets a view, and prints the result as one JSON object.
//
//     node fetch_frame.mjs ws://127.0.0.1:8010/ws [TOKEN]

import WebSocket from 'ws';

const [url, token] = process.argv.slice(2);
const socket = new WebSocket(url, 'fftd.3');
const got = {};

function end(message) {
  if (message) console.error(`fetch_frame: ${message}`);
  else console.log(JSON.stringify(got));
  process.exit(message ? 1 : 0);
}

/** Reads the fields that identify a frame of the simulation; offsets: daemon/wire/wire.h. */
function readFrame(bytes) {
  if (bytes.toString('latin1', 0, 4) !== 'FFTD') end('not a frame of fftd');
  got.kind = bytes.readUInt8(5);
  got.simulated = (bytes.readUInt8(6) & 2) !== 0;
  got.view = bytes.readUInt32LE(12);
  got.columns = bytes.readUInt32LE(28);
  got.peak = bytes.readFloatLE(108);
  got.seen = Number(bytes.readBigUInt64LE(152));
}

setTimeout(() => end(`no frame or no welcome in time, only ${JSON.stringify(got)}`), 15000);
socket.on('error', (error) => end(error.message));
socket.on('close', (code) => end(`closed with ${code}`));
socket.on('open', () => {
  socket.send(JSON.stringify(token ? { type: 'hello', token } : { type: 'hello' }));
  socket.send(JSON.stringify({ type: 'view', id: 7, columns: 500 }));
});
socket.on('message', (data, isBinary) => {
  if (isBinary) readFrame(data);
  else if (JSON.parse(data).type === 'welcome') got.control = JSON.parse(data).control;
  if (got.kind !== undefined && got.control !== undefined) end();
});
