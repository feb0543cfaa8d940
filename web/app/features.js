// The features of the page in their order.

import * as list from '../features/list.js';

/** @type {import('../features/list.js').Feature<any>[]} */
export const FEATURES = Object.values(list).sort((a, b) => a.order - b.order);

/** Of all features. @type {import('./commands.js').Command[]} */
export const COMMANDS = FEATURES.flatMap(({ commands }) => commands ?? []);
