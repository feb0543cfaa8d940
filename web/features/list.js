// The features of the page: a line each.

export { bookmarks } from './bookmarks/feature.js';
export { box } from './box/feature.js';
export { density } from './density/feature.js';
export { help } from './help/feature.js';
export { history } from './history/feature.js';
export { markers } from './markers/feature.js';
export { measure } from './measure/feature.js';
export { radio } from './radio/feature.js';
export { recording } from './recording/feature.js';
export { replay } from './replay/feature.js';
export { spectrum } from './spectrum/feature.js';
export { status } from './status/feature.js';
export { traces } from './traces/feature.js';
export { triggers } from './triggers/feature.js';
export { tuning } from './tuning/feature.js';
export { waterfall } from './waterfall/feature.js';
