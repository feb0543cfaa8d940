// The box at the cursor: frequency and level there, and in the waterfall the time of the row.

import { DBFS, levelAt } from '../../app/units.js';
import { frequencyText } from '../../plot/frequency.js';
import { resolutionText } from '../history/resolution.js';
import { densityLines } from '../density/panel.js';
import { byId, setText } from '../../util/dom.js';
import { formatDb, formatPosition } from '../../util/format.js';
import { formatTime, zoneText } from '../../util/time.js';

const DISTANCE = 16; // CSS pixels from the cursor

/**
 * In a replay the position, and the time of the recording if it is known.
 * @param {import('../../plot/history.js').Row} row
 */
function timeLines({ timeMs, positionMs, recordedMs, gap }) {
  if (Number.isNaN(positionMs)) return [`${formatTime(timeMs)} ${zoneText(timeMs)}`];
  const recorded = Number.isNaN(recordedMs) ? [] : [`${formatTime(recordedMs)} ${zoneText(recordedMs)}`];
  return gap ? [] : [`at ${formatPosition(positionMs / 1000)}`, ...recorded];
}

/** @param {import('../../plot/display.js').Reading} reading */
export function hoverLines({ frame, hz, resolutionHz, db, row, density, traces = [] }, levels = DBFS) {
  const { value, unit } = levelAt(levels, hz, db);
  const level = row?.gap ? row.gap.text : Number.isNaN(db) ? 'not measured' : `${formatDb(value)} ${unit}`;
  const lines = [frequencyText(frame, hz, resolutionHz), traces.length > 0 ? `Live  ${level}` : level];
  if (row && !frame.rateAssumed) lines.push(...timeLines(row));
  lines.push(...(row ? [resolutionText(row)].filter(Boolean) : []));
  for (const trace of traces) {
    const { value: db, unit } =
      trace.unit === 'dBFS' ? levelAt(levels, hz, trace.db) : { value: trace.db, unit: trace.unit };
    lines.push(`${trace.name}  ${Number.isNaN(db) ? 'not measured' : `${formatDb(db)} ${unit}`}`);
  }
  if (density) lines.push(...densityLines(density));
  return lines;
}

/**
 * After the cursor, or before it where the end is near.
 * @param {number} at
 * @param {number} size
 * @param {number} end
 */
const beside = (at, size, end) =>
  Math.max(0, Math.round(at + DISTANCE + size > end ? at - DISTANCE - size : at + DISTANCE));

export const hover = {
  id: 'hover',

  /** @param {import('../list.js').Page} page */
  mount({ store }) {
    const box = byId('hover');
    store.subscribe(['reading'], ({ reading, levels }) => {
      box.hidden = reading === null;
      if (!reading) return;
      setText(box, hoverLines(reading, levels).join('\n'));
      const { offsetWidth, offsetHeight } = box,
        { x, y, layout } = reading;
      const left = beside(x, offsetWidth, layout.width),
        top = beside(y, offsetHeight, layout.height);
      box.style.transform = `translate(${left}px, ${top}px)`;
    });
  },
};
