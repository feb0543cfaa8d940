// Reads the JUnit file of one ctest run and prints what became of each test, one a line:
//
//     passed<TAB>step: test        failed<TAB>step: test (why)       skipped<TAB>step: test (why)
//
// The cases inside a cmocka or node:test program are counted singly. ctest itself calls skipped
// tests "passed" and a program that is missing "skipped": neither is believed here.

import { readFileSync } from 'node:fs';

const [step, file] = process.argv.slice(2);

const unescape = (text) => text.replace(/&(lt|gt|quot|apos|amp|#(\d+));/g, (_, name, code) =>
    code ? String.fromCharCode(code) : { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' }[name]);

/** @returns {{name: string, status: string, skip: string, output: string}[]} */
function readTests(xml) {
    return [...xml.matchAll(/<testcase ([^>]*)>(.*?)<\/testcase>/gs)].map(([, head, body]) => ({
        name: unescape(head.match(/name="([^"]*)"/)[1]),
        status: head.match(/status="([^"]*)"/)[1],
        skip: unescape(body.match(/<skipped message="([^"]*)"/)?.[1] ?? ''),
        output: unescape(body.match(/<system-out>(.*?)<\/system-out>/s)?.[1] ?? ''),
    }));
}

// How each runner says what became of a case. The closing summary of cmocka repeats names.
const CASES = [
    [/^\[ +OK \] (\S+)/, 'passed'],
    [/^\[  FAILED  \] (?!\d+ test)([^\s:]+)/, 'failed'],
    [/^\[  SKIPPED \] (?!\d+ test)([^\s:]+)/, 'skipped'],
    [/^\s*not ok \d+ - (.*?)(?: # .*)?$/, 'failed'],
    [/^\s*ok \d+ - (.*?) # (?:SKIP|TODO) ?(.*)$/, 'skipped'],
    [/^\s*ok \d+ - (.*)$/, 'passed'],
    [/^\s*﹣ (.*?) \([\d.]+ms\) # (.*)$/, 'skipped'],
    [/^\s*✔ (.*?) \([\d.]+ms\)$/, 'passed'],
    [/^\s*✖ (.*?) \([\d.]+ms\)$/, 'failed'],
];

/** @returns {[name: string, outcome: string, why: string][]} */
function readCases(output) {
    const cases = [];
    for (const line of output.split('\n')) {
        if (/^\s*type: 'suite'/.test(line)) cases.pop(); // node's name for a group of the ones before
        const [pattern, outcome] = CASES.find(([p]) => p.test(line)) ?? [];
        if (!pattern) continue;
        const [, name, why = ''] = line.match(pattern);
        const said = line.startsWith('[') && cases.some(([before]) => before === name);
        if (!said) cases.push([name, outcome, why]);
    }
    return cases;
}

const lastLine = (text) => text.trim().split('\n').pop().trim().slice(0, 200);

function count(test) {
    const { name, status, skip, output } = test;
    if (status === 'notrun' && skip.startsWith('SKIP_RETURN_CODE'))
        return [[name, 'skipped', lastLine(output)]];
    if (status === 'disabled') return [[name, 'skipped', 'disabled']];
    if (status === 'notrun') return [[name, 'failed', skip || 'not run']];
    const cases = readCases(output).map(([which, ...rest]) => [`${name}: ${which}`, ...rest]);
    if (status === 'run') return cases.length ? cases : [[name, 'passed', '']];
    return cases.some(([, outcome]) => outcome === 'failed')
        ? cases : [...cases, [name, 'failed', lastLine(output) || 'no output: crashed or timed out']];
}

for (const test of readTests(readFileSync(file, 'utf8')))
    for (const [name, outcome, why] of count(test))
        console.log(`${outcome}\t${step}: ${name}${why ? ` (${why})` : ''}`);
