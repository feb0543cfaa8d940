// hostile.test.mjs - brokers that are hostile, stuck or broken: none ends fftd, sends it elsewhere, or keeps it from ending.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { residentBytes, scratch, serve, until } from '../support/fftd.mjs';
import { broker, missing, subscribe } from '../support/nats.mjs';
import { checkAccount, SENSOR } from '../support/sensor.mjs';

// The link's process crashes here on purpose: a sanitizer shall not take that for a fault of its own to report.
for (const name of ['ASAN_OPTIONS', 'TSAN_OPTIONS']) process.env[name] = `${process.env[name] ?? ''}:handle_segv=0`;
const options = { skip: missing() };
const HANGING = process.env.FFTD_HANGING_LOOKUP; // library to preload; empty with a sanitizer
const STOP_MS = 10000; // systemd kills after 15 s

/** A broker that calls `talk(link, text)` with each new connection and what it has sent so far. */
async function raw(t, talk) {
  const links = [];
  const server = createServer((link) => {
    const seen = { link, text: '', at: Date.now() };
    links.push(seen);
    link.on('error', () => {});
    link.on('data', (data) => {
      seen.text += data.toString('latin1');
      talk.data?.(link, seen);
    });
    talk.open?.(link, seen);
  });
  await new Promise((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  t.after(() => {
    server.close();
    links.forEach(({ link }) => link.destroy());
  });
  return { links, port: server.address().port };
}

const info = (more = {}) =>
  `INFO ${JSON.stringify({ server_id: 'x', version: '2.9.0', proto: 1, headers: true, max_payload: 1048576, ...more })}\r\n`;

/** Answers as a broker does, then `then(link, sids)` once: the numbers of the subscriptions by their subjects. */
const polite = (then, more) => ({
  open: (link) => link.write(info(more)),
  data: (link, seen) => {
    const pings = seen.text.match(/PING\r\n/g)?.length ?? 0;
    for (seen.pongs ??= 0; seen.pongs < pings; seen.pongs++) link.write('PONG\r\n');
    if (seen.pongs >= 2 && !seen.done) {
      seen.done = true;
      then(link, new Map([...seen.text.matchAll(/SUB (\S+) +(\d+)\r\n/g)].map(([, subject, sid]) => [subject, sid])));
    }
  },
});

const children = (pid) =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        return Number(readFileSync(`/proc/${name}/stat`, 'utf8').split(') ')[1].split(' ')[1]) === pid;
      } catch {
        return false;
      }
    })
    .map(Number);

async function stops(daemon) {
  const processes = children(daemon.pid),
    began = Date.now();
  assert.equal(await daemon.stop(), 0, daemon.stderr);
  assert.ok(Date.now() - began < STOP_MS, `${Date.now() - began} ms`);
  await until('that no process stays', () =>
    processes.every((pid) => {
      try {
        process.kill(pid, 0);
        return false;
      } catch {
        return true;
      }
    }),
  );
}

const start = {
  sensor: (t, url, ...more) => serve(t, [...SENSOR, '--nats', url, ...more]),
  hub: (t, url, ...more) => serve(t, ['--hub', url, ...more]),
};

for (const [size, what] of [
  ['2147483647', 'crashes'],
  ['2000000000', 'costs memory, or crashes'],
  ['99999999999999999999', 'is refused'],
])
  for (const role of ['sensor', 'hub'])
    test(
      `a message of ${size} bytes ${what} in the link's process alone: the ${role} goes on, and tries again`,
      options,
      async (t) => {
        const talk = polite((link, sids) =>
          link.write(`MSG x ${[...sids.values()][0]} ${size}\r\n${'x'.repeat(100000)}`),
        );
        const { links, port } = await raw(t, talk);
        const daemon = await start[role](t, `nats://127.0.0.1:${port}`);
        await until('a second connection', () => links.length >= 2);
        assert.match(daemon.stderr, /^fftd: (nats|hub): nats:.*; fftd tries again/m);
        if (size === '2147483647') {
          assert.match(daemon.stderr, /the process of the connection crashed \(Segmentation fault\)/);
          assert.ok(links[1].at - links[0].at >= 4900, 'a crash at each connect is seldom');
        }
        if (role === 'sensor') {
          const { ledger } = await daemon.status();
          await until('lines', async () => (await daemon.status()).ledger.lines > ledger.lines + 10);
        }
        await stops(daemon);
      },
    );

