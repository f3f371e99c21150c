/** Which lines of a batch have been sent before: the rules, and what follows from them over many runs. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { EntryState, LedgerEntry, LineClaim } from '../../../src/journal/ledger.ts';
import { judgeLine } from '../../../src/journal/line-claim.ts';
import { openSqliteLedger } from '../../../src/journal/sqlite/sqlite-ledger.ts';
import { AT, REFUND } from '../../helpers/money-request.ts';
import { foreseen } from '../../helpers/recorded.ts';

const line = (change: Partial<LineClaim> = {}): LineClaim => ({
  batch: 'this',
  line: 'k',
  occurrence: 1,
  siblings: [{ amount: 100, lines: 1 }],
  among: 'all',
  retries: 'none',
  ...change,
});
const entry = (id: string, change: Partial<LedgerEntry> = {}): LedgerEntry => ({
  ...REFUND,
  id,
  state: 'done',
  createdAt: '2026-03-10T09:30:00.000Z',
  settledAt: null,
  status: null,
  recordId: null,
  message: null,
  batch: 'other',
  line: 'k',
  occurrence: 1,
  operator: 'ada@desk',
  machine: 'desk',
  resolution: null,
  resolvedBy: null,
  enteredBy: null,
  enteredAt: null,
  proposedUntil: null,
  proposal: null,
  approvedBy: null,
  ...change,
});

/** @returns for example `held a`, `conflict b`, `free`, `free, for c` */
function verdictOf(
  claim: Partial<LineClaim>,
  attempts: readonly LedgerEntry[],
  reference: string | null = 'R-1',
): string {
  const verdict = judgeLine({ ...REFUND, reference }, line(claim), attempts);
  if (verdict.kind === 'held') return `held ${verdict.by.id}`;
  if (verdict.kind === 'conflict') return `conflict ${verdict.with.id}`;
  return verdict.retried ? `free, for ${verdict.retried.id}` : 'free';
}

const TWICE: Partial<LineClaim> = { siblings: [{ amount: 100, lines: 2 }] };
const SECOND = { ...TWICE, occurrence: 2 };
/** Another line of the input asks for 90. */
const BESIDE: Partial<LineClaim> = {
  siblings: [
    { amount: 100, lines: 1 },
    { amount: 90, lines: 1 },
  ],
};
const OWN = { batch: 'this' };
const ALONE = { batch: null, line: null, occurrence: null };
const LOST = { state: 'unknown' as EntryState };

