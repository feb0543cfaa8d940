// requests.test.mjs - control of radios through a hub: what viewers send, what sensors answer, and each reason for no answer.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { NatsClient } from '../../tools/nats-reader/client.mjs';
import { scratch, serve, until } from '../support/fftd.mjs';
import { hub, viewer } from '../support/hub.mjs';
import { broker, missing } from '../support/nats.mjs';

const options = { skip: missing() };
const token = 'correct horse battery';

const sensor = (t, url, radio, args = ['--token', token]) =>
    serve(t, ['--source', 'sim', '--rate', '250k', '--fft-size', '1024', '--nats', url, '--nats-site', 'lab', '--nats-radio', radio, ...args]);

/** A viewer that asks for what it wants, and waits for the answer. */
async function asking(t, daemon) {
    const page = await viewer(t, daemon);
    page.ask = async (message) => {
        const before = page.answers.length;
        page.say(message);
        return until('an answer', () => page.answers[before]);
    };
    return page;
}

/** What a broker tells of a sensor that is made up here; `answer` makes the replies to its requests. */
async function madeUp(t, port, radio, answer) {
    const subject = (kind) => `fftd.lab.${radio}.${kind}`;
    const client = new NatsClient({ port, subjects: [subject('control')], message: ({ reply, data }) => {
        const text = answer(data.toString());
        if (text !== undefined) client.publish(reply, text);
    } });
    t.after(() => client.end());
    await until('the subscription', () => client.links > 0);
    client.publish(subject('announce'), JSON.stringify({ protocol: 1, site: 'lab', radio, state: 'running', interval_s: 100, run: 1, sent_ns: 1, controllable: true }));
    return client;
}

const metric = async ({ url }, outcome) =>
    Number((await (await fetch(`${url}metrics`)).text()).match(new RegExp(`^fftd_hub_requests_total\\{outcome="${outcome}"\\} (\\d+)$`, 'm'))[1]);

test('a viewer with the token of a radio changes it through the hub, and everybody sees who did', options, async (t) => {
    const { url } = await broker(t);
    const daemon = await hub(t, url);
    const far = await sensor(t, url, 'r1');
    await daemon.untilState('r1', 'running');
    const page = await asking(t, daemon), other = await viewer(t, daemon);
    await until('lists', () => page.id('r1') && other.id('r1'));
    const radio = page.id('r1');
    assert.equal(page.lists.at(-1).radios[0].announce.controllable, true);
    const { choices, status, ...rest } = await page.ask({ type: 'choices', radio, token });
    assert.deepEqual(rest, { type: 'choices', radio });
    assert.deepEqual([choices.center_hz.unit, choices.fft_size.values.includes(1024)], ['Hz', true]);
    assert.deepEqual([status.source.tuning.center_hz, status.source.tuning.rate_hz], [100e6, 250e3]);
    assert.deepEqual(await page.ask({ type: 'set', radio, token, name: 'alice', center_hz: 123e6 }), { type: 'done', radio });
    const row = await until('the other viewer is told', () => other.lists.at(-1).radios.find(({ announce }) => announce?.control && announce.center_hz === 123e6));
    assert.equal(row.announce.control.name, 'alice');
    assert.equal((await far.status()).wanted.center_hz, 123e6);
    assert.equal(other.answers.length, 0, 'answers are for the one who asked');
    assert.equal(await metric(daemon, 'done'), 2);
    assert.ok(!daemon.stderr.includes(token) && !far.stderr.includes(token));
});

test('each reason why a radio is not changed is one sentence', options, async (t) => {
    const { port, url } = await broker(t);
    const daemon = await hub(t, url);
    await sensor(t, url, 'r1');
    await sensor(t, url, 'open', []);
    const ended = await sensor(t, url, 'old');
    await madeUp(t, port, 'mute', () => undefined);
    await madeUp(t, port, 'odd', () => '{"type":"done');
    await madeUp(t, port, 'rude', () => JSON.stringify({ type: 'error', message: 'two\nlines' }));
    const absent = await madeUp(t, port, 'absent', () => undefined);
    absent.end();
    await daemon.untilState('old', 'running');
    await ended.stop();
    await daemon.untilState('old', 'gone');
    await daemon.untilState('r1', 'running');
    await until('all are known', async () => (await daemon.list()).radios.length === 7);
    const page = await asking(t, daemon);
    await until('a list', () => page.id('r1'));
    const cases = [
        [{ radio: 999, token }, 'there is no radio 999'],
        [{ radio: page.id('old'), token }, /^lab\.old is gone, it was heard last \d+ s ago$/],
        [{ radio: page.id('open'), token }, 'lab.open takes no requests: its fftd has no control token'],
        [{ radio: page.id('absent'), token }, 'its sensor is gone, or the broker does not let it take requests: nobody answers there'],
        [{ radio: page.id('r1') }, 'requests need the control token'],
        [{ radio: page.id('r1'), token: 'wrong' }, 'the control token is wrong'],
        [{ radio: page.id('r1'), token, fft_size: 1000 }, /^fft_size: 1000 is not /],
        [{ radio: page.id('odd'), token }, "the radio's answer cannot be read"],
        [{ radio: page.id('rude'), token }, 'the radio refuses without a reason'],
        [{ radio: page.id('mute'), token }, 'no answer within 5 s: whether the radio was changed is not known'],
    ];
    for (const [request, expected] of cases) {
        const { type, radio, message } = await page.ask({ type: 'set', center_hz: 123e6, ...request });
        assert.deepEqual([type, radio], ['error', request.radio]);
        assert.match(message, typeof expected === 'string' ? new RegExp(`^${expected}$`) : expected);
    }
    page.say({ type: 'set', radio: 0, token });
    await until('an error', () => page.errors.includes('radio: 0 is no id of a radio'));
    assert.equal((await daemon.radio('r1')).announce.center_hz, 100e6);
    assert.deepEqual([await metric(daemon, 'refused'), await metric(daemon, 'unanswered')], [9, 1]);
});

