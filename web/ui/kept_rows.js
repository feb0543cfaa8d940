// Rows of lists that are renewed while somebody uses them.

const CONTROLS = 'button, input, a';

/**
 * Moves the focus from a row that goes to the same control of its neighbour, else to the tab of the panel.
 * @param {HTMLElement} row
 */
function passFocus(row) {
  const controls = [...row.querySelectorAll(CONTROLS)],
    at = controls.indexOf(/** @type {Element} */ (document.activeElement));
  if (at < 0) return;
  const neighbour = row.nextElementSibling ?? row.previousElementSibling,
    others = [...(neighbour?.querySelectorAll(CONTROLS) ?? [])];
  const tab = row.closest('[role=tabpanel]')?.getAttribute('aria-labelledby');
  const next = others[at] ?? others.at(-1) ?? document.getElementById(tab ?? '');
  /** @type {HTMLElement | undefined | null} */ (next)?.focus();
}

/**
 * Shows items as the children of an element, in their order. A child stays as long as its item does, and with it the
 * focus
 * and a click that has begun on it.
 * @template T
 * @param {HTMLElement} parent
 * @param {T[]} items
 * @param {{ keyOf: (item: T) => string | number, create: (item: T) => HTMLElement, fill?: (child: any, item: T) => void
 *   }} how
 */
export function keepRows(parent, items, { keyOf, create, fill }) {
  const keys = items.map((item) => String(keyOf(item))),
    wanted = new Set(keys);
  const rows = new Map(/** @type {HTMLElement[]} */ ([...parent.children]).map((row) => [row.dataset.key, row]));
  for (const [key, row] of rows) {
    if (wanted.has(key ?? '')) continue;
    passFocus(row);
    row.remove();
  }
  items.forEach((item, i) => {
    const row = rows.get(keys[i]) ?? create(item);
    row.dataset.key = keys[i];
    if (parent.children[i] !== row) parent.insertBefore(row, parent.children[i] ?? null);
    fill?.(row, item);
  });
}

const LET_GO_MS = 300; // the click of a tap comes after the finger has left

/**
 * Tells whether a pointer is over an element: what it aims at must not move then. Calls `release` some time after it
 * has left.
 * @param {HTMLElement} element @param {() => void} release
 */
export function aimedAt(element, release) {
  let aimed = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  element.addEventListener('pointerenter', () => {
    clearTimeout(timer);
    aimed = true;
  });
  element.addEventListener('pointerleave', () => {
    timer = setTimeout(() => {
      aimed = false;
      release();
    }, LET_GO_MS);
  });
  return () => aimed;
}
