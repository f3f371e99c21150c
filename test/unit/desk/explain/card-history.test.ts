import { describe, expect, test } from 'vitest';
import { cardHistory } from '../../../../src/desk/explain/card-history.ts';
import type { Thing } from '../../../../src/things/thing.ts';

const TODAY = '2026-04-02';

/** @param tries `D 2026-03-01 reason` for a decline, `P` for a payment, `U` for one of unknown outcome; oldest first */
function historyOf(...tries: string[]): string | null {
  const things = tries.map((text) => {
    const [what, day, ...reason] = text.split(' ');
    const outcome = { D: 'declined', A: 'abandoned', P: 'approved', U: 'unclear' }[what ?? ''];
    const message = reason.join(' ') || null;
    return {
      kind: 'purchase',
      told: 'record',
      label: null,
      outcome,
      message,
      at: `${day}T09:00:00Z`,
    };
  });
  return cardHistory(things.toReversed() as unknown as Thing[], TODAY);
}

describe('the history of a card', () => {
  test.each<[said: string | null, ...tries: string[]]>([
    [null],
    [null, 'U 2026-03-01'],
    ['Declined once, on 2026-03-01. No earlier payment is known.', 'D 2026-03-01'],
    [
      'Declined 2 times since Monday, 2026-03-30, each time “Insufficient Funds”. No earlier payment is known.',
      'D 2026-03-30 Insufficient Funds',
      'D 2026-04-01 Insufficient Funds',
    ],
    [
      'Declined 3 times since Friday, 2026-03-27: “Expired Card” once, “Declined” 2 times. Before that, it paid once, last on 2026-02-01.',
      'P 2026-02-01',
      'D 2026-03-27 Declined',
      'D 2026-03-28 Failed (2), Pending; Declined',
      'A 2026-03-29 Expired Card',
    ],
    [
      'Declined once, on Wednesday, 2026-04-01, “Insufficient Funds”. Before that, it paid on the 1st of each month, last on 2026-03-01.',
      'P 2025-12-15',
      'P 2026-01-01',
      'P 2026-02-01',
      'P 2026-03-01',
      'D 2026-04-01 Insufficient Funds',
    ],
    [
      'Declined once, on Thursday, 2026-04-02. Before that, it paid every week, last on 2026-03-26.',
      'P 2026-03-12',
      'P 2026-03-19',
      'P 2026-03-26',
      'D 2026-04-02',
    ],
    ['Paid 2 times, last on 2026-03-02.', 'P 2026-03-01', 'D 2026-03-02', 'P 2026-03-02'],
    ['Paid every day, last on 2026-03-03.', 'P 2026-03-01', 'P 2026-03-02', 'P 2026-03-03'],
    // Two payments, a month between them that was skipped, or other days: no rhythm.
    ['Paid 2 times, last on 2026-03-01.', 'P 2026-02-01', 'P 2026-03-01'],
    ['Paid 3 times, last on 2026-03-01.', 'P 2025-12-01', 'P 2026-01-01', 'P 2026-03-01'],
    ['Paid 3 times, last on 2026-03-31.', 'P 2026-01-31', 'P 2026-02-28', 'P 2026-03-31'],
  ])('%s', (said, ...tries) => expect(historyOf(...tries)).toBe(said));

  test.each([
    ['1st', '01'],
    ['2nd', '02'],
    ['3rd', '03'],
    ['4th', '04'],
    ['11th', '11'],
    ['12th', '12'],
    ['13th', '13'],
    ['21st', '21'],
    ['22nd', '22'],
    ['28th', '28'],
  ])('the %s of each month', (ordinal, day) =>
    expect(historyOf(`P 2025-12-${day}`, `P 2026-01-${day}`, `P 2026-02-${day}`)).toContain(
      `on the ${ordinal} of each month`,
    ),
  );
});
