/**
 * `gw approve`: shows a proposal as a person must see it, asks, and sends it. What was shown is what is sent: the approval
 * names the digest of the proposal, and the transaction of the intent compares it again.
 *
 * Tests: test/system/approve.test.ts, test/unit/journal/proposal-cases.ts
 */
import type { JsonObject } from '../../base/json.ts';
import { instantText, quantity, textOrNull } from '../../base/text.ts';
import type { CommandOptions } from '../../cli/flags/command-options.ts';
import { notReleased, refusal } from '../../client/connection/refusals.ts';
import type { CallInput } from '../../client/exchange/wire-request.ts';
import type { ShownLine } from '../../client/guards/guard.ts';
import { lookUpTarget } from '../../client/guards/refund-target.ts';
import { needsApproval } from '../../client/guards/rules.ts';
import { moneyText } from '../../contract/money.ts';
import type { Operation } from '../../contract/operation.ts';
import { findOperation } from '../../contract/operations.ts';
import { refundCreate } from '../../contract/resources/refund.ts';
import { cancellation, Failure, invariant, orFailure } from '../../failure.ts';
import type { Context } from '../../host/context.ts';
import { redactJson } from '../../host/redaction/redact.ts';
import { leftOf } from '../../journal/balance.ts';
import type { LedgerEntry } from '../../journal/ledger.ts';
import { codeOf, isOf } from '../../journal/proposals.ts';
import { batchLines, isOfBatch } from '../../requests/batch/proposed-batch.ts';
import { shownText } from '../../requests/confirm-live.ts';
import { whose } from '../../requests/known/meant-record.ts';
import { proposalOf } from '../../requests/known/open-proposal.ts';
import { type Session, withSession } from '../../requests/session.ts';
import { submit } from '../../requests/submit/submit.ts';
import { textOf } from '../../view/values.ts';

/** @throws Failure guard unless a person at a terminal approves; and as any request */
export async function runApprove(
  context: Context,
  code: string | undefined,
  { request, output }: CommandOptions,
): Promise<void> {
  const { host } = context;
  const settings = { operation: refundCreate, request, output, isMixed: true };
  await withSession(context, settings, async (session) => {
    if (!request.mayAsk)
      throw refusal(
        'approval-not-asked',
        'gw approve asks a person at a terminal. No flag and no variable approves.',
        'Run it in a terminal. `gw proposals` lists what is open.',
      );
    const proposal = await (code === undefined
      ? chosen(context, session)
      : proposalOf(session, code));
    const operation = findOperation(proposal.operation);
    invariant(operation, `a proposal of ${proposal.operation}`);
    const shown = isOfBatch(proposal)
      ? batchLines(proposal)
      : await linesOf(context, session, proposal, operation);
    await host.stderr.write(shownText([...aboutProposal(proposal), ...shown]));
    await approve({ host, session, proposal, operation }, shown);
  });
}

interface Shown {
  host: Context['host'];
  session: Session;
  proposal: LedgerEntry;
  operation: Operation;
}

/** A live profile is confirmed by its name, where every request is. */
async function approve(
  { host, session, proposal, operation }: Shown,
  shown: readonly ShownLine[],
): Promise<void> {
  const { gateway, profile } = session;
  const input = await inputOf(session, proposal);
  const isByAnother = isOfBatch(proposal) || needsApproval(profile, { operation, input });
  const approval = gateway.ledger.approvalOf(proposal, isByAnother);
  if (isByAnother && isOf(proposal, approval.approver))
    throw notReleased({ kind: 'not-released', why: 'own' });
  const isLive = profile.environment === 'live';
  if (!isLive && !(await host.prompts.confirm('Approve it?'))) throw cancellation();
  if (!isOfBatch(proposal)) {
    gateway.ledger.note = proposal.note;
    const cleared = await gateway.clearance(operation, input, approval);
    return void (await submit(session, operation, input, cleared).catch(spent));
  }
  await gateway.confirmation.ofLive(operation, shown, 'approve');
  await gateway.ledger.release(approval);
  await session.notice(
    'Approved. `gw refund batch` with the same file sends it, within a day of the proposal.',
  );
}

