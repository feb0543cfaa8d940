// The positions of the radios as a sketch: points in a grid of latitude and longitude.

import { degreesText, frameOf, isPosition, placeOf } from './positions.js';
import { node } from '../util/svg.js';

const WIDTH = 300,
  HEIGHT = 190;

/** @param {import('./positions.js').Frame} frame */
function grid(frame) {
  const { latitudes, longitudes, south, west, step } = frame;
  return [
    ...latitudes.flatMap((latitude) => {
      const y = placeOf(frame, { latitude, longitude: west }).y * HEIGHT;
      return [
        node('path', { class: 'grid', d: `M0 ${y}H${WIDTH}` }),
        node('text', { class: 'degrees', x: 3, y: y - 3 }, degreesText(latitude, step, ['N', 'S'])),
      ];
    }),
    ...longitudes.flatMap((longitude) => {
      const x = placeOf(frame, { latitude: south, longitude }).x * WIDTH;
      return [
        node('path', { class: 'grid', d: `M${x} 0V${HEIGHT}` }),
        ...(x > WIDTH - 44
          ? []
          : [node('text', { class: 'degrees', x: x + 3, y: HEIGHT - 4 }, degreesText(longitude, step, ['E', 'W']))]),
      ];
    }),
  ];
}

/**
 * @param {import('./positions.js').Frame} frame
 * @param {import('./radios.js').Radio} radio
 * @param {(name: string) => void} onChoose
 */
function point(frame, radio, onChoose) {
  const at = placeOf(frame, radio),
    x = at.x * WIDTH,
    y = at.y * HEIGHT,
    left = at.x > 0.6;
  const group = node('g', { class: `radio ${radio.state}` });
  group.append(
    node('circle', { cx: x, cy: y, r: 5 }),
    node('text', { x: x + (left ? -9 : 9), y: y + 4, 'text-anchor': left ? 'end' : 'start' }, radio.name),
  );
  group.addEventListener('click', () => onChoose(radio.name));
  return group;
}

/**
 * Hidden where no radio has a position. The list has the same radios for the keyboard.
 * @param {SVGElement} svg @param {import('./radios.js').Radio[]} radios @param {(name: string) => void} onChoose
 */
export function drawMap(svg, radios, onChoose) {
  const placed = radios.filter(isPosition),
    key = JSON.stringify(placed.map(({ name, latitude, longitude, state }) => [name, latitude, longitude, state]));
  if (svg.dataset.drawn === key) return;
  svg.dataset.drawn = key;
  svg.toggleAttribute('hidden', placed.length === 0);
  if (placed.length === 0) return;
  const frame = frameOf(placed, WIDTH / HEIGHT);
  svg.setAttribute('viewBox', `0 0 ${WIDTH} ${HEIGHT}`);
  svg.setAttribute('aria-label', `Positions of ${placed.map(({ name }) => name).join(', ')}`);
  svg.replaceChildren(...grid(frame), ...placed.map((radio) => point(frame, radio, onChoose)));
}
