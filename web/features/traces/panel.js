// The panel of traces: what each of them is, whether it is shown, references, and files to save.

import { download, fileName, tracesCsv } from './export.js';
import { densityOffered } from '../density/offered.js';
import { averages, MODES, percentileOf, percentOf, TRACES } from './traces.js';
import { DETECTORS } from '../../net/wire.js';
import { make, onChoice, setValue } from '../../util/dom.js';
import { formatSi } from '../../util/format.js';
import { readHz, readTyped } from '../../util/quantity.js';

/**
 * @typedef {import('../../app/state.js').State} State
 * @typedef {import('./traces.js').Trace} Trace
 */

const COLORS = ['Blue', 'Orange', 'Green', 'Pink', 'Red', 'Violet'];
const PERCENTILE = 'percentile';
const MATHS = { none: 'None', minus: 'Minus', relative: 'Relative to' };

/**
 * @param {Record<string, string>} options  labels by value
 * @param {Record<string, any>} attributes
 * @param {(value: string) => void} chosen
 */
function makeSelect(options, attributes, chosen) {
  const select = make(
    'select',
    attributes,
    Object.entries(options).map(([value, label]) => make('option', { value }, label)),
  );
  onChoice(select, chosen);
  return select;
}

/** @param {string} label @param {HTMLElement} control */
const field = (label, control) => make('label', {}, [label, control]);

/** The controls of one trace. */
class TraceControls {
  /** @param {number} slot @param {import('../../app/actions.js').Actions} actions */
  constructor(slot, actions) {
    const { traces } = actions,
      trace = `Trace ${slot}`;
    const change = (/** @type {Partial<Trace>} */ fields) => traces.change(slot, fields);
    const modes = Object.fromEntries(Object.entries(MODES).map(([name, { label }]) => [name, label]));
    const colors = Object.fromEntries(COLORS.map((name, i) => [String(i + 1), name]));
    this.slot = slot;
    this.mode = makeSelect({ '': 'Off', ...modes }, { 'aria-label': trace }, (mode) => traces.choose(slot, mode));
    this.detector = make('select');
    onChoice(this.detector, (detector) => change({ detector: detector === PERCENTILE ? percentileOf(50) : detector }));
    this.percent = make('input', {
      inputMode: 'decimal',
      title: 'The level that so many per cent of the transforms do not exceed; 50: the median',
    });
    this.percent.onchange = () => this.#changePercent(change);
    this.count = make('input', { inputMode: 'numeric' });
    this.count.onchange = () => this.#changeCount(change);
    this.vbw = make('input', {
      inputMode: 'text',
      placeholder: 'by lines',
      title: 'Video bandwidth in Hz, such as 2.5 or 1k, in place of a number of lines',
    });
    this.vbw.onchange = () => this.#changeVbw(change);
    this.color = makeSelect(colors, {}, (color) => change({ color: Number(color) }));
    this.math = makeSelect(MATHS, {}, (math) => this.#changeMath(change, math));
    this.reference = make('select');
    onChoice(this.reference, (reference) => change({ reference }));
    const button = (/** @type {string} */ text, /** @type {string} */ title, /** @type {() => void} */ run) => {
      return make('button', { title, 'aria-label': `${text}, trace ${slot}`, onclick: run }, text);
    };
    const toggle = (/** @type {'view' | 'blank'} */ shown) => () =>
      change({ shown: this.trace?.shown === shown ? 'live' : shown });
    this.view = button('View', 'Freeze the trace as it is', toggle('view'));
    this.blank = button('Blank', 'Hide the trace; it goes on', toggle('blank'));
    this.clear = button('Clear', 'Begin the trace again', () => traces.clear(slot));
    this.storeName = make('input', { spellcheck: false, autocomplete: 'off', maxLength: 40 });
    this.storeName.onkeydown = ({ key }) => {
      if (key === 'Enter') this.#store(traces);
    };
    this.store = button('Store', 'Store the trace on the server, as a reference of this name', () =>
      this.#store(traces),
    );
    this.percentField = field('Per cent', this.percent);
    this.countField = field('Lines', this.count);
    this.vbwField = field('VBW, Hz', this.vbw);
    this.mathField = field('Reference', this.math);
    this.referenceField = field('Name', this.reference);
    this.fields = make('div', { className: 'trace-fields' }, [
      field('Detector', this.detector),
      field('Colour', this.color),
      this.percentField,
      this.countField,
      this.vbwField,
      this.mathField,
      this.referenceField,
    ]);
    this.buttons = make('div', { className: 'trace-buttons' }, [this.view, this.blank, this.clear]);
    this.storing = make('div', { className: 'trace-store' }, [field('Store as reference', this.storeName), this.store]);
    this.reason = make('p', { className: 'trace-reason', role: 'status' });
    this.line = make('span', { className: 'trace-line' });
    this.head = make('div', { className: 'trace-row' }, [make('b', {}, String(slot)), this.line, this.mode]);
    this.element = make('fieldset', { 'aria-label': trace }, [
      this.head,
      this.fields,
      this.buttons,
      this.storing,
      this.reason,
    ]);
    /** @type {Trace | undefined} */
    this.trace = undefined;
    /** @type {string[]} */
    this.names = [];
  }

  /** @param {import('./actions.js').TraceActions} actions */
  #store(actions) {
    const name = this.storeName.value.trim();
    if (name) actions.storeReference(this.slot, name);
    else this.storeName.focus();
  }