test('a broker that names other servers does not get the credentials sent there', options, async (t) => {
  const other = await raw(t, { open: (link) => link.write(info()) });
  const urls = { connect_urls: [`127.0.0.1:${other.port}`, 'elsewhere.invalid:4222'], auth_required: true };
  const cases = {
    'closes at once': { open: (link) => link.end(info(urls)) },
    'closes after CONNECT': { open: (link) => link.write(info(urls)), data: (link) => link.destroy() },
    'later, in lame duck mode': polite((link) => link.end(info({ ...urls, ldm: true })), urls),
  };
  const file = join(scratch(), 'login');
  writeFileSync(file, 'lab:s3cret\n');
  for (const [what, talk] of Object.entries(cases))
    for (const role of ['sensor', 'hub']) {
      const { links, port } = await raw(t, talk);
      const daemon = await start[role](t, `nats://127.0.0.1:${port}`, '--nats-credentials', file);
      await until(`${role}: ${what}`, () => links.length >= 4);
      assert.equal(other.links.length, 0, `${role}: ${what}`);
      await stops(daemon);
    }
});

test('a broker that ends each connection at once: pauses grow, and the log is bounded', options, async (t) => {
  await Promise.all(
    ['sensor', 'hub'].map(async (role) => {
      const { links, port } = await raw(
        t,
        polite((link) => link.destroy()),
      );
      const daemon = await start[role](t, `nats://127.0.0.1:${port}`);
      await until('connections', () => links.length >= 9);
      const pauses = links.slice(1).map(({ at }, i) => at - links[i].at);
      assert.ok(pauses[6] >= 3900 && pauses[7] >= 4900, `${role}: ${pauses}`);
      const lines = daemon.stderr
        .split('\n')
        .filter((line) => /^fftd: (nats|hub): (nats:|reading|publishing)/.test(line));
      assert.ok(lines.length >= 1 && lines.length <= 6, daemon.stderr);
      await stops(daemon);
    }),
  );
});

const drip = (link, text) => {
  let at = 0;
  const timer = setInterval(() => link.write(text[at++ % text.length]), 200);
  link.on('close', () => clearInterval(timer));
};
const flood = (link, text) => {
  const more = () => {
    while (link.write(text));
  };
  link.on('drain', more);
  more();
};
const stuck = {
  'says nothing': {},
  'answers nothing': { open: (link) => link.write(info()) },
  'drips its INFO': { open: (link) => drip(link, 'INFO {"server_id":"x"') },
  'drips its PONG': {
    open: (link) => {
      link.write(info());
      drip(link, 'PON');
    },
  },
  'floods with +OK': {
    open: (link) => {
      link.write(info());
      flood(link, '+OK\r\n'.repeat(1000));
    },
  },
  'asks for TLS and says nothing': { open: (link) => link.write(info({ tls_required: true })) },
};
for (const [what, talk] of Object.entries(stuck))
  test(`a broker that ${what}: the connection is tried again, and fftd ends at once`, options, async (t) => {
    await Promise.all(
      ['sensor', 'hub'].map(async (role) => {
        const { links, port } = await raw(t, talk);
        const daemon = await start[role](t, `nats://127.0.0.1:${port}`);
        await until('two more tries', () => links.length >= 3);
        await stops(daemon);
      }),
    );
  });

