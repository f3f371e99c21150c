/** Cases of the caps of a profile, which every ledger passes. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { overCap } from '../../../src/journal/caps.ts';
import type {
  EntryState,
  IntentConditions,
  Ledger,
  MoneyRequest,
} from '../../../src/journal/ledger.ts';
import type { AppliedCap, Cap } from '../../../src/journal/rules.ts';
import { REFUND } from '../../helpers/money-request.ts';
import { foreseen } from '../../helpers/recorded.ts';
import { type Place, START } from './ledger-cases.ts';

const HOUR = 60 * 60 * 1000;
const NUMBER: AppliedCap = { per: 'hour', most: 2, of: 'refunds', operator: null };
const MONEY: AppliedCap = { ...NUMBER, per: 'day', most: 250, currency: 'AUD' };
const later = (ms: number) => new Date(Date.parse(START) + ms).toISOString();
const under = (...caps: AppliedCap[]): IntentConditions => ({
  noDuplicate: false,
  noOverRefund: false,
  caps,
});

/** @param make makes a new and empty ledger */
export function capCases(make: () => Promise<Place>): void {
  let number = 0;
  const intend = (ledger: Ledger, change: Partial<MoneyRequest>, ...caps: AppliedCap[]) =>
    ledger.intend(
      { ...REFUND, currency: 'AUD', reference: `R-${++number}`, target: `P-${number}`, ...change },
      under(...caps),
    );

  async function send(
    ledger: Ledger,
    state: Exclude<EntryState, 'sending'>,
    change: Partial<MoneyRequest> = {},
  ): Promise<void> {
    const sent = await intend(ledger, change);
    if (sent.kind !== 'recorded') throw new Error(sent.kind);
    await ledger.settle(sent.id, { state, status: 200, recordId: null, message: null });
  }

  describe('a cap', () => {
    test('on the number counts all that may have left, and frees it after its period', async () => {
      const place = await make();
      const ledger = await place.as('first');
      await send(ledger, 'declined');
      await send(ledger, 'not-sent');
      await place.pass(HOUR / 2);
      await send(ledger, 'unknown');
      const refused = { kind: 'over-cap', cap: NUMBER, used: 2, asked: 1 } as const;
      expect(await intend(ledger, {}, NUMBER)).toEqual(refused);
      expect(await foreseen(ledger, REFUND, under(NUMBER))).toEqual(refused);
      expect(await ledger.fitsAt(REFUND, refused)).toBe(later(HOUR));
      await place.pass(HOUR / 2);
      expect(await intend(ledger, {}, NUMBER)).toMatchObject({ kind: 'recorded' });
      expect(await ledger.usedUnder(REFUND, [NUMBER])).toEqual([2]);
    });

    test('on an amount counts what moved or may have, to the last cent', async () => {
      const ledger = await (await make()).as('first');
      await send(ledger, 'done');
      await send(ledger, 'unknown', { amount: 49 });
      await send(ledger, 'declined', { amount: 90 });
      await send(ledger, 'done', { currency: 'EUR' });
      await send(ledger, 'done', { currency: null, amount: 1 });
      expect(await intend(ledger, { amount: 101 }, MONEY)).toEqual({
        ...{ kind: 'over-cap', cap: MONEY, used: 150, asked: 101 },
      });
      expect(await intend(ledger, { amount: 100 }, MONEY)).toMatchObject({ kind: 'recorded' });
      expect(await ledger.usedUnder(REFUND, [MONEY])).toEqual([250]);
      const never = { kind: 'over-cap', cap: MONEY, used: 250, asked: 251 } as const;
      expect(await ledger.fitsAt(REFUND, never)).toBeUndefined();
    });

    test('is of one account and operation', async () => {
      const ledger = await (await make()).as('first');
      await send(ledger, 'done', { operation: 'purchase create', refundOf: null });
      await send(ledger, 'done', { account: 'a2' });
      expect(await ledger.usedUnder(REFUND, [NUMBER, MONEY])).toEqual([0, 0]);
    });

    test('for each operator leaves out what others sent', async () => {
      const place = await make();
      const [ada, grace] = [await place.as('ada'), await place.as('grace')];
      const each = (operator: string): AppliedCap => ({ ...NUMBER, isEach: true, operator });
      await send(ada, 'done');
      expect(await ada.usedUnder(REFUND, [each('ada')])).toEqual([1]);
      // On a server the role of the login counts, which is the same for both here.
      const isByRole = (await ada.list({ limit: 1 }))[0]?.enteredBy !== null;
      expect(await grace.usedUnder(REFUND, [each('grace')])).toEqual([isByRole ? 1 : 0]);
    });

    test.each([3, 8])('lets as many through as it says, of %d at once', async (most) => {
      const place = await make();
      const ledgers = await Promise.all(['a', 'b', 'c'].map((name) => place.as(name)));
      const cap = { ...NUMBER, most };
      const money = { ...MONEY, most: most * REFUND.amount! + 99 };
      const racing = Array.from({ length: 12 }, (_, n) => intend(ledgers[n % 3]!, {}, cap, money));
      const kinds = (await Promise.all(racing)).map(({ kind }) => kind);
      expect(kinds.filter((kind) => kind === 'recorded')).toHaveLength(most);
      expect(kinds.filter((kind) => kind === 'over-cap')).toHaveLength(12 - most);
    });
  });

  test('any requests under any caps: never more is sent than they say', async () => {
    const request = fc.record({
      amount: fc.integer({ min: 1, max: 400 }),
      state: fc.constantFrom('done', 'unknown', 'declined', 'not-sent' as const),
      wait: fc.constantFrom(0, HOUR / 3, 13 * HOUR),
    });
    const caps = fc.tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 900 }));
    await fc.assert(
      fc.asyncProperty(fc.array(request, { maxLength: 10 }), caps, async (requests, mosts) => {
        const place = await make();
        const ledger = await place.as('first');
        const both = [NUMBER, MONEY].map((cap, i) => ({ ...cap, most: mosts[i]! }));
        const sent: { at: number; amount: number; state: string }[] = [];
        let now = 0;
        for (const { amount, state, wait } of requests) {
          now += wait;
          await place.pass(wait);
          const within = sent.filter(({ at }) => now - at < HOUR && at >= 0);
          const ofDay = sent.filter(({ at }) => now - at < 24 * HOUR);
          const used = [
            within.filter((one) => one.state !== 'not-sent').length,
            ofDay
              .filter((one) => one.state === 'done' || one.state === 'unknown')
              .reduce((sum, one) => sum + one.amount, 0),
          ];
          const verdict = await intend(ledger, { amount }, ...both);
          expect(verdict.kind).toBe(overCap(both, used, amount)?.kind ?? 'recorded');
          if (verdict.kind !== 'recorded') continue;
          await ledger.settle(verdict.id, { state, status: 200, recordId: null, message: null });
          sent.push({ at: now, amount, state });
        }
      }),
      { numRuns: 12 },
    );
  }, 60_000);
}

/** A cap that fits the form of the settings. */
export const anyCap: fc.Arbitrary<Cap> = fc.record(
  {
    per: fc.constantFrom('hour' as const, 'day' as const),
    most: fc.integer({ min: 1, max: 1e9 }),
    of: fc.constantFrom('refunds' as const, 'purchases' as const),
    currency: fc.constantFrom('AUD', 'JPY', 'BHD'),
    isEach: fc.constant(true as const),
  },
  { requiredKeys: ['per', 'most', 'of'] },
);