describe('a line with a reference', () => {
  test.each<[string, Partial<LineClaim>, LedgerEntry[], string]>([
    ['of which nothing is known', {}, [], 'free'],
    ['that its own batch has done', {}, [entry('a', OWN)], 'held a'],
    ['that another batch has done', {}, [entry('a')], 'held a'],
    ['that a command has done', {}, [entry('a', ALONE)], 'held a'],
    ['that is unknown', {}, [entry('a', LOST)], 'held a'],
    ['that is being sent', {}, [entry('a', { state: 'sending' })], 'held a'],
    ['that is unknown, and done by another', {}, [entry('a', LOST), entry('b')], 'held b'],
    ['that is retried', { retries: 'any' }, [entry('a', LOST)], 'free, for a'],
    ['that is retried, and done', { retries: 'any' }, [entry('a', LOST), entry('b')], 'held b'],
    ['done with another amount', {}, [entry('a', { amount: 90 })], 'conflict a'],
    ['that a spreadsheet changed', {}, [entry('a', { reference: "'R-1" })], 'conflict a'],
    [
      'that a spreadsheet changed, and unknown',
      { retries: 'any' },
      [entry('a', { reference: "'R-1", ...LOST })],
      'conflict a',
    ],
    [
      'that was done as it is and as a spreadsheet changed it',
      {},
      [entry('a', { reference: "'R-1" }), entry('b')],
      'held b',
    ],
    [
      'that a spreadsheet changed, with another amount',
      {},
      [entry('a', { reference: "'R-1", amount: 90 })],
      'free',
    ],
    [
      'of a file that no spreadsheet changed',
      { isAsWritten: true },
      [entry('a', { reference: "'R-1" })],
      'free',
    ],
    ['unknown with another amount', {}, [entry('a', { amount: 90, ...LOST })], 'conflict a'],
    [
      'unknown with another amount, and retried',
      { retries: 'any' },
      [entry('a', { amount: 90, ...LOST })],
      'conflict a',
    ],
    [
      'corrected in a batch with a name',
      { among: 'named' },
      [entry('a', { amount: 90, ...OWN })],
      'conflict a',
    ],
    [
      'done by its own batch with an amount that another line asks for',
      BESIDE,
      [entry('a', { amount: 90, ...OWN })],
      'free',
    ],
    [
      'done twice by its own batch with an amount that one other line asks for',
      BESIDE,
      [entry('a', { amount: 90, ...OWN }), entry('b', { amount: 90, ...OWN })],
      'conflict a',
    ],
    [
      'done by another batch with an amount that another line asks for',
      BESIDE,
      [entry('a', { amount: 90 })],
      'conflict a',
    ],
    ['done, and with another amount too', {}, [entry('a', { amount: 90 }), entry('b')], 'held b'],
    [
      'done in another currency, where it names none',
      {},
      [entry('a', { currency: 'JPY' })],
      'held a',
    ],
    ['the first of two, of which one is done', TWICE, [entry('a')], 'held a'],
    ['the second of two, of which one is done', SECOND, [entry('a')], 'free'],
    ['the second of two that are done', SECOND, [entry('a'), entry('b')], 'held b'],
    [
      'the first of two, the second of which is done',
      TWICE,
      [entry('a', { ...OWN, occurrence: 2 })],
      'free',
    ],
    [
      'one, where there were two and the second is done',
      {},
      [entry('a', { ...OWN, occurrence: 2 })],
      'held a',
    ],
    [
      'the second of two, one its own and one of a command',
      SECOND,
      [entry('a', OWN), entry('b', ALONE)],
      'held b',
    ],
    ['done by others, in a batch with a name', { among: 'named' }, [entry('a')], 'held a'],
    ['meant again, done by others', { among: 'own' }, [entry('a')], 'free'],
    ['meant again, unknown by others', { among: 'own' }, [entry('a', LOST)], 'free'],
    ['meant again, done by its own', { among: 'own' }, [entry('a', OWN)], 'held a'],
    ['meant again, with another amount', { among: 'own' }, [entry('a', { amount: 90 })], 'free'],
  ])('%s', (_, claim, attempts, expected) => {
    expect(verdictOf(claim, attempts)).toBe(expected);
  });

  test('with another currency than its done attempt', () => {
    const verdict = judgeLine({ ...REFUND, currency: 'AUD' }, line(), [
      entry('a', { currency: 'JPY' }),
    ]);
    expect(verdict).toMatchObject({ kind: 'conflict', with: { id: 'a' } });
  });
});

describe('a line without a reference', () => {
  const NONE = { reference: null };
  test.each<[string, Partial<LineClaim>, LedgerEntry[], string]>([
    ['done by its own batch', {}, [entry('a', { ...NONE, ...OWN })], 'held a'],
    ['done by another batch, as after a correction', {}, [entry('a', NONE)], 'held a'],
    ['done by a command', {}, [entry('a', { ...NONE, ...ALONE })], 'free'],
    ['unknown by a command', {}, [entry('a', { ...NONE, ...ALONE, ...LOST })], 'held a'],
    [
      'done by another batch, with a name of its own',
      { among: 'named' },
      [entry('a', NONE)],
      'free',
    ],
    [
      'unknown by another batch, with a name',
      { among: 'named' },
      [entry('a', { ...NONE, ...LOST })],
      'held a',
    ],
    ['done with another amount', {}, [entry('a', { ...NONE, amount: 90 })], 'free'],
  ])('%s', (_, claim, attempts, expected) => {
    expect(verdictOf(claim, attempts, null)).toBe(expected);
  });
});

/** A row of a file: two purchases, three references, three amounts; rows may repeat. */
const row = fc.record({
  target: fc.constantFrom('P-1', 'P-2'),
  reference: fc.constantFrom('A', 'B', 'C'),
  amount: fc.constantFrom(1, 2, 3),
});
type FileRow = { target: string; reference: string; amount: number };
const outcome = fc.constantFrom<'done' | 'unknown' | 'rejected'>(
  'done',
  'done',
  'unknown',
  'rejected',
);

/**
 * Runs of files that follow each other, each a correction of the one before in any way: whatever is
 * sent, no content has more attempts that happened, or may have, than the file with the most of it.
 */
