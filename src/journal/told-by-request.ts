/**
 * Says what a money request that was sent from here tells: of the record that it made, or of itself.
 *
 * Tests: test/unit/things/hard-cases.test.ts, test/unit/things/one-row.test.ts
 */

import { textOrNull } from '../base/text.ts';
import { lastFourOf } from '../contract/cards/card-number.ts';
import { shownCardOf } from '../contract/expiry.ts';
import { findOperation } from '../contract/operations.ts';
import type { RecordKind } from '../contract/record.ts';
import type { SourceValues, ThingOutcome } from '../things/thing.ts';
import type { EntryState, LedgerEntry } from './ledger.ts';

/** The part of a journal entry that a search can find. */
export type SentRequest = Pick<
  LedgerEntry,
  | 'id'
  | 'operation'
  | 'state'
  | 'account'
  | 'profile'
  | 'environment'
  | 'host'
  | 'target'
  | 'recordId'
  | 'refundOf'
  | 'amount'
  | 'currency'
  | 'reference'
  | 'message'
  | 'resolvedBy'
  | 'transactionDate'
  | 'operator'
  | 'note'
  | 'body'
  | 'createdAt'
  | 'settledAt'
>;

/** Outcomes of records that a request made. */
const OUTCOMES: Partial<Record<EntryState, ThingOutcome>> = {
  done: 'approved',
  declined: 'declined',
};

/**
 * @returns the record that the request is known to have made. None for a request of the user's own: the record that it
 *   names may be older than the request.
 */
export function madeBy(
  entry: Pick<SentRequest, 'operation' | 'refundOf' | 'recordId' | 'state'>,
): { kind: RecordKind; id: string } | undefined {
  const { recordId: id, state } = entry;
  const kind = findOperation(entry.operation)?.kind;
  return kind && id !== null && OUTCOMES[state] !== undefined ? { kind, id } : undefined;
}

/** The record of a successful request has its message. Of a proposal, whoever ended it is told. */
function messageOf({ state, message, resolvedBy }: SentRequest): string | null {
  if (state === 'released' || state === 'withdrawn') return resolvedBy && `by ${resolvedBy}`;
  return state === 'done' ? null : message;
}

export function toldByRequest(entry: SentRequest): SourceValues {
  const { profile, environment, host, amount, currency, reference } = entry;
  const { target, recordId, body, operation, state } = entry;
  const made = madeBy(entry);
  const isMoney = made?.kind === 'purchase' || made?.kind === 'refund';
  return {
    profile,
    environment,
    host,
    amount,
    currency,
    reference,
    at: entry.transactionDate ?? entry.createdAt,
    seenAt: entry.settledAt ?? entry.createdAt,
    outcome: made ? (isMoney ? (OUTCOMES[state] ?? null) : null) : state,
    who: textOrNull(body.card_holder),
    lastFour: lastFourOf(body.card_number),
    card: shownCardOf(body),
    message: messageOf(entry),
    label: made ? null : operation,
    token: findOperation(operation)?.kind === 'purchase' ? textOrNull(body.card_token) : null,
    ...linksOf(entry),
    operator: entry.operator,
    note: entry.note,
    keys: made ? [] : [target, recordId].filter((name) => name !== null),
    words: made ? [] : [target, recordId].filter((name) => name !== null),
  };
}

/** The record of a user's own request may have any relation to it, so the request is only found by its keys. */
function linksOf({ operation, recordId, refundOf, body }: SentRequest): Partial<SourceValues> {
  switch (findOperation(operation)?.kind) {
    case 'purchase':
    case 'refund':
      return { purchase: refundOf ?? recordId };
    case 'customer':
      return { customer: recordId };
    case 'subscription':
      return {
        customer: textOrNull(body.customer),
        subscription: textOrNull(body.reference) ?? recordId,
        plan: textOrNull(body.plan),
      };
    default:
      return {};
  }
}
