// The edge of the dock: dragged or moved with keys, it makes the dock wider, on a phone higher; the browser remembers
// both. The style sheet keeps the plots their part.

import { remember, stored } from '../../util/stored.js';

const KEY_STEP = 24; // CSS pixels

/** What the browser remembers in CSS pixels. @param {string} side */
const keyOf = (side) => `fftd.dock.${side}`;

/** @param {HTMLElement} dock @param {HTMLElement} edge */
export function listenEdge(dock, edge) {
  const phone = matchMedia('(max-width: 700px)'),
    side = () => (phone.matches ? 'height' : 'width'),
    size = () => dock.getBoundingClientRect()[side()],
    all = () => (phone.matches ? innerHeight : innerWidth);
  /** @param {number} pixels  0: as at first */
  const set = (pixels) => dock.style.setProperty(`--dock-${side()}`, pixels > 0 ? `${pixels}px` : '');
  /** Less or more than there may be becomes the least or the most. @param {number} pixels */
  const change = (pixels) => {
    set(pixels);
    if (pixels) set(size());
    remember(keyOf(side()), String(pixels && Math.round(size())));
  };
  const updateAria = () => {
    edge.ariaOrientation = phone.matches ? 'horizontal' : 'vertical';
    edge.ariaValueNow = String(Math.round((100 * size()) / all()));
  };
  const turn = () => {
    set(Number(stored(keyOf(side()))));
    updateAria();
  };
  edge.onpointerdown = ({ button, pointerId }) => {
    if (button === 0) edge.setPointerCapture(pointerId);
  };
  edge.onpointermove = ({ pointerId, clientX, clientY }) => {
    if (!edge.hasPointerCapture(pointerId)) return;
    const { right, bottom } = dock.getBoundingClientRect();
    change(Math.max(1, phone.matches ? bottom - clientY : right - clientX));
  };
  edge.ondblclick = () => change(0);
  edge.onkeydown = (event) => {
    const larger = phone.matches ? 'ArrowUp' : 'ArrowLeft',
      smaller = phone.matches ? 'ArrowDown' : 'ArrowRight';
    const to = { [larger]: size() + KEY_STEP, [smaller]: size() - KEY_STEP, Home: 1, End: all() }[event.key];
    if (!to) return;
    change(to);
    event.preventDefault(); // not the page's key
  };
  new ResizeObserver(updateAria).observe(dock);
  phone.addEventListener('change', turn);
  turn();
}
