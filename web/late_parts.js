// The second script: what few visits use. What it imports and main.js does too is there twice once esbuild has joined
// each, so it has no state of its own (tests/browser/unit/late.test.mjs).

export { toggleListening } from './features/listen/actions.js';
export { fillListen } from './features/listen/panel.js';
export { fillTraces } from './features/traces/panel.js';
