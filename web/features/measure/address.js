// Measurements of this page alone as the address keeps them: JSON. Pure functions.

const MEASURES_MAX = 16,
  TEXT_MAX = 1024;

/** Leaves out what is none. @param {string} text @returns {[string, import('./measure.js').SetUp][]} */
export function parseMeasures(text) {
  /** @type {any} */
  let list = null;
  try {
    list = JSON.parse(text);
  } catch {
    /* none */
  }
  const isText = (/** @type {unknown} */ value) => typeof value === 'string' && value.length < TEXT_MAX;
  return (Array.isArray(list) ? list : [])
    .slice(0, MEASURES_MAX)
    .filter(
      (one) =>
        Array.isArray(one)
        && isText(one[0])
        && isText(one[1]?.type)
        && typeof one[1].keys === 'object'
        && one[1].keys !== null
        && Object.values(one[1].keys).every(isText),
    )
    .map(([name, { type, keys }]) => [name, { type, keys: { ...keys } }]);
}

/** @param {Iterable<[string, import('./measure.js').SetUp]>} measures @returns {string}  "": none */
export const formatMeasures = (measures) => {
  const list = [...measures];
  return list.length > 0 ? JSON.stringify(list) : '';
};

/** As parseHash keeps it. @param {string} text */
export const checkMeasures = (text) => formatMeasures(parseMeasures(text)) || undefined;
