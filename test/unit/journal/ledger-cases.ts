/** Cases for every ledger; each implementation runs them. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PurchaseBalance } from '../../../src/journal/balance.ts';
import { batchesOf, withCurrencies } from '../../../src/journal/batches.ts';
import type {
  EntryState,
  IntentConditions,
  Ledger,
  LineClaim,
  MoneyRequest,
  RecordSnapshot,
} from '../../../src/journal/ledger.ts';
import { insertAll } from '../../../src/store/sql.ts';
import type { Deed } from '../../../src/things/deed.ts';
import type { Owner } from '../../../src/things/owner.ts';
import { whatCounts } from '../../../src/things/what-counts.ts';
import { AT, REFUND } from '../../helpers/money-request.ts';
import { foreseen, recorded } from '../../helpers/recorded.ts';

/** A ledger that several processes use, and the time that they have. */
export interface Place {
  /** Opens it as the process of this name, whose operator has the same; closed after the test. */
  as(process: string): Promise<Ledger>;
  /** Opens the ledger as a process of which nobody can tell whether it has ended. */
  asNobody(): Promise<Ledger>;
  /** The process of this name has ended, and everybody can tell. */
  end(process: string): Promise<void>;
  pass(ms: number): Promise<void>;
}

export const MACHINE = 'desk-1';
/** The same account under other names. */
const ALIAS = { profile: 'other', host: '127.0.0.1:4010' };
const PURCHASE: RecordSnapshot = {
  ...AT,
  kind: 'purchase',
  id: 'P-1',
  reference: 'INV-1',
  name: 'Ada Lovelace',
  lastFour: '2346',
  amount: 1_000,
  seenBy: 'purchase get',
  seenAt: '2026-01-01T00:00:00.000Z',
  record: { id: 'P-1', amount: 1_000 },
};
export const GUARDED: IntentConditions = { noDuplicate: true, noOverRefund: true };
export const LINE: LineClaim = {
  batch: 'b',
  line: 'l',
  occurrence: 1,
  siblings: [{ amount: REFUND.amount, lines: 1 }],
  among: 'all',
  retries: 'none',
};
/** When each test begins. */
export const START = '2026-03-10T09:30:00.000Z';
const later = (ms: number) => new Date(Date.parse(START) + ms).toISOString();
const outcome = <State extends Exclude<EntryState, 'sending'>>(state: State) => ({
  state,
  status: 200,
  recordId: null,
  message: null,
});

async function send(
  ledger: Ledger,
  change: Partial<MoneyRequest> = {},
  state: Exclude<EntryState, 'sending'> = 'done',
): Promise<string> {
  const id = await recorded(ledger, { ...REFUND, ...change });
  await ledger.settle(id, outcome(state));
  return id;
}

async function balanceOf(ledger: Ledger, of: { account: string }, purchase: string) {
  return (await ledger.balances(of, [purchase])).get(purchase);
}

