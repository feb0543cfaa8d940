// Turns what pointer and wheel do on the picture into actions.

/**
 * @typedef {object} Actions
 * @property {(x: number) => number} hzAt  x: 0 .. 1 of the plot
 * @property {(hz: number[], x: number[]) => void} holdFrequencies  moves each hz to its x
 * @property {(factor: number, x: number) => void} zoomView
 * @property {(fraction: number) => void} panView
 * @property {(factor: number, y: number) => void} zoomRange  y: 0 .. 1 from the top
 * @property {(fraction: number) => void} shiftRange
 * @property {(pixels: number) => void} stepSpeed
 * @property {() => void} showWholeSpan
 * @property {(at: { x: number, y: number } | null) => void} moveCursor  CSS pixels
 *
 * @typedef {{ x: number, y: number, hz: number }} Contact  a finger or a pressed button: its position now, and
 *     the frequency that it was put on; NaN: on a scale
 */

/** Pixels that a wheel event stands for, whatever its unit. @param {WheelEvent} event */
function wheelPixels(event) {
  const unit = event.deltaMode === 1 ? 33 : event.deltaMode === 2 ? 400 : 1;
  return { x: event.deltaX * unit, y: event.deltaY * unit };
}

/** Clamps to 0 .. 1. @param {number} value */
const clamp = (value) => Math.min(1, Math.max(0, value));

/** @param {number} pixels @param {number} gain */
const wheelFactor = (pixels, gain) => Math.min(2, Math.max(0.5, Math.exp(-pixels * gain)));

/**
 * @param {HTMLElement} element
 * @param {() => import('./display.js').Layout} layoutNow
 * @param {Actions} actions
 */
export function listenPointer(element, layoutNow, actions) {
  /** @type {Map<number, Contact>} */
  const contacts = new Map();

  /** @param {MouseEvent} event */
  const positionOf = (event) => {
    const box = element.getBoundingClientRect();
    const layout = layoutNow(), x = event.clientX - box.left, y = event.clientY - box.top;
    const onScale = x < layout.gutter;
    const inSpectrum = y < layout.waterfallTop;
    return { x, y, onScale, inSpectrum, plotX: (x - layout.gutter) / layout.plotWidth,
      plotY: (y - layout.top) / layout.spectrumHeight };
  };

  element.addEventListener('wheel', (event) => {
    event.preventDefault();
    const at = positionOf(event), moved = wheelPixels(event);
    const sideways = event.shiftKey || Math.abs(moved.x) > Math.abs(moved.y);
    const gain = event.ctrlKey ? 0.01 : 0.002; // browsers report a pinch on a touchpad as small wheel steps with Ctrl
    if (at.onScale && at.inSpectrum) actions.zoomRange(wheelFactor(moved.y, gain), clamp(at.plotY));
    else if (at.onScale) actions.stepSpeed(-Math.sign(moved.y));
    else if (sideways) actions.panView((moved.x || moved.y) / 1000);
    else actions.zoomView(wheelFactor(moved.y, gain), clamp(at.plotX));
  }, { passive: false });

  /** @param {PointerEvent} event */
  const press = (event) => {
    if (event.button !== 0) return;
    element.focus({ preventScroll: true });
    const at = positionOf(event);
    element.setPointerCapture(event.pointerId);
    contacts.set(event.pointerId, { x: at.x, y: at.y, hz: at.onScale ? NaN : actions.hzAt(at.plotX) });
    if (event.pointerType !== 'mouse') actions.moveCursor(at.onScale ? null : at);
  };

  /** @param {Contact} contact @param {ReturnType<typeof positionOf>} at */
  const drag = (contact, at) => {
    const { spectrumHeight, gutter, plotWidth } = layoutNow();
    const down = at.y - contact.y;
    Object.assign(contact, { x: at.x, y: at.y });
    if (Number.isNaN(contact.hz)) {
      if (at.inSpectrum) actions.shiftRange(down / spectrumHeight);
      return;
    }
    const onPlot = [...contacts.values()].filter(({ hz }) => !Number.isNaN(hz)).slice(0, 2);
    actions.holdFrequencies(onPlot.map(({ hz }) => hz), onPlot.map(({ x }) => (x - gutter) / plotWidth));
  };

  /** @param {PointerEvent} event */
  const move = (event) => {
    const at = positionOf(event), contact = contacts.get(event.pointerId);
    actions.moveCursor(at.onScale || at.plotX > 1 ? null : at);
    if (contact) drag(contact, at);
  };

  /** @param {PointerEvent} event */
  const lift = (event) => { contacts.delete(event.pointerId); };

  element.addEventListener('pointerdown', press);
  element.addEventListener('pointermove', move);
  element.addEventListener('pointerup', lift);
  element.addEventListener('pointercancel', lift);
  element.addEventListener('pointerleave', (event) => { if (event.pointerType === 'mouse') actions.moveCursor(null); });
  element.addEventListener('dblclick', () => actions.showWholeSpan());
}
