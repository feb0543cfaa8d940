// names.test.mjs - what documents and man pages name is there: files and folders, paths and methods of HTTP, command lines,
// commands, settings of files, environment variables, presets, tests, keys and functions.
// (options.test.mjs has the options, links.test.mjs the links, protocol.test.mjs tables of keys, limits and metrics.)

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { test } from 'node:test';
import { scratch } from '../support/fftd.mjs';
import { documents as all, namesIn, parse, root, tableBelow } from './documents.mjs';

const { FFTD, BUILD, CTEST } = process.env;
const read = (...path) => readFileSync(join(root, ...path), 'utf8');

/** CHANGELOG names what was, too. */
const documents = new Map([...all].filter(([name]) => name !== 'CHANGELOG.md'));
/** Sources of man pages: *bold* and _underlined_ are their code. */
const manuals = new Map(
  readdirSync(join(root, 'man'))
    .filter((name) => name.endsWith('.scd.in'))
    .map((name) => {
      const text = read('man', name),
        { fences } = parse(text),
        marked = /(?<![\w*])\*([^*\n]+)\*|(?<!\w)_([^_\n][^\n]*?)_(?!\w)/g;
      const spans = text
        .split('\n')
        .flatMap((line, i) =>
          [...line.replace(/\\/g, '').matchAll(marked)].map(([, bold, under]) => ({
            code: bold ?? under,
            line: i + 1,
          })),
        );
      return [`man/${name}`, { text, fences, spans }];
    }),
);
const everything = new Map([...documents, ...manuals]);

function filesBelow(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (!entry.isDirectory()) return [relative(root, path)];
    return /^(\.git|build|node_modules)$/.test(entry.name) ? [] : [`${relative(root, path)}/`, ...filesBelow(path)];
  });
}
const tree = filesBelow(root);

/** [line, what] of all pieces of code of a document in which `find` finds something wrong. */
const wrongIn = ({ spans, fences = [] }, find) =>
  [...spans, ...fences].flatMap((piece) => find(piece).map((what) => [piece.line, what]));

/** Holds every document, one test each. */
function hold(what, among, find) {
  for (const [name, document] of among)
    test(`${what} in ${name} exists`, () => assert.deepEqual(find(document, name), []));
}

/* ---- files ---- */

const source = /\.(c|h|cl|cmake|conf|cpp|css|cu|html|js|json|md|mjs|qasm|qinc|sh|txt|in)$/;
/** Media types; files of other programs, of users, of fftd's folders, and of the example in CONTRIBUTING.md. */
const others =
  /^(application|text|bandplans)\/|resource_clock\.c$|^(example\.c|cmdline\.txt|nats-server\.conf|gpu_fft\.qinc|spurs\.txt|presets\.json)$/;

