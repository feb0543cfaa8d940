// tables.mjs - the tables of the documents that are made of openapi.json: paths, calls, rights, topics, and the paths of a hub.
// They stand between two comments, "<!-- made by ... -->" and "<!-- end -->"; openapi.test.mjs compares them, and writes them with --write.

import { documents } from './documents.mjs';

const METHODS = ['get', 'put', 'patch', 'post', 'delete'];
const LINKS = {
  '/metrics': '#metrics',
  '/ws': 'protocol.md',
  '/api/v1/archive': 'archive.md',
  '/api/v1/survey': 'archive.md#survey',
  '/api/v1/openapi.json': 'openapi.json',
};
const CHAPTERS = { triggers: 'triggers.md#http', recordings: 'recording.md#record-on-demand' }; // by tag

const row = (...cells) => `| ${cells.join(' | ')} |`.replace(/\|  (?=\|)/g, '| ');
const head = (...cells) => `${row(...cells)}\n|${'---|'.repeat(cells.length)}`;
const shown = (path) => `\`${path.replace('{name}', 'NAME').replace('{radio}', 'SITE.RADIO')}\``;
const methodsOf = (operations) => METHODS.filter((method) => operations[method]);
const keysOf = ({ parameters }) => parameters.filter((each) => each.in === 'query');

const byPath = ({ paths }) => Object.entries(paths).sort(([a], [b]) => (a < b ? -1 : 1));
/** With those of websockets alone. */
const allPaths = (document) => byPath({ paths: { ...document.paths, ...document['x-connection'] } });

/** Where the documents explain a path; undefined: nowhere. */
function placeOf(path, { tags: [tag] }) {
  const heading = path.replace(/\/\{.*/, '').replace(/[^\w-]/g, '');
  return documents.get('docs/api.md').anchors.has(heading) ? `#${heading}` : (LINKS[path] ?? CHAPTERS[tag]);
}

function pathRow([path, operations]) {
  const place = placeOf(path, operations.get),
    name = shown(path);
  return row(
    place ? `[${name}](${place})` : name,
    methodsOf(operations)
      .map((method) => method.toUpperCase())
      .join(', '),
    operations.get.summary,
  );
}

/** The methods of a path that are calls. PATCH is not shown where it is another name of PUT. */
const callsOf = (operations) =>
  methodsOf(operations).filter(
    (method) => operations[method]['x-right'] && operations[method].summary !== 'The same as PUT',
  );
const verbs = (operations, method) =>
  method === 'put' && operations.patch?.summary === 'The same as PUT' ? '`put` or `patch`' : `\`${method}\``;

function keysText({ requestBody, ...operation }) {
  const keys = keysOf(operation),
    others = requestBody?.content['application/json'].schema.additionalProperties;
  const names = keys.length > 8 ? [`[${keys.length} keys](#keys)`] : keys.map(({ name }) => `\`${name}\``);
  return [...names, ...(others ? ['others'] : [])].join(', ');
}

const callRows = ([path, operations]) =>
  callsOf(operations).map((method) =>
    row(
      `${verbs(operations, method)} ${shown(path)}`,
      operations[method]['x-right'],
      keysText(operations[method]),
      operations[method].summary,
    ),
  );
const keyRows = ([path, operations]) =>
  callsOf(operations).flatMap((method) =>
    keysOf(operations[method]).map(({ name, description }) =>
      row(`\`${name}\``, `\`${method}\` ${shown(path)}`, description),
    ),
  );
const choices = ({ enum: list }) => (list ? ` (${list.map((each) => `\`${each}\``).join(', ')})` : '');
const topicRow = ([name, { summary, message, keys }]) =>
  row(
    `\`${name}\``,
    `[${message.replace('-', ' ')}](#${message})`,
    summary,
    Object.entries(keys)
      .map(([key, schema]) => `\`${key}\`: ${schema.description}${choices(schema)}`)
      .join('. '),
  );

export const tables = {
  paths: (document) => [head('path', 'methods', ''), ...byPath(document).map(pathRow)],
  rights: ({ 'x-rights': rights }) => [
    head('right', 'who has it'),
    ...Object.entries(rights).map(([name, about]) => row(name, about)),
  ],
  calls: (document) => [head('call', 'right', 'keys', ''), ...allPaths(document).flatMap(callRows)],
  keys: (document) => [head('key', 'of', ''), ...allPaths(document).flatMap(keyRows)],
  topics: ({ 'x-topics': topics }) => [
    head('topic', 'what comes', 'when', 'more keys'),
    ...Object.entries(topics).map(topicRow),
  ],
  hub: (document) => [
    head('path of a hub', ''),
    ...byPath(document)
      .filter(([path]) => !path.includes('{radio}'))
      .map(([path, { get }]) => row(shown(path.replace('{name}', '{radio}')), get.summary)),
  ],
};

const between = (name) => new RegExp(`(<!-- made by tests/docs/openapi.test.mjs: ${name} -->\n)[^]*?(<!-- end -->)`);
export const madeIn = (text, name, document) =>
  text.replace(between(name), (all, begin, end) => `${begin}\n${tables[name](document).join('\n')}\n\n${end}`);
export const has = (text, name) => between(name).test(text);

/** Where each table stands. */
export const places = {
  paths: 'docs/api.md',
  rights: 'docs/protocol.md',
  calls: 'docs/protocol.md',
  keys: 'docs/protocol.md',
  topics: 'docs/protocol.md',
  hub: 'docs/hub-api.md',
};
