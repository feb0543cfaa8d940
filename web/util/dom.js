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
export function addOption(select, value) {
  const option = select.appendChild(document.createElement('option'));
  option.value = option.textContent = value;
}
