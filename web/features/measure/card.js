// One measurement in the panel: its figure, the other values, its rows or graph, and its verdict.

import { drawGraph, graphOf } from '../../plot/graph.js';
import { make, setText } from '../../util/dom.js';
import { shownText } from '../../util/key_text.js';
import { columnTexts, headline, invalidText, keysText, nameParts, valueText } from '../../util/measure_text.js';
import { formatSi } from '../../util/format.js';
import { labelOf, mendOf } from '../../util/words.js';

/** @typedef {import('./measure.js').Measurement} Measurement */

/** The columns that have to be in sight. @type {Record<string, string[]>} */
const FIRST = { mask: ['margin_db', 'frequency_hz', 'level_dbfs', 'limit_dbfs'] };

/**
 * The keys in the units of the page.
 * @param {Measurement} measurement
 * @param {import('./measure.js').Types | null} types
 */
function shownKeys({ type, keys }, types) {
  const described = [...(types?.types.find(({ name }) => name === type)?.keys ?? []), ...(types?.common ?? [])];
  return Object.fromEntries(
    Object.entries(keys ?? {}).map(([key, value]) => {
      const found = described.find((each) => each.key === key);
      return [key, found ? shownText(found, value) : value];
    }),
  );
}

const LONG = 9; // digits and signs of a figure that has to be smaller

/**
 * As many children as there are items, each filled.
 * @template T
 * @param {Element} parent
 * @param {T[]} items
 * @param {() => HTMLElement} create
 * @param {(child: HTMLElement, item: T) => void} fill
 */
function fillEach(parent, items, create, fill) {
  while (parent.children.length > items.length) parent.lastElementChild?.remove();
  while (parent.children.length < items.length) parent.append(create());
  items.forEach((item, i) => fill(/** @type {HTMLElement} */ (parent.children[i]), item));
}

export class MeasureCard {
  constructor() {
    const body = make('details', { open: true }),
      head = make('h4');
    this.element = make('article', { className: 'measurement' }, [body]);
    body.append(make('summary', {}, [head]));
    this.title = head.appendChild(make('span'));
    this.name = head.appendChild(make('small'));
    this.brief = head.appendChild(make('small', { className: 'brief' }));
    this.verdict = head.appendChild(make('b', { className: 'verdict' }));
    const figure = body.appendChild(make('p', { className: 'figure' }));
    this.label = figure.appendChild(make('span', { className: 'label' }));
    this.number = figure.appendChild(make('output'));
    this.number.ariaLive = 'off'; // a screen reader would read each line
    this.unit = figure.appendChild(make('small'));
    this.reason = body.appendChild(make('p', { className: 'reason' }));
    this.mend = body.appendChild(make('button', { className: 'mend', hidden: true }));
    this.values = body.appendChild(make('dl'));
    this.graph = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    body.append(this.graph);
    this.scroll = body.appendChild(make('div', { className: 'rows' }));
    this.scroll.tabIndex = 0;
    this.table = this.scroll.appendChild(make('table'));
    this.keys = body.appendChild(make('p', { className: 'keys' }));
    this.buttons = body.appendChild(make('p', { className: 'buttons' }));
  }

  /** @param {string} label @param {() => void} run */
  addButton(label, run) {
    this.buttons.append(make('button', { onclick: run }, label));
  }

  /**
   * @param {Measurement} m @param {number} rbwHz @param {boolean} editable
   * @param {import('./measure.js').Types | null} [types]  for the units of its keys
   */
  show(m, rbwHz, editable, types = null) {
    setText(this.title, labelOf(m.type));
    setText(this.name, m.name === m.type ? '' : m.name);
    this.#showVerdict(m.verdict);
    this.#showFigure(m, rbwHz);
    this.#showValues(m, rbwHz);
    const graph = graphOf(m.type, m.rows);
    this.graph.toggleAttribute('hidden', graph === null);
    if (graph) drawGraph(this.graph, graph);
    this.#showRows(m.type, graph ? [] : m.rows, rbwHz);
    this.scroll.setAttribute('aria-label', `Rows of ${m.name}`);
    setText(this.keys, keysText(shownKeys(m, types)));
    this.buttons.hidden = !editable;
  }

  /** In words, not by colour alone. @param {Measurement['verdict']} verdict */
  #showVerdict(verdict) {
    this.verdict.hidden = verdict === null;
    this.verdict.dataset.verdict = verdict ?? '';
    setText(this.verdict, verdict === null ? '' : verdict.toUpperCase());
  }

  /** @param {Measurement} m @param {number} rbwHz */
  #showFigure(m, rbwHz) {
    const name = m.reason === null ? headline(m) : undefined;
    const { number, unit } = name
      ? valueText(name, m.values[name], rbwHz)
      : { number: m.reason === null ? '' : invalidText(m.reason), unit: '' };
    setText(this.label, name ? labelOf(nameParts(name).label) : '');
    setText(this.number, number);
    setText(this.unit, unit);
    setText(this.brief, `${number} ${unit}`);
    this.number.toggleAttribute('data-long', number.length > LONG);
    setText(this.reason, m.reason ?? m.note ?? '');
    this.reason.hidden = !m.reason && !m.note;
  }

  /**
   * The button that mends what is refused.
   * @param {Measurement} m @param {(mend: import('../../util/words.js').Mend) => (() => void) | null} runOf  null: not
   *   allowed
   */
  offerMend({ reason }, runOf) {
    const mend = reason ? mendOf(reason, (hz) => formatSi(hz, 'Hz', 7)) : null,
      run = mend && runOf(mend);
    this.mend.hidden = !run;
    if (!mend || !run) return;
    setText(this.mend, mend.text);
    this.mend.onclick = run;
  }

  /** @param {Measurement} m @param {number} rbwHz */
  #showValues(m, rbwHz) {
    const main = headline(m),
      others = Object.entries(m.values).filter(([name]) => name !== main);
    const create = () => {
      const row = make('div');
      row.append(make('dt'), make('dd'), make('dd', { className: 'unit' }));
      return row;
    };
    fillEach(this.values, others, create, ({ children: [label, number, unit] }, [name, value]) => {
      const text = valueText(name, value, rbwHz);
      setText(/** @type {HTMLElement} */ (label), labelOf(nameParts(name).label));
      setText(/** @type {HTMLElement} */ (number), text.number);
      setText(/** @type {HTMLElement} */ (unit), text.unit);
    });
  }

  /** @param {string} type @param {Measurement['rows']} rows @param {number} rbwHz */
  #showRows(type, rows, rbwHz) {
    this.scroll.hidden = rows.length === 0;
    if (rows.length === 0) return;
    const first = FIRST[type] ?? [],
      names = [...first, ...Object.keys(rows[0]).filter((name) => !first.includes(name))];
    const columns = names.map((name) =>
      columnTexts(
        name,
        rows.map((row) => row[name]),
        rbwHz,
      ),
    );
    const lines = [null, ...rows].map((_, i) => columns.map((column) => column[i]));
    fillEach(
      this.table,
      lines,
      () => make('tr'),
      (row, cells) =>
        fillEach(
          row,
          cells,
          () => make(row === this.table.firstElementChild ? 'th' : 'td'),
          (cell, text) => setText(cell, text),
        ),
    );
  }
}
