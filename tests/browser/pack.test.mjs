// Tests page-pack ($PAGE_PACK): node runs the modules and what they are joined to, and TypeScript parses both.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';

const folder = mkdtempSync(join(tmpdir(), 'fftd-pack-'));
after(() => rmSync(folder, { recursive: true }));
const web = fileURLToPath(new URL('../../web', import.meta.url));
let cases = 0;

/** Writes files into a folder of their own. @param {Record<string, string>} files */
function lay(files) {
  const to = join(folder, String(cases++));
  for (const [name, text] of Object.entries({ 'package.json': '{"type": "module"}', ...files })) {
    mkdirSync(dirname(join(to, name)), { recursive: true });
    writeFileSync(join(to, name), text);
  }
  return to;
}

const run = (...args) => spawnSync(process.env.PAGE_PACK, args, { encoding: 'utf8', maxBuffer: 1 << 24 });

function pack(kind, from, names) {
  const { status, stdout, stderr } = run(kind, from, ...names);
  assert.equal(stderr, '');
  assert.equal(status, 0);
  return stdout;
}

/** What globalThis.trap is after a file ran. */
async function outcome(path) {
  delete globalThis.trap;
  await import(pathToFileURL(path).href);
  return globalThis.trap;
}

/** Runs the modules as they are and joined: both must set globalThis.trap to this. Returns the joined text. */
async function sameOutcome(files, expected) {
  const from = lay(files), joined = pack('script', from, Object.keys(files));
  assert.deepEqual(await outcome(join(from, Object.keys(files)[0])), expected, 'the source');
  assert.deepEqual(await outcome(join(lay({ 'all.js': joined }), 'all.js')), expected, joined);
  return joined;
}

function refused(kind, files, reason) {
  const { status, stderr } = run(kind, lay(files), ...Object.keys(files));
  assert.equal(status, 1, stderr);
  assert.match(stderr, reason);
  assert.match(stderr, /^[^\n]+\n$/, 'one line');
}

// ---- tokens ---------------------------------------------------------------------------------

const TRAPS = {
  'a comment in a string': ['"a // b" + \'/* c */\'', 'a // b/* c */'],
  'quotes and line breaks that are escaped': ['"a\\"//" + \'b\\\'/*\' + "c\\\nd"', 'a"//b\'/*cd'],
  'a regular expression after (': ["'a/b'.replace(/\\/[/]*b/, '// c')", 'a// c'],
  'a regular expression with quotes and a class': ["'x\"]/'.match(/[\"'/\\]]+/)[0]", '"]/'],
  'a regular expression with a comment in it': ["/[/*]+/.source + /a\\/\\/b/.source", '[/*]+a\\/\\/b'],
  'a division after a bracket': ['(8) / 2 + "/ " + [8][0] / 4 + "/ "', '4/ 2/ '],
  'a division after a name, a number and a template': ['((in_, of_) => in_ / 2 + "/ " + of_ / 2 + "/")(8, 2) + 6 / 3 + "/ " + `8` / 2 + "/ "', '4/ 1/2/ 4/ '],
  'a division after ++': ['((a) => a++ / 2 + "/ 1")(8)', '4/ 1'],
  'a division after a property with the name of an operator': ['({ return: 8 }).return / 2 + "/ 1" + ({ in: 8 })?.in / 2 + "/ 1"', '4/ 14/ 1'],
  'a regular expression after return': ['(() => { return / "/g.flags; })()', 'g'],
  'a regular expression after typeof and a blank': ['typeof /x/', 'object'],
  'division by a regular expression': ['isNaN(4 / /2/)', true],
  'a regular expression in a template': ["`${/\"`/.test('\"`')}`", 'true'],
  'templates in templates': ['`a${`b${`c // ${1 + 1}`} /* d */`}e`', 'ab' + 'c // 2 /* d */e'],
  'braces in the expression of a template': ['`${{ a: { b: "}" } }.a.b}${(() => { return 1; })()}`', '}1'],
  'blanks and line breaks in a template': ['`  a  \n   // b\n${ 1 }  `', '  a  \n   // b\n1  '],
  'an escaped template': ['`\\`${1}\\${2}`', '`1${2}'],
  'a tagged template': ['((s, ...v) => s.raw.join("|") + v)`a\\n${ 7 }b`', 'a\\n|b7'],
  'entities of HTML': ['"&amp;&lt;!--" + `<!-- ${1} -->`', '&amp;&lt;!--<!-- 1 -->'],
  'signs in a row': ['((a, b) => [a + +b, a - -b, a + ++b, a - --b, - -a, + +a])(5, 2)', [7, 7, 8, 3, 5, 5]],
  'signs that are no comments of HTML': ['((a, b) => [a-- > b, 1 < !--b, b])(5, 2)', [true, false, 1]],
  'numbers and their methods': ['[1 .toFixed(1), 1..toFixed(1), 1.5.toFixed(0), 0x1f.toString(), 1e-3, 1E+3, .5, 0b11, 1_000, 5n + 0n === 5n]',
    ['1.0', '1.0', '2', '31', 0.001, 1000, 0.5, 3, 1000, true]],
  'a hexadecimal e': ['0xe+1', 15],
  'a condition before a fraction': ['true?.5:1', 0.5],
  'optional chaining': ['((a) => a?.b ?? a ?.c)({ c: 3 })', 3],
  'words between others': ["'a' in { a: 1 } && new Map instanceof Map && typeof void 0", 'undefined'],
  'powers, shifts and assignments': ['((a) => { a **= 2; a <<= 1; a >>>= 1; a ??= 4; a ||= 5; a &&= a ** 2; return a; })(3)', 81],
  'a comment between words': ['(() => { return/* a */typeof/* b */1 })()', 'number'],
  'letters outside ASCII in texts': ['"\u00b5" + `\u2014` + /\u00e4/.source', '\u00b5\u2014\u00e4'],
  'private names': ['(() => { class A { #a = 1; #b() { return #a in this && this.#a; } c() { return this.#b(); } } return new A().c(); })()', 1],
};

