// junit.mjs - reads the JUnit file of one ctest run.

const unescape = (text) =>
  text.replace(/&(lt|gt|quot|apos|amp|#(\d+));/g, (_, name, code) =>
    code ? String.fromCharCode(code) : { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' }[name],
  );

/** @returns {{name: string, status: string, seconds: number, skip: string, output: string}[]} */
export function readTests(xml) {
  return [...xml.matchAll(/<testcase ([^>]*)>(.*?)<\/testcase>/gs)].map(([, head, body]) => ({
    name: unescape(head.match(/name="([^"]*)"/)[1]),
    status: head.match(/status="([^"]*)"/)[1],
    seconds: Number(head.match(/time="([^"]*)"/)?.[1] ?? 0),
    skip: unescape(body.match(/<skipped message="([^"]*)"/)?.[1] ?? ''),
    output: unescape(body.match(/<system-out>(.*?)<\/system-out>/s)?.[1] ?? ''),
  }));
}
