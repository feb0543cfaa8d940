// Tests the control token: who has control, and how the guessing of tokens is limited.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { set } from '../support/calls.mjs';
import { connect, request, start } from '../support/server/harness.mjs';

test('with a configured token only that token allows changes', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'fftd-token-'));
  writeFileSync(join(folder, 'token'), 'correct horse\n');
  const guarded = await start({ token_file: join(folder, 'token'), token: 'not this one' });
  for (const token of [undefined, '', 'correct hors', 'correct horse\n', 'not this one']) {
    const client = await connect(guarded);
    client.send({ type: 'hello', token });
    assert.equal((await client.text('welcome')).control, false, token);
    const { error } = await client.call(set({ fft_size: 64 }));
    if (token !== undefined) await client.text('error');
    assert.match(error, /needs the control token/);
    client.send({ type: 'hello', token: 'correct horse' }); // a later one, on the same connection
    assert.equal((await client.text('welcome')).control, true);
    client.send({ type: 'hello' });
    assert.match((await client.text('error')).message, /needs a token/);
    await client.close();
  }
  const client = await connect(guarded);
  client.send({ type: 'hello', token: 'correct horse' });
  assert.equal((await client.text('welcome')).control, true);
  client.send({ type: 'hello', token: 'not this one' });
  assert.equal((await client.text('welcome')).control, true, 'a wrong one takes nothing away');
  assert.match((await client.text('error')).message, /wrong/);
  assert.equal((await client.call(set({ fft_size: 64 }))).status, 200);
  assert.equal(await guarded.said(), 'apply 100000000 64 auto');
  await client.close();
  const viewer = await connect(guarded); // sends no hello
  viewer.send({ type: 'view', id: 1, columns: 5 });
  assert.equal((await viewer.text('welcome')).control, false);
  await viewer.close();
  rmSync(folder, { recursive: true });
  assert.equal(await guarded.stop(), 0);
});

/**
 * Sends a token from an address of this machine; forwarded: that a proxy names, in place of its own.
 * Returns welcome and error.
 */
async function tryToken(where, token, localAddress, forwarded) {
  const headers = forwarded ? { 'X-Forwarded-For': `198.51.100.9, ${forwarded}` } : {};
  const client = await connect(where, { localAddress, headers });
  client.send({ type: 'hello', token });
  const { control } = await client.text('welcome');
  const error = control ? '' : (await client.text('error')).message;
  await client.close();
  return { control, error };
}

test('an address that guesses tokens must wait, other addresses need not', async () => {
  const token = 'correct horse battery',
    guarded = await start({ token });
  const began = Date.now();
  let compared = 0,
    answer;
  while (!(answer = await tryToken(guarded, `guess ${compared}`, '127.0.0.2')).error.includes('too many wrong')) {
    assert.match(answer.error, /the control token is wrong/);
    assert.ok(++compared < 100);
  }
  // 5 at once, then one in 5 s
  assert.ok(compared >= 5 && compared <= 5 + (Date.now() - began) / 5000, `${compared} tokens were compared`);
  assert.match(answer.error, /connect again in [1-5] s/);
  assert.equal((await tryToken(guarded, token, '127.0.0.3')).control, true);
  assert.equal((await tryToken(guarded, token)).control, true); // loopback itself
  const counts = JSON.parse((await request(guarded, '/api/v1/status')).split('\r\n\r\n')[1]).server;
  assert.equal(counts.wrong_tokens_total, compared + 1);
  assert.equal(counts.blocked_tokens_total, 1);
  assert.match(await request(guarded, '/metrics'), new RegExp(`^fftd_wrong_tokens_total ${compared + 1}$`, 'm'));
  assert.equal(await guarded.stop(), 0);
  const logged = guarded.errors.split('\n').filter((line) => line.includes('wrong control token'));
  assert.match(logged[0], /wrong control token from 127\.0\.0\.2;/);
  assert.ok(logged.length <= 1 + (Date.now() - began) / 10000, guarded.errors); // one line in 10 s
});

test('while its address waits, even the right token is not compared', async () => {
  const token = 'correct horse battery',
    guarded = await start({ token });
  const until = Date.now() + 60000;
  let blocked = false;
  while (!blocked && Date.now() < until) {
    await Promise.all(Array.from({ length: 6 }, (_, i) => tryToken(guarded, `guess ${i}`, undefined, '2001:db8::1')));
    // Five seconds after the last compared token one more is allowed.
    blocked = !(await tryToken(guarded, token, undefined, '2001:db8::2')).control;
  }
  assert.ok(blocked);
  assert.equal(await guarded.stop(), 0);
  assert.match(guarded.errors, /from 2001:db8::\/64;/);
});

test('addresses that a local client makes up do not give it more guesses, over no carrier', async () => {
  const token = 'correct horse battery',
    guarded = await start({ token, listen: '127.0.0.1:0' });
  const began = Date.now();
  const bearer = (guess, forwarded) =>
    request(
      guarded,
      '/api/v1/measurements/a',
      { Authorization: `Bearer ${guess}`, 'X-Forwarded-For': forwarded },
      'DELETE',
    );
  for (let i = 0; i < 100; i++) {
    await bearer(`guess ${i}`, `192.0.2.${i}`);
    await tryToken(guarded, `guess ${i}`, undefined, `2001:db8:${i}::1`);
  }
  const counts = JSON.parse((await request(guarded, '/api/v1/status')).split('\r\n\r\n')[1]).server;
  const compared = counts.wrong_tokens_total - counts.blocked_tokens_total;
  assert.equal(counts.wrong_tokens_total, 200);
  assert.ok(compared >= 5 && compared <= 5 + (Date.now() - began) / 5000, `${compared} tokens were compared`);
  assert.match((await tryToken(guarded, token, undefined, '192.0.2.200')).error, /or through its proxy: connect/);
  assert.equal((await tryToken(guarded, token, '127.0.0.2')).control, true); // another address gets in
  assert.equal(await guarded.stop(), 0);
});

test('one visitor of a proxy who guesses does not keep the others out', async () => {
  const token = 'correct horse battery',
    guarded = await start({ token });
  for (let i = 0; i < 20; i++) await tryToken(guarded, `guess ${i}`, undefined, '192.0.2.1');
  assert.match((await tryToken(guarded, token, undefined, '192.0.2.1')).error, /too many wrong .* from this address/);
  assert.equal((await tryToken(guarded, token, undefined, '192.0.2.2')).control, true);
  assert.equal(await guarded.stop(), 0);
});

test('a token that is short enough to be guessed is warned about', async () => {
  for (const [token, warns] of [
    ['x'.repeat(15), true],
    ['x'.repeat(16), false],
  ]) {
    const guarded = await start({ token });
    assert.equal(await guarded.stop(), 0);
    assert.equal(/can be guessed: it has less than 16 characters/.test(guarded.errors), warns, guarded.errors);
  }
  const empty = await start({ token: '' });
  assert.equal(empty.code, 1);
  assert.match(empty.errors, /the token is empty/);
});
