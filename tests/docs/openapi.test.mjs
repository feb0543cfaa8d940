// openapi.test.mjs - docs/openapi.json against a running fftd.

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { scratch, serve, until } from '../support/fftd.mjs';
import { root } from './documents.mjs';

const read = (file) => readFileSync(join(root, file), 'utf8');
const { paths } = JSON.parse(read('docs/openapi.json'));
const methodsOf = (path) => ['get', 'put', 'patch', 'post', 'delete'].filter((method) => paths[path][method]);

test('the document is the one that fftd makes of its rows', async (t) => {
    const daemon = await serve(t, ['--source', 'sim']);
    const made = await (await fetch(`${daemon.url}api/v1/openapi.json`)).json();
    if (process.argv.includes('--write')) writeFileSync(join(root, 'docs/openapi.json'), `${JSON.stringify(made, null, 1)}\n`);
    assert.deepEqual(JSON.parse(read('docs/openapi.json')), made, 'node tests/docs/openapi.test.mjs --write renews it');
    for (const path of ['/api/v1/settings', '/api/v1/recordings', '/api/v1/measurements/{name}', '/api/v1/spectrum', '/healthz'])
        assert.ok(made.paths[path], path);
});

test('every example of a body is accepted, and changes what its path says', async (t) => {
    const spurs = join(scratch(t), 'spurs');
    writeFileSync(spurs, '');
    const daemon = await serve(t, ['--source', 'sim', '--record', scratch(t), '--spurs', spurs, '--state-dir', scratch(t)]);
    await until('a line', async () => (await fetch(`${daemon.url}api/v1/spectrum`)).status === 200);
    let sent = 0;
    for (const [path, operations] of Object.entries(paths))
        for (const [method, { requestBody }] of Object.entries(operations)) {
            const example = requestBody?.content['application/json'].example;
            if (!example || path === '/api/v1/replay') continue; // of a recording
            const answer = await fetch(daemon.url.slice(0, -1) + path.replace('{name}', 'a'), { method: method.toUpperCase(),
                headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(example) });
            assert.ok([200, 201, 202].includes(answer.status), `${method} ${path}: ${await answer.text()}`);
            if (answer.status === 201) assert.equal((await fetch(daemon.url.slice(0, -1) + answer.headers.get('location'))).status, 200, path);
            sent++;
        }
    assert.ok(sent >= 8, `${sent}`);
    const { settings } = await (await fetch(`${daemon.url}api/v1/settings`)).json();
    assert.deepEqual([settings.center_hz, settings.window], [433.92e6, 'hann']);
});

test('every route of a hub is in its document', () => {
    const routes = [...read('daemon/hub/serve/hub_role.c').match(/\broutes\[\] = \{\n([^]*?)\n\};/)[1].matchAll(/\{("[^"]+"|radios_path),/g)]
        .map(([, path]) => (path === 'radios_path' ? '/api/v1/radios/' : path.slice(1, -1)));
    const table = read('docs/many-radios.md').match(/\| path of a hub \| \|\n\|---\|---\|\n([^]*?)\n\n/)[1];
    assert.ok(routes.length > 4);
    assert.deepEqual([...table.matchAll(/^\| `([^`]+)`/gm)].map(([, path]) => path).filter((path) => path !== '/').sort(), routes.sort());
});

test('a running fftd has the paths, methods, parameters and types described', async (t) => {
    const daemon = await serve(t, ['--source', 'sim', '--measure', 'channel-power,name=a', '--trigger', 'level=0,name=a',
        '--archive', scratch(t), '--archive-tiers', '1ms:1h']);
    await until('a line', async () => (await fetch(`${daemon.url}api/v1/spectrum`)).status === 200);
    await fetch(`${daemon.url}api/v1/density`);
    await until('a row of the archive', async () => (await fetch(`${daemon.url}api/v1/archive`)).status === 200);
    await until('a density', async () => (await fetch(`${daemon.url}api/v1/density`)).status === 200);
    for (const path of Object.keys(paths)) {
        const url = daemon.url.slice(0, -1) + path.replace('{name}', 'a'), { get } = paths[path];
        const answer = await fetch(url), type = (answer.headers.get('content-type') ?? '').split(';')[0];
        assert.ok(get.responses[answer.status], `${path}: ${answer.status}`);
        if (answer.status === 200) assert.ok(type in get.responses[200].content, `${path}: ${type}`);
        await answer.arrayBuffer();
        if (get.responses[400]) assert.equal((await fetch(`${url}?nonsense=1`)).status, 400, path);
        for (const { name, schema } of (get.parameters ?? []).filter((each) => each.in === 'query'))
            for (const value of schema.enum ?? [])
                assert.equal((await fetch(`${url}?${name}=${value}`)).status, 200, `${path}?${name}=${value}`);
        const allow = (await fetch(url, { method: 'OPTIONS' })).headers.get('allow').toLowerCase().split(', ');
        assert.deepEqual(allow.filter((method) => method !== 'head').sort(), methodsOf(path).sort(), path);
    }
});
