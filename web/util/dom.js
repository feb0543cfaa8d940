// Short forms for elements of the page.

/** @param {string} id */
export const byId = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/** @param {string} id */
export const selectById = (id) => /** @type {HTMLSelectElement} */ (byId(id));

/** Leaves the page alone if the text is the same. @param {HTMLElement} element @param {string} text */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** @param {HTMLSelectElement} select @param {string} value */
function addOption(select, value) {
  const option = select.appendChild(document.createElement('option'));
  option.value = option.textContent = value;
}

/**
 * Chooses a value. One that is not among the options, such as kaiser(5), becomes one.
 * @param {HTMLSelectElement} select
 * @param {string} value
 */
export function choose(select, value) {
  if (![...select.options].some((option) => option.value === value)) addOption(select, value);
  if (select.value !== value) select.value = value;
}

/**
 * Offers these values, and the chosen one if it is not among them; chosen "": the first one.
 * @param {HTMLSelectElement} select
 * @param {string[]} values
 * @param {string} chosen
 */
export function offer(select, values, chosen) {
  select.replaceChildren();
  for (const value of values) addOption(select, value);
  if (chosen) choose(select, chosen);
}
