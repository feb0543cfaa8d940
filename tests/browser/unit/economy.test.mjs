// Economy: who asks for it, what it asks for, and the pace of credit.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CreditPacer, isScarce, ECONOMY, economyView } from '../../../web/app/economy.js';

test('save data and slow links are scarce and an unknown link is not', () => {
  for (const network of [{ saveData: true }, { effectiveType: '2g' }, { effectiveType: '3g', saveData: false }])
    assert.equal(isScarce(network), true);
  for (const network of [undefined, {}, { saveData: false, effectiveType: '4g' }])
    assert.equal(isScarce(network), false);
});

test('an economical view is coarse and narrow and keeps its edges', () => {
  const view = { low_hz: 1, high_hz: 2, columns: 3000, detector: 'max' };
  assert.deepEqual(economyView(view, true), { ...view, columns: 1024, step_db: 2 });
  assert.equal(economyView(view, false).columns, 3000);
  assert.equal(economyView({ ...view, columns: 300 }, true).columns, 300);
});

test('economical credit comes one by one at its pace and all of it comes', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const sent = [];
  const pacer = new CreditPacer((count) => sent.push(count));
  pacer.add(2, false);
  assert.deepEqual(sent, [2]);
  pacer.add(2, true);
  pacer.add(1, true);
  assert.deepEqual(sent, [2], 'not at once');
  for (let second = 0; second < 1000; second += 125) t.mock.timers.tick(125);
  assert.deepEqual(sent, [2, 1, 1, 1]);
  assert.equal(ECONOMY.framesPerSecond, 8);
  pacer.add(1, true);
  pacer.restart();
  t.mock.timers.tick(1000);
  assert.deepEqual(sent, [2, 1, 1, 1], 'a new connection has its own credit');
});
