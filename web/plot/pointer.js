// Pointers, wheel and keys on the picture, turned into what they mean.

/**
 * @typedef {object} Actions
 * @property {() => import('./display.js').Layout} layout
 * @property {(x: number) => number} hzAt  x: 0 .. 1 of the plot
 * @property {(hz: number[], x: number[]) => void} hold  these frequencies belong to these places
 * @property {(factor: number, x: number) => void} zoom
 * @property {(fraction: number) => void} pan
 * @property {(factor: number, y: number) => void} zoomLevels  y: 0 .. 1 from the top
 * @property {(fraction: number) => void} shiftLevels
 * @property {(steps: number) => void} speed
 * @property {() => void} reset
 * @property {(at: { x: number, y: number } | null) => void} hover  CSS pixels
 *
 * @typedef {{ x: number, y: number, hz: number }} Finger  where it is, and the frequency it took hold of
 */

/** Pixels of a wheel event, whatever unit the browser has chosen. @param {WheelEvent} event */
function wheelPixels(event) {
  const unit = event.deltaMode === 1 ? 33 : event.deltaMode === 2 ? 400 : 1;
  return { x: event.deltaX * unit, y: event.deltaY * unit };
}

/** To 0 .. 1. @param {number} at */
const inside = (at) => Math.min(1, Math.max(0, at));

/** @param {number} pixels @param {number} gain */
const wheelFactor = (pixels, gain) => Math.min(2, Math.max(0.5, Math.exp(-pixels * gain)));

/**
 * @param {HTMLElement} element @param {Actions} actions
 */
export function listen(element, actions) {
  /** @type {Map<number, Finger>} */
  const fingers = new Map();

  /** @param {MouseEvent} event */
  const place = (event) => {
    const box = element.getBoundingClientRect();
    const layout = actions.layout(), x = event.clientX - box.left, y = event.clientY - box.top;
    const onScale = x < layout.gutter;
    const inSpectrum = y < layout.waterfallTop;
    return { x, y, onScale, inSpectrum, plotX: (x - layout.gutter) / layout.plotWidth,
      plotY: (y - layout.top) / layout.spectrumHeight };
  };

  element.addEventListener('wheel', (event) => {
    event.preventDefault();
    const at = place(event), moved = wheelPixels(event);
    const sideways = event.shiftKey || Math.abs(moved.x) > Math.abs(moved.y);
    const gain = event.ctrlKey ? 0.01 : 0.002; // a pinch on a touchpad comes as a small wheel with ctrl
    if (at.onScale && at.inSpectrum) actions.zoomLevels(wheelFactor(moved.y, gain), inside(at.plotY));
    else if (at.onScale) actions.speed(-Math.sign(moved.y));
    else if (sideways) actions.pan((moved.x || moved.y) / 1000);
    else actions.zoom(wheelFactor(moved.y, gain), inside(at.plotX));
  }, { passive: false });

  /** @param {PointerEvent} event */
  const press = (event) => {
    if (event.button !== 0) return;
    element.focus({ preventScroll: true });
    const at = place(event);
    element.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, { x: at.x, y: at.y, hz: at.onScale ? NaN : actions.hzAt(at.plotX) });
    if (event.pointerType !== 'mouse') actions.hover(at.onScale ? null : at);
  };

  /** @param {Finger} finger @param {ReturnType<typeof place>} at */
  const drag = (finger, at) => {
    const { spectrumHeight, gutter, plotWidth } = actions.layout();
    const down = at.y - finger.y;
    Object.assign(finger, { x: at.x, y: at.y });
    if (Number.isNaN(finger.hz)) {
      if (at.inSpectrum) actions.shiftLevels(down / spectrumHeight);
      return;
    }
    const held = [...fingers.values()].filter(({ hz }) => !Number.isNaN(hz)).slice(0, 2);
    actions.hold(held.map(({ hz }) => hz), held.map(({ x }) => (x - gutter) / plotWidth));
  };

  /** @param {PointerEvent} event */
  const move = (event) => {
    const at = place(event), finger = fingers.get(event.pointerId);
    actions.hover(at.onScale || at.plotX > 1 ? null : at);
    if (finger) drag(finger, at);
  };

  /** @param {PointerEvent} event */
  const lift = (event) => { fingers.delete(event.pointerId); };

  element.addEventListener('pointerdown', press);
  element.addEventListener('pointermove', move);
  element.addEventListener('pointerup', lift);
  element.addEventListener('pointercancel', lift);
  element.addEventListener('pointerleave', (event) => { if (event.pointerType === 'mouse') actions.hover(null); });
  element.addEventListener('dblclick', () => actions.reset());
}

/** True where a key belongs to somebody else. @param {KeyboardEvent} event */
function isTaken(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return true;
  const target = event.target instanceof HTMLElement ? event.target : null;
  if (target?.closest('input, select, textarea, dialog, [contenteditable]')) return true;
  return event.key === ' ' && target?.closest('button') !== null && target !== null;
}

/**
 * @typedef {{ keys: string[], shown: string, about: string, run: () => void }} Key
 * @param {Key[]} keys  one table: what they do, and the overlay that tells
 */
export function listenKeys(keys) {
  const byName = new Map(keys.flatMap((key) => key.keys.map((name) => [name, key])));
  addEventListener('keydown', (event) => {
    const key = byName.get(event.key.length === 1 ? event.key.toLowerCase() : event.key);
    if (!key || isTaken(event)) return;
    event.preventDefault();
    key.run();
  });
}
