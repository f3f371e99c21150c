import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addDays } from '../../../../src/base/calendar.ts';
import { MAX_RETRIES } from '../../../../src/contract/billing-dates.ts';
import { firstExpiringDay } from '../../../../src/contract/expiry.ts';
import { FREQUENCIES } from '../../../../src/contract/resources/subscription.ts';
import {
  type Account,
  type BilledDay,
  type BilledSubscription,
  billDay,
  withoutRetry,
} from '../../../../src/emulator/rules/billing.ts';
import { firstDueFrom, notPast } from '../../../../src/emulator/rules/schedule.ts';

const subscriptionFrom = (
  start_date: string,
  change: Partial<BilledSubscription> = {},
): BilledSubscription => ({
  id: 'S1',
  amount: 1000,
  frequency: 'Daily',
  start_date,
  end_date: null,
  next_billing_date: start_date,
  retry_date: null,
  retries_used: 0,
  last_status: 'Scheduled',
  is_active: true,
  ...change,
});

const accountOf = (
  subscriptions: BilledSubscription[],
  card: Partial<Account['card']> = {},
): Account => ({
  card: { behaviour: 'approve', expiry: '2031-05', watch: '', ...card },
  subscriptions,
});

interface Run {
  day: string;
  before: Account;
  outcome: BilledDay;
}

/** Runs days in order; `between` may change the account before a day, as requests do. */
function runDays(
  account: Account,
  from: string,
  days: number,
  between: (account: Account, day: string, index: number) => Account = (same) => same,
): Run[] {
  const runs: Run[] = [];
  let state = account;
  for (let index = 0; index < days; index++) {
    const day = addDays(from, index);
    const before = between(state, day, index);
    const outcome = billDay(before, day);
    runs.push({ day, before, outcome });
    state = outcome.next;
  }
  return runs;
}

/** Whether the store's query for a day finds the account. */
function isLookedAt({ card, subscriptions }: Account, day: string): boolean {
  const isDue = (date: string | null) => date !== null && date <= day;
  return (
    isDue(card.watch) ||
    subscriptions.some(
      ({ is_active, next_billing_date, retry_date }) =>
        is_active && (isDue(next_billing_date) || isDue(retry_date)),
    )
  );
}

/** Makes a subscription active as requests do, the card watched again. */
function activated(
  { card, subscriptions }: Account,
  change: Partial<BilledSubscription>,
  index = 0,
): Account {
  return {
    card: { ...card, watch: card.watch ?? '' },
    subscriptions: subscriptions.map((subscription, position) =>
      position === index ? { ...subscription, ...change, is_active: true } : subscription,
    ),
  };
}

/** One line an event: day, name, status where there is one. */
const story = (runs: Run[]) =>
  runs.flatMap(({ day, outcome }) =>
    outcome.events.map((event) =>
      'charge' in event
        ? `${day} ${event.name} ${event.subscription.last_status}`
        : `${day} ${event.name}`,
    ),
  );

