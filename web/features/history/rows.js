// The past of the waterfall: asks the server for rows that are missing or blurred, and scrolls back in them.

import { resolutionText } from './resolution.js';
import { locateRow } from '../replay/replay.js';
import { findMissing, mergePast } from '../../plot/past.js';
import { DETECTORS } from '../../net/wire.js';

/**
 * @typedef {import('../../plot/history.js').Row} Row
 * @typedef {import('../../net/history.js').Past} Answer
 *
 * @typedef {object} Server
 * @property {(fields: Record<string, unknown>) => boolean} requestHistory  false: not connected
 */

const SETTLE_MS = 120; // a view that still changes is not worth an answer
const ROWS_MAX = 20000; // that the page keeps while it is scrolled back
const ANSWER_MS = 10000; // after which a request counts as lost
const TRIES = 3; // for lines that the server has sent, but not stored yet
const AGAIN_MS = 100;
const NEWEST = Infinity; // before no line
const CONNECTED = new Set(['live', 'waiting']);
const KEPT = new Set(['mean', 'max', 'min']);

export class PastRows {
  #serial = 1;
  #id = 0;
  #run = 0;
  #oldest = -Infinity; // the server has no lines before this one; those of an archive are negative
  #settledAt = 0;
  #late = 0; // answers in a row that lacked the newest lines
  /** @type {{ id: number, serial: number, run: number, before: number, at: number, to?: number } | null} */
  #asked = null;
  /** @type {Answer | null} */
  #early = null; // rows that wait for the first frame
  /** @type {Row[] | null} */
  #rows = null; // oldest first, while scrolled back; null: live
  #topLine = 0; // the newest line on screen then
  #askedTo = 0; // the newest line that was asked for after a jump
  #owed = 0; // rows to scroll when the next answer is here
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /**
   * @param {import('../../app/store.js').Store} store
   * @param {Server} server
   */
  constructor(store, server) {
    this.store = store;
    this.server = server;
  }

  /** @param {import('../../plot/display.js').Display} display */
  start(display) {
    this.display = display;
    this.store.subscribe(['view', 'detector', 'columns'], () => {
      this.#serial += 1;
      this.#late = 0;
      this.#early = null;
      this.#settledAt = this.store.state.frame ? performance.now() + SETTLE_MS : 0; // the first view does not change
      this.check();
    });
    this.store.subscribe(['link'], ({ link }) => {
      if (!CONNECTED.has(link.kind)) this.#asked = this.#early = null;
    });
    this.store.subscribe(['speed', 'paused', 'limits'], () => this.check());
  }

  /** The live rows of the waterfall, oldest first. @returns {Row[]} */
  get liveRows() {
    return this.display?.live.toArray() ?? [];
  }

  /** Number of the server's run: a restarted server counts lines from 0 again. */
  get run() {
    return this.#run;
  }

  beginRun() {
    this.#run += 1;
    this.#oldest = -Infinity;
    this.#asked = null;
  }

  // ---- what is missing -----------------------------------------------------------------------