/** @param make makes a new and empty ledger; the time there is `START` */
export function ledgerCases(make: () => Promise<Place>): void {
  async function open() {
    const place = await make();
    return { ledger: await place.as('first'), ...place };
  }
  const intend = (
    ledger: Ledger,
    change: Partial<MoneyRequest> = {},
    conditions: Partial<IntentConditions> = {},
  ) => ledger.intend({ ...REFUND, ...change }, { ...GUARDED, ...conditions });

  const foresee = (
    ledger: Ledger,
    change: Partial<MoneyRequest> = {},
    conditions: Partial<IntentConditions> = {},
  ) => foreseen(ledger, { ...REFUND, ...change }, { ...GUARDED, ...conditions });

  describe('batches', () => {
    const sums = async (ledger: Ledger) => {
      const batches = await ledger.batches();
      return batchesOf(batches, await ledger.batchParts(batches));
    };
    const line = (name: string): LineClaim => ({
      ...LINE,
      batch: 'march',
      line: name,
    });

    test('are recognised by their lines, each with its most certain attempt', async () => {
      const { ledger, end, as } = await open();
      const attempt = async (
        name: string,
        state: Exclude<EntryState, 'sending'> | undefined,
        change: Partial<MoneyRequest> = {},
      ) => {
        const asked = { reference: name, refundOf: null, ...change };
        const intended = await intend(ledger, asked, { line: line(name) });
        if (intended.kind !== 'recorded') throw new Error(intended.kind);
        if (state) await ledger.settle(intended.id, outcome(state));
        return intended.id;
      };
      await send(ledger);
      await attempt('A', 'declined');
      const ids = [
        await attempt('A', 'done'),
        await attempt('B', 'done', { amount: 250, currency: 'JPY' }),
        await attempt('C', 'rejected', { amount: null }),
        await attempt('D', undefined),
      ];
      await end('first');
      const others = await as('second');
      const batches = await sums(others);
      expect(batches).toHaveLength(1);
      const [march] = batches;
      expect(march).toMatchObject({
        ...{ batch: 'march', operation: 'refund create', account: 'a1', profile: 'sandbox' },
        ...{ lines: 4, operators: ['first'], first: START, last: START },
        counts: { done: 2, rejected: 1, unknown: 1 },
        done: new Map([
          ['', 100],
          ['JPY', 250],
        ]),
      });
      expect(await others.batchEntries(march!)).toEqual(ids);
      expect(await others.batchEntries({ ...march!, account: 'a2' })).toEqual([]);
      expect(await others.openAmounts(march!)).toEqual([]);
    });

    test('have totals, by purchase for lines without a currency', async () => {
      const { ledger } = await open();
      const made = async (name: string, change: Partial<MoneyRequest>, recordId: string | null) => {
        const intended = await intend(ledger, { reference: name, ...change }, { line: line(name) });
        if (intended.kind !== 'recorded') throw new Error(intended.kind);
        const state = recordId === null ? 'declined' : 'done';
        await ledger.settle(intended.id, { ...outcome(state), recordId });
      };
      await made('A', { refundOf: 'P-1', amount: 100 }, 'R-1');
      await made('B', { refundOf: 'P-1', amount: 50 }, 'R-2');
      await made('C', { refundOf: 'P-2', amount: 70 }, 'R-3');
      await made('D', { refundOf: 'P-2', amount: 7 }, null);
      await made('E', { refundOf: null, amount: 900 }, 'P-3');
      await made('F', { refundOf: null, amount: 800, currency: 'AUD' }, 'P-4');
      const [march] = await sums(ledger);
      const amounts = await ledger.openAmounts(march!);
      expect(amounts).toEqual([
        { purchase: 'P-1', amount: 150 },
        { purchase: 'P-2', amount: 70 },
        { purchase: 'P-3', amount: 900 },
      ]);
      const known = new Map([
        ['P-1', 'AUD'],
        ['P-3', 'JPY'],
      ]);
      expect([...withCurrencies(march!, amounts, known).done]).toEqual(
        expect.arrayContaining([
          ['AUD', 950],
          ['', 70],
          ['JPY', 900],
        ]),
      );
    });
  });

  describe('an entry', () => {
    test('is stored with the whole intent and is unresolved', async () => {
      const { ledger } = await open();
      const id = await recorded(ledger, REFUND);
      const entry = {
        ...REFUND,
        id,
        state: 'sending',
        createdAt: START,
        settledAt: null,
        status: null,
        recordId: null,
        message: null,
        transactionDate: null,
        responseCode: null,
        batch: null,
        line: null,
        occurrence: null,
        operator: 'first',
        machine: MACHINE,
        resolution: null,
        resolvedBy: null,
        proposedUntil: null,
        proposal: null,
        approvedBy: null,
      };
      for (const filter of [{}, { unresolved: true }]) {
        const [listed, ...others] = await ledger.list({ ...filter, limit: 9 });
        // By the word of a server, where there is one.
        const { enteredBy, enteredAt, ...said } = listed!;
        expect(said).toEqual(entry);
        expect(enteredBy === null).toBe(enteredAt === null);
        expect(others).toEqual([]);
      }
    });

    test('is found by its whole id in one query', async () => {
      const { ledger } = await open();
      const ids = [await send(ledger), await send(ledger, { reference: 'B' }, 'declined')];
      const asked = [...ids, 'none', ids[0]?.slice(0, 8) ?? ''];
      const found = await ledger.entries(asked);
      expect(found.map(({ id, state }) => [id, state])).toEqual(
        ids.map((id, n) => [id, n === 0 ? 'done' : 'declined']),
      );
    });

    test.each<Exclude<EntryState, 'sending'>>([
      'done',
      'declined',
      'rejected',
      'not-sent',
      'unknown',
    ])('stores the outcome %s, and is unresolved if it is uncertain', async (state) => {
      const { ledger } = await open();
      const id = await recorded(ledger, REFUND);
      const settlement = { state, status: 200, recordId: 'R-9', message: 'Approved' };
      await ledger.settle(id, settlement);
      expect(await ledger.find(id)).toMatchObject([{ ...settlement, settledAt: START }]);
      const unresolved = await ledger.list({ unresolved: true, limit: 9 });
      expect(unresolved).toHaveLength(state === 'unknown' ? 1 : 0);
    });

    test('is found by the next process', async () => {
      const { ledger, as } = await open();
      const id = await send(ledger);
      await ledger.close();
      expect(await (await as('second')).find(id)).toHaveLength(1);
    });

    test('is listed before older ones, up to the limit', async () => {
      const { ledger } = await open();
      for (const reference of ['a', 'b', 'c']) await send(ledger, { reference });
      const listed = await ledger.list({ limit: 2 });
      expect(listed.map(({ reference }) => reference)).toEqual(['c', 'b']);
    });

    test('is found only by the beginning of its id', async () => {
      const { ledger } = await open();
      const id = await send(ledger);
      expect(await ledger.find(id.slice(0, 8))).toHaveLength(1);
      expect(await ledger.find(id.slice(1))).toEqual([]);
      expect(await ledger.find('%')).toEqual([]);
      expect(await ledger.find('_'.repeat(36))).toEqual([]);
    });

    test('that is missing does not lose its outcome silently', async () => {
      const { ledger } = await open();
      await expect(ledger.settle('no-such-id', outcome('done'))).rejects.toMatchObject({
        code: 'entry-lost',
      });
    });

    test('returns any text unchanged, even NUL and half a character', async () => {
      const { ledger } = await open();
      const text = fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }));
      await fc.assert(
        fc.asyncProperty(text, text, async (reference, message) => {
          const id = await recorded(ledger, { ...REFUND, reference, body: { reference } });
          await ledger.settle(id, { ...outcome('done'), message });
          expect(await ledger.find(id)).toMatchObject([
            { reference, message, body: { reference } },
          ]);
        }),
        {
          numRuns: 40,
          examples: [
            ["'; DROP TABLE money_requests; --", ''],
            ['a\0b', '\ud83d'],
            ['\u0001json:x', '\u0001json:"x"'],
          ],
        },
      );
    });

    test('with the same NUL in its text is a duplicate', async () => {
      const { ledger } = await open();
      await send(ledger, { reference: 'a\0b' });
      expect(await intend(ledger, { reference: 'a\0b' })).toMatchObject({ kind: 'duplicate' });
      expect(await intend(ledger, { reference: 'a\0c' })).toMatchObject({ kind: 'recorded' });
    });

    test('with a record is reported to other entries of its account, and not to itself', async () => {
      const { ledger } = await open();
      const made = async (recordId: string | null, change: Partial<MoneyRequest> = {}) => {
        const id = await recorded(ledger, { ...REFUND, ...change });
        await ledger.settle(id, { ...outcome(recordId === null ? 'unknown' : 'done'), recordId });
        return id;
      };
      const id = await made('R-9');
      const another = await made(null, { reference: 'RET-2' });
      expect(await ledger.isMadeByAnother('R-9', another)).toBe(true);
      expect(await ledger.isMadeByAnother('R-9', id)).toBe(false);
      expect(await ledger.isMadeByAnother('R-8', another)).toBe(false);
      const ofOther = await made(null, { reference: 'RET-2', account: 'a2' });
      expect(await ledger.isMadeByAnother('R-9', ofOther)).toBe(false);
      await made('P-9', { operation: 'api POST /v1.0/purchases/P-9/void' });
      expect(await ledger.isMadeByAnother('P-9', another)).toBe(false);
      await ledger.settle(ofOther, { ...outcome('unknown'), recordId: 'R-10' });
      expect(await ledger.isMadeByAnother('R-10', another)).toBe(false);
    });

    test('whose record another request made is not settled, unless it repeats that request', async () => {
      const { ledger } = await open();
      const isSettledAsAnothers = async (recordId: string, asked: string) => {
        const settlement = { ...outcome('done'), recordId };
        const seen = { ...PURCHASE, id: asked };
        const said = await ledger.settle(asked, settlement, [seen], recordId);
        const isAnothers = said === 'of-another';
        const state = isAnothers ? 'sending' : 'done';
        expect(await ledger.find(asked)).toMatchObject([{ state }]);
        const remembered = await ledger.remembered({ id: asked }, 1);
        expect(remembered).toHaveLength(isAnothers ? 0 : 1);
        return isAnothers;
      };
      const id = await recorded(ledger, REFUND);
      await ledger.settle(id, { ...outcome('done'), recordId: 'R-9' });
      const isAnothers = async (change: Partial<MoneyRequest>) => {
        const asked = await recorded(ledger, { ...REFUND, ...change });
        expect(await ledger.isMadeByAnother('R-9', asked)).toBe(true);
        return isSettledAsAnothers('R-9', asked);
      };
      expect(await isAnothers({})).toBe(false);
      expect(await isAnothers({ ...ALIAS })).toBe(false);
      expect(await isAnothers({ reference: 'RET-2' })).toBe(true);
      expect(await isAnothers({ amount: 1 })).toBe(true);
      expect(await isAnothers({ target: 'P-2', refundOf: 'P-2' })).toBe(true);
      expect(await isAnothers({ operation: 'purchase create' })).toBe(true);
      // Nothing tells a repeat from a second one.
      const [one, other] = [
        await recorded(ledger, { ...REFUND, reference: null }),
        await recorded(ledger, { ...REFUND, reference: null }),
      ];
      await ledger.settle(one, { ...outcome('done'), recordId: 'R-10' });
      expect(await isSettledAsAnothers('R-10', other)).toBe(true);
    });
  });

  describe('the currency', () => {
    const yen = { ...PURCHASE, record: { ...PURCHASE.record, currency: 'JPY' } };

    test('of a refund is that of its purchase', async () => {
      const { ledger } = await open();
      await ledger.settle(await recorded(ledger, REFUND), {
        ...{ ...outcome('done'), recordId: 'R-9' },
      });
      const currencyOf = async (of: { account: string }, refund: string) => {
        const purchase = (await ledger.purchaseOf(of, refund)) ?? '';
        return (await ledger.currencies(of, [purchase])).get(purchase);
      };
      expect(await currencyOf(AT, 'R-9')).toBeUndefined();
      await ledger.remember([yen]);
      expect(await currencyOf(AT, 'R-9')).toBe('JPY');
      expect(await currencyOf({ account: 'a2' }, 'R-9')).toBeUndefined();
      expect(await currencyOf(AT, 'R-8')).toBeUndefined();
      expect(await currencyOf(AT, 'P-1')).toBeUndefined();
    });

    test("is that of the purchase's request if its record has none", async () => {
      const { ledger } = await open();
      const purchase = { refundOf: null, target: 'tok', operation: 'purchase create' };
      const id = await recorded(ledger, { ...REFUND, ...purchase, currency: 'EUR' });
      await ledger.settle(id, { ...outcome('done'), recordId: 'P-1' }, [PURCHASE]);
      expect(await ledger.currencies(AT, ['P-1'])).toEqual(new Map([['P-1', 'EUR']]));
    });

    test('of many purchases is read in one query', async () => {
      const { ledger } = await open();
      await ledger.remember([yen]);
      expect(await ledger.currencies(AT, ['P-0', 'P-1', 'P-2'])).toEqual(new Map([['P-1', 'JPY']]));
      expect(await ledger.currencies({ ...AT, account: 'a2' }, ['P-1'])).toEqual(new Map());
      expect(await ledger.currencies(AT, [])).toEqual(new Map());
    });
  });

  describe('an intent', () => {
    test('that repeats what succeeded, is unknown or is being sent is refused', async () => {
      for (const state of ['done', 'unknown', undefined] as const) {
        const { ledger } = await open();
        if (state) await send(ledger, {}, state);
        else await ledger.intend(REFUND);
        expect(await intend(ledger)).toMatchObject({ kind: 'duplicate', of: { reference: 'R-1' } });
        expect(await intend(ledger, {}, { noDuplicate: false })).toMatchObject({
          kind: 'recorded',
        });
      }
    });

    test('is no duplicate of a rejected or declined one, or of one that differs', async () => {
      const { ledger } = await open();
      await send(ledger, {}, 'rejected');
      await send(ledger, {}, 'declined');
      await send(ledger, { amount: 7 });
      for (const change of [
        {},
        { amount: 8 },
        { reference: null },
        { target: 'P-2' },
        { account: 'a2' },
        { operation: 'purchase create' },
      ])
        expect(await intend(ledger, change)).toMatchObject({ kind: 'recorded' });
    });

    test('without a reference repeats one that succeeded within an hour', async () => {
      const { ledger, pass } = await open();
      const same = { reference: null, currency: 'AUD' };
      await send(ledger, same);
      const id = await send(ledger, same);
      const refused = { kind: 'duplicate', of: { id, state: 'done' } };
      const hour = 60 * 60 * 1000;
      // One that is dated later than now was written by a clock that is ahead.
      for (const ms of [0, hour - 1, -2 * hour]) {
        await pass(ms);
        expect(await foresee(ledger, same)).toMatchObject(refused);
        expect(await foresee(ledger, { ...same, currency: null })).toMatchObject(refused);
        for (const other of [
          { currency: 'JPY' },
          { amount: 8 },
          { target: 'P-2' },
          { account: 'a2' },
          { operation: 'purchase create' },
          { reference: 'R-1' },
        ])
          expect(await foresee(ledger, { ...same, ...other })).toBeUndefined();
      }
      expect(await foresee(ledger, same, { noDuplicate: false })).toBeUndefined();
      await pass(2 * hour + 1);
      expect(await foresee(ledger, same)).toBeUndefined();
    });

    test('without a reference always repeats an unknown one, and never a failed one', async () => {
      const { ledger, pass } = await open();
      const same = { reference: null };
      for (const state of ['declined', 'rejected', 'not-sent'] as const)
        await send(ledger, same, state);
      expect(await foresee(ledger, same)).toBeUndefined();
      const id = await send(ledger, same, 'unknown');
      await pass(400 * 24 * 60 * 60 * 1000);
      expect(await foresee(ledger, same)).toMatchObject({ kind: 'duplicate', of: { id } });
    });

    test('to refund more than is left is refused, and uncertain refunds count', async () => {
      const { ledger } = await open();
      await ledger.remember([PURCHASE]);
      await send(ledger, { amount: 400 });
      await send(ledger, { amount: 900, target: 'P-2', refundOf: 'P-2' });
      await send(ledger, { amount: 300, reference: 'R-2' }, 'unknown');
      await send(ledger, { amount: 900, reference: 'R-3' }, 'rejected');
      await send(ledger, { amount: 900, reference: 'R-5', refundOf: null });
      await send(ledger, { amount: 900, reference: 'R-6', account: 'a2' });
      const balance = { paid: 1_000, refunded: 400, uncertain: 300 };
      expect(await balanceOf(ledger, AT, 'P-1')).toEqual(balance);
      const change = { reference: 'R-4' };
      expect(await intend(ledger, { ...change, amount: 301 })).toEqual({
        kind: 'over-refund',
        balance,
      });
      const refused = { noOverRefund: false };
      for (const [fine, conditions] of [
        [{ ...change, amount: 300 }, {}],
        [{ amount: 5_000, target: 'P-unseen', refundOf: 'P-unseen' }, {}],
        [{ amount: 5_000, refundOf: null }, {}],
        [{ amount: 5_001 }, refused],
      ] as const)
        expect(await intend(ledger, fine, conditions)).toMatchObject({ kind: 'recorded' });
    });

    test.each<[EntryState, Partial<PurchaseBalance>]>([
      ['sending', { uncertain: 300 }],
      ['unknown', { uncertain: 300 }],
      ['done', { refunded: 300 }],
      ['declined', {}],
      ['rejected', {}],
      ['not-sent', {}],
      ['not-done', {}],
    ])('counts a refund of another process that is %s in what is left', async (state, counted) => {
      const { ledger, as } = await open();
      await ledger.remember([PURCHASE]);
      const other = await as('second');
      if (state === 'sending') await recorded(other, { ...REFUND, amount: 300 });
      else await send(other, { amount: 300 }, state);
      const balance = { paid: 1_000, refunded: 0, uncertain: 0, ...counted };
      expect(await balanceOf(ledger, AT, 'P-1')).toEqual(balance);
      // The SQL of the ledger and the function that screens and reports ask say the same.
      const { operation: label } = REFUND;
      const counts = whatCounts({ kind: 'request', told: 'request', label, outcome: state });
      expect({ refunds: 'refunded', unknown: 'uncertain' }[String(counts)]).toBe(
        Object.keys(counted)[0],
      );
      const left = 1_000 - balance.refunded - balance.uncertain;
      const line = { line: { ...LINE, siblings: [{ amount: left + 1, lines: 1 }] } };
      for (const conditions of [{}, line]) {
        const more = { reference: 'R-2', amount: left + 1 };
        const refused = { kind: 'over-refund', balance };
        expect(await foresee(ledger, more, conditions)).toEqual(refused);
        expect(await intend(ledger, more, conditions)).toEqual(refused);
      }
      const rest = { reference: 'R-2', amount: left };
      expect(await intend(ledger, rest)).toMatchObject({ kind: 'recorded' });
    });

    test('of a purchase that was only authorised is refused until it is seen paid', async () => {
      const { ledger } = await open();
      await ledger.remember([{ ...PURCHASE, amount: 0 }]);
      const balance = { paid: 0, refunded: 0, uncertain: 0 };
      expect(await intend(ledger, { amount: 1 })).toEqual({ kind: 'over-refund', balance });
      await ledger.remember([PURCHASE]);
      expect(await intend(ledger, { amount: 1 })).toMatchObject({ kind: 'recorded' });
    });

    test('of refunds above the largest amount is still too much', async () => {
      const { ledger } = await open();
      await ledger.remember([PURCHASE]);
      const amount = Number.MAX_SAFE_INTEGER;
      for (const reference of ['R-1', 'R-2', 'R-3']) await send(ledger, { amount, reference });
      await send(ledger, { amount, reference: 'R-4' }, 'unknown');
      const change = { amount: 1, reference: 'R-5' };
      expect(await intend(ledger, change)).toMatchObject({
        kind: 'over-refund',
        balance: { paid: 1_000, uncertain: amount },
      });
    });
  });

  describe('an account', () => {
    test('is the same under another name of its host and profile', async () => {
      const { ledger } = await open();
      await ledger.remember([PURCHASE]);
      await send(ledger, { amount: 400 });
      expect(await intend(ledger, { ...ALIAS, amount: 400 })).toMatchObject({
        kind: 'duplicate',
        of: AT,
      });
      expect(await balanceOf(ledger, { ...AT, ...ALIAS }, 'P-1')).toMatchObject({ refunded: 400 });
      expect(await intend(ledger, { ...ALIAS, reference: 'R-2', amount: 601 })).toMatchObject({
        kind: 'over-refund',
      });
    });

    test('differs from another one at the same host and profile', async () => {
      const { ledger } = await open();
      const theirs = { ...PURCHASE, account: 'a2', amount: 50, name: null };
      await ledger.remember([PURCHASE, theirs]);
      await send(ledger, { amount: 50 });
      expect(await intend(ledger, { account: 'a2', amount: 50 })).toMatchObject({
        kind: 'recorded',
      });
      expect(await balanceOf(ledger, AT, 'P-1')).toMatchObject({ paid: 1_000, refunded: 50 });
      expect(await balanceOf(ledger, { ...AT, account: 'a2' }, 'P-1')).toMatchObject({ paid: 50 });
      const seen = await ledger.remembered({ id: 'P-1' }, 9);
      expect(seen.map(({ account, name, amount }) => [account, name, amount]).sort()).toEqual([
        ['a1', 'Ada Lovelace', 1_000],
        ['a2', null, 50],
      ]);
    });

    /** On one machine a username at two ports is two accounts. */
    const AT_PORT = { account: `${'0a'.repeat(16)}:4010`, host: '127.0.0.1:4010' };
    const AT_ANOTHER = { account: `${'0a'.repeat(16)}:4011`, host: '127.0.0.1:4011' };

    test('at another port of this machine is another one', async () => {
      const { ledger } = await open();
      await ledger.remember([{ ...PURCHASE, ...AT_PORT }]);
      await send(ledger, { ...AT_PORT, amount: 400 });
      expect(await intend(ledger, { ...AT_ANOTHER, amount: 400 })).toMatchObject({
        kind: 'recorded',
      });
      expect(await balanceOf(ledger, { ...AT, ...AT_ANOTHER }, 'P-1')).toBeUndefined();
      const otherName = { ...AT_PORT, host: 'localhost:4010', profile: 'other' };
      expect(await intend(ledger, { ...otherName, amount: 400 })).toMatchObject({
        kind: 'duplicate',
      });
    });

    test('decides which entries are listed, whatever their profile', async () => {
      const { ledger } = await open();
      await send(ledger, { ...AT_PORT, reference: 'R-1' });
      await send(ledger, { ...AT_PORT, profile: 'other', reference: 'R-2' });
      await send(ledger, { ...AT_ANOTHER, reference: 'R-3' });
      const listed = async (of?: Pick<Owner, 'account'>) =>
        (await ledger.list({ of, limit: 9 })).map(({ reference }) => reference).sort();
      expect(await listed(AT_PORT)).toEqual(['R-1', 'R-2']);
      expect(await listed(AT_ANOTHER)).toEqual(['R-3']);
      expect(await listed({ account: null })).toEqual([]);
      expect(await listed()).toHaveLength(3);
    });
  });

  describe('a line of a batch', () => {
    test('is claimed once, by the first process', async () => {
      const { ledger, as } = await open();
      const other = await as('second');
      const claims = await Promise.all([
        intend(ledger, {}, { line: LINE }),
        intend(other, {}, { line: LINE }),
      ]);
      expect(claims.map(({ kind }) => kind).sort()).toEqual(['held', 'recorded']);
      expect(await foresee(ledger, {}, { line: LINE })).toMatchObject({
        kind: 'held',
        by: { state: 'sending', line: 'l' },
      });
      expect(await foresee(ledger, { target: 'P-2' }, { line: LINE })).toBeUndefined();
    });

    test('is claimed again if it was not done, and an unknown one only on demand', async () => {
      const { ledger } = await open();
      const claim = (isRetried: boolean) =>
        intend(
          ledger,
          {},
          { line: { ...LINE, retries: isRetried ? ('any' as const) : ('none' as const) } },
        );
      const first = await claim(false);
      if (first.kind !== 'recorded') throw new Error(first.kind);
      await ledger.settle(first.id, outcome('rejected'));
      const second = await claim(false);
      if (second.kind !== 'recorded') throw new Error(second.kind);
      await ledger.settle(second.id, outcome('unknown'));
      expect(await claim(false)).toMatchObject({ kind: 'held', by: { id: second.id } });
      const third = await claim(true);
      if (third.kind !== 'recorded') throw new Error(third.kind);
      await ledger.settle(third.id, outcome('done'));
      expect(await claim(true)).toMatchObject({
        kind: 'held',
        by: { id: third.id, state: 'done' },
      });
      const unresolved = await ledger.list({ unresolved: true, limit: 9 });
      expect(unresolved.map(({ id }) => id)).toEqual([second.id]);
    });

    test('that was declined is held while its last code says that the card can never pay', async () => {
      const { ledger } = await open();
      for (const reference of ['R-1', null]) {
        const LINE_OF = { ...LINE, line: String(reference) };
        const claim = (more: object = {}) =>
          intend(ledger, { reference }, { line: { ...LINE_OF, ...more } });
        const decline = async (responseCode: string | null, more: object = {}) => {
          const one = await claim(more);
          if (one.kind !== 'recorded') throw new Error(one.kind);
          await ledger.settle(one.id, { ...outcome('declined'), responseCode });
          return one.id;
        };
        await decline(null);
        await decline('51');
        const id = await decline('43');
        const held = { kind: 'held', by: { id, state: 'declined', responseCode: '43' } };
        expect(await claim()).toMatchObject(held);
        expect(await foresee(ledger, { reference }, { line: LINE_OF })).toMatchObject(held);
        expect(await foresee(ledger, { reference, amount: 90 }, { line: LINE_OF })).toBeUndefined();
        expect(
          await foresee(ledger, { reference, target: 'P-2' }, { line: LINE_OF }),
        ).toBeUndefined();
        expect(await foresee(ledger, { reference }, { noDuplicate: true })).toBeUndefined();
        await decline('91', { retriesDeclined: true });
        expect(await claim()).toMatchObject({ kind: 'recorded' });
      }
    });

    test('that is unknown is retried only if the run names that attempt', async () => {
      const { ledger } = await open();
      const claim = (...ids: string[]) =>
        intend(ledger, {}, { line: { ...LINE, retries: new Set(ids) } });
      const first = await claim();
      if (first.kind !== 'recorded') throw new Error(first.kind);
      expect(await claim(first.id)).toMatchObject({ kind: 'held', by: { state: 'sending' } });
      await ledger.settle(first.id, outcome('unknown'));
      expect(await claim('another')).toMatchObject({ kind: 'held', by: { id: first.id } });
      expect(await claim(first.id)).toMatchObject({ kind: 'recorded' });
    });

    test('with a refused retry stays unknown and claimed', async () => {
      const { ledger } = await open();
      await ledger.remember([PURCHASE]);
      await send(ledger, {}, 'unknown');
      await send(ledger, { reference: 'R-2', amount: 950 });
      const retry = { line: { ...LINE, retries: 'any' as const } };
      expect(await intend(ledger, {}, retry)).toMatchObject({ kind: 'over-refund' });
      expect(await intend(ledger, {}, { line: LINE })).toMatchObject({ kind: 'held' });
    });

    test('that is retried counts once against its purchase', async () => {
      const { ledger } = await open();
      await ledger.remember([{ ...PURCHASE, amount: 100 }]);
      await send(ledger, {}, 'unknown');
      const retry = { line: { ...LINE, retries: 'any' as const } };
      expect(await foresee(ledger, {}, retry)).toBeUndefined();
      expect(await intend(ledger, {}, retry)).toMatchObject({ kind: 'recorded' });
    });

    test('counts what the lines before it would refund, in a dry run', async () => {
      const { ledger } = await open();
      await ledger.remember([PURCHASE]);
      await send(ledger, { amount: 300, reference: 'R-2' }, 'unknown');
      const refused = async (planned: number, retries: 'any' | 'none' = 'none') => {
        const line = { ...LINE, retries, planned, siblings: [{ amount: 300, lines: 1 }] };
        const asked = { amount: 300, reference: retries === 'any' ? 'R-2' : 'R-1' };
        return foresee(ledger, asked, { line });
      };
      expect(await refused(400)).toBeUndefined();
      const balance = { paid: 1_000, refunded: 401, uncertain: 300 };
      expect(await refused(401)).toEqual({ kind: 'over-refund', balance });
      // A line that replaces the unknown one does not refund twice.
      expect(await refused(700, 'any')).toBeUndefined();
      expect(await refused(701, 'any')).toMatchObject({ kind: 'over-refund' });
    });

    test('belongs to its account, whatever the names of other batches', async () => {
      const { ledger } = await open();
      expect(await intend(ledger, {}, { line: LINE })).toMatchObject({ kind: 'recorded' });
      expect(await intend(ledger, { account: 'a2' }, { line: LINE })).toMatchObject({
        kind: 'recorded',
      });
    });

    test.each([
      ['00777', '777'],
      ['777', "'00777"],
      ['2E5', '200000'],
      ['1234567890123112', '1234567890123110'],
      ['1234567890123110', '1234567890123112'],
      ['123456789012346000', '123456789012345678'],
      ['2026-03', '2026/03/01'],
      ['03/04/26', '3-4'],
    ])('done as %s is a conflict as %s, to any batch', async (before, reference) => {
      const { ledger } = await open();
      const id = await send(ledger, { reference: before });
      for (const ask of [foresee, intend])
        expect(await ask(ledger, { reference }, { line: LINE })).toMatchObject({
          kind: 'conflict',
          with: { id, reference: before },
        });
      const another = [
        ...[
          { reference, amount: 90 },
          { reference, target: 'P-2' },
          { reference, account: 'a2' },
        ],
        { reference: `${reference}1` },
      ];
      for (const change of another)
        expect(await foresee(ledger, change, { line: LINE })).toBeUndefined();
      const meant = { line: { ...LINE, isAsWritten: true } };
      expect(await intend(ledger, { reference }, meant)).toMatchObject({ kind: 'recorded' });
    });

    test('with an order number of twenty digits is sent after the one before it', async () => {
      const { ledger } = await open();
      await send(ledger, { reference: '20261128000000000001' });
      const next = { reference: '20261128000000000002' };
      expect(await intend(ledger, next, { line: LINE })).toMatchObject({ kind: 'recorded' });
    });

    test('with another amount than before is a conflict and is not recorded', async () => {
      const { ledger } = await open();
      const id = await send(ledger, { amount: 90 });
      for (const ask of [foresee, intend])
        expect(await ask(ledger, {}, { line: LINE })).toMatchObject({
          kind: 'conflict',
          with: { id },
        });
      expect(await ledger.list({ limit: 9 })).toHaveLength(1);
    });

    test('of an ended process is unknown, and stays so when it is claimed again', async () => {
      const { ledger, as, end } = await open();
      const dead = await as('dead');
      const first = await intend(dead, {}, { line: LINE });
      await end('dead');
      expect(await foresee(ledger, {}, { line: LINE })).toMatchObject({ by: { state: 'unknown' } });
      expect(await intend(ledger, {}, { line: LINE })).toMatchObject({
        kind: 'held',
        by: { state: 'unknown' },
      });
      const again = await intend(ledger, {}, { line: { ...LINE, retries: 'any' as const } });
      expect(again).toMatchObject({ kind: 'recorded' });
      const states = (await ledger.list({ limit: 9 })).map(({ id, state }) => [id, state]);
      expect(Object.fromEntries(states)).toEqual({
        [(first as { id: string }).id]: 'unknown',
        [(again as { id: string }).id]: 'sending',
      });
    });
  });

  describe('entries of other processes', () => {
    test('are unknown after their process has ended, and not before', async () => {
      const { ledger, as, end } = await open();
      await recorded(await as('dead'), { ...REFUND, reference: 'A' });
      await recorded(await as('alive'), { ...REFUND, reference: 'B' });
      await end('dead');
      const entries = await ledger.list({ limit: 9 });
      expect(Object.fromEntries(entries.map(({ reference, state }) => [reference, state]))).toEqual(
        { A: 'unknown', B: 'sending' },
      );
    });

    test('are unknown after some time if the process cannot be checked', async () => {
      const { asNobody, pass } = await open();
      const ledger = await asNobody();
      await ledger.intend(REFUND);
      await pass(14 * 60_000);
      expect(await ledger.list({ limit: 1 })).toMatchObject([{ state: 'sending' }]);
      await pass(2 * 60_000);
      expect(await ledger.list({ limit: 1 })).toMatchObject([{ state: 'unknown' }]);
    });
  });

  describe('an outcome of a resolved entry', () => {
    async function resolvedAs(state: 'done' | 'not-done', conditions?: Partial<IntentConditions>) {
      const { as, pass } = await open();
      const sender = await as('sender');
      const ledger = await as('other');
      const sent = await intend(sender, {}, conditions);
      if (sent.kind !== 'recorded') throw new Error(sent.kind);
      await sender.settle(sent.id, outcome('unknown'));
      await ledger.resolve(sent.id, outcome(state), 'said');
      await pass(1_000);
      return { ledger, sender, id: sent.id };
    }
    const again = async (ledger: Ledger, conditions?: Partial<IntentConditions>) => {
      const sent = await intend(ledger, {}, conditions);
      if (sent.kind !== 'recorded') throw new Error(sent.kind);
      return sent.id;
    };

    test.each([
      ['as a line', { line: LINE }],
      ['by itself', {}],
    ])('is stored and reported with the entry that replaced it %s', async (_, conditions) => {
      const { ledger, sender, id } = await resolvedAs('not-done', conditions);
      const other = await again(ledger, conditions);
      const late = await sender.settle(id, outcome('done'), [PURCHASE]);
      await ledger.settle(other, outcome('done'));
      expect(await ledger.entries([id, other])).toMatchObject([
        { state: 'done', resolution: 'said', resolvedBy: 'other' },
        { state: 'done', resolution: null },
      ]);
      expect(await balanceOf(ledger, AT, 'P-1')).toMatchObject({
        refunded: 2 * Number(REFUND.amount),
      });
      expect(late).toMatchObject({
        before: { id, state: 'not-done', resolvedBy: 'other' },
        state: 'done',
        again: { id: other, state: 'sending' },
      });
    });

    test('holds its line, whatever the outcome of the replacing entry', async () => {
      const { ledger, sender, id } = await resolvedAs('not-done', { line: LINE });
      const other = await again(ledger, { line: LINE });
      await sender.settle(id, outcome('done'));
      await ledger.settle(other, outcome('declined'));
      expect(await intend(ledger, {}, { line: LINE })).toMatchObject({ kind: 'held', by: { id } });
    });

    test('of a line that was sent twice stops lines that repeat it', async () => {
      const { ledger, sender, id } = await resolvedAs('not-done', { line: LINE });
      await ledger.settle(await again(ledger, { line: LINE }), outcome('done'));
      await sender.settle(id, outcome('done'));
      const alike = (occurrence: number) => ({
        ...LINE,
        occurrence,
        siblings: [{ amount: REFUND.amount, lines: occurrence }],
      });
      expect(await intend(ledger, {}, { line: alike(2) })).toMatchObject({ kind: 'held' });
      expect(await intend(ledger, {}, { line: alike(3) })).toMatchObject({ kind: 'recorded' });
    });

    test.each(['done', 'not-done'] as const)('stays %s if it is unknown', async (state) => {
      const { ledger, sender, id } = await resolvedAs(state, { line: LINE });
      if (state === 'not-done') await again(ledger, { line: LINE });
      expect(await sender.settle(id, outcome('unknown'))).toBeUndefined();
      expect(await ledger.find(id)).toMatchObject([{ state, resolution: 'said' }]);
    });

    test('is reported if no money moved after all', async () => {
      const { ledger, sender, id } = await resolvedAs('done');
      const late = await sender.settle(id, outcome('declined'));
      expect(await ledger.find(id)).toMatchObject([{ state: 'declined' }]);
      expect(late).toMatchObject({ before: { state: 'done' }, state: 'declined' });
      expect(late).toMatchObject({ again: undefined });
    });

    test('is not reported for an unresolved entry', async () => {
      const { ledger, pass } = await open();
      const unreferenced = { reference: null };
      const first = await recorded(ledger, { ...REFUND, ...unreferenced });
      expect(await ledger.settle(first, outcome('done'))).toBeUndefined();
      const second = await recorded(ledger, { ...REFUND, reference: 'R-2' });
      expect(await ledger.settle(second, outcome('unknown'))).toBeUndefined();
      await pass(1_000);
      const id = await send(ledger, unreferenced, 'unknown');
      await ledger.resolve(id, outcome('not-done'), 'said');
      const late = await ledger.settle(id, outcome('done'));
      expect(late).toMatchObject({ before: { id } });
      expect(late).toMatchObject({ again: undefined });
    });
  });

  describe('an entry that is being sent', () => {
    const YEAR_MS = 400 * 24 * 60 * 60_000;

    test('cannot be resolved while its process runs', async () => {
      const { ledger, as } = await open();
      const id = await recorded(await as('alive'), REFUND);
      expect(await ledger.senderOf(id)).toMatchObject({ isRunning: true });
      expect(await ledger.resolve(id, outcome('not-done'), 'said', true)).toBe(false);
      expect(await ledger.find(id)).toMatchObject([{ state: 'sending' }]);
    });

    test('can be resolved by a person who knows that its process has ended', async () => {
      const { asNobody, pass } = await open();
      const ledger = await asNobody();
      const id = await recorded(ledger, REFUND);
      // Its clock was ahead.
      await pass(-YEAR_MS);
      expect(await ledger.find(id)).toMatchObject([{ state: 'sending' }]);
      expect(await ledger.senderOf(id)).toMatchObject({ isRunning: false });
      expect(await ledger.resolve(id, outcome('not-done'), 'said')).toBe(false);
      expect(await ledger.resolve(id, outcome('not-done'), 'said', true)).toBe(true);
      expect(await ledger.find(id)).toMatchObject([{ state: 'not-done', resolution: 'said' }]);
      expect(await ledger.senderOf(id)).toBeUndefined();
    });

    test('has no process after its end or its outcome', async () => {
      const { ledger, as, end } = await open();
      const dead = await recorded(await as('dead'), REFUND);
      await end('dead');
      for (const id of [dead, await send(ledger, { reference: 'R-2' }), 'none'])
        expect(await ledger.senderOf(id)).toBeUndefined();
      expect(await ledger.resolve(dead, outcome('not-done'), 'said')).toBe(true);
    });
  });

  test('only an unknown entry can be resolved, once', async () => {
    const { ledger } = await open();
    const id = await send(ledger, {}, 'unknown');
    expect(await ledger.resolve(id, outcome('not-done'), 'said')).toBe(true);
    expect(await ledger.resolve(id, outcome('done'), 'said')).toBe(false);
    expect(await ledger.find(id)).toMatchObject([{ state: 'not-done', resolution: 'said' }]);
    expect(await intend(ledger)).toMatchObject({ kind: 'recorded' });
  });

  test('a resolved entry keeps its earlier state', async () => {
    const { ledger } = await open();
    const id = await recorded(ledger, REFUND);
    await ledger.settle(id, { state: 'unknown', status: 500, recordId: 'R-9', message: 'Lost' });
    await ledger.resolve(id, { ...outcome('done'), status: null }, 'asked');
    expect(await ledger.find(id)).toMatchObject([
      { state: 'done', status: 500, recordId: 'R-9', message: 'Lost', resolution: 'asked' },
    ]);
  });

  test('pruning keeps unknown and new entries', async () => {
    const { ledger, pass } = await open();
    await ledger.remember([PURCHASE, { ...PURCHASE, id: 'P-2', seenAt: START }]);
    await send(ledger, { reference: 'old' });
    await send(ledger, { reference: 'lost' }, 'unknown');
    await pass(1_000);
    await send(ledger, { reference: 'new' });
    expect(await ledger.older(START)).toEqual({ entries: 0, records: 1, unresolved: 0 });
    expect(await ledger.prune(START)).toEqual({ entries: 0, records: 1 });
    expect(await ledger.older(later(1_000))).toEqual({ entries: 1, records: 1, unresolved: 1 });
    expect(await ledger.prune(later(1_000))).toEqual({ entries: 1, records: 1 });
    expect(await ledger.prune(later(1_000))).toEqual({ entries: 0, records: 0 });
    expect(await ledger.older(later(1_000))).toEqual({ entries: 0, records: 0, unresolved: 1 });
    const left = (await ledger.list({ limit: 9 })).map(({ reference }) => reference);
    expect(left).toEqual(['new', 'lost']);
  });

  describe('a pruned refund', () => {
    const whole = { paid: 1_000, refunded: 0, uncertain: 0 };
    const refund = { refundOf: 'P-1', target: 'P-1', amount: 400 };
    async function pruned(sent: Partial<MoneyRequest>, state: Exclude<EntryState, 'sending'>) {
      const { ledger, pass } = await open();
      await ledger.remember([PURCHASE]);
      await send(ledger, { ...refund, ...sent }, state);
      await pass(1_000);
      await ledger.prune(later(1_000));
      const again = { ...PURCHASE, seenAt: later(2_000) };
      await ledger.remember([again, { ...again, account: 'a2' }]);
      return ledger;
    }

    test.each<[what: string, Partial<MoneyRequest>, Exclude<EntryState, 'sending'>, object]>([
      ['that was done counts', {}, 'done', { refunded: 400 }],
      ['of another purchase', { refundOf: 'P-2', target: 'P-2' }, 'done', {}],
      ['of another account', { account: 'a3' }, 'done', {}],
      ['that was declined', {}, 'declined', {}],
      ['that was rejected', {}, 'rejected', {}],
      ['that was not done', {}, 'not-done', {}],
      ['without an amount', { amount: null }, 'done', {}],
      ['that refunded nothing', { refundOf: null }, 'done', {}],
    ])('%s in what is left of its purchase, or not', async (_, sent, state, counted) => {
      const ledger = await pruned(sent, state);
      expect(await balanceOf(ledger, AT, 'P-1')).toEqual({ ...whole, ...counted });
      expect(await balanceOf(ledger, { ...AT, account: 'a2' }, 'P-1')).toEqual(whole);
    });

    test('refuses a refund of more than is left with it', async () => {
      const ledger = await pruned({}, 'done');
      const more = { ...REFUND, ...refund, reference: 'R-2' };
      const balance = { ...whole, refunded: 400 };
      expect(await ledger.intend({ ...more, amount: 601 }, GUARDED)).toEqual({
        kind: 'over-refund',
        balance,
      });
      expect(await ledger.intend({ ...more, amount: 600 }, GUARDED)).toMatchObject({
        kind: 'recorded',
      });
      expect(await balanceOf(ledger, AT, 'P-1')).toEqual({ ...balance, uncertain: 600 });
    });

    test('no longer counts when its gateway has started over', async () => {
      const ledger = await pruned({}, 'done');
      await ledger.forget(AT.profile);
      await ledger.remember([{ ...PURCHASE, seenAt: later(3_000) }]);
      expect(await balanceOf(ledger, AT, 'P-1')).toEqual(whole);
    });
  });

  test('prunes in lots, the oldest first, and each refund counts all the while', async () => {
    const { ledger } = await open();
    await ledger.remember([{ ...PURCHASE, seenAt: later(60_000) }]);
    const { account, profile, environment, host, operation } = REFUND;
    const refund = { account, profile, environment, host, operation, state: 'done', body: '{}' };
    const entries = Array.from({ length: 800 }, (_, n) => ({
      ...{ ...refund, id: `e${n}`, created_at: later(n), refund_of: 'P-1', target: 'P-1' },
      amount: 1,
    }));
    await ledger.sql.write(() => insertAll('money_requests', entries.toReversed()));
    const before = later(10_000);
    const left = async () => (await ledger.list({ limit: 1_000 })).map(({ id }) => id);
    expect(await ledger.prune(before)).toEqual({ entries: 500, records: 0 });
    expect((await left()).toReversed()).toEqual(entries.slice(500).map(({ id }) => id));
    expect(await balanceOf(ledger, AT, 'P-1')).toMatchObject({ refunded: 800 });
    expect(await ledger.prune(before)).toEqual({ entries: 300, records: 0 });
    expect(await left()).toEqual([]);
    expect(await balanceOf(ledger, AT, 'P-1')).toMatchObject({ refunded: 800 });
    expect(await ledger.prune(before)).toEqual({ entries: 0, records: 0 });
  });

  test('forgetting a profile whose gateway started over keeps other profiles', async () => {
    const { ledger } = await open();
    for (const profile of ['sandbox', 'other']) {
      await send(ledger, { profile });
      await ledger.remember([{ ...PURCHASE, account: profile, profile }]);
    }
    await ledger.forget('sandbox');
    expect(await ledger.list({ limit: 9 })).toMatchObject([{ profile: 'other' }]);
    expect(await ledger.remembered({}, 9)).toMatchObject([{ profile: 'other' }]);
  });

  test('an outcome has the date that the gateway gives it, and a person keeps it', async () => {
    const { ledger } = await open();
    const transactionDate = '2026-02-03T10:00:00+11:00';
    const id = await recorded(ledger, REFUND);
    await ledger.settle(id, { ...outcome('unknown'), transactionDate });
    await ledger.resolve(id, outcome('declined'), 'declined', true);
    expect(await ledger.entries([id])).toMatchObject([{ state: 'declined', transactionDate }]);
    const other = await recorded(ledger, { ...REFUND, reference: 'R-9' });
    await ledger.settle(other, outcome('declined'));
    expect(await ledger.entries([other])).toMatchObject([{ transactionDate: null }]);
  });

  describe('a record that was seen', () => {
    test('is remembered as it was seen last, with what an earlier look knew more', async () => {
      const { ledger } = await open();
      const unnamed = { reference: null, name: null, lastFour: null, amount: null };
      const later = { ...PURCHASE, ...unnamed, seenAt: '2026-01-03T00:00:00.000Z' };
      const late = { ...PURCHASE, reference: 'OLD', seenAt: '2026-01-02T00:00:00.000Z' };
      const first = { ...PURCHASE, record: { ...PURCHASE.record, currency: 'AUD' } };
      await ledger.remember([first, { ...later, seenBy: 'purchase create' }, late]);
      const { seenAt: firstSeenAt, ...seen } = PURCHASE;
      const known = {
        ...seen,
        currency: 'AUD',
        seenBy: 'purchase create',
        firstSeenAt,
        deeds: [],
        lastSeenAt: later.seenAt,
      };
      for (const what of [{}, { id: 'P-1' }, { kind: 'purchase' as const }])
        expect(await ledger.remembered(what, 9)).toEqual([known]);
      expect(await ledger.remembered({ kind: 'refund' }, 9)).toEqual([]);
      expect(await balanceOf(ledger, AT, 'P-1')).toEqual({
        paid: 1_000,
        refunded: 0,
        uncertain: 0,
      });
    });

    test('keeps each deed once, oldest first, however late or often it is written', async () => {
      const { ledger } = await open();
      const [created, changed, stopped] = [1, 2, 3].map((day, n) => ({
        at: `2026-01-0${day}T00:00:00.000Z`,
        what: (['created', 'changed', 'stopped'] as const)[n]!,
        fields: ['is_active'],
        operator: 'ada',
        note: `“${day}” \u0000 ]`,
      }));
      const seenWith = (deed: Deed) => ({ ...PURCHASE, seenAt: deed.at, deed });
      await ledger.remember([seenWith(stopped!)]);
      await ledger.remember([seenWith(created!), seenWith(stopped!)]);
      await ledger.remember([seenWith(changed!), { ...seenWith(created!), seenAt: later(0) }]);
      const [known] = await ledger.remembered({}, 9);
      expect(known).toMatchObject({ deeds: [created, changed, stopped], lastSeenAt: later(0) });
    });

    test('of a customer keeps the token of each card that another one replaced, once', async () => {
      const { ledger } = await open();
      const seenWith = (day: number, card_token: string | null, id = 'C-1') => {
        const record = { id, card_token };
        const seenAt = `2026-01-0${day}T00:00:00.000Z`;
        return { ...PURCHASE, kind: 'customer' as const, id, record, seenAt };
      };
      const tokens = async (id = 'C-1') =>
        (await ledger.remembered({ id }, 9)).map(({ record, deeds }) => [
          record.card_token,
          deeds.map(({ formerToken }) => formerToken),
        ]);
      await ledger.remember([seenWith(2, 't"2'), seenWith(2, 't"2')]);
      expect(await tokens()).toEqual([['t"2', []]]);
      await ledger.remember([seenWith(4, 't4')]);
      await ledger.remember([seenWith(5, 't"2'), seenWith(6, 't4')]);
      expect(await tokens()).toEqual([['t4', ['t"2', 't4']]]);
      // An earlier answer comes late, and a later one shows no card.
      await ledger.remember([seenWith(1, 't1'), seenWith(7, null)]);
      const [[present, former] = []] = await tokens();
      expect([present, [former].flat().toSorted()]).toEqual([null, ['t"2', 't1', 't4']]);
      await ledger.remember([PURCHASE, { ...PURCHASE, record: { id: 'P-1', card_token: 't9' } }]);
      await ledger.remember([{ ...PURCHASE, record: { id: 'P-1', card_token: 't8' } }]);
      expect(await tokens('P-1')).toEqual([['t8', []]]);
    });

    test('is remembered of whom it is, however many others have seen since', async () => {
      const { ledger } = await open();
      const later = { ...PURCHASE, seenAt: '2026-01-02T00:00:00.000Z' };
      await ledger.remember([
        PURCHASE,
        { ...later, account: 'a2' },
        { ...later, id: 'P-2', account: 'a2' },
        { ...PURCHASE, id: 'P-4', profile: 'other' },
      ]);
      const own = await ledger.remembered({ kind: 'purchase', of: AT }, 2);
      expect(own.map(({ id, account }) => [id, account])).toEqual([
        ['P-1', AT.account],
        ['P-4', AT.account],
      ]);
      expect(await ledger.remembered({ of: { account: null } }, 9)).toEqual([]);
    });

    test('is remembered with the outcome that showed it', async () => {
      const { ledger } = await open();
      const id = await recorded(ledger, REFUND);
      await ledger.settle(id, outcome('done'), [PURCHASE]);
      expect(await ledger.remembered({ id: 'P-1' }, 9)).toHaveLength(1);
      const lost = ledger.settle('no-such-id', outcome('done'), [{ ...PURCHASE, id: 'P-2' }]);
      await expect(lost).rejects.toThrow();
      expect(await ledger.remembered({ id: 'P-2' }, 9)).toEqual([]);
    });

    test('says nothing of a purchase of another account, or whose amount is not known', async () => {
      const { ledger } = await open();
      await ledger.remember([PURCHASE, { ...PURCHASE, id: 'P-2', amount: null }]);
      expect(await balanceOf(ledger, { ...AT, account: 'a2' }, 'P-1')).toBeUndefined();
      expect(await balanceOf(ledger, AT, 'P-2')).toBeUndefined();
      expect(await balanceOf(ledger, AT, 'P-3')).toBeUndefined();
      const known = await ledger.balances(AT, ['P-2', 'P-1', 'P-3']);
      expect([...known]).toEqual([['P-1', { paid: 1_000, refunded: 0, uncertain: 0 }]]);
      expect(await ledger.balances(AT, [])).toEqual(new Map());
    });
  });
}
