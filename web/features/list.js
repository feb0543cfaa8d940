// The features of the page, a line each, and what each registers in one object, the feature.js of its folder.

/**
 * @typedef {Readonly<import('../app/state.js').State>} State
 * @typedef {import('../app/store.js').Store} Store
 * @typedef {import('../util/hash.js').Settings} Settings
 *
 * @typedef {object} Page  what features get to work with
 * @property {Store} store
 * @property {import('../app/actions.js').Actions} actions
 * @property {import('../net/connection.js').Connection} connection
 * @property {import('./history/rows.js').PastRows} past
 * @property {import('./measure/measure.js').Measure} measure
 * @property {import('../plot/display.js').Display} display
 * @property {import('../app/commands.js').Command[]} commands  of all features
 * @property {readonly Panel[]} panels  the same
 * @property {import('./bookmarks/layer.js').BandPlanLayer} [plan]  the band plan over the spectrum
 * @property {(hits: import('../net/density.js').Density) => void} [takeDensity]
 *
 * @typedef {object} Part  an element of the page, and what it does
 * @property {string} id  of the element
 * @property {(page: Omit<Page, 'display'>) => HTMLElement} [element]  makes it; missing: index.html has it
 * @property {Place} [place]  where it goes
 * @property {(page: Page) => void} mount  called once, when the elements of all features are there
 *
 * @typedef {{ into: string } | { before: string }} Place  by the selector of another element
 *
 * @typedef {object} Panel  of the dock: a part, made by makePanel(), with a tab and with buttons that open it
 * @property {string} id  of its element; the address names it so
 * @property {string} label  of its tab
 * @property {keyof State} open  true: it has its tab
 * @property {(state: State) => boolean} [offered]  false: this server has nothing for it; missing: always true
 * @property {(keyof State)[]} [needs]  what that follows from
 * @property {boolean} [linked]  false: the address leaves it out; missing: true
 *
 * @typedef {object} Link  what the address keeps of a feature
 * @property {Record<string, (text: string) => number | string | undefined>} fields  what a text means; undefined:
 *   nothing
 * @property {[low: string, high: string, distance: number][]} [pairs]  of fields that count together alone, this far
 *   apart
 * @property {(keyof State)[]} keys  a change of one of them changes the address
 * @property {(state: State) => Partial<Record<keyof Settings, number | string>>} write
 * @property {(hash: Settings, state: State) => Partial<State>} [read]  what a new address changes; missing: nothing
 */

/**
 * @template S
 * @typedef {object} Feature  S: its part of the state
 * @property {number} order  of its commands in the help and in the menu, and of its elements
 * @property {(hash: Settings) => S} state  its part of the store at the start
 * @property {(Panel & { open: keyof S })[]} [panels]
 * @property {Partial<State>} [closed]  what else the command "close" changes
 * @property {Link} [link]
 * @property {import('../app/commands.js').Command[]} [commands]
 * @property {Record<string, (message: Record<string, any>, store: Store) => Partial<State> | void>} [messages]  what
 *   the server
 *   sends, by type
 * @property {Partial<State>} [disconnected]  what a lost connection changes
 * @property {(page: Omit<Page, 'display'>) => import('../plot/layers.js').Layer[]} [layers]  over the plots
 * @property {(keyof State)[]} [draws]  what is over the plots is drawn again when one of these changes
 * @property {(page: Page) => void} [start]  follows the store and the connection; before the parts are mounted
 * @property {Part[]} [parts]
 */

export { bookmarks } from './bookmarks/feature.js';
export { box } from './box/feature.js';
export { density } from './density/feature.js';
export { dock } from './dock/feature.js';
export { help } from './help/feature.js';
export { history } from './history/feature.js';
export { listen } from './listen/feature.js';
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