  /** The detector of the rows that the history gives. */
  get #detector() {
    const { detector } = this.store.state;
    return KEPT.has(detector) ? detector : 'mean';
  }

  #wanted() {
    const { shownView, columns, detector } = this.store.state;
    return { view: shownView, columns, detector: DETECTORS.indexOf(detector), serial: this.#serial, run: this.#run };
  }

  /** Asks for what is missing on screen, and for a screen more while scrolled back. */
  check() {
    const { display } = this,
      { limits, frame } = this.store.state,
      now = performance.now();
    if (!display || !(limits.history_rows > 0)) return;
    if (this.#asked && now - this.#asked.at < ANSWER_MS) return;
    if (!frame) return this.#early ? undefined : this.#ask({ before: NEWEST, rows: display.visibleRows });
    if (this.#early) return this.#takeEarly(this.#early);
    if (now < this.#settledAt) return this.#later(this.#settledAt - now);
    const rows = this.#rows ?? display.live.toArray(),
      count = display.visibleRows * (this.#rows ? 2 : 1);
    const top = this.#rows ? this.#topIndex(this.#rows) : rows.length - 1;
    if (this.#rows && this.#topLine > this.#askedTo && this.#isApart(rows)) return this.#askUpTo(this.#topLine);
    const missing = rows.length < ROWS_MAX ? findMissing(rows, top, count, this.#wanted(), this.#oldest) : null;
    if (missing) this.#ask(missing);
  }

  /** @param {number} ms */
  #later(ms) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.check(), ms + 1);
  }

  /** @param {import('../../plot/past.js').Missing} missing @param {number} [to]  Unix time in s: rows before it */
  #ask({ before, rows }, to) {
    const { view, columns, limits } = this.store.state;
    const edges = view ? { low_hz: view.lowHz, high_hz: view.highHz } : {};
    const id = (this.#id = (this.#id + 1) >>> 0);
    const sent = this.server.requestHistory({
      id,
      ...(before < NEWEST && { before }),
      ...(to !== undefined && { to }),
      columns,
      ...edges,
      detector: this.#detector,
      rows: Math.min(rows, limits.history_rows),
    });
    if (sent) this.#asked = { id, serial: this.#serial, run: this.#run, before, at: performance.now(), to };
  }

  /** Asks for a screen of rows that ends with a line. @param {number} line */
  #askUpTo(line) {
    this.#askedTo = line;
    this.#ask({ before: line + 1, rows: this.display?.visibleRows ?? 0 });
  }

  /** @param {Answer} answer */
  receive(answer) {
    const asked = this.#asked,
      { display } = this;
    if (!asked || asked.id !== answer.id || !display) return;
    this.#asked = null;
    if (asked.to !== undefined && asked.run === this.#run) {
      if (asked.serial === this.#serial) this.#takeJump(answer);
      else this.#askBefore(asked.to);
    } else if (asked.serial === this.#serial && asked.run === this.#run) {
      if (asked.before < NEWEST) this.#take(answer, asked.before);
      else this.#early = answer;
    }
    if (this.#late > 0) this.#later(AGAIN_MS);
    else this.check();
  }

  /** The rows before the first frame. @param {Answer} answer  asked for before that came */
  #takeEarly(answer) {
    const first = this.#firstLive;
    this.#early = null;
    const rows = first ? answer.rows.filter(({ line }) => line < first.firstLine) : [];
    if (first && rows.length > 0) this.#take({ ...answer, rows }, first.firstLine);
    this.check();
  }

  /** @param {Answer} answer @param {number} before */
  #take(answer, before) {
    const display = /** @type {import('../../plot/display.js').Display} */ (this.display);
    const last = answer.rows.at(-1),
      wanted = this.#wanted(),
      end = answer.rows[0] ? answer.rows[0].line + 1 : before;
    if (answer.oldest || !last) this.#oldest = last?.firstLine ?? before;
    this.#late = end < before && this.#late < TRIES ? this.#late + 1 : 0;
    const merged = mergePast(this.#rows ?? display.live.toArray(), answer, this.#late ? end : before, wanted);
    const { anchors, frame } = this.store.state;
    if (frame?.replay) for (const row of merged) if (Number.isNaN(row.positionMs)) locateRow(anchors, frame, row);
    if (this.#rows && merged.length === 0) this.#endTooEarly();
    else if (this.#rows) {
      this.#rows = merged;
      if (this.#owed > 0) this.scroll(this.#owed);
      else this.#show();
    } else {
      display.live.reset(merged);
      display.showRows(display.live);
    }
    if (this.store.state.paused) display.sharpen(answer.detector);
  }

  #endTooEarly() {
    this.goLive();
    this.store.update({ message: { text: 'The waterfall does not reach back that far.' } });
  }

  // ---- scrolling back ------------------------------------------------------------------------

  /** @param {Row[]} rows  index of the newest row on screen */
  #topIndex(rows) {
    let top = rows.length - 1;
    while (top > 0 && (rows[top].run > this.#run || rows[top].line > this.#topLine)) top--;
    return top;
  }

  /** The oldest of the live rows. @returns {Row | undefined} */
  get #firstLive() {
    return this.liveRows.find(({ gap, run }) => !gap && run === this.#run);
  }

  /** Whether lines are missing between these rows and the live ones, as after a jump. @param {Row[]} rows */
  #isApart(rows) {
    const newest = rows.at(-1),
      first = this.#firstLive;
    return newest !== undefined && first !== undefined && newest.line + 1 < first.firstLine;
  }

  /** Scrolls to newer rows than there are before the live ones. @param {Row[]} rows @param {number} count */
  #scrollOn(rows, count) {
    const { line, firstLine, timeMs } = rows[rows.length - 1],
      first = this.#firstLive,
      lines = Math.ceil(count) * (line - firstLine + 1);
    this.#owed = 0;
    this.#topLine = line + lines;
    // the lines between them are missing
    const [at, end] = line < 0 ? [timeMs + lines / 1000, first?.timeMs] : [this.#topLine, first?.firstLine];
    if (at >= (end ?? 0)) {
      this.#rows = [...rows, ...this.liveRows];
      if (first && line < 0) this.#topLine = first.line; // rows of the archive have numbers of their own
    }
    this.#show();
    this.check();
  }

  /** @param {number} count  above 0: to older rows */
  scroll(count) {
    const { display } = this;
    // 0: the answer to a jump is on its way
    if (!display || (!this.#rows && count <= 0) || this.#rows?.length === 0) return;
    const rows = this.#rows ?? display.live.toArray();
    const from = this.#rows ? this.#topIndex(rows) : rows.length - 1;
    const wanted = from - Math.round(count),
      top = Math.max(Math.min(from, display.visibleRows - 1), wanted);
    if (top >= rows.length - 1 && count <= 0)
      return this.#isApart(rows) ? this.#scrollOn(rows, wanted - rows.length + 1) : this.goLive();
    const more = rows[0]?.run === this.#run && rows[0].firstLine > this.#oldest;
    if (top >= rows.length - 1 && !more) return;
    this.#owed = more ? top - wanted : 0;
    this.#rows = rows;
    this.#topLine = rows[top].line;
    this.#show();
    this.check();
  }

  /** @param {number} screens */
  scrollScreens(screens) {
    this.scroll(screens * ((this.display?.visibleRows ?? 1) - 2));
  }

  /** Shows a line of the past, a quarter below the top. @param {number} line */
  goTo(line) {
    const { display } = this,
      rows = this.#rows ?? display?.live.toArray() ?? [];
    if (!display || !(this.store.state.limits.history_rows > 0)) return;
    const newest = display.live.at(0)?.line ?? line,
      at = rows.findIndex((row) => row.run === this.#run && !row.gap && row.firstLine <= line && row.line >= line);
    const spare = Math.floor(display.visibleRows / 4),
      isKnown = at >= 0 && (at === 0 || rows[at - 1].run === this.#run);
    this.#owed = 0;
    this.#rows = isKnown ? rows : [];
    this.#topLine = isKnown ? rows[Math.min(rows.length - 1, at + spare)].line : Math.min(newest, line + spare);
    this.#askedTo = 0;
    if (!isKnown) this.#askUpTo(this.#topLine);
    else {
      this.#show();
      this.check();
    }
  }

  /** Shows the rows of a time, a quarter below the top. @param {number} timeMs  Unix time */
  goToTime(timeMs) {
    const { display } = this,
      { frame, limits } = this.store.state,
      rows = this.liveRows.filter(({ gap, run }) => !gap && run === this.#run),
      at = rows.filter((row) => row.timeMs <= timeMs).at(-1);
    if (!display || !(limits.history_rows > 0)) return;
    if ((at && at === rows.at(-1)) || !frame) return this.goLive();
    this.#rows = null;
    if (at) return this.goTo(at.line);
    this.#owed = 0;
    this.#rows = [];
    const [older, newer] = rows; // as much time above it as the live rows have
    const rowMs = newer ? newer.timeMs - older.timeMs : 0;
    this.#askBefore((timeMs + (rowMs * display.visibleRows) / 4) / 1000);
  }

  /** Asks for a screen of rows before a time. @param {number} to  Unix time in s */
  #askBefore(to) {
    this.#ask({ before: NEWEST, rows: this.display?.visibleRows ?? 0 }, to);
  }

  /** The rows before a time, whatever their lines. @param {Answer} answer */
  #takeJump(answer) {
    const [newest] = answer.rows;
    if (!newest) return this.#endTooEarly();
    this.#topLine = this.#askedTo = newest.line;
    this.#take(answer, newest.line + 1);
  }

  goLive() {
    if (!this.#rows) return;
    this.#rows = null;
    this.#owed = 0;
    const { display } = this;
    display?.showRows(display.live);
    this.store.update({ scrolledTo: null, resolution: '' });
    this.check();
  }

  #show() {
    const display = /** @type {import('../../plot/display.js').Display} */ (this.display),
      rows = this.#rows ?? [];
    const top = this.#topIndex(rows);
    display.past.reset(rows.slice(Math.max(0, top + 1 - display.visibleRows), top + 1));
    display.showRows(display.past);
    const row = rows[top];
    this.store.update({ scrolledTo: row?.timeMs ?? null, resolution: row && !row.gap ? resolutionText(row) : '' });
  }
}