for (const [name, [source, expected]] of Object.entries(TRAPS))
  test(`${name}: joined text has the same value`, () => sameOutcome({ 'a.js': `globalThis.trap = ${source};\n` }, expected));

/** Statements whose ends depend on line breaks: they set `t`. */
const LINES = {
  'statements without semicolons': ['let a = 1\nlet b = a\n++b\nt = [a, b]', [1, 2]],
  'return before a line break': ['t = (() => {\n  return\n  1\n})()', undefined],
  'a line break in a comment ends return': ['t = (() => { return /*\n*/ 1 })()', undefined],
  'a function and an array': ['const f = () => 1\n;[t] = [f()]', 1],
  'an object before a name': ['const o = { a: 1 }\nt = o.a', 1],
  'a block before a name': ['{ t = 1 }\nt++', 2],
  'a regular expression after the condition of if, while and for': [
    `t = []; if (true) / "a/.test(' "a') && t.push(1); while (t.length < 2) /'b/.test("'b") && t.push(2); for (const x of [3]) /\`/.test('\`') && t.push(x)`, [1, 2, 3]],
  'a regular expression after the brackets of for await': ['async function f() { for await (const x of []) / "/.test(x); }\nt = typeof f', 'function'],
  'a division after a method with the name of a statement': [`const o = { if: (a) => a }; t = o.if(8) / 2 + " / '"`, "4 / '"],
  'a regular expression after else and do': [`t = 0; if (t) t = 1; else /'a/.test("'a") && t++; do /"b/.test('"b') && t++; while (t < 3)`, 3],
  'fields of a class without semicolons': ['class A {\n  static a = 1\n  static b\n  static\n  c = 2\n  get = 3\n  d\n}\nt = [A.a, A.b, A.c, new A().get]', [1, undefined, 2, 3]],
  'a generator after a field': ['class A {\n  a = 2;\n  *b() { yield 1 }\n}\nt = [...new A().b()]', [1]],
  'getters and async methods': ['class A {\n  get a() { return 1 }\n  async b() {}\n}\nt = [new A().a, new A().b() instanceof Promise]', [1, true]],
  'a label and break': ['t = 0\nouter: for (;;) {\n  for (;;) {\n    t++\n    break outer\n  }\n}', 1],
  'operators at the start and the end of lines': ['t = 1 +\n  2\n  + 3\n  - 4', 2],
  'chained calls': ['t = [1, 2]\n  .map((x) => x * 2)\n  ?.filter(Boolean)', [2, 4]],
  'a condition over lines': ['t = false\n  ? 1\n  : 2', 2],
  'decrement on a line of its own': ['t = 3\n--t', 2],
  'line ends of other systems': ['t = 1\r\nt++\rt++ // a\r\n', 3],
  'the last line without an end': ['t = 1 // a', 1],
};