/** Whether a name, with NAME, * and <...> for any, ends the path of something in the tree. */
function inTree(name) {
  const [, preset, rest] = name.match(/^build\/([\w*]+)\/(.+)/) ?? [];
  if (preset) return inTree(`${rest.replace(/[^/]+$/, '')}`);
  const escaped = name
    .replace(/^\.\//, '')
    .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
    .replace(/NAME|\*/g, '[^/]+');
  const pattern = new RegExp(`(^|/)${escaped}$`);
  return tree.some((path) => pattern.test(path) || pattern.test(path.replace(/\/$/, '')));
}
const folders = new Set(tree.filter((path) => /^[^/]+\/$/.test(path)).map((path) => path.slice(0, -1)));

/** Words of code that name something in the tree: ROOM/FILE.c, FILE.c, FOLDER/, script/NAME. */
const pathsIn = (code) =>
  code
    .split(/[\s,;:()'"=]+/)
    .map((word) => word.replace(/\.$/, ''))
    .filter(
      (word) =>
        /^[\w.*/-]+$/.test(word)
        && !word.startsWith('/')
        && !word.startsWith('..')
        && !word.startsWith('-')
        && ((source.test(word) && /^[\w*]/.test(word))
          || /^[\w-]+(\/[\w-]+)*\/$/.test(word)
          || ((folders.has(word.split('/')[0]) || word.startsWith('build/')) && word.includes('/'))),
    );
const missingPaths = ({ code, language }) =>
  /^(js|c|json|python)$/.test(language) ? [] : pathsIn(code).filter((path) => !others.test(path) && !inTree(path));

hold(
  'every file',
  [...everything].filter(([name]) => !name.startsWith('docs/upstream/')),
  (document) => wrongIn({ spans: document.spans }, missingPaths),
);

test('a file that is missing is found', () => {
  const missing = (code) => missingPaths({ code });
  assert.deepEqual(missing('fft/nosuch.c'), ['fft/nosuch.c']);
  assert.deepEqual(missing('nosuch.mjs'), ['nosuch.mjs']);
  assert.deepEqual(missing('sh script/nosuch --all'), ['script/nosuch']);
  assert.deepEqual(missing('nosuch/'), ['nosuch/']);
  assert.deepEqual(missing('build/dev/nosuch/fftd'), ['build/dev/nosuch/fftd']);
  assert.deepEqual(
    missing('fft/fold.c daemon/source/NAME/ tests/docs/*.mjs script/test build/dev/daemon/fftd application/json'),
    [],
  );
});

test('the tables of folders have every folder, and no other', () => {
  const named = (name, heading) =>
    tableBelow(documents.get(name), heading)
      .flatMap(([cell]) => namesIn(cell))
      .sort();
  const below = (folder, has) =>
    tree
      .filter((path) => new RegExp(`^${folder}/[^/]+/$`).test(path) && has(path))
      .map((path) => path.slice(folder.length + 1, -1));
  const rooms = below('daemon', () => true);
  assert.deepEqual(
    named('ARCHITECTURE.md', '## Rooms')
      .filter((path) => /^daemon\/./.test(path))
      .map((path) => path.slice(7, -1)),
    rooms,
  );
  const folders = below('tests', (path) => tree.includes(`${path}CMakeLists.txt`)),
    listed = named('CONTRIBUTING.md', '## Tests').filter((name) => !name.includes('/'));
  assert.deepEqual(
    listed.filter((name) => !folders.includes(name)),
    [],
  );
  assert.deepEqual(
    folders.filter((name) => !listed.includes(name) && !rooms.includes(name)),
    [],
  );
});

/* ---- HTTP ---- */

const { paths, 'x-connection': ofWebsockets } = JSON.parse(read('docs/openapi.json')),
  api = { ...paths, ...ofWebsockets };
/** Those that docs/api.md says moved, and the example of CONTRIBUTING.md. */
const absentPaths = new Set(['/api/v1/measure', '/api/v1/measure-types', '/api/v1/clock']);

/** The operations of a path; of a radio of a hub, those of the path after it. undefined: there is no such path. */
function operationsOf(path) {
  const [, rest] = path.match(/^\/api\/v1\/radios\/[^/]+\/(.+)$/) ?? [];
  const wanted = (rest ? `/api/v1/${rest}` : path).split('/');
  if (/^\/api\/v1(\/radios(\/[^/]*)?)?\/?$/.test(path)) return { get: {} };
  const found = Object.keys(api).find(
    (known) =>
      known.split('/').length === wanted.length
      && known.split('/').every((part, i) => part === wanted[i] || (/^\{\w+\}$/.test(part) && wanted[i] !== '')),
  );
  return api[found];
}

/** Without a method: GET has it, or no method of HTTP but a call of a websocket. */
const isCalled = (operations, method) =>
  method ? method.toLowerCase() in operations : 'get' in operations || Object.values(ofWebsockets).includes(operations);

/** Paths of the text, with the method before them or of the curl that has them. */
function wrongCalls(text) {
  const joined = text.replace(/\\\n */g, ' ');
  const found = [...joined.matchAll(/(?:\b(GET|PUT|PATCH|POST|DELETE) )?(\/api\/v1\/[\w/{}.-]*)/g)].map(
    ([, method, path]) => [method, path],
  );
  const curls = [...joined.matchAll(/\bcurl\b[^\n]*?-X (\w+)[^\n]*?(\/api\/v1\/[\w/{}.-]*)/g)].map(
    ([, method, path]) => [method, path],
  );
  return [...found, ...curls]
    .map(([method, path]) => [method, path.replace(/\.$/, '')])
    .filter(([method, path]) => !absentPaths.has(path) && !isCalled(operationsOf(path) ?? {}, method))
    .map(([method, path]) => [method, path].filter(Boolean).join(' '));
}

hold('every path and method', everything, ({ text }) => wrongCalls(text));

test('a path or method that does not exist is found', () => {
  assert.deepEqual(wrongCalls('`/api/v1/nosuch`'), ['/api/v1/nosuch']);
  assert.deepEqual(wrongCalls('POST /api/v1/status'), ['POST /api/v1/status']);
  assert.deepEqual(wrongCalls('/api/v1/connection, /api/v1/connection/nosuch'), ['/api/v1/connection/nosuch']);
  assert.deepEqual(wrongCalls("curl -X DELETE \\\n    'http://localhost:8010/api/v1/status'"), [
    'DELETE /api/v1/status',
  ]);
  assert.deepEqual(wrongCalls('/api/v1/radios/roof.south/nosuch'), ['/api/v1/radios/roof.south/nosuch']);
  assert.deepEqual(
    wrongCalls('PUT /api/v1/measurements/voice, /api/v1/radios/roof.south/settings. /api/v1/radios'),
    [],
  );
});

/* ---- command lines ---- */

const help = execFileSync(FFTD, ['--help'], { encoding: 'utf8' });
const commands = new Set([...help.split(/^Source of/m)[0].matchAll(/^ {2}(\w[\w-]*)/gm)].map(([, word]) => word));
const options = new Set([...help.matchAll(/--([a-z][a-z-]*)/g)].map(([, name]) => name));

/** The arguments of each fftd in a piece of shell. */
const linesOf = (code) =>
  code
    .replace(/\\\n/g, ' ')
    .split(/\n|\||&&|;/)
    .map((part) => part.trim().replace(/\s#.*|\s\d?[<>].*|\s{3,}.*/g, ''))
    .flatMap((part) => part.match(/^(?:sudo )?(?:[^\s=]*\/)?fftd (.+)$/)?.[1] ?? []);
const absent = /No such file or directory|there is no archive|this is no Raspberry Pi|no such device|NOT found/;

/** fftd's complaints about the command lines of a piece of code, apart from files and devices that are not here. */
function refusedIn(folder, { code, language = '', words = [] }) {
  if (!/^(sh)?$/.test(language) || words.includes('test')) return [];
  return linesOf(code).flatMap((line) => {
    const [first] = line.split(' ');
    if (/^[\w-]+$/.test(first) && /^[a-z]/.test(first))
      return commands.has(first) ? [] : [`fftd ${first}: no such command`];
    const { status, stderr } = spawnSync('sh', ['-c', `${FFTD} --check-config ${line.replace(/[[\]]|\.\.\./g, '')}`], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, HOME: folder },
    });
    return status === 0 || absent.test(stderr) ? [] : [`fftd ${line}: ${stderr.trim().split('\n')[0]}`];
  });
}

for (const [name, { fences, spans }] of everything)
  test(`every command line of fftd in ${name} is accepted`, (t) => {
    const folder = scratch(t);
    assert.deepEqual(
      wrongIn({ fences, spans: documents.has(name) ? spans : [] }, (piece) => refusedIn(folder, piece)),
      [],
    );
  });

test('a command line that fftd refuses is found', (t) => {
  const folder = scratch(t),
    refused = (code) => refusedIn(folder, { code }).length;
  assert.equal(refused('fftd --source sim --overlap 150%'), 1);
  assert.equal(refused('fftd --source sim --window hnan | cat'), 1);
  assert.equal(refused('fftd lsit engines'), 1);
  assert.equal(
    refused('fftd -d driver=rtlsdr -f 100M --listen none --json - | jq .\nfftd list engines\nfftd missing.cu8 --csv -'),
    0,
  );
});

/* ---- settings of files, environment, presets ---- */

const texts = tree
  .filter(
    (path) =>
      !/\/$|\.(md|png|ico|bin|woff2|webp|cu8)$|^docs\/openapi\.json$|^man\/|^tests\/golden\/|^config\/|\/names\.test\.mjs$/.test(
        path,
      ),
  )
  .map((path) => read(path));
const inC = (text) => texts.some((each) => each.includes(`"${text}"`));

/** Lines "name = value" of the configuration file, or of another one that fftd reads. */
const unknownSettings = ({ code, language = '' }) =>
  language && language !== 'ini'
    ? []
    : [...code.matchAll(/^([a-z][a-z-]+) = \S/gm)]
        .map(([, name]) => name)
        .filter((name) => !options.has(name) && !inC(name));
hold(
  'every setting',
  [...everything].filter(([name]) => name !== 'docs/protocol.md'),
  (document) => wrongIn(document, unknownSettings),
);

const presets = JSON.parse(read('CMakePresets.json')).configurePresets.map(({ name }) => name);
const unknownPresets = (text) =>
  [...text.matchAll(/--preset[ =]([\w-]+)/g)]
    .map(([, name]) => name)
    .filter((name) => !presets.includes(name) && name !== 'NAME');
hold('every preset', everything, ({ text }) => unknownPresets(text));

/* ---- words of the code ---- */

const words = new Set(
  texts
    .flatMap((text) => text.match(/[A-Za-z0-9_]+(-[A-Za-z0-9_]+)*/g) ?? [])
    .flatMap((word) => [word, ...word.split('-')]),
);
const tests = new Set(
  JSON.parse(
    execFileSync(CTEST, ['--test-dir', BUILD, '--show-only=json-v1'], { encoding: 'utf8', maxBuffer: 1 << 26 }),
  ).tests.map(({ name }) => name),
);
const metrics = new Set(
  [...documents.values()].flatMap(({ lines }) =>
    lines.filter((line) => line.startsWith('| `fftd_')).flatMap((line) => namesIn(line.split('|')[1])),
  ),
);
const foreign = new Set(['proxy_bind', 'proxy_pass', 'module_verb', 'backend_hook']); // nginx; patterns of names

const known = (word) =>
  words.has(word)
  || tests.has(word)
  || metrics.has(word)
  || foreign.has(word)
  || words.has(word.replace(/_db(m|uv)\b|_db(m|uv)(?=_)/, '_dbfs')); // levels in another unit
/** Names of several parts that no file of the tree has: of keys, functions, tests, environment variables. */
const unknownWords = ({ code }) =>
  [...code.matchAll(/(?<![\w./~-])([A-Za-z][A-Za-z0-9]*(?:[_-][A-Za-z0-9]+)+)(?![\w/~-]|\.\w)/g)]
    .map(([, word]) => word)
    .filter((word) => (/^[a-z0-9_-]+$/.test(word) || /^FFTD?_/.test(word)) && !known(word));

hold(
  'every name',
  [...everything].filter(([name]) => !name.startsWith('studies/gpu_fft/')),
  (document) => wrongIn({ spans: document.spans }, unknownWords),
);

test('a setting, a preset, a variable and a key that do not exist are found', () => {
  assert.deepEqual(unknownSettings({ code: 'csv = x\nnosuch-option = 1\n' }), ['nosuch-option']);
  assert.deepEqual(unknownPresets('cmake --preset nosuch; ctest --preset dev'), ['nosuch']);
  assert.deepEqual(unknownWords({ code: 'FFTD_NOSUCH=1 no_such_key a.json line_rate_hz FFTD_IQ_DIR' }), [
    'FFTD_NOSUCH',
    'no_such_key',
  ]);
});