test('any series of corrections sends no done line again and each new line once', async () => {
  const run = fc.record({
    rows: fc.array(row, { maxLength: 6 }),
    outcomes: fc.array(outcome, { minLength: 6, maxLength: 6 }),
    /** Lines that it gets to before it is killed. */
    until: fc.nat(6),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(run, { minLength: 1, maxLength: 5 }), async (runs) => {
      const clock = { now: () => new Date(0) };
      const ledger = await openSqliteLedger(':memory:', clock);
      const contentOf = ({ target, reference, amount }: FileRow) =>
        `${target} ${reference} ${amount}`;
      const happened = new Map<string, number>();
      for (const [n, { rows, outcomes, until }] of runs.entries()) {
        const countOf = (content: string) =>
          rows.filter((each) => contentOf(each) === content).length;
        const before = new Map(happened);
        const seen = new Map<string, number>();
        for (const [i, each] of rows.slice(0, until).entries()) {
          const content = contentOf(each);
          const occurrence = (seen.get(content) ?? 0) + 1;
          seen.set(content, occurrence);
          const claim = line({
            batch: `file ${n}`,
            line: content,
            occurrence,
            siblings: [1, 2, 3].map((amount) => ({
              amount,
              lines: countOf(contentOf({ ...each, amount })),
            })),
          });
          const request = { ...REFUND, ...each, refundOf: each.target };
          const conditions = { noDuplicate: true, noOverRefund: false, line: claim };
          const refused = await foreseen(ledger, request, conditions);
          const intended = await ledger.intend(request, conditions);
          expect(refused?.kind ?? 'recorded').toBe(intended.kind);
          const mustBeHeld = occurrence <= (before.get(content) ?? 0);
          if (mustBeHeld) expect(intended.kind, content).toBe('held');
          if (intended.kind !== 'recorded') continue;
          const state = outcomes[i] ?? 'done';
          await ledger.settle(intended.id, { state, status: 200, recordId: null, message: null });
          if (state !== 'rejected') happened.set(content, (happened.get(content) ?? 0) + 1);
        }
        for (const [content, count] of happened)
          expect(count, content).toBeLessThanOrEqual(
            Math.max(before.get(content) ?? 0, countOf(content)),
          );
      }
      // The journal has as many done and unknown entries as were counted here.
      const entries = await ledger.list({ limit: 1_000 });
      const active = entries.filter(({ state }) => state !== 'rejected');
      expect(active).toHaveLength([...happened.values()].reduce((sum, n) => sum + n, 0));
      expect(active.every(({ profile }) => profile === AT.profile)).toBe(true);
      await ledger.close();
    }),
    { numRuns: 150 },
  );
});

describe('a line that was declined', () => {
  const declined = (id: string, responseCode: string, change: Partial<LedgerEntry> = {}) =>
    entry(id, { state: 'declined', responseCode, ...change });
  const own = { batch: 'this' };
  const nameless = { reference: null };

  test.each<[string, string, Partial<LineClaim>, LedgerEntry[], (string | null)?]>([
    ['by a code that can never pass', 'held a', {}, [declined('a', '43')]],
    ['in its own batch', 'held a', {}, [declined('a', '43', own)]],
    ['by a code that may pass', 'free', {}, [declined('a', '51')]],
    ['and is to be sent all the same', 'free', { retriesDeclined: true }, [declined('a', '43')]],
    ['first for ever and then for now', 'free', {}, [declined('a', '43'), declined('b', '51')]],
    ['first for now and then for ever', 'held b', {}, [declined('a', '51'), declined('b', '43')]],
    ['and done after all', 'held b', {}, [declined('a', '43'), entry('b')]],
    ['with another amount', 'free', {}, [declined('a', '43', { amount: 90 })]],
    [
      'beside one that conflicts',
      'conflict b',
      {},
      [declined('a', '43'), entry('b', { amount: 90 })],
    ],
    [
      'under a reference of a spreadsheet',
      'free',
      {},
      [declined('a', '43', { reference: '1' })],
      '01',
    ],
    ['of two alike, the first', 'held a', TWICE, [declined('a', '43', own)]],
    ['of two alike, only the first', 'free', SECOND, [declined('a', '43', own)]],
    ['without a reference', 'held a', {}, [declined('a', '43', nameless)], null],
    [
      'by a command without a reference',
      'free',
      {},
      [declined('a', '43', { ...nameless, batch: null })],
      null,
    ],
    ['last month', 'free', { among: 'named' }, [declined('a', '43', nameless)], null],
  ])('%s', (_, verdict, claim, attempts, reference) => {
    expect(verdictOf(claim, attempts, reference)).toBe(verdict);
  });
});