for (const [name, [source, expected]] of Object.entries(LINES))
  test(`${name}: joined text does the same`, () => sameOutcome({ 'a.js': `let t;\n${source}\nglobalThis.trap = t;` }, expected));

test('constants that follow each other share one const', async () => {
  const joined = await sameOutcome({ 'a.js': `const a = 1;
export const b = () => { const c = 2; const d = c + 1; let e = d; const f = 4; return [c, d, e, f]; };
const g = 5
globalThis.own = g; const h = 6;
for (const i of [7]) globalThis.more = i; const j = 8;
globalThis.trap = [a, ...b(), g, h, j];
` }, [1, 2, 3, 3, 4, 5, 6, 8]);
  assert.equal(joined.match(/const /g).length, 7, joined);
});

test('comments and needless blanks are gone', () => {
  const text = pack('script', lay({ 'a.js': '/* a */\n// b\nconst  c = ( d ) => {\n\n  return d + 1; // e\n};\nc( 1 );\n' }), ['a.js']);
  assert.equal(text, 'const e=(t)=>{return t+1;};e(1);;\n');
});

for (const [name, source, reason] of [
  ['a / after }', 'const a = {} / 2;', /^a\.js:1: a \/ after }/],
  ['a / after of', 'let of = 1;\nof / 2;', /^a\.js:2: a \/ after of/],
  ['a string without end', 'const a = "b\n";', /^a\.js:1: a string has no end/],
  ['a template without end', '`${`a`}', /^a\.js:1: a template has no end/],
  ['a regular expression without end', 'a(/[/]\n/)', /^a\.js:1: a regular expression has no end/],
  ['a regular expression with classes in classes', '/[[a]&&b]/v', /^a\.js:1: a regular expression has the flag v/],
  ['a comment without end', 'a\n/* b', /^a\.js:2: a comment has no end/],
  ['a bracket that is not closed', 'a((1)', /^a\.js:1: a \( is not closed/],
  ['a wrong bracket', 'a(1]', /^a\.js:1: a ] closes no bracket/],
  ['an expression of a template without end', '`${a', /^a\.js:1: a \${ is not closed/],
  ['a letter outside ASCII in a name', 'const \u00e4 = 1;', /^a\.js:1: a character that page-pack does not know: byte 0xc3/],
  ['an escape in a name', 'const \\u0061 = 1;', /^a\.js:1: a character .* 0x5c/],
  ['a line separator of Unicode', '// a\u2028b', /^a\.js:1: a line separator/],
  ['a first line for a shell', '#!/bin/node', /^a\.js:1: a character .* 0x23/],
  ['a byte 0', 'a\0', /^a\.js: contains a byte 0/],
  ['a block after a label', 'const a = 1;\nb: { a; }', /^a\.js:2: page-pack does not know a block after a label/],
  ['a block after a case', 'switch (1) { case 1: { a; } }', /a block after a label/],
  ['a declaration of parts', 'const { a } = {};', /^a\.js:1: page-pack does not know this declaration/],
]) test(`${name} is refused`, () => refused('script', { 'a.js': source }, reason));

// ---- names ----------------------------------------------------------------------------------

