/** The view of a proposal: a request that waits for another person. */
import { instantText } from '../../base/text.ts';
import { moneyText } from '../../contract/money.ts';
import type { LedgerEntry } from '../../journal/ledger.ts';
import { codeOf } from '../../journal/proposals.ts';
import { amountColumn, cuttable, extra, fieldColumn, ownView, timeColumn } from '../columns.ts';
import { textOf } from '../values.ts';

/** A proposal, and of a refund whom and what it is for, if that is known here. */
export interface ShownProposal extends LedgerEntry {
  customer?: string | undefined;
  purchaseReference?: string | undefined;
}

export const PROPOSAL_VIEW = ownView({
  name: 'proposal',
  plural: 'proposals',
  // biome-ignore format: names that belong together stand in one line
  mayHave: [
    'code', 'operation', 'amount', 'currency', 'reference', 'target', 'customer',
    'purchase_reference', 'note', 'proposed_by', 'created_at', 'proposed_until', 'profile', 'environment', 'host', 'entry', 'body',
  ],
  id: (record) => textOf(record.code),
  columns: [
    fieldColumn('code'),
    fieldColumn('operation'),
    amountColumn,
    fieldColumn('reference', cuttable),
    fieldColumn('target', cuttable),
    fieldColumn('customer', cuttable),
    fieldColumn('purchase_reference', cuttable),
    fieldColumn('note', cuttable),
    fieldColumn('proposed_by'),
    timeColumn('proposed_until'),
    fieldColumn('entry', extra),
  ],
  computed: (proposal: ShownProposal) => {
    const { operation, amount, currency, reference, target, note, body, profile } = proposal;
    const { customer, purchaseReference } = proposal;
    const { environment, host, createdAt, proposedUntil, enteredBy, operator, id } = proposal;
    return {
      ...{ code: codeOf(proposal), operation, amount, currency, reference, target, note },
      ...{ customer, purchase_reference: purchaseReference },
      proposed_by: enteredBy ?? operator,
      ...{ created_at: createdAt, proposed_until: proposedUntil, profile, environment, host },
      ...{ entry: id, body },
    };
  },
});

/** @returns sentences for whoever proposed it: nothing was sent, and what the other person does */
export function howToApprove(proposal: LedgerEntry): string {
  const { amount, currency, proposedUntil } = proposal;
  const money = amount === null ? 'it' : moneyText(amount, currency);
  return `Nothing was sent. Another person sends ${money} with \`gw approve ${codeOf(proposal)}\`, until ${instantText(proposedUntil ?? '')}.`;
}
