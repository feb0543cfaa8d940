// Short forms for elements of the page.

/** @param {string} id */
export const byId = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/** @param {string} id */
export const selectById = (id) => /** @type {HTMLSelectElement} */ (byId(id));

/**
 * A new element. A button submits no form unless its type says so.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Partial<HTMLElementTagNameMap[T]> & Record<string, any>} [values]  properties, and attributes that are none
 * @param {string | (Node | string)[]} [children]
 * @returns {HTMLElementTagNameMap[T]}
 */
export function make(tag, values = {}, children = []) {
  const element = document.createElement(tag);
  if (tag === 'button') element.setAttribute('type', 'button');
  for (const [name, value] of Object.entries(values)) {
    if (name in element) /** @type {any} */ (element)[name] = value;
    else element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

/** @param {HTMLElement} element @param {{ into: string } | { before: string }} place  as selectors */
export function putElement(element, place) {
  const at = document.querySelector('into' in place ? place.into : place.before);
  if ('into' in place) at?.append(element);
  else at?.before(element);
}

/**
 * Sets the value of a field, unless it has the focus: what somebody types there stays.
 * @param {HTMLInputElement} field
 * @param {string} value
 */
export function setValue(field, value) {
  if (document.activeElement !== field) field.value = value;
}

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

/**
 * Calls `chosen` with a chosen value. A choice with the mouse gives the focus back, so that the page's keys work; one
 * by
 * keyboard keeps it.
 * @param {HTMLSelectElement} select
 * @param {(value: string) => void} chosen
 */
export function onChoice(select, chosen) {
  let byPointer = false;
  select.addEventListener('pointerdown', () => {
    byPointer = true;
  });
  select.addEventListener('keydown', () => {
    byPointer = false;
  });
  select.addEventListener('change', () => {
    chosen(select.value);
    if (byPointer) select.blur();
    byPointer = false;
  });
}

/**
 * Calls back when the page comes to a screen with more or fewer pixels, which no size in CSS pixels shows.
 * @param {() => void} changed
 */
export function onPixelRatio(changed) {
  matchMedia(`(resolution: ${devicePixelRatio}dppx)`).addEventListener(
    'change',
    () => {
      changed();
      onPixelRatio(changed);
    },
    { once: true },
  );
}
