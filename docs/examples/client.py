#!/usr/bin/env python3
"""client.py HOST:PORT - a client of fftd in plain Python, written from docs/protocol.md alone.

Prints the next three lines of spectrum, one density, and one measurement of a channel, then ends.
"""
import base64, json, os, socket, struct, sys, zlib

host, port = sys.argv[1].rsplit(':', 1)
stream = socket.create_connection((host, int(port))).makefile('rwb')


def send(message):
    """A text frame. Clients mask what they send (RFC 6455, 5.3)."""
    body, mask = json.dumps(message).encode(), os.urandom(4)
    size = struct.pack('>B', 0x80 | len(body)) if len(body) < 126 else struct.pack('>BH', 0xfe, len(body))
    stream.write(b'\x81' + size + mask + bytes(b ^ mask[i % 4] for i, b in enumerate(body)))
    stream.flush()


def receive():
    """The next message: an object, or the bytes of a binary frame."""
    while True:
        opcode, size = stream.read(2)
        if size > 125:
            size, = struct.unpack('>H', stream.read(2)) if size == 126 else struct.unpack('>Q', stream.read(8))
        body = stream.read(size)
        if opcode & 15 == 9:  # a ping gets a pong
            stream.write(b'\x8a\x80' + os.urandom(4))
            stream.flush()
        elif opcode & 15 in (1, 2):
            return json.loads(body) if opcode & 15 == 1 else body


def spectrum(frame):
    """The levels of a frame of kind 1, in dBFS."""
    low, step = struct.unpack_from('<dd', frame, 80)
    offset, unit = struct.unpack_from('<ff', frame, 96)
    levels = payload(frame)
    best = max(range(len(levels)), key=levels.__getitem__)
    print(f'line {struct.unpack_from("<Q", frame, 16)[0]}: {len(levels)} columns, '
          f'highest {offset + unit * levels[best]:.1f} dBFS at {(low + (best + .5) * step) / 1e6:.4f} MHz')


def density(frame):
    """The hits of a frame of kind 2: for each column the first row, the number of rows, and their hits."""
    columns, levels, top, step = struct.unpack_from('<IIff', frame, 12)
    frames, runs, at, strongest = struct.unpack_from('<Q', frame, 40)[0], payload(frame), 0, (levels, 0)
    for column in range(columns):
        first, rows = struct.unpack_from('<HH', runs, at)
        at, sum_ = at + 4, 0
        for _ in range(rows):
            wide = runs[at] == 255
            sum_ += struct.unpack_from('<I', runs, at + 1)[0] if wide else runs[at]
            at += 5 if wide else 1
        assert sum_ == frames
        strongest = min(strongest, (first, column))
    print(f'density: {frames} frames in each of {columns} columns, none above {top - strongest[0] * step:.1f} dBFS')


def measurements(message):
    for each in message['measurements']:
        values = ', '.join(f'{name} {value:.2f}' for name, value in each['values'].items() if value is not None)
        print(f"{each['name']}: {each['reason'] or values}")


def payload(frame):
    body = frame[struct.unpack_from('<I', frame, 8)[0]:]
    return zlib.decompress(body) if frame[6] & 1 else body


stream.write(f'GET /ws HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n'
             f'Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}\r\nSec-WebSocket-Version: 13\r\n'
             'Sec-WebSocket-Protocol: fftd.3\r\n\r\n'.encode())
stream.flush()
assert b' 101 ' in stream.readline()
while stream.readline().strip():
    pass
for message in {'type': 'view', 'id': 1, 'columns': 1000}, {'id': 1, 'subscribe': 'density'}, {'id': 2, 'subscribe': 'measurements'}:
    send(message)
wanted = {'line': 3, 'density': 1, 'measure': 1}
while any(wanted.values()):
    message = receive()
    kind = message.get('type') if isinstance(message, dict) else ('line', 'density')[message[5] - 1]
    if kind == 'line':
        send({'type': 'credit'})
    if wanted.get(kind, 0) > 0:
        wanted[kind] -= 1
        {'line': spectrum, 'density': density, 'measure': measurements}[kind](message)