test('requests of a viewer are bounded in number and rate, and guesses of a token cost time', options, async (t) => {
    const { port, url } = await broker(t);
    const daemon = await hub(t, url);
    await sensor(t, url, 'r1');
    for (let i = 0; i < 5; i++) await madeUp(t, port, `mute${i}`, () => undefined);
    await daemon.untilState('r1', 'running');
    const page = await asking(t, daemon);
    await until('a list', () => page.id('mute4') && page.id('r1'));
    const say = (name, more = {}) => page.say({ type: 'choices', radio: page.id(name), token, ...more });
    for (const name of ['mute0', 'mute0', 'mute1', 'mute2', 'mute3', 'mute4']) say(name);
    await until('what is refused', () => page.answers.length === 2);
    assert.deepEqual(page.answers.map(({ radio, message }) => [radio, message]), [[page.id('mute0'), 'the request before is not answered yet'],
        [page.id('mute4'), 'too many requests of this viewer wait for their answers']]);
    await until('the rate', async () => (await page.ask({ type: 'choices', radio: 999, token })).message === 'too many requests: wait a moment');
    const second = await asking(t, daemon);
    await until('a list', () => second.id('r1'));
    for (let i = 0; i < 5; i++) assert.equal((await second.ask({ type: 'choices', radio: second.id('r1'), token: `guess ${i}` })).message, 'the control token is wrong');
    assert.match((await second.ask({ type: 'choices', radio: second.id('r1'), token })).message, /^too many wrong control tokens from this address: try again in \d+ s$/);
});

test('a hub with a token of its own asks for that, too', options, async (t) => {
    const { url } = await broker(t);
    const daemon = await hub(t, url, ['--token', 'the token of the hub']);
    await sensor(t, url, 'r1');
    await daemon.untilState('r1', 'running');
    const stranger = await asking(t, daemon), friend = await asking(t, daemon);
    await until('lists', () => stranger.id('r1') && friend.id('r1'));
    const request = { type: 'set', radio: stranger.id('r1'), token, center_hz: 123e6 };
    assert.equal((await stranger.ask(request)).message, 'requests need the control token of this hub, too');
    friend.say({ type: 'hello', token: 'the token of the hub' });
    assert.equal((await friend.ask(request)).type, 'done');
    assert.deepEqual([stranger.welcome.control, friend.welcome.control], [false, true]);
});

test('rights that the broker does not give the hub are named, and it reads on', options, async (t) => {
    const all = '{ user: sensor, password: s }';
    const cases = [['publish: { deny: ">" }, subscribe: ["fftd.>", "_INBOX.>"]', 'the broker does not let this hub send requests to the radio'],
        ['publish: "fftd.*.*.control", subscribe: { allow: "fftd.>", deny: "fftd.*.*.control" }', 'the broker does not let this hub read answers of radios'],
        ['publish: "fftd.*.*.control", subscribe: { allow: ["fftd.>", "_INBOX.>"], deny: "fftd.*.*.control" }', undefined]];
    for (const [rights, expected] of cases) {
        const { url } = await broker(t, { config: `authorization { users = [${all}, { user: hub, password: h, permissions: { ${rights} } }] }` });
        const files = ['sensor:s', 'hub:h'].map((line) => {
            const path = join(scratch(), 'credentials');
            writeFileSync(path, `${line}\n`);
            return path;
        });
        const daemon = await hub(t, url, ['--nats-credentials', files[1]]);
        const far = await sensor(t, url, 'r1', ['--token', token, '--nats-credentials', files[0]]);
        await daemon.untilState('r1', 'running');
        const page = await asking(t, daemon);
        await until('a list', () => page.id('r1'));
        const { message } = await page.ask({ type: 'set', radio: page.id('r1'), token, center_hz: 123e6 });
        assert.equal(message, expected);
        const { broker: link, radios } = await daemon.list();
        assert.deepEqual([link.connected, link.links], [true, 1]);
        await until('lines go on', async () => (await daemon.radio('r1')).lines > radios[0].lines);
        await far.stop();
        await daemon.stop();
    }
});

test('a request on its way when the broker goes is answered, and not sent again later', options, async (t) => {
    const server = await broker(t);
    const daemon = await hub(t, server.url);
    const asked = [];
    await madeUp(t, server.port, 'mute', (text) => { asked.push(text); });
    await until('it is known', async () => (await daemon.list()).radios.length === 1);
    const page = await asking(t, daemon);
    await until('a list', () => page.id('mute'));
    const radio = page.id('mute');
    page.say({ type: 'set', radio, token, center_hz: 1e6 });
    await until('the request', () => asked.length === 1);
    await server.kill();
    await until('an answer', () => page.answers.length === 1);
    assert.match(page.answers[0].message, /^the connection to the broker was lost: /);
    assert.equal((await page.ask({ type: 'set', radio, token, center_hz: 2e6 })).message, 'the hub has no connection to its broker');
    await server.start();
    await until('the hub is back', async () => (await daemon.list()).broker.connected);
    page.say({ type: 'set', radio, token, center_hz: 3e6 });
    await until('the next one', () => asked.some((text) => text.includes('3000000')));
    assert.deepEqual(asked.map((text) => JSON.parse(text).center_hz), [1e6, 3e6]);
});
