// lines.mjs - the lines of one sensor from its messages, and an account of them. The page of a hub reads them with the same module.

export { LineReader, readHeader } from '../../web/hub/line_reader.js';