/** Each sees `long` and `other`, which are 1 and 2 in another module. */
const NAMES = {
  'keys stay': ['[Object.keys({ long: other, other() {}, get long2() { return long; }, async other2() {} }), ({ long: 5 }).long, ({ long: 5 })?.long]',
    [['long', 'other', 'long2', 'other2'], 5, 5]],
  'a shorthand is a key and a name': ['({ long, x: 1, other })', { long: 1, x: 1, other: 2 }],
  'a shorthand beside a spread and a condition': ['({ ...(long ? { other } : { long }), y: long ? { long } : 2 })', { other: 2, y: { long: 1 } }],
  'patterns': ['(({ long, other = long }) => [long, other])({ long: 7 })', [7, 7]],
  'patterns in patterns': ['(({ a: { long }, b: [other], ...rest }) => [long, other, rest])({ a: { long: 3 }, b: [4], long: 5 })', [3, 4, { long: 5 }]],
  'an assignment to a pattern': ['(() => { let long, x; ({ long, other: x = other } = { long: 4 }); return [long, x]; })()', [4, 2]],
  'a parameter of the same name': ['[((long) => long + other)(5), ((other) => ({ other, long }))(6)]', [7, { other: 6, long: 1 }]],
  'a variable of a block': ['(() => { const sum = []; for (const { long, x } of [{ long: 8, x: 9 }]) sum.push(long, x, other); return sum; })()', [8, 9, 2]],
  'declarations in a list': ['(() => { let x = 3, long = other, y = long; return [x, long, y]; })()', [3, 2, 2]],
  'members of a class': [`(() => { class A {
    long = other;
    static other = long
    x = () => long
    get other() { return this.long; }
    long2() { return { long }; }
    #long = other;
    static { A.y = { other }; }
    z() { return this.#long; }
  } const a = new A(); return [a.long, A.other, a.x(), a.other, a.long2(), a.z(), A.y]; })()`, [2, 1, 1, 2, { long: 1 }, 2, { other: 2 }]],
  'computed keys': ['({ [long]: other, [`k${long}`]: { other } })', { 1: 2, k1: { other: 2 } }],
  'templates': ['`${long}long${{ other }.other}`', '1long2'],
  'names in conditions': ['long ? other : long', 2],
  'parameters, patterns, defaults and variables': [`(() => {
    const [first, { x: second = first }, ...others] = [3, {}, 4]; let third = 5, fourth;
    function sum(amount, { width = amount } = {}) { fourth = width; return amount + width; }
    try { throw new Error('y'); } catch (error) { third += error.message; }
    const inner = class Inner { static make(size) { return { size }; } set area(value) { this.kept = value; } };
    const made = new inner(); made.area = 6;
    return [first, second, others, third, sum(7), fourth, inner.make(8), made.kept, ((early, late = early) => [late])(9)];
  })()`, [3, 3, [4], '5y', 14, 7, { size: 8 }, 6, [9]]],
  'a name of the browser in a default value': ['((clock = () => performance.now() > 0, text = String(long)) => [clock(), text])()', [true, '1']],
  'private names in two classes': ['(() => { class A { #long = 1; static has(x) { return #long in x; } } class B { #long = 2; #b = 3; v() { return this.#long + this.#b; } } return [new B().v(), A.has(new A()), A.has({})]; })()',
    [5, true, false]],
};

for (const [name, [source, expected]] of Object.entries(NAMES))
  test(`${name}: short names keep the value`, async () => {
    const joined = await sameOutcome({ 'a.js': `import { long, other } from './b.js';\nglobalThis.trap = ${source};\n`, 'b.js': 'export const long = 1;\nexport const other = 2;\n' }, expected);
    assert.doesNotMatch(joined, /const (long|other)=[12]/, 'they are short');
  });

test('a name that any module contains is given to none', () => sameOutcome({
  'a.js': "import { value } from './b.js';\nglobalThis.a = 'global';\nconst own = (b) => [a, b, value];\nglobalThis.trap = own(1);",
  'b.js': 'export const value = [typeof c, typeof d];\n',
}, ['global', 1, ['undefined', 'undefined']]));

test('modules that declare the same names do not disturb each other', () => sameOutcome({
  'a.js': "import { a as b } from './b.js';\nconst own = 1, history = 2;\nlet more = own, last = 5\nfunction a() { return own; }\nglobalThis.trap = [own, history, a(), b(), more, last];",
  'b.js': 'const own = 3; const history = 4;\nexport const a = () => own + history;\n',
}, [1, 2, 1, 7, 1, 5]));

