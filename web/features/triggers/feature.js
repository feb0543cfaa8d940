// Triggers and their events: a panel, marks over the waterfall, and masks over the spectrum.

import { EventLayer } from './event_layer.js';
import { MaskLayer } from './mask_layer.js';
import { triggers as panel } from './panel.js';
import { markedEvents, mergeEvents, noTriggers, showEvent, shownLimits, triggersOffered } from './triggers.js';

/** @type {import('../list.js').Feature<import('./triggers.js').TriggerState>} */
export const triggers = {
  order: 90,
  state: noTriggers,
  panels: [{ id: 'triggers', label: 'Triggers', open: 'triggersOpen', offered: triggersOffered, needs: ['limits'] }],
  commands: [
    {
      id: 'triggers',
      tool: { id: 'triggers-open', group: 'Capture', word: 'Triggers', icon: 'M2 10h4l2-6 4 12 2-6h4' },
      keys: ['w'],
      group: 'Page',
      label: 'triggers and events',
      when: triggersOffered,
      run: (actions) => actions.togglePanel('triggers'),
    },
  ],
  messages: { event: ({ events }, { state }) => ({ events: mergeEvents(state.events, events) }) },
  layers: ({ store, actions }) => [
    new EventLayer(
      () => markedEvents(store.state),
      () => store.state.eventShown,
      (event) => showEvent(actions, event),
    ),
    new MaskLayer(
      () => shownLimits(store.state),
      () => store.state.maskDraft,
      (maskDraft) => store.update({ maskDraft }),
    ),
  ],
  draws: ['events', 'eventShown', 'triggers', 'triggerLimits', 'triggersOpen', 'maskDraft'],
  start: ({ actions, connection }) => actions.triggers.use(connection),
  parts: [panel],
};
