/**
 * Proposals: requests that one person writes down, for another to send. A proposal is an entry of the journal that is
 * never sent itself:
 *
 *   proposed ──► released     a person approved it. The transaction that says so writes the intent of the request, which
 *                             names its proposal. A batch is released as a whole, and its lines are sent by its file.
 *   proposed ──► withdrawn    `gw reject`
 *
 * It can be released until `proposedUntil`, once. What a person approves is the digest of the whole proposal, so that a
 * changed one is another one. On a server, the trigger of docs/schema.sql lets only the login of an approver release it,
 * and never that of the proposer.
 *
 * Tests: test/unit/journal/proposal-cases.ts, test/unit/journal/both-ledgers.test.ts
 */
import type { JsonObject } from '../base/json.ts';
import { sha256 } from '../host/digest.ts';
import { type EntryRow, entryOf, laterInstant, type SendingProcesses } from './entries.ts';
import type { LedgerEntry, MoneyRequest } from './ledger.ts';
import type { Approval, NotReleased } from './rules.ts';

/** For this long, a proposal can be approved. */
const PROPOSAL_MS = 24 * 60 * 60 * 1000;

/** @returns a digest of all that a proposal says: who is to send what, of whom it is, and until when */
export function digestOf(proposal: LedgerEntry): string {
  const { id, createdAt, proposedUntil, operator, account, profile, environment, host } = proposal;
  const { operation, target, refundOf, amount, currency, reference, body, note } = proposal;
  return sha256(
    JSON.stringify([
      ...[id, createdAt, proposedUntil, operator, account, profile, environment, host],
      ...[operation, target, refundOf, amount, currency, reference, sorted(body), note],
    ]),
  );
}

/** Letters and digits that are not taken for each other (Crockford's base 32). */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** @returns the code that people say to each other, such as `7K3M-Q9XB`. It changes with anything that the proposal says. */
export function codeOf(proposal: LedgerEntry): string {
  const bits = BigInt(`0x${digestOf(proposal).slice(0, 10)}`);
  const letters = Array.from(
    { length: 8 },
    (_, n) => LETTERS[Number((bits >> BigInt(35 - 5 * n)) & 31n)],
  );
  return `${letters.slice(0, 4).join('')}-${letters.slice(4).join('')}`;
}

/** @returns whether a typed text is the code, in capitals or not, with or without its dash */
export function isCode(typed: string, code: string): boolean {
  const plain = typed
    .toUpperCase()
    .replaceAll(/[\s-]/g, '')
    .replaceAll('O', '0')
    .replaceAll(/[IL]/g, '1');
  return plain === code.replace('-', '');
}

/** A proposal is sent by nobody. */
const NOBODY: SendingProcesses = { self: null, isGone: () => undefined };

/**
 * @param row the proposal as stored; undefined if there is none
 * @param request what is to be sent; undefined for a batch, whose lines are sent later
 */
export function judgeApproval(
  row: EntryRow | undefined,
  { digest, approver, isByAnother }: Approval,
  request?: MoneyRequest,
): NotReleased | undefined {
  const said = row?.proposedUntil ? endOf(row) : 'gone';
  if (said || !row) return { kind: 'not-released', why: said ?? 'gone' };
  const proposal = entryOf(row, NOBODY);
  if (digestOf(proposal) !== digest || (request && !isSameRequest(proposal, request)))
    return { kind: 'not-released', why: 'changed' };
  return isByAnother && isOf(proposal, approver) ? { kind: 'not-released', why: 'own' } : undefined;
}

/** @returns whether the person proposed it, as far as a file can tell; on a server the logins count, which it compares itself */
export function isOf({ operator, enteredBy }: LedgerEntry, approver: string): boolean {
  return enteredBy === null && operator === approver;
}

/** @returns why nobody can release the proposal any more; undefined if it is open */
function endOf({ state, proposedUntil: until, readAt }: EntryRow): NotReleased['why'] | undefined {
  if (state === 'released' || state === 'withdrawn') return state;
  if (state !== 'proposed') return 'gone';
  return until !== null && until <= readAt ? 'expired' : undefined;
}

/** @returns whether both ask for the same */
export function isSameRequest(one: MoneyRequest, other: MoneyRequest): boolean {
  return (
    one.account === other.account &&
    one.operation === other.operation &&
    one.target === other.target &&
    one.reference === other.reference &&
    one.currency === other.currency &&
    one.amount === other.amount
  );
}

/** Whoever approves reads each one. A program that proposes without end would have the one that matters overlooked. */
export const MOST_PROPOSED = 20;

/** @param open the open proposals of an account. @returns whether as many of them as may be were made within the last hour */
export function areTooMany(open: readonly LedgerEntry[], now: Date): boolean {
  const since = new Date(now.getTime() - 60 * 60 * 1000).toISOString();
  return open.filter(({ createdAt }) => createdAt > since).length >= MOST_PROPOSED;
}

/** @returns until when a proposal that is made now can be released (ISO 8601, UTC) */
export function proposedUntil(now: string): string {
  return laterInstant(now, PROPOSAL_MS);
}

/** A body keeps its fields in no order. */
function sorted(body: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(body).sort(([a], [b]) => (a < b ? -1 : 1)));
}