test('a TLS handshake that stops halfway: fftd tries again, and ends with status 0', options, async (t) => {
  const hello = Buffer.from([22, 3, 3, 0, 200, 2, 0, 0, 196, 3, 3]); // a ServerHello that never becomes complete
  const cases = {
    'before ServerHello': {},
    'in ServerHello': {
      data: (link, seen) => {
        if (!seen.done) link.write(hello);
        seen.done = true;
      },
    },
    'random bytes': { data: (link) => link.write('x'.repeat(1000)) },
  };
  await Promise.all(
    Object.entries(cases).flatMap(([what, { data }]) =>
      ['sensor', 'hub'].map(async (role) => {
        const talk = { open: (link) => link.write(info({ tls_required: true })), data };
        const { links, port } = await raw(t, talk);
        const daemon = await start[role](t, `tls://127.0.0.1:${port}`);
        await until(`${role}: ${what}`, () => links.length >= 2 && links.at(-1).text.length > 0);
        await stops(daemon);
      }),
    ),
  );
});

test('a flood of messages is bounded in memory, dropped and counted, and a hub ends under it', options, async (t) => {
  const talk = polite((link, sids) =>
    flood(
      link,
      [...sids]
        .map(([subject, sid]) => `MSG ${subject.replaceAll('*', 'a')} ${sid} _INBOX.x 10\r\n0123456789\r\n`)
        .join('')
        .repeat(500),
    ),
  );
  const { port } = await raw(t, talk);
  const daemon = await start.hub(t, `nats://127.0.0.1:${port}`);
  const broker = async () => (await (await fetch(`${daemon.url}api/v1/radios`)).json()).broker;
  await until('the link', () => /hub: reading/.test(daemon.stderr));
  const began = Date.now();
  while (Date.now() - began < 5000) {
    assert.equal(typeof (await broker()).connected, 'boolean'); // the page is served under it
    const processes = [daemon.pid, ...children(daemon.pid)];
    for (const pid of processes) assert.ok(residentBytes(pid) < 400e6, `${residentBytes(pid)} bytes`);
    await new Promise((resolve) => {
      setTimeout(resolve, 50);
    });
  }
  await until('a count of those dropped', async () => (await broker()).dropped_messages > 0);
  await stops(daemon);
});

test(
  'a look-up of the name that hangs: fftd tries again, and ends with status 0',
  { skip: options.skip || (!HANGING && 'not with a sanitizer') },
  async (t) => {
    await Promise.all(
      ['sensor', 'hub'].map(async (role) => {
        const args = role === 'hub' ? ['--hub'] : [...SENSOR, '--nats'];
        const daemon = await serve(t, [...args, 'nats://hanging.invalid'], { wrap: ['env', `LD_PRELOAD=${HANGING}`] });
        await until('a failure', () =>
          /hanging.invalid: no answer within 4500 ms; fftd tries again/.test(daemon.stderr),
        );
        await stops(daemon);
      }),
    );
  },
);

// At 1 line/s the sensor learns of the crash while it reads, at 50 lines/s while it writes.
for (const rate of ['1', '50'])
  test(
    `a crash of the link costs no line: what the broker has not confirmed is sent again (${rate} lines/s)`,
    options,
    async (t) => {
      const { port, url } = await broker(t);
      const got = await subscribe(t, port);
      const daemon = await start.sensor(t, url, '--line-rate', rate, '--nats-rate', rate);
      await until('lines', () => got.lines.length >= 2);
      const [link] = children(daemon.pid);
      process.kill(link, 'SIGSEGV');
      await until('a new link', async () => (await daemon.status()).nats.links === 2);
      assert.match(daemon.stderr, /crashed \(Segmentation fault\); fftd tries again/);
      assert.equal(await checkAccount(daemon, got), 0);
    },
  );

test('the process of a link ends with fftd, however fftd ends', options, async (t) => {
  const { url } = await broker(t);
  const daemon = await start.sensor(t, url);
  await until('the link', async () => (await daemon.status()).nats.connected);
  const [link] = children(daemon.pid);
  assert.equal(Number(readFileSync(`/proc/${link}/oom_score_adj`, 'utf8')), 1000); // before fftd
  daemon.child.kill('SIGKILL');
  await until('its end', () => {
    try {
      return / Z /.test(readFileSync(`/proc/${link}/stat`, 'utf8'));
    } catch {
      return true;
    }
  });
});
