// answer.test.mjs - what a refused request says, from fftd and from a proxy.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refusalOf } from '../../../web/net/answer.js';

test('a refusal is the sentence of a problem, or the first line of a text', async () => {
  for (const [body, text] of [
    ['{"title":"Bad Request","status":400,"error":"level: bad value","key":"level"}', 'level: bad value'],
    ['there is nothing here\n', 'there is nothing here'],
    ['<html>\n<body>502', '<html>'],
    ['', ''],
    ['null', 'null'],
    ['{"error":7}', '{"error":7}'],
    ['x'.repeat(1000), 'x'.repeat(200)],
  ])
    assert.equal(await refusalOf(new Response(body, { status: 400 })), text);
});