  /** @param {(fields: Partial<Trace>) => void} change */
  #changeCount(change) {
    const count = readTyped(this.count.value);
    if (Number.isInteger(count) && count >= 1 && count <= 1e9) change({ count, vbwHz: undefined });
    else this.count.value = String(this.trace?.count);
  }

  /** @param {(fields: Partial<Trace>) => void} change */
  #changePercent(change) {
    const percent = readTyped(this.percent.value, 'percent');
    if (percent >= 0.001 && percent <= 99.999) change({ detector: percentileOf(percent) });
    else this.percent.value = String(percentOf(this.trace?.detector ?? '') ?? 50);
  }

  /** Nothing entered: an average of lines again. @param {(fields: Partial<Trace>) => void} change */
  #changeVbw(change) {
    const text = this.vbw.value.trim(),
      hz = text ? readHz(text, 1) : 0;
    if (!text || (hz >= 1e-6 && hz <= 1e9)) change({ vbwHz: hz || undefined });
    else this.vbw.value = this.trace?.vbwHz ? String(this.trace.vbwHz) : '';
  }

  /** @param {(fields: Partial<Trace>) => void} change @param {string} math */
  #changeMath(change, math) {
    change({ math, reference: math === 'none' ? '' : this.trace?.reference || this.names[0] });
  }

  /** @param {string[]} detectors @param {string[]} names  of references */
  offer(detectors, names) {
    const options = (/** @type {string[]} */ values) => values.map((value) => make('option', { value }, value));
    this.detector.replaceChildren(...options(detectors));
    this.names = names;
    const wanted = this.trace?.reference;
    this.reference.replaceChildren(...options(wanted && !names.includes(wanted) ? [...names, wanted] : names));
  }

  /** Density is what the server takes them from. @param {boolean} offered */
  #offerPercentiles(offered) {
    const there = [...this.detector.options].find(({ value }) => value === PERCENTILE);
    if (offered && !there) this.detector.add(new Option('percentile', PERCENTILE));
    if (!offered) there?.remove();
  }

  /** @param {Readonly<State>} state */
  show(state) {
    const { traces, traceInfo, traceSlots, control } = state;
    const trace = (this.trace = traces.find(({ slot }) => slot === this.slot));
    this.element.hidden = this.slot > traceSlots;
    this.mode.value = trace?.mode ?? '';
    this.line.hidden = this.fields.hidden = this.buttons.hidden = !trace;
    this.storing.hidden = !trace || !control.permitted;
    this.reason.textContent = (trace && traceInfo[this.slot]?.reason) ?? '';
    this.reason.hidden = !this.reason.textContent;
    if (!trace) return;
    this.head.dataset.traceColor = String(trace.color);
    const percent = percentOf(trace.detector);
    this.#offerPercentiles(percent !== null || densityOffered(state));
    this.detector.value = percent === null ? trace.detector : PERCENTILE;
    this.percentField.hidden = percent === null;
    setValue(this.percent, String(percent ?? 50));
    this.color.value = String(trace.color);
    setValue(this.count, String(trace.count));
    this.countField.hidden = this.vbwField.hidden = !averages(trace);
    setValue(this.vbw, trace.vbwHz ? String(trace.vbwHz) : '');
    this.math.value = trace.math;
    this.reference.value = trace.reference;
    this.mathField.hidden = this.names.length === 0 && trace.math === 'none';
    this.referenceField.hidden = trace.math === 'none';
    this.view.setAttribute('aria-pressed', String(trace.shown === 'view'));
    this.blank.setAttribute('aria-pressed', String(trace.shown === 'blank'));
  }
}

