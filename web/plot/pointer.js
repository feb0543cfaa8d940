// Turns what pointer and wheel do on the picture into actions, unless a layer takes it.

/**
 * @typedef {object} Actions
 * @property {(x: number) => number} hzAt  x: 0 .. 1 of the plot
 * @property {(hz: number[], x: number[]) => void} holdFrequencies  moves each hz to its x
 * @property {(factor: number, x: number) => void} zoomView
 * @property {(fraction: number) => void} panView
 * @property {(factor: number, y: number) => void} zoomRange  y: 0 .. 1 from the top
 * @property {(fraction: number) => void} shiftRange
 * @property {(pixels: number) => void} stepSpeed
 * @property {(pixels: number) => void} scrollBack
 * @property {() => void} showWholeSpan
 * @property {(at: { x: number, y: number } | null) => void} moveCursor  CSS pixels
 *
 * @typedef {import('./layers.js').Point} Point
 * @typedef {{ layout: import('./display.js').Layout, scene: import('./display.js').Scene, layers:
 *   import('./layers.js').Layers }} Picture
 *
 * @typedef {object} Contact  a finger or a pressed button
 * @property {number} x  now
 * @property {number} y
 * @property {number} hz  that it was put on; NaN: on a scale
 * @property {boolean} inSpectrum  it was put on the spectrum or its scale
 * @property {{ x: number, y: number } | null} from  where it was put on; null: it has moved from there
 * @property {((point: Point, phase: import('./layers.js').Phase) => void) | null} grip  of a layer's handle
 */

const CLICK_WITHIN = { mouse: 3, touch: 9 }; // CSS pixels that a click or tap may move
const REACH = { mouse: 7, touch: 22 }; // CSS pixels to a handle
const BLUR = { mouse: 3, touch: 12 }; // CSS pixels around a point

/** @param {PointerEvent} event */
const kindOf = (event) => (event.pointerType === 'mouse' ? 'mouse' : 'touch');

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
 * @param {Picture} picture
 * @param {Actions} actions
 */
