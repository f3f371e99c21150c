/** More of what every ledger must do: what is written in one step, what counts, and what is due to be indexed. */
import { describe, expect, test } from 'vitest';
import type {
  EntryState,
  IntentConditions,
  Ledger,
  LineClaim,
  MoneyRequest,
  RecordSnapshot,
} from '../../../src/journal/ledger.ts';
import { learnAllDue } from '../../../src/requests/known/learn-due.ts';
import { AT, REFUND } from '../../helpers/money-request.ts';
import { foreseen, recorded } from '../../helpers/recorded.ts';
import { GUARDED, LINE, type Place } from './ledger-cases.ts';

const PURCHASE: RecordSnapshot = {
  ...AT,
  kind: 'purchase',
  id: 'P-1',
  reference: 'INV-1',
  name: 'Ada Lovelace',
  lastFour: '2346',
  amount: 100,
  seenBy: 'purchase get',
  seenAt: '2026-01-01T00:00:00.000Z',
  record: { id: 'P-1', amount: 100 },
};
const RETRIED: LineClaim = { ...LINE, retries: 'any' };
const outcome = (state: Exclude<EntryState, 'sending'>) => ({
  state,
  status: 200,
  recordId: null,
  message: null,
});

/** @param make makes a new and empty ledger */
export function moreLedgerCases(make: () => Promise<Place>): void {
  const open = async () => (await make()).as('first');

  const intend = (
    ledger: Ledger,
    change: Partial<MoneyRequest> = {},
    conditions: Partial<IntentConditions> = {},
  ) => ledger.intend({ ...REFUND, ...change }, { ...GUARDED, ...conditions });

  /** @returns the id of an entry that nothing speaks against, with its outcome */
  async function sent(
    ledger: Ledger,
    state: Exclude<EntryState, 'sending'>,
    line: LineClaim | undefined,
    change: Partial<MoneyRequest> = {},
  ): Promise<string> {
    const intended = await intend(ledger, change, line && { line });
    if (intended.kind !== 'recorded') throw new Error(intended.kind);
    await ledger.settle(intended.id, outcome(state));
    return intended.id;
  }

  describe('an attempt that was replaced', () => {
    test('does not hold its line, and a single request repeats it', async () => {
      const ledger = await open();
      await sent(ledger, 'unknown', LINE);
      const second = await sent(ledger, 'rejected', RETRIED);
      expect(await foreseen(ledger, REFUND, { ...GUARDED, line: LINE })).toBeUndefined();
      // Whether it happened is still not known.
      const refused = { kind: 'duplicate', of: { state: 'unknown' } };
      expect(await foreseen(ledger, REFUND, GUARDED)).toMatchObject(refused);
      expect(await intend(ledger)).toMatchObject(refused);
      const third = await sent(ledger, 'done', LINE);
      const ids = await ledger.batchEntries({ ...AT, operation: REFUND.operation, batch: 'b' });
      expect(ids).toEqual([third]);
      expect(ids).not.toContain(second);
    });
  });

  describe('what is left of a purchase', () => {
    test('is counted without the attempts of the line itself', async () => {
      const ledger = await open();
      await ledger.remember([PURCHASE]);
      await sent(ledger, 'unknown', LINE);
      await sent(ledger, 'unknown', RETRIED);
      expect((await ledger.balances(AT, ['P-1'])).get('P-1')).toMatchObject({ uncertain: 200 });
      expect(await foreseen(ledger, REFUND, { ...GUARDED, line: RETRIED })).toBeUndefined();
      const siblings = [{ amount: REFUND.amount, lines: 2 }];
      for (const other of [
        { occurrence: 2, siblings },
        { line: 'l2', among: 'own' as const },
        { batch: 'b2', among: 'named' as const, siblings },
      ]) {
        const line = { ...RETRIED, ...other };
        const asked = { ...REFUND, reference: 'R-2' };
        for (const ask of [
          foreseen(ledger, asked, { ...GUARDED, line }),
          intend(ledger, asked, { line }),
        ])
          expect(await ask, JSON.stringify(other)).toMatchObject({ kind: 'over-refund' });
      }
      const elsewhere = { ...REFUND, operation: 'api POST /refunds', reference: 'R-2' };
      expect(await intend(ledger, elsewhere, { line: RETRIED })).toMatchObject({
        kind: 'over-refund',
      });
      expect(await intend(ledger, {}, { line: RETRIED })).toMatchObject({ kind: 'recorded' });
    });

    test('is read for many purchases at once, and for an account without any', async () => {
      const ledger = await open();
      await ledger.remember([PURCHASE, { ...PURCHASE, id: 'P-2', amount: 500 }]);
      await sent(ledger, 'done', undefined, { amount: 30 });
      await sent(ledger, 'unknown', undefined, { amount: 20, reference: 'R-2' });
      await sent(ledger, 'declined', undefined, { amount: 10, reference: 'R-3' });
      const balances = await ledger.balances(AT, ['P-3', 'P-2', 'P-1', 'P-1']);
      expect(Object.fromEntries(balances)).toEqual({
        'P-1': { paid: 100, refunded: 30, uncertain: 20 },
        'P-2': { paid: 500, refunded: 0, uncertain: 0 },
      });
      expect((await ledger.balances({ account: null }, ['P-1'])).size).toBe(0);
    });
  });

  describe('simultaneous writes', () => {
    test('are stored, whatever the result of others', async () => {
      const ledger = await open();
      const ids = await Promise.all(
        ['A', 'B', 'C'].map((reference) => recorded(ledger, { ...REFUND, reference })),
      );
      const lost = { ...PURCHASE, id: 'P-9' };
      const writes = await Promise.allSettled([
        ledger.settle(ids[0]!, outcome('done'), [PURCHASE]),
        ledger.settle('no-such-id', outcome('done'), [lost]),
        ledger.settle(ids[1]!, outcome('declined')),
        intend(ledger, { reference: 'A' }),
        intend(ledger, { reference: 'D', target: 'P-7', refundOf: 'P-7' }),
        ledger.settle('none-either', outcome('unknown')),
        ledger.settle(ids[2]!, outcome('unknown'), [{ ...PURCHASE, id: 'P-2' }]),
        ledger.remember([{ ...PURCHASE, id: 'P-3' }]),
      ]);
      expect(writes.map(({ status }) => status === 'fulfilled')).toEqual([
        ...[true, false, true, true, true, false, true, true],
      ]);
      const entries = await ledger.list({ limit: 9 });
      const states = entries.map(({ reference, state }) => [reference, state]);
      expect(Object.fromEntries(states)).toEqual({
        ...{ A: 'done', B: 'declined', C: 'unknown', D: 'sending' },
      });
      const seen = await ledger.remembered({}, 9);
      expect(seen.map(({ id }) => id).toSorted()).toEqual(['P-1', 'P-2', 'P-3']);
    });

    test('of one entry keep their order', async () => {
      const ledger = await open();
      const id = await recorded(ledger, REFUND);
      const others = ['A', 'B'].map((reference) => recorded(ledger, { ...REFUND, reference }));
      await Promise.all([
        ...others,
        ledger.settle(id, outcome('unknown')),
        ledger.settle(id, outcome('declined')),
        ledger.settle(id, { ...outcome('done'), recordId: 'R-9' }),
      ]);
      expect(await ledger.find(id)).toMatchObject([{ state: 'done', recordId: 'R-9' }]);
    });

    test('of one record is the last of several looks, with what an earlier one knew more', async () => {
      const ledger = await open();
      const looks = ['first', 'second', 'third'].map((seenBy, n) => ({
        ...PURCHASE,
        seenBy,
        name: n === 2 ? null : seenBy,
      }));
      const others = Array.from({ length: 25 }, (_, n) => ({ ...PURCHASE, id: `P-${n + 2}` }));
      await ledger.remember([...looks.slice(0, 1), ...others, ...looks.slice(1)]);
      expect(await ledger.remembered({ id: 'P-1' }, 9)).toMatchObject([
        { seenBy: 'third', name: 'second' },
      ]);
      expect(await ledger.remembered({}, 99)).toHaveLength(26);
    });
  });

  describe('batches of one name', () => {
    test('belong to an account and an operation, even with repeated lines', async () => {
      const ledger = await open();
      const siblings = [{ amount: REFUND.amount, lines: 2 }];
      const line = (occurrence: number) => ({ ...LINE, occurrence, siblings });
      const first = await sent(ledger, 'done', line(1));
      const second = await sent(ledger, 'done', line(2));
      const card = { operation: 'purchase create', refundOf: null, target: 'tok' };
      const other = await sent(ledger, 'done', LINE, { ...card, currency: 'AUD' });
      const theirs = await sent(ledger, 'declined', LINE, { account: 'a2' });
      const of = { account: AT.account, operation: REFUND.operation, batch: 'b' };
      expect(await ledger.batchEntries(of)).toEqual([first, second]);
      expect(await ledger.batchEntries({ ...of, operation: card.operation })).toEqual([other]);
      expect(await ledger.batchEntries({ ...of, account: 'a2' })).toEqual([theirs]);
      expect(await ledger.openAmounts(of)).toEqual([{ purchase: 'P-1', amount: 200 }]);
      expect(await ledger.openAmounts({ ...of, operation: card.operation })).toEqual([]);
      const parts = await ledger.batchParts(await ledger.batches());
      const told = parts.map(({ account, operation, state, lines }) =>
        [account, operation, state, lines].join(' '),
      );
      expect(told.toSorted()).toEqual([
        'a1 purchase create done 1',
        'a1 refund create done 2',
        'a2 refund create declined 1',
      ]);
    });
  });

  describe('the account of a profile', () => {
    test('is that of the newest entry or record in its environment', async () => {
      const ledger = await open();
      const { profile } = AT;
      const of = (environment: 'sandbox' | 'live' | null) =>
        ledger.accountOf({ profile, environment });
      expect(await of('sandbox')).toBeNull();
      await ledger.remember([{ ...PURCHASE, account: 'a0', environment: 'live' }]);
      expect(await of('sandbox')).toBeNull();
      expect(await of(null)).toBe('a0');
      await sent(ledger, 'done', undefined, { account: 'a1' });
      await sent(ledger, 'done', undefined, { account: 'a9', profile: 'other' });
      expect(await of('sandbox')).toBe('a1');
      expect(await of('live')).toBe('a0');
      expect(await of(null)).toBe('a1');
      await ledger.remember([{ ...PURCHASE, account: 'a3', seenAt: '2999-01-01T00:00:00.000Z' }]);
      expect(await of('sandbox')).toBe('a3');
    });

    test('is not changed by what was seen of another account before, and is forgotten with the profile', async () => {
      const ledger = await open();
      const { profile } = AT;
      const of = () => ledger.accountOf({ profile, environment: null });
      const seen = (account: string, seenAt: string) =>
        ledger.remember([{ ...PURCHASE, account, seenAt }]);
      await seen('a1', '2026-03-01T00:00:00.000Z');
      await seen('a1', '2026-03-02T00:00:00.000Z');
      await seen('a2', '2026-02-01T00:00:00.000Z');
      expect(await of()).toBe('a1');
      await seen('a2', '2026-03-03T00:00:00.000Z');
      expect(await of()).toBe('a2');
      await seen('a1', '2026-03-04T00:00:00.000Z');
      expect(await of()).toBe('a1');
      await ledger.forget(profile);
      expect(await of()).toBeNull();
    });
  });

  test('the purchase of a refund is known to its account', async () => {
    const ledger = await open();
    const id = await recorded(ledger, REFUND);
    await ledger.settle(id, { ...outcome('done'), recordId: 'R-9' });
    expect(await ledger.purchaseOf(AT, 'R-9')).toBe('P-1');
    expect(await ledger.purchaseOf(AT, 'R-8')).toBeUndefined();
    expect(await ledger.purchaseOf({ account: 'a2' }, 'R-9')).toBeUndefined();
    expect(await ledger.purchaseOf({ account: null }, 'R-9')).toBeUndefined();
  });

  test('a record with a text that no store keeps as it is comes back', async () => {
    const ledger = await open();
    const odd = { ...PURCHASE, id: 'nul \0', name: '\ud800', record: { id: 'nul \0' } };
    await ledger.remember([odd]);
    await ledger.remember([{ ...odd, name: null, seenAt: '2026-04-01T00:00:00.000Z' }]);
    const known = { id: 'nul \0', name: '\ud800', lastSeenAt: '2026-04-01T00:00:00.000Z' };
    expect(await ledger.remembered({ id: odd.id }, 9)).toMatchObject([known]);
    expect(await ledger.remembered({}, 9)).toHaveLength(1);
  });

  test('a refund is found with the purchase and currency of its request', async () => {
    const ledger = await open();
    const made = async (recordId: string, change: Partial<MoneyRequest>) => {
      const id = await recorded(ledger, { ...REFUND, reference: recordId, ...change });
      const record = {
        ...PURCHASE,
        kind: 'refund' as const,
        id: recordId,
        record: { id: recordId },
      };
      await ledger.settle(id, { ...outcome('done'), recordId }, [record]);
    };
    const yen = { ...PURCHASE, record: { id: 'P-1', currency: 'JPY' } };
    const theirs = { ...PURCHASE, account: 'a2', record: { id: 'P-1', currency: 'USD' } };
    await ledger.remember([theirs, yen]);
    await made('R-1', {});
    await made('P-9', { operation: 'purchase create', refundOf: null, currency: 'EUR' });
    await made('R-9', { refundOf: 'P-9' });
    await ledger.remember([{ ...PURCHASE, kind: 'refund', id: 'R-2', record: { id: 'R-2' } }]);
    await learnAllDue(ledger.sql);
    const refunds = await ledger.things.search({ kinds: ['refund'], limit: 9 });
    const tie = new Map(refunds.map(({ id, purchase, currency }) => [id, [purchase, currency]]));
    expect(tie.get('R-1')).toEqual(['P-1', 'JPY']);
    expect(tie.get('R-9')).toEqual(['P-9', 'EUR']);
    expect(tie.get('R-2')).toEqual([null, null]);
  });

  describe('what is changed is due to be indexed', () => {
    async function indexed() {
      const { as, pass } = await make();
      const ledger = await as('first');
      const index = async () => {
        await learnAllDue(ledger.sql);
        expect(await ledger.things.due()).toBe(0);
        const things = await ledger.things.search({ limit: 99 });
        return things.map(({ kind, id, outcome: said }) => [kind, id, said]);
      };
      return { ledger, index, pass };
    }

    test('with each step of an entry', async () => {
      const { ledger, index } = await indexed();
      const id = await recorded(ledger, REFUND);
      expect(await ledger.things.due()).toBeGreaterThan(0);
      expect(await index()).toEqual([['request', id, 'sending']]);
      await ledger.settle(id, outcome('unknown'));
      expect(await index()).toEqual([['request', id, 'unknown']]);
      await ledger.resolve(id, outcome('not-done'), 'said');
      expect(await index()).toEqual([['request', id, 'not-done']]);
      // Its answer came all the same.
      await ledger.settle(id, outcome('done'));
      expect(await index()).toEqual([['request', id, 'done']]);
    });

    test('with each record that is seen, and not with what changes nothing', async () => {
      const { ledger, index } = await indexed();
      const id = await recorded(ledger, REFUND);
      expect(await index()).toHaveLength(1);
      await ledger.settle(id, outcome('done'), [PURCHASE]);
      expect((await index()).map(([kind]) => kind).toSorted()).toEqual(['purchase', 'request']);
      await ledger.remember([{ ...PURCHASE, kind: 'customer', id: 'C-1' }]);
      expect(await index()).toHaveLength(3);
      expect(await intend(ledger)).toMatchObject({ kind: 'duplicate' });
      expect(await ledger.things.due()).toBe(0);
    });

    test('when it is pruned or forgotten', async () => {
      const { ledger, index, pass } = await indexed();
      await ledger.remember([PURCHASE]);
      const old = await sent(ledger, 'done', undefined, { amount: 50 });
      await pass(1_000);
      const kept = await sent(ledger, 'done', undefined, { reference: 'R-2', amount: 1 });
      expect(await index()).toHaveLength(3);
      const [entry] = await ledger.entries([kept]);
      await ledger.prune(entry!.createdAt);
      expect(await index()).toEqual([['request', kept, 'done']]);
      expect(await ledger.entries([old, kept])).toHaveLength(1);
      await ledger.remember([{ ...PURCHASE, id: 'P-2' }]);
      expect(await index()).toHaveLength(2);
      await ledger.forget(AT.profile);
      expect(await index()).toEqual([]);
    });
  });
}