test('names inside functions and members are short, and those of one do not disturb another', async () => {
  const joined = await sameOutcome({ 'a.js': `import { Sum, twice } from './b.js';
const offset = 1;
function add(number) { const total = number + offset; return total; }
const scale = (factor, number) => factor * twice(number);
globalThis.trap = [add(2), scale(3, 4), new Sum(5).plus(6).value, new Sum(7).times(8)];`,
  'b.js': `export const twice = (number) => 2 * number;
export class Sum {
  #start = twice(0);
  constructor(number) { this.value = number + this.#start; }
  plus(other) {
    this.value += other;
    return this;
  }
  times(factor) {
    const number = this.value * factor;
    return number;
  }
}
` }, [3, 24, 11, 56]);
  assert.doesNotMatch(joined, /number|total|offset|factor|other/);
});

// ---- modules --------------------------------------------------------------------------------

test('modules see what they import, under other names too, and nothing else', () => sameOutcome({
  'main.js': "import { a, b as c, } from './x/a.js';\nimport { a as d, K, g, h, w } from './x/y/b.js';\n"
    + 'globalThis.trap = [a, c(), d, new K().v, [...g()], h() instanceof Promise, w(), typeof hidden];',
  'x/a.js': "import { a as inner } from './y/b.js';\nexport const a = 'a' + inner;\nconst hidden = 1;\nexport function b() { return hidden; }\n",
  'x/y/b.js': "import { up } from '../../up.js';\nconst hidden = 2;\nexport const a = up + hidden;\nexport class K { v = hidden; }\n"
    + 'export function* g() { yield hidden; }\nexport async function h() {}\nexport const w = () => typeof b;\n',
  'up.js': 'export const up = 40;\n',
}, ['a42', 1, 42, 2, [2], true, 'undefined', 'undefined']));

test('a module runs once, after those that it imports and in their order', () => sameOutcome({
  'main.js': "import { log } from './log.js';\nimport { b } from './b.js';\nimport { a } from './a.js';\nlog('main' + a + b);",
  'a.js': "import { log } from './log.js';\nexport const a = 1;\nlog('a');",
  'b.js': "import { a } from './a.js';\nimport { log } from './log.js';\nexport const b = 2;\nlog('b');",
  'log.js': 'globalThis.trap = [];\nexport const log = (what) => globalThis.trap.push(what);',
}, ['a', 'b', 'main12']));

