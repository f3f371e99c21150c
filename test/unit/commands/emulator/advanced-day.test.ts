import { expect, test } from 'vitest';
import {
  ADVANCED_DAY_VIEW,
  foldedDays,
  untoldText,
} from '../../../../src/commands/emulator/advanced-day.ts';
import type { AdvancedDay } from '../../../../src/emulator/billing/advance.ts';
import { print, terminal } from '../../../helpers/capture.ts';

function dayOf(day: string, successful = 0, retry = 0): AdvancedDay {
  const events = {
    ...{ 'charge:pending': successful + retry, 'charge:successful': successful },
    ...{ 'charge:retry': retry, 'charge:failed': 0, 'card:expiring': 0, 'card:expired': 0 },
  };
  return { day, events, delivered: successful + retry, failed: 0, abandoned: 0 };
}

const DAYS = [
  dayOf('2026-01-01', 12, 1),
  dayOf('2026-01-02'),
  dayOf('2026-01-03'),
  dayOf('2026-01-04', 3),
  dayOf('2026-01-05'),
];

test('a table has a row for each day, one for quiet days, and the total', async () => {
  const { stdout } = await print(foldedDays(DAYS), {
    kind: ADVANCED_DAY_VIEW,
    output: terminal(),
  });
  expect(stdout).toMatchInlineSnapshot(`
    "DAY           PENDING  SUCCESSFUL  RETRY  DELIVERED
    2026-01-01         13          12      1         13
    2 quiet days        -           -      -          -
    2026-01-04          3           3      -          3
    2026-01-05          -           -      -          -
    total              16          15      1         16
    "
  `);
});

test('a table of one day has no total, and no days have no table', () => {
  expect(foldedDays([dayOf('2026-01-02')])).toEqual([
    ADVANCED_DAY_VIEW.record(dayOf('2026-01-02')),
  ]);
  expect(foldedDays([])).toEqual([]);
});

test('programs get every day and every zero', async () => {
  const records = DAYS.map((day) => ADVANCED_DAY_VIEW.record(day));
  const { stdout } = await print(records, { kind: ADVANCED_DAY_VIEW, format: 'tsv' });
  expect(stdout.split('\n').slice(0, 3)).toEqual([
    'day\tpending\tsuccessful\tretry\tfailed\texpiring\texpired\tdelivered\tnot_delivered\tabandoned',
    '2026-01-01\t13\t12\t1\t0\t0\t0\t13\t0\t0',
    '2026-01-02\t0\t0\t0\t0\t0\t0\t0\t0\t0',
  ]);
});

const HEARD = { isHeard: true, isListed: false };
const UNHEARD = { isHeard: false, isListed: false };

test('what gw did not receive is said, with what to do', () => {
  expect(untoldText({ events: 0, delivered: 0 }, UNHEARD)).toBe('');
  expect(untoldText({ events: 3, delivered: 3 }, HEARD)).toBe('');
  expect(untoldText({ events: 3, delivered: 1 }, HEARD)).toMatch(
    /^2 events of 3 were delivered to nobody/,
  );
  const others = untoldText({ events: 3, delivered: 3 }, UNHEARD);
  expect(others).toMatch(/^Other addresses took events/);
  expect(others).not.toContain('nobody');
  expect(others).not.toContain('gw api');
});
