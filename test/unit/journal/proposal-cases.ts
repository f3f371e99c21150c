/** Cases of proposals, which every ledger passes. */
import { describe, expect, test } from 'vitest';
import type { IntentConditions, Ledger, LedgerEntry } from '../../../src/journal/ledger.ts';
import { codeOf, digestOf, isCode } from '../../../src/journal/proposals.ts';
import type { Approval } from '../../../src/journal/rules.ts';
import { REFUND } from '../../helpers/money-request.ts';
import { GUARDED, type Place } from './ledger-cases.ts';

const DAY = 24 * 60 * 60 * 1000;

/** @param make makes a new and empty ledger */
export function proposalCases(make: () => Promise<Place>): void {
  async function proposed(ledger: Ledger, change: Partial<LedgerEntry> = {}): Promise<LedgerEntry> {
    const written = await ledger.propose({ ...REFUND, currency: 'AUD', ...change }, GUARDED);
    if (written.kind !== 'proposed') throw new Error(written.kind);
    return written.proposal;
  }
  const approvalOf = (proposal: LedgerEntry, change: Partial<Approval> = {}): Approval => ({
    proposal: proposal.id,
    digest: digestOf(proposal),
    approver: 'grace',
    proposer: proposal.operator,
    isByAnother: true,
    ...change,
  });
  const under = (approval: Approval, change: Partial<IntentConditions> = {}) => ({
    ...GUARDED,
    ...change,
    approval,
  });
  const request = { ...REFUND, currency: 'AUD' };
  /** On a server all are one role, which releases nothing that it proposed: operator-rights.test.ts has several. */
  const isServer = async (ledger: Ledger) =>
    (await ledger.list({ limit: 1 }))[0]?.enteredBy != null;

  describe('a proposal', () => {
    test('is kept with who, why and until when, and sends nothing', async () => {
      const place = await make();
      const ada = await place.as('ada');
      const proposal = await proposed(ada, { note: 'parcel lost' });
      expect(proposal).toMatchObject({ state: 'proposed', operator: 'ada', note: 'parcel lost' });
      expect(Date.parse(proposal.proposedUntil!) - Date.parse(proposal.createdAt)).toBe(DAY);
      expect(await ada.openProposals(REFUND.account)).toEqual([proposal]);
      expect(await ada.openProposals('a2')).toEqual([]);
      expect(await ada.list({ unresolved: true, limit: 9 })).toEqual([]);
      // It stands in the way of nothing.
      expect(await ada.intend({ ...request, amount: 7 }, GUARDED)).toMatchObject({
        kind: 'recorded',
      });
    });

    test('has a code that changes with anything that it says', async () => {
      const proposal = await proposed(await (await make()).as('ada'));
      const code = codeOf(proposal);
      expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/);
      expect(isCode(code.toLowerCase().replace('-', ' '), code)).toBe(true);
      expect(isCode(code.slice(1), code)).toBe(false);
      for (const change of [{ amount: 101 }, { target: 'P-2' }, { note: 'x' }, { operator: 'eve' }])
        expect(codeOf({ ...proposal, ...change })).not.toBe(code);
    });

    test('is not open after a day, nor once it was withdrawn', async () => {
      const place = await make();
      const ada = await place.as('ada');
      const proposal = await proposed(ada);
      const other = await proposed(ada, { target: 'P-2', refundOf: 'P-2' });
      expect(await ada.withdraw(other.id, 'no need')).toBe(true);
      expect(await ada.withdraw(other.id, 'no need')).toBe(false);
      expect(await ada.entries([other.id])).toMatchObject([
        { state: 'withdrawn', resolution: 'no need', resolvedBy: 'ada' },
      ]);
      await place.pass(DAY);
      expect(await ada.openProposals(REFUND.account)).toEqual([]);
      for (const [one, why] of [
        [proposal, 'expired'],
        [other, 'withdrawn'],
      ] as const) {
        const refused = await ada.intend(
          { ...request, target: one.target, refundOf: one.target },
          under(approvalOf(one)),
        );
        expect(refused).toEqual({ kind: 'not-released', why });
      }
    });

    test('is refused as the request would be', async () => {
      const ada = await (await make()).as('ada');
      await ada.intend(request, GUARDED);
      expect(await ada.propose(request, GUARDED)).toMatchObject({ kind: 'duplicate' });
    });

    test('is not released as something else', async () => {
      const ada = await (await make()).as('ada');
      const proposal = await proposed(ada);
      const cases: [Approval, object, string][] = [
        [approvalOf(proposal, { digest: 'other' }), {}, 'changed'],
        [approvalOf(proposal), { amount: 101 }, 'changed'],
        [approvalOf(proposal), { target: 'P-9' }, 'changed'],
        [approvalOf(proposal, { proposal: 'none' }), {}, 'gone'],
      ];
      for (const [approval, change, why] of cases)
        expect(await ada.intend({ ...request, ...change }, under(approval))).toEqual({
          ...{ kind: 'not-released', why },
        });
      expect(await ada.openProposals(REFUND.account)).toHaveLength(1);
    });

    test('is not released where a guard refuses the request by now', async () => {
      const ada = await (await make()).as('ada');
      const proposal = await proposed(ada);
      await ada.intend(request, GUARDED);
      expect(await ada.intend(request, under(approvalOf(proposal)))).toMatchObject({
        kind: 'duplicate',
      });
      expect(await ada.openProposals(REFUND.account)).toHaveLength(1);
    });

    test('is sent once, whoever approves it at the same time', async () => {
      const place = await make();
      const ada = await place.as('ada');
      const proposal = await proposed(ada);
      const others = await Promise.all(['grace', 'joan', 'mary'].map((name) => place.as(name)));
      const free = under(approvalOf(proposal), { noDuplicate: false, noOverRefund: false });
      const racing = others.map((ledger) => ledger.intend(request, free));
      if (await isServer(ada)) {
        for (const one of await Promise.allSettled(racing))
          expect(one).toMatchObject({ reason: { code: 'approval-refused', sent: false } });
        expect(await ada.openProposals(REFUND.account)).toHaveLength(1);
        return;
      }
      const verdicts = await Promise.all(racing);
      expect(verdicts.map(({ kind }) => kind).toSorted()).toEqual([
        ...['not-released', 'not-released', 'recorded'],
      ]);
      const sent = await ada.list({ unresolved: true, limit: 9 });
      expect(sent).toMatchObject([{ operator: 'ada', approvedBy: 'grace', proposal: proposal.id }]);
      expect(await ada.entries([proposal.id])).toMatchObject([
        { state: 'released', resolvedBy: 'grace' },
      ]);
      expect(await ada.intend(request, free)).toEqual({ kind: 'not-released', why: 'released' });
    });
  });
}