const MAIN = { 'b.js': 'export const b = 1;' };
for (const [name, files, reason] of [
  ['an import of everything', { 'a.js': "import * as b from './b.js';", ...MAIN }, /^a\.js:1: page-pack does not know this form of import/],
  ['a default import', { 'a.js': "import b from './b.js';", ...MAIN }, /this form of import/],
  ['an import without names', { 'a.js': "import './b.js';", ...MAIN }, /this form of import/],
  ['an import with attributes', { 'a.js': "import { b } from './b.js' with { type: 'json' };", ...MAIN }, /this form of import/],
  ['an import when needed', { 'a.js': "const f = () => import('./b.js');", ...MAIN }, /does not know import\(/],
  ['the address of the module', { 'a.js': 'const f = () => import.meta.url;' }, /does not know import\./],
  ['a module of a package', { 'a.js': "import { b } from 'b';" }, /begins with neither/],
  ['a module outside the folder', { 'a.js': "import { b } from '../b.js';" }, /outside the page's folder/],
  ['a module that is not there', { 'a.js': "\nimport { b } from './c.js';" }, /^a\.js:2: imports c\.js, which is not there/],
  ['a name that is not exported', { 'a.js': "import { c } from './b.js';", ...MAIN }, /^a\.js:1: b\.js does not export c/],
  ['a module that nobody imports', { 'a.js': 'a', ...MAIN }, /^b\.js: no module imports it/],
  ['modules that import each other', { 'a.js': "import { b } from './b.js';\nexport const a = 1;", 'b.js': "import { a } from './a.js';\nexport const b = a;" }, /^b\.js:1: imports a\.js, which imports it too/],
  ['a default export', { 'a.js': 'export default 1;' }, /this form of export/],
  ['an export of a list', { 'a.js': 'const a = 1;\nexport { a };' }, /^a\.js:2: .*this form of export/],
  ['an export of another module', { 'a.js': "export * from './b.js';", ...MAIN }, /this form of export/],
  ['an export of a variable', { 'a.js': 'export let a = 1;' }, /this form of export/],
  ['an export of parts', { 'a.js': 'export const { a } = {};' }, /this form of export/],
  ['await outside a function', { 'a.js': 'await 1;' }, /await outside a function/],
]) test(`${name} is refused`, () => refused('script', files, reason));

test('a file that is missing is refused', () => {
  const { status, stderr } = run('script', folder, 'missing.js');
  assert.equal(status, 1);
  assert.match(stderr, /^missing\.js: No such file or directory\n$/);
  assert.equal(run('script').status, 2);
});

test('a part has the modules that it needs, and no others', async () => {
  const folder = lay({ 'hub/a.js': "import { b } from '../b.js';\nglobalThis.trap = b;\n", 'b.js': 'export const b = 7;\n', 'c.js': 'globalThis.trap = 8;\n' });
  const text = pack('part', folder, ['hub/a.js', 'b.js', 'c.js']);
  assert.doesNotMatch(text, /8/);
  assert.equal(await outcome(join(lay({ 'main.js': text }), 'main.js')), 7);
});

// ---- the page itself ------------------------------------------------------------------------

const typescript = await import('typescript').then((found) => found.default, () => null);

/** The modules of a folder as a program: main and what it imports. */
function programOf(folder, main) {
  const { ModuleKind, ScriptTarget, createProgram } = typescript;
  return createProgram([join(folder, main)], { allowJs: true, noEmit: true, target: ScriptTarget.ES2022, module: ModuleKind.ES2022, lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'], types: [] });
}

/** Whether an identifier is a key: it keeps its name. */
function isKey({ parent, pos }) {
  const { SyntaxKind: kinds } = typescript, keyed = [kinds.PropertyAssignment, kinds.MethodDeclaration, kinds.PropertyDeclaration, kinds.GetAccessor, kinds.SetAccessor];
  return (keyed.includes(parent.kind) || parent.kind === kinds.PropertyAccessExpression) ? parent.name.pos === pos
    : parent.kind === kinds.BindingElement && parent.propertyName?.pos === pos;
}

/** A syntax tree as a list, in which { a } is written as { a: a }: kinds, texts, and the nodes of names. */
function leaves(node, list = []) {
  const { SyntaxKind: kinds } = typescript;
  if (node.kind === kinds.Identifier || node.kind === kinds.PrivateIdentifier)
    return list.push(node.kind === kinds.Identifier && isKey(node) ? node.text : node), list;
  if (node.kind === kinds.VariableStatement || node.kind === kinds.VariableDeclarationList) { // several may become one
    typescript.forEachChild(node, (child) => { if (child.kind !== kinds.ExportKeyword) leaves(child, list); });
    return list;
  }
  if (node.kind === kinds.VariableDeclaration) list.push(`const ${(node.parent.flags & typescript.NodeFlags.Const) !== 0}`);
  const short = node.kind === kinds.ShorthandPropertyAssignment;
  const pattern = node.kind === kinds.BindingElement && !node.propertyName && !node.dotDotDotToken && node.parent.kind === kinds.ObjectBindingPattern;
  list.push(short ? kinds.PropertyAssignment : node.kind);
  if (short || pattern) list.push(node.name.text);
  if (short && node.objectAssignmentInitializer) list.push(kinds.BinaryExpression);
  let empty = true;
  typescript.forEachChild(node, (child) => { empty = false; if (child.kind !== kinds.ExportKeyword) leaves(child, list); });
  if (empty && !/^[{[(]/.test(node.getText())) list.push(node.getText()); // brackets may contain a comment
  if (node.kind === kinds.TemplateHead) list.push(node.text);
  list.push('end');
  return list;
}

/** The statements of the modules in the order in which a browser evaluates them, without imports. */
function statementsInOrder(program, folder, name = 'main.js', seen = new Set()) {
  if (seen.has(name)) return [];
  seen.add(name);
  const { ImportDeclaration, EmptyStatement } = typescript.SyntaxKind, { statements } = program.getSourceFile(join(folder, name));
  const imported = statements.filter(({ kind }) => kind === ImportDeclaration)
    .flatMap(({ moduleSpecifier }) => statementsInOrder(program, folder, join(dirname(name), moduleSpecifier.text), seen));
  return [...imported, ...statements.filter(({ kind }) => kind !== ImportDeclaration && kind !== EmptyStatement)];
}

/** What a name stands for: the place of its declaration, or its text if none of the modules declares it. */
function meaningOf(checker, node) {
  const { SymbolFlags, SyntaxKind: kinds } = typescript, { parent } = node;
  let symbol = parent.kind === kinds.ShorthandPropertyAssignment ? checker.getShorthandAssignmentValueSymbol(parent) : checker.getSymbolAtLocation(node);
  if (symbol && symbol.flags & SymbolFlags.Alias) symbol = checker.getAliasedSymbol(symbol);
  const [declaration] = symbol?.declarations ?? [], file = declaration?.getSourceFile();
  return file && !file.isDeclarationFile ? `${file.fileName}:${declaration.getStart()}` : node.text;
}

const modules = readdirSync(web, { recursive: true }).map(String).filter((name) => name.endsWith('.js') && !/^(main|sw|hub\/main)\.js$/.test(name));
for (const [kind, main, files, least] of [
  ['script', 'main.js', modules.filter((name) => !name.startsWith('hub/')), 2000],
  ['part', 'hub/main.js', modules, 800],
]) test(`each name of ${main} stands in the joined file for what it stands for in its module`, { skip: typescript ? false : 'typescript is missing' }, () => {
  assert.ok(files.length > 60);
  const joined = lay({ [main]: pack(kind, web, [main, ...files]) });
  const [before, after] = [web, joined].map((folder) => {
    const program = programOf(folder, main), checker = program.getTypeChecker();
    return statementsInOrder(program, folder, main).flatMap((statement) => leaves(statement))
      .map((leaf) => (leaf?.kind === undefined ? { text: leaf } : { text: 'name', name: leaf.text, meaning: meaningOf(checker, leaf) }));
  });
  const there = new Map(), back = new Map();
  const isSame = ({ text, name, meaning }, i) => {
    const now = after[i];
    if (text !== now.text) return false;
    if (name === undefined) return true;
    if (!there.has(meaning) && !back.has(now.meaning)) { there.set(meaning, now.meaning); back.set(now.meaning, meaning); }
    const isGlobal = meaning === name;
    return there.get(meaning) === now.meaning && back.get(now.meaning) === meaning && isGlobal === (now.meaning === now.name) && (!isGlobal || name === now.name);
  };
  const wrong = before.findIndex((leaf, i) => !isSame(leaf, i));
  assert.equal(wrong, -1, `${JSON.stringify(before[wrong])} became ${JSON.stringify(after[wrong])}`);
  assert.equal(before.length, after.length);
  assert.ok(there.size >= least, `${there.size} names`);
});

// ---- style sheets ---------------------------------------------------------------------------

test('style sheets follow each other without comments and needless blanks', () => {
  const files = {
    'a.css': '/* a */\na > b , c :hover { color : red; /* b */ margin: 0  1px ; }\n\n@media ( min-width: 1px ) and (x) { d::after { content: "/*  {" ; } }\n',
    'b.css': 'e { width: calc( 1px + 2px ) }',
  };
  assert.equal(pack('style', lay(files), Object.keys(files)),
    'a > b,c :hover{color :red;margin:0 1px;}@media (min-width:1px) and (x){d::after{content:"/*  {";}}\ne{width:calc(1px + 2px)}\n');
});

for (const [name, text, reason] of [
  ['an import', '@import "b.css";', /^a\.css:1: page-pack does not know @import/],
  ['an address', 'a { background: url(b.png) }', /does not know url\(/],
  ['a comment without end', 'a {}\n/* b', /^a\.css:2: a comment has no end/],
  ['a string without end', 'a { content: "b\n" }', /a string has no end/],
  ['a comment that parts words', 'a/**/.b {}', /a comment without a blank/],
]) test(`a style sheet with ${name} is refused`, () => refused('style', { 'a.css': text }, reason));