describe('charges', () => {
  test('a subscription of 31 January is charged on the last day of each month until its end', () => {
    const account = accountOf([
      subscriptionFrom('2026-01-31', { frequency: 'Monthly', end_date: '2026-04-29' }),
    ]);
    const runs = runDays(account, '2026-01-01', 150);
    expect(runs.flatMap(({ outcome }) => outcome.charges.map((charge) => charge.due_date))).toEqual(
      ['2026-01-31', '2026-02-28', '2026-03-31'],
    );
    const [subscription] = runs.at(-1)!.outcome.next.subscriptions;
    expect(subscription).toMatchObject({
      next_billing_date: null,
      last_status: 'Successful',
      is_active: true,
    });
  });

  test('a declining card gets three retries, is abandoned, and is charged on the next due date', () => {
    const account = accountOf([subscriptionFrom('2026-01-31', { frequency: 'Monthly' })], {
      behaviour: 'decline',
    });
    const runs = runDays(account, '2026-01-30', 31);
    expect(story(runs)).toEqual([
      '2026-01-31 charge:pending',
      '2026-01-31 charge:retry Failed (1), Pending',
      '2026-02-01 charge:retry Failed (2), Pending',
      '2026-02-02 charge:retry Failed (3), Pending',
      '2026-02-03 charge:failed Failed (3), Aborted',
      '2026-02-28 charge:pending',
      '2026-02-28 charge:retry Failed (1), Pending',
      '2026-03-01 charge:retry Failed (2), Pending',
    ]);
    const charges = runs.flatMap(({ outcome }) => outcome.charges);
    expect(charges.slice(0, 4).map(({ due_date, retry }) => [due_date, retry])).toEqual([
      ['2026-01-31', 0],
      ['2026-01-31', 1],
      ['2026-01-31', 2],
      ['2026-01-31', 3],
    ]);
  });

  test('a due date that was billed before is not billed again', () => {
    const billed = subscriptionFrom('2026-01-01', { next_billing_date: '2026-01-03' });
    const { charges, next } = billDay(accountOf([billed]), '2026-01-02');
    expect(charges).toEqual([]);
    expect(next.subscriptions).toEqual([billed]);
  });

  test('a retry that succeeds on a due date does not replace the charge of that date', () => {
    const account = accountOf([subscriptionFrom('2026-01-01')], { behaviour: 'decline' });
    const runs = runDays(account, '2026-01-01', 2, (state, _day, index) =>
      index === 1 ? { ...state, card: { ...state.card, behaviour: 'approve' } } : state,
    );
    expect(runs[1]!.outcome.charges).toMatchObject([
      { due_date: '2026-01-01', retry: 1, successful: true },
      { due_date: '2026-01-02', retry: 0, successful: true },
    ]);
    expect(story(runs).slice(2)).toEqual([
      '2026-01-02 charge:successful Successful',
      '2026-01-02 charge:pending',
      '2026-01-02 charge:successful Successful',
    ]);
  });
});

describe('stopping', () => {
  test.each([
    [0, 'Failed (1), Aborted'],
    [1, 'Failed (2), Aborted'],
    [2, 'Failed (3), Aborted'],
  ])('with %i retries used ends the retry as %s', (retries_used, last_status) => {
    const waiting = subscriptionFrom('2026-01-01', { retry_date: '2026-01-05', retries_used });
    expect(withoutRetry(waiting)).toEqual({
      ...waiting,
      retry_date: null,
      retries_used: 0,
      last_status,
    });
  });
});