/** @returns {Promise<string[]>}  the names of the stored references; none from a server without them */
async function fetchReferences() {
  try {
    const answer = await fetch('api/v1/references', { cache: 'no-store' });
    const { references } = answer.ok ? await answer.json() : { references: [] };
    return references.map((/** @type {{ name: string }} */ { name }) => String(name));
  } catch {
    return [];
  }
}

/** @param {State['figures']} figures */
function shownTraces(figures) {
  return (figures?.traces ?? []).flatMap((shown) => (shown.frame ? [{ ...shown, frame: shown.frame }] : []));
}

/** @param {Readonly<State>} state */
function saveCsv({ figures, status, levels }) {
  const vbwText = (/** @type {number | null} */ hz) => (hz ? [`VBW ${Number(hz.toPrecision(4))} Hz`] : []);
  if (!figures) return;
  const { frame } = figures,
    live = { name: 'live', unit: 'dBFS', about: `clear-write, detector ${DETECTORS[frame.detector]}`, frame };
  const others = shownTraces(figures).map(({ trace, name, unit, lines, vbwHz, frame: held }) => ({
    name,
    unit,
    frame: held,
    about: [
      `${trace.mode}, detector ${trace.detector}`,
      ...vbwText(vbwHz),
      ...(trace.math === 'none' ? [] : [`${trace.math} ${trace.reference}`]),
      ...(lines ? [`${lines} lines`] : []),
      ...(trace.shown === 'view' ? ['frozen'] : []),
    ].join(', '),
  }));
  const source = String(status?.source?.name ?? status?.source ?? 'unknown'),
    text = tracesCsv([live, ...others], source, levels, status?.calibration);
  download(new Blob([text], { type: 'text/csv' }), fileName(frame, 'csv'));
}

/** @param {Readonly<State>} state @param {import('./actions.js').TraceActions} actions */
async function savePicture({ figures }, actions) {
  if (!figures || !actions.display) return;
  const { theme } = actions.display.scene,
    color = (/** @type {number} */ index) => theme[/** @type {keyof typeof theme} */ (`t${index}`)];
  const traces = shownTraces(figures).map(({ trace, name, lines, vbwHz }) => ({
    color: color(trace.color),
    text: [
      name,
      trace.detector,
      ...(vbwHz ? [`VBW ${formatSi(vbwHz, 'Hz')}`] : []),
      ...(lines ? [`${lines} lines`] : []),
      ...(trace.shown === 'view' ? ['frozen'] : []),
    ].join('   '),
  }));
  const detector = DETECTORS[figures.frame.detector],
    live = traces.length > 0 ? [{ color: theme.trace, text: `Live   ${detector}` }] : [];
  const blob = await actions.picture(figures.frame, { detector, traces: [...live, ...traces] });
  download(blob, fileName(figures.frame, 'png'));
}

/** @param {import('../list.js').Page} page @param {HTMLElement} panel */
export function fillTraces({ store, actions }, panel) {
  const csv = make('button', { id: 'save-csv', title: 'Save the visible traces as a table' }, 'CSV');
  const png = make('button', { id: 'save-png', title: 'Save the picture' }, 'PNG');
  const refresh = async () => {
    const names = await fetchReferences();
    for (const each of all) {
      each.offer(store.state.choices?.detector?.values ?? DETECTORS, names);
      each.show(store.state);
    }
  };
  const all = Array.from({ length: TRACES }, (_, i) => new TraceControls(i + 1, actions));
  const result = make('p', { id: 'traces-result', role: 'status' });
  panel.replaceChildren(
    ...all.map(({ element }) => element),
    result,
    make('div', { className: 'export' }, ['Save', csv, png]),
  );
  csv.onclick = () => saveCsv(store.state);
  png.onclick = () => {
    savePicture(store.state, actions.traces).catch((error) => actions.showMessage(`No picture: ${error.message}`));
  };
  for (const each of all) each.offer(DETECTORS, []);
  store.subscribe(['traces', 'traceInfo', 'traceSlots', 'control', 'limits'], (state) =>
    all.forEach((each) => each.show(state)),
  );
  store.subscribe(['setResult'], ({ setResult }) => {
    if (setResult.from !== 'traces') return;
    result.textContent = setResult.text;
    if (setResult.kind === 'done') refresh();
  });
  store.subscribe(['tracesOpen', 'choices'], ({ tracesOpen }) => {
    if (tracesOpen) refresh();
  });
}
