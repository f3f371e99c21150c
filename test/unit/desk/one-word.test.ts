/** A state has one word, and an instant one form, on every output that shows them. */
import { expect, test } from 'vitest';
import { itemOf } from '../../../src/desk/history/timeline.ts';
import { itemView } from '../../../src/desk/history/timeline-item.ts';
import { movementsIn } from '../../../src/desk/report/movements.ts';
import { MOVEMENTS_VIEW } from '../../../src/desk/report/report-view.ts';
import { listedRecord } from '../../../src/view/records/listed-record.ts';
import { thingView } from '../../../src/view/records/search-result.ts';
import { OWNER, thing } from './known-things.ts';

const GIVEN_UP = thing({
  ...{ kind: 'purchase', id: '071-P-1', label: 'Recurring', outcome: 'abandoned', events: [7] },
  ...{ amount: 700, currency: 'AUD', at: '2026-03-31T23:59:59.250Z', told: 'event' },
});
const AT = '2026-03-31T23:59:59+00:00';

test('a charge that was given up is declined on every output', async () => {
  const index = {
    async *each() {
      yield GIVEN_UP;
    },
    tied: async () => [GIVEN_UP],
  };
  const frame = { from: '2026-03-01', until: '2026-04-01', operator: undefined, timeZone: 'UTC' };
  const moved: object[] = [];
  for await (const one of movementsIn(index, OWNER, frame, true))
    moved.push(MOVEMENTS_VIEW.record(one));
  const found = thingView({ year: '2026', things: [], self: '' }).record(GIVEN_UP);
  expect(found).toMatchObject({ outcome: 'declined', at: AT, given_up: true });
  expect(itemView([], '').record(itemOf(GIVEN_UP))).toMatchObject({ outcome: 'declined', at: AT });
  expect(moved).toMatchObject([{ outcome: 'declined', at: AT }]);
  expect(listedRecord(GIVEN_UP, undefined, undefined)).toMatchObject({ outcome: 'declined' });
});
