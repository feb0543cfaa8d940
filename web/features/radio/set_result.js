// The answer to the last change that this page asked for.

/**
 * @typedef {object} SetResult
 * @property {'none' | 'sent' | 'done' | 'failed'} kind
 * @property {string} text
 * @property {string} from  the part of the page that asked: 'radio', 'tuning'
 * @property {string} field  that was refused; "": none
 */

/** @type {SetResult} */
export const NO_RESULT = { kind: 'none', text: '', from: 'radio', field: '' };