export function listenPointer(element, picture, actions) {
  /** @type {Map<number, Contact>} */
  const contacts = new Map();

  /** @param {MouseEvent} event */
  const positionOf = (event) => {
    const box = element.getBoundingClientRect();
    const { layout } = picture,
      x = event.clientX - box.left,
      y = event.clientY - box.top;
    const onScale = x < layout.gutter;
    const inSpectrum = y < layout.waterfallTop;
    return {
      x,
      y,
      onScale,
      inSpectrum,
      plotX: (x - layout.gutter) / layout.plotWidth,
      plotY: (y - layout.top) / layout.spectrumHeight,
    };
  };

  /** @param {PointerEvent} event @param {ReturnType<typeof positionOf>} at @returns {Point} */
  const pointAt = (event, { x, y, plotX, plotY, inSpectrum }) => {
    const { topDb, bottomDb } = picture.scene.range,
      near = BLUR[kindOf(event)] / picture.layout.plotWidth;
    return {
      x,
      y,
      hz: actions.hzAt(plotX),
      db: topDb - plotY * (topDb - bottomDb),
      inSpectrum,
      nearHz: actions.hzAt(plotX + near) - actions.hzAt(plotX),
    };
  };

  /** @param {PointerEvent} event @param {ReturnType<typeof positionOf>} at */
  const gripAt = (event, at) => picture.layers.grip(at.x, at.y, picture.scene, REACH[kindOf(event)], event.shiftKey);

  element.addEventListener(
    'wheel',
    (event) => {
      event.preventDefault();
      const at = positionOf(event),
        moved = wheelPixels(event);
      const sideways = event.shiftKey || Math.abs(moved.x) > Math.abs(moved.y);
      const gain = event.ctrlKey ? 0.01 : 0.002; // browsers report a pinch on a touchpad as small wheel steps with Ctrl
      if (at.onScale && at.inSpectrum) actions.zoomRange(wheelFactor(moved.y, gain), clamp(at.plotY));
      else if (at.onScale && event.shiftKey) actions.scrollBack(moved.y || moved.x);
      else if (at.onScale) actions.stepSpeed(-Math.sign(moved.y));
      else if (sideways) actions.panView((moved.x || moved.y) / 1000);
      else actions.zoomView(wheelFactor(moved.y, gain), clamp(at.plotX));
    },
    { passive: false },
  );

  /** @param {PointerEvent} event */
  const press = (event) => {
    if (event.button !== 0) return;
    element.focus({ preventScroll: true });
    const at = positionOf(event),
      grip = contacts.size === 0 ? gripAt(event, at) : null;
    element.setPointerCapture(event.pointerId);
    contacts.set(event.pointerId, {
      x: at.x,
      y: at.y,
      hz: at.onScale ? NaN : actions.hzAt(at.plotX),
      inSpectrum: at.inSpectrum,
      from: at,
      grip,
    });
    grip?.(pointAt(event, at), 'start');
    if (event.pointerType !== 'mouse') actions.moveCursor(at.onScale ? null : at);
  };

  /**
   * Scrolls by whole rows; the rest is for the next move.
   * @param {Contact & { rest?: number }} contact
   * @param {number} pixels
   */
  const scrollBy = (contact, pixels) => {
    const sum = (contact.rest ?? 0) + pixels,
      whole = Math.trunc(sum / 8) * 8;
    contact.rest = sum - whole;
    if (whole !== 0) actions.scrollBack(whole);
  };

  /** @param {Contact} contact @param {ReturnType<typeof positionOf>} at */
  const drag = (contact, at) => {
    const { spectrumHeight, gutter, plotWidth } = picture.layout;
    const down = at.y - contact.y;
    Object.assign(contact, { x: at.x, y: at.y });
    if (Number.isNaN(contact.hz)) {
      if (contact.inSpectrum) actions.shiftRange(down / spectrumHeight);
      else scrollBy(contact, -down);
      return;
    }
    const onPlot = [...contacts.values()].filter(({ hz, grip }) => !Number.isNaN(hz) && !grip).slice(0, 2);
    actions.holdFrequencies(
      onPlot.map(({ hz }) => hz),
      onPlot.map(({ x }) => (x - gutter) / plotWidth),
    );
  };

  /** @param {PointerEvent} event */
  const move = (event) => {
    const at = positionOf(event),
      contact = contacts.get(event.pointerId);
    actions.moveCursor(at.onScale || at.plotX > 1 ? null : at);
    if (!contact) {
      element.dataset.grip = gripAt(event, at) ? 'yes' : '';
      return;
    }
    if (contact.from && Math.hypot(at.x - contact.from.x, at.y - contact.from.y) <= CLICK_WITHIN[kindOf(event)]) return;
    contact.from = null;
    if (contact.grip) contact.grip(pointAt(event, at), 'move');
    else drag(contact, at);
  };

  let tapped = false; // a layer took the last click
  /** @param {PointerEvent} event */
  const lift = (event) => {
    const contact = contacts.get(event.pointerId),
      at = positionOf(event);
    contacts.delete(event.pointerId);
    if (kindOf(event) === 'touch' && contacts.size === 0) actions.moveCursor(null); // no finger, no cross-hair
    if (!contact) return;
    contact.grip?.(pointAt(event, at), 'end');
    const isClick = contact.from !== null && contacts.size === 0 && event.type === 'pointerup';
    tapped =
      isClick && (contact.grip !== null || (!Number.isNaN(contact.hz) && picture.layers.tap(pointAt(event, at))));
  };

  element.addEventListener('pointerdown', press);
  element.addEventListener('pointermove', move);
  element.addEventListener('pointerup', lift);
  element.addEventListener('pointercancel', lift);
  element.addEventListener('pointerleave', (event) => {
    if (event.pointerType === 'mouse') actions.moveCursor(null);
  });
  element.addEventListener('dblclick', () => {
    if (!tapped) actions.showWholeSpan();
  });
}