describe('any account', () => {
  const START = '2026-01-01';
  const DAYS = 120;
  const offset = fc.integer({ min: -400, max: 60 });
  const subscription = fc.record({
    start: offset,
    length: fc.option(fc.integer({ min: 0, max: 200 }), { nil: null }),
    frequency: fc.constantFrom(...FREQUENCIES),
    amount: fc.constantFrom(1000, 1008, 1051, 1005),
    is_active: fc.boolean(),
  });
  const EXPIRIES = ['2025-12', '2026-01', '2026-02', '2026-03', '2026-05', '2031-05'];
  /**
   * Changes that may happen before a day: stop, resume (or make one on an expired card), a card that behaves
   * otherwise or expires in another month.
   */
  const change = fc.record({
    day: fc.nat(DAYS - 1),
    subscription: fc.nat(2),
    what: fc.constantFrom('stop', 'resume', 'approve', 'decline', 'by-amount', ...EXPIRIES),
  });
  const scenario = fc.record({
    subscriptions: fc.array(subscription, { minLength: 1, maxLength: 3 }),
    behaviour: fc.constantFrom('approve', 'decline', 'by-amount'),
    expiry: fc.constantFrom(...EXPIRIES),
    changes: fc.array(change, { maxLength: 8 }),
  });

  type Scenario = typeof scenario extends fc.Arbitrary<infer Given> ? Given : never;

  function play({ subscriptions, behaviour, expiry, changes }: Scenario): Run[] {
    const account = accountOf(
      subscriptions.map(({ start, length, frequency, amount, is_active }, index) => {
        const start_date = addDays(START, start);
        const end_date = length === null ? null : addDays(start_date, length);
        const next_billing_date = notPast(end_date, firstDueFrom(start_date, frequency, START));
        return subscriptionFrom(start_date, {
          id: `S${index}`,
          end_date,
          frequency,
          amount,
          is_active,
          next_billing_date,
        });
      }),
      { behaviour, expiry },
    );
    return runDays(account, START, DAYS, (state, day, index) =>
      changes
        .filter((change) => change.day === index)
        .reduce(
          (changed, { what, subscription }) => apply(changed, day, what, subscription),
          state,
        ),
    );
  }

  function apply(state: Account, day: string, what: string, index: number): Account {
    if (what === 'approve' || what === 'decline' || what === 'by-amount')
      return { ...state, card: { ...state.card, behaviour: what } };
    if (EXPIRIES.includes(what))
      return { ...state, card: { ...state.card, expiry: what, watch: firstExpiringDay(what) } };
    const subscription = state.subscriptions[index];
    if (!subscription || subscription.is_active === (what === 'resume')) return state;
    if (what === 'resume') {
      const { start_date, end_date, frequency } = subscription;
      const next_billing_date = notPast(end_date, firstDueFrom(start_date, frequency, day));
      return activated(state, { next_billing_date }, index);
    }
    const subscriptions = state.subscriptions.with(index, {
      ...withoutRetry(subscription),
      is_active: false,
    });
    return { ...state, subscriptions };
  }

  const always = (claim: (runs: Run[]) => void) =>
    fc.assert(
      fc.property(scenario, (given) => claim(play(given))),
      { numRuns: 150 },
    );
  const chargesOf = (runs: Run[]) =>
    runs.flatMap(({ day, before, outcome }) =>
      outcome.charges.map((charge) => ({
        ...charge,
        day,
        subscription: before.subscriptions.find(({ id }) => id === charge.subscription)!,
      })),
    );

  test('has no due date with two successful charges or two attempts of the same number', () => {
    always((runs) => {
      const charges = chargesOf(runs);
      const keys = charges.map((c) => `${c.subscription.id} ${c.due_date} ${c.retry}`);
      expect(new Set(keys).size).toBe(keys.length);
      const paid = charges
        .filter(({ successful }) => successful)
        .map((charge) => `${charge.subscription.id} ${charge.due_date}`);
      expect(new Set(paid).size).toBe(paid.length);
    });
  });

  test('is charged for due dates between start and end, of active subscriptions', () => {
    always((runs) => {
      for (const { subscription, due_date, day, retry } of chargesOf(runs)) {
        const { start_date, end_date, frequency } = subscription;
        expect(firstDueFrom(start_date, frequency, due_date)).toBe(due_date);
        expect(due_date >= start_date && (end_date === null || due_date <= end_date)).toBe(true);
        expect(subscription.is_active).toBe(true);
        expect(addDays(due_date, retry)).toBe(day);
      }
    });
  });

  test('has at most three retries, each after a failure', () => {
    always((runs) => {
      const charges = chargesOf(runs);
      for (const charge of charges) {
        expect(charge.retry).toBeLessThanOrEqual(MAX_RETRIES);
        if (charge.retry === 0) continue;
        const before = charges.find(
          (other) =>
            other.subscription.id === charge.subscription.id &&
            other.due_date === charge.due_date &&
            other.retry === charge.retry - 1,
        );
        expect(before?.successful).toBe(false);
      }
    });
  });

  test('has events for its charges: pending first, then one for each attempt', () => {
    always((runs) => {
      for (const { outcome } of runs) {
        const attempts = outcome.events.flatMap((event) => ('charge' in event ? [event] : []));
        expect(attempts.map(({ charge }) => charge)).toEqual(outcome.charges);
        for (const { name, charge, subscription } of attempts) {
          const { retry, successful } = charge;
          const expected = successful
            ? ['charge:successful', 'Successful']
            : retry === MAX_RETRIES
              ? ['charge:failed', 'Failed (3), Aborted']
              : ['charge:retry', `Failed (${retry + 1}), Pending`];
          expect([name, subscription.last_status]).toEqual(expected);
        }
        outcome.events.forEach((event, index) => {
          if (!('charge' in event) || event.charge.retry > 0) return;
          const previous = outcome.events[index - 1];
          expect(previous?.name).toBe('charge:pending');
        });
        const pending = outcome.events.filter(({ name }) => name === 'charge:pending');
        expect(pending).toHaveLength(outcome.charges.filter(({ retry }) => retry === 0).length);
      }
    });
  });

  const countOf = ({ outcome }: Run, wanted: string) =>
    outcome.events.filter(({ name }) => name === wanted).length;
  const hasActive = ({ subscriptions }: Account) =>
    subscriptions.some(({ is_active }) => is_active);
  const isExpired = ({ day, before }: Run) => day.slice(0, 7) > before.card.expiry;

  test('has nothing active and no charges after the expiry, which is announced once', () => {
    always((runs) => {
      for (const run of runs) {
        const isStopped = isExpired(run) && hasActive(run.before);
        expect(countOf(run, 'card:expired')).toBe(Number(isStopped));
        if (!isExpired(run)) continue;
        expect(hasActive(run.outcome.next)).toBe(false);
        expect(run.outcome.charges).toEqual([]);
      }
    });
  });

  test('has its card announced on the first of its last 31 days with an active subscription', () => {
    always((runs) => {
      let isNoticed = false;
      for (const run of runs) {
        const { day, before } = run;
        const from = firstExpiringDay(before.card.expiry);
        // An expiry that is set, the same one again too, makes a card of its own.
        if (before.card.watch === from) isNoticed = false;
        const isDue = !isNoticed && day >= from && !isExpired(run) && hasActive(before);
        expect(countOf(run, 'card:expiring')).toBe(Number(isDue));
        if (isDue) isNoticed = true;
      }
    });
  });

  test('has nothing to bill if no query finds it', () => {
    always((runs) => {
      for (const { day, before, outcome } of runs) {
        if (isLookedAt(before, day)) continue;
        expect(outcome).toEqual({ next: before, charges: [], events: [] });
      }
    });
  });

  test('has its card checked three times at most while nothing is active', () => {
    always((runs) => {
      let looks = 0;
      runs.forEach((run, index) => {
        const isChanged = index > 0 && run.before.card !== runs[index - 1]?.outcome.next.card;
        if (isChanged || hasActive(run.before)) looks = 0;
        if (isLookedAt(run.before, run.day)) looks++;
        expect(looks).toBeLessThanOrEqual(3);
      });
    });
  });

  test('is loaded once a day at most', () => {
    always((runs) => {
      for (const { day, outcome } of runs) {
        expect(outcome.next.card.watch === null || outcome.next.card.watch > day).toBe(true);
        for (const { is_active, next_billing_date, retry_date } of outcome.next.subscriptions) {
          if (!is_active) continue;
          expect(next_billing_date === null || next_billing_date > day).toBe(true);
          expect(retry_date === null || retry_date > day).toBe(true);
        }
      }
    });
  });

  test('is billed the same way every time, and the input does not change', () => {
    fc.assert(
      fc.property(scenario, (given) => {
        const runs = play(given);
        for (const { day, before, outcome } of runs) {
          const copy = structuredClone(before);
          expect(billDay(before, day)).toEqual(outcome);
          expect(before).toEqual(copy);
        }
      }),
      { numRuns: 30 },
    );
  });
});