/**
 * The body says all that is sent. The currency of a refund is that of its purchase, as it is known here, whatever the
 * proposal says: if they differ, the proposal is not released.
 */
async function inputOf({ gateway }: Session, proposal: LedgerEntry): Promise<CallInput> {
  const { body, refundOf: purchase } = proposal;
  if (purchase === null) return { body };
  const known = await gateway.ledger.currencyKnown({ purchase });
  const currency = known ?? proposal.currency ?? undefined;
  return { body, currency };
}

/** An approval is spent with the intent, even if the request did not leave. */
function spent(error: unknown): never {
  const isUnsent = error instanceof Failure && error.kind === 'notReached';
  throw isUnsent ? error.with({ next: `${AGAIN} ${error.next}` }) : error;
}

const AGAIN = 'The approval is spent, so the request has to be proposed again.';

async function chosen({ host }: Context, { gateway }: Session): Promise<LedgerEntry> {
  const open = await gateway.ledger.openProposals();
  if (open.length === 0)
    throw new Failure(
      'proposal-not-found',
      'Nothing waits for an approval.',
      '`gw refund propose` proposes a refund.',
    );
  const id = await host.prompts.select(
    'Which proposal?',
    open.map((one) => ({
      value: one.id,
      name: codeOf(one),
      hint: [
        one.operation,
        one.amount === null ? '' : moneyText(one.amount, one.currency),
        one.reference ?? '',
        one.operator ?? '',
      ]
        .filter((text) => text !== '')
        .join(', '),
    })),
  );
  const found = open.find((one) => one.id === id);
  invariant(found, 'a choice that was not offered');
  return found;
}

function aboutProposal(proposal: LedgerEntry): ShownLine[] {
  const { operation, amount, currency, reference, note, operator, enteredBy, createdAt } = proposal;
  return [
    ['Proposal', codeOf(proposal)],
    ['By', enteredBy !== null && enteredBy !== operator ? `${enteredBy} (${operator})` : operator],
    ['On', instantText(createdAt)],
    ['Why', note ?? 'no note'],
    ['Command', operation],
    ['Amount', amount === null ? undefined : moneyText(amount, currency)],
    ['Reference', reference ?? undefined],
    ['Request', isOfBatch(proposal) ? undefined : requestText(proposal)],
  ];
}

/** The whole body, because a field that is not shown would be approved too. */
function requestText({ body }: LedgerEntry): string {
  return Object.entries(redactJson(body) as JsonObject)
    .map(([field, value]) => `${field} ${textOf(value) ?? JSON.stringify(value)}`)
    .join(', ');
}

/** The purchase is looked up: what is left of it may have changed since the proposal. */
async function linesOf(
  { host }: Context,
  session: Session,
  proposal: LedgerEntry,
  operation: Operation,
): Promise<ShownLine[]> {
  const { gateway } = session;
  const { refundOf, amount, target, createdAt, account } = proposal;
  if (refundOf === null)
    return [
      [
        'Card',
        target &&
          `${target} (${(await whose({ host, session }, 'card', target)) ?? 'not known here'})`,
      ],
    ];
  const asked = await orFailure(lookUpTarget(gateway, operation, refundOf));
  const found = asked instanceof Failure ? undefined : asked;
  const seen = await gateway.ledger.rememberedOf('purchase', refundOf);
  const { balance, currency } = found ?? {};
  const money = (minor: number) => moneyText(minor, currency ?? proposal.currency);
  const since = await (await gateway.ledger.open()).refundedSince(account, refundOf, createdAt);
  const left = balance && leftOf(balance);
  return [
    ['Purchase', refundOf],
    ['Customer', seen?.name ?? textOrNull(seen?.record.customer) ?? 'not known here'],
    ['Card', textOrNull(seen?.record.card_number) ?? undefined],
    ['Left now', left === undefined ? 'not known: the gateway did not say' : money(left)],
    ['Left afterwards', left === undefined ? undefined : money(left - (amount ?? 0))],
    [
      'Since the proposal',
      since.count === 0
        ? 'nothing was refunded'
        : `${quantity(since.count, 'refund', 'refunds')}, ${money(since.amount)}`,
    ],
  ];
}
