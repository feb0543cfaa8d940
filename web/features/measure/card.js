// One measurement in the panel: its figure, the other values, its rows or graph, and its verdict.

import { drawGraph, graphOf } from '../../plot/graph.js';
import { make, setText } from '../../util/dom.js';
import { shownText } from '../../util/key_text.js';
import { columnTexts, headline, invalidText, keysText, nameParts, valueText } from '../../util/measure_text.js';

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
    this.element = make('article', { className: 'measurement' });
    const head = this.element.appendChild(make('h3'));
    this.name = head.appendChild(make('span'));
    this.type = head.appendChild(make('small'));
    this.verdict = head.appendChild(make('b', { className: 'verdict' }));
    const figure = this.element.appendChild(make('p', { className: 'figure' }));
    this.label = figure.appendChild(make('span', { className: 'label' }));
    this.number = figure.appendChild(make('output'));
    this.number.ariaLive = 'off'; // a screen reader would read each line
    this.unit = figure.appendChild(make('small'));
    this.reason = this.element.appendChild(make('p', { className: 'reason' }));
    this.values = this.element.appendChild(make('dl'));
    this.graph = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    this.element.append(this.graph);
    this.scroll = this.element.appendChild(make('div', { className: 'rows' }));
    this.scroll.tabIndex = 0;
    this.table = this.scroll.appendChild(make('table'));
    this.keys = this.element.appendChild(make('p', { className: 'keys' }));
    this.buttons = this.element.appendChild(make('p', { className: 'buttons' }));
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
    setText(this.name, m.name);
    setText(this.type, m.type === m.name ? '' : m.type);
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
    setText(this.label, name ? nameParts(name).label : '');
    setText(this.number, number);
    setText(this.unit, unit);
    this.number.toggleAttribute('data-long', number.length > LONG);
    setText(this.reason, m.reason ?? m.note ?? '');
    this.reason.hidden = !m.reason && !m.note;
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
      setText(/** @type {HTMLElement} */ (label), nameParts(name).label);
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
