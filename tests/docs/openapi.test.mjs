// openapi.test.mjs - docs/openapi.json against the routes in the sources and a running fftd.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { scratch, serve, until } from '../support/fftd.mjs';
import { root } from './documents.mjs';

const read = (file) => readFileSync(join(root, file), 'utf8');
const { paths } = JSON.parse(read('docs/openapi.json'));
const names = (operation) => (operation.parameters ?? []).filter((each) => each.in === 'query').map(({ name }) => name);
const methodsOf = (path) => ['get', 'put', 'post', 'delete'].filter((method) => paths[path][method]);

test('every route is described, with its parameters', () => {
    const table = read('daemon/server/radio_role.c').match(/\broutes\[\] = \{\n([^]*?)\n\};/)[1];
    const routes = [...table.matchAll(/\{"([^"]+)", \w+,\s+"([^"]*)"\}/g)].map(([, path, known]) => [path.replace(/\/$/, '/{name}'),
        known.split(', ').filter(Boolean).sort()]);
    assert.ok(routes.length > 8);
    assert.deepEqual(Object.entries(paths).map(([path, { get }]) => [path, names(get).sort()]).sort(), routes.sort());
});

test('every route of a hub is in its document', () => {
    const routes = [...read('daemon/server/hub/hub_role.c').match(/\broutes\[\] = \{\n([^]*?)\n\};/)[1].matchAll(/\{("[^"]+"|radios_path),/g)]
        .map(([, path]) => (path === 'radios_path' ? '/api/v1/radios/' : path.slice(1, -1)));
    const table = read('docs/many-radios.md').match(/\| path of a hub \| \|\n\|---\|---\|\n([^]*?)\n\n/)[1];
    assert.ok(routes.length > 4);
    assert.deepEqual([...table.matchAll(/^\| `([^`]+)`/gm)].map(([, path]) => path).filter((path) => path !== '/').sort(), routes.sort());
});

test('the settings are those of the message "set"', () => {
    const fields = read('daemon/client/setting_change.c').match(/setting_fields\[\] = \{\n([^]*?)\n\};/)[1];
    assert.deepEqual(names(paths['/api/v1/settings'].put), [...fields.matchAll(/\{"(\w+)",/g)].map(([, name]) => name));
});

test('the parameters of a replay are the fields of the message "replay"', () => {
    const fields = read('daemon/client/replay_change.c').match(/\bfields\[\] = \{\n([^]*?)\n\};/)[1];
    assert.deepEqual(names(paths['/api/v1/replay'].put), [...fields.matchAll(/\{"(\w+)",/g)].map(([, name]) => name));
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
        for (const { name, schema } of get.parameters ?? [])
            for (const value of schema.enum ?? [])
                assert.equal((await fetch(`${url}?${name}=${value}`)).status, 200, `${path}?${name}=${value}`);
        const allow = (await fetch(url, { method: 'PATCH' })).headers.get('allow').toLowerCase().split(', ');
        assert.deepEqual(allow.filter((method) => method !== 'head'), methodsOf(path), path);
    }
});
