/**
 * The proposal of a batch: its digest, its sums, and what a person looks at before approving it. Its lines are not kept:
 * they are sent by the same file, which has the same digest.
 *
 * Tests: test/unit/requests/batch/proposed-batch.test.ts, test/system/batch-faults.test.ts
 */
import { isDeepStrictEqual } from 'node:util';
import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import { quantity } from '../../base/text.ts';
import type { GatewayConnection } from '../../client/connection/call.ts';
import type { ShownLine } from '../../client/guards/guard.ts';
import { approvalRequired, isForTwo } from '../../client/guards/rules.ts';
import type { Profile } from '../../client/profiles/profile.ts';
import { moneyText } from '../../contract/money.ts';
import type { LedgerEntry, MoneyRequest } from '../../journal/ledger.ts';
import { type Line, lineAmount } from './engine/batch.ts';
import { Distinct } from './engine/distinct.ts';
import type { Plan } from './engine/preflight.ts';
import type { CheckedBatch } from './send-line.ts';

/** The largest lines that a proposal shows. */
const LARGEST = 10;

/** @returns what names the batch in its proposal */
function targetOfBatch({ digest }: Pick<Plan, 'digest'>): string {
  return `sha256:${digest}`;
}

/** @returns whether a proposal is that of a batch */
export function isOfBatch({ target }: Pick<LedgerEntry, 'target'>): boolean {
  return target?.startsWith('sha256:') === true;
}

/** @returns the batch as the journal keeps it as a whole */
export async function requestOfBatch(
  { operation, plan, options }: CheckedBatch,
  { ledger }: GatewayConnection,
): Promise<MoneyRequest> {
  const totals = [...plan.totals];
  const [only] = totals.length === 1 ? totals : [];
  const [code = '', total] = only ?? [];
  const isExact = total !== undefined && total <= BigInt(Number.MAX_SAFE_INTEGER);
  return {
    ...(await ledger.destination()),
    operation: operation.name,
    target: targetOfBatch(plan),
    refundOf: null,
    amount: isExact ? Number(total) : null,
    currency: code === '' ? null : code,
    reference: options.name ?? null,
    body: bodyOf(plan),
    note: ledger.note,
  };
}

function bodyOf({ lines, totals }: Plan): JsonObject {
  const targets = new Distinct();
  let largest: Line[] = [];
  let unnamed = 0;
  for (const line of lines) {
    targets.add(line.kept?.target ?? '', 0);
    if ((line.kept?.reference ?? null) === null) unnamed++;
    const least = largest[LARGEST - 1];
    if (least && (lineAmount(line) ?? 0) <= (lineAmount(least) ?? 0)) continue;
    largest = [...largest, line]
      .sort((one, other) => (lineAmount(other) ?? 0) - (lineAmount(one) ?? 0))
      .slice(0, LARGEST);
  }
  return {
    lines: lines.length,
    totals: Object.fromEntries([...totals].map(([code, sum]) => [code, String(sum)])),
    largest: largest.map(shownLine),
    same_target_again: lines.length - targets.size,
    without_reference: unnamed,
  };
}

const shownLine = ({ number, kept, currency }: Line): JsonObject => ({
  line: number,
  target: kept?.target ?? null,
  reference: kept?.reference ?? null,
  amount: kept?.amount ?? null,
  currency: kept?.currency ?? currency ?? null,
});

/** @returns what a person looks at before approving the batch: sums, the largest lines, and what is unusual */
export function batchLines({ body, target }: LedgerEntry): ShownLine[] {
  const totals = isObject(body.totals ?? null) ? Object.entries(body.totals as JsonObject) : [];
  const largest = Array.isArray(body.largest) ? body.largest : [];
  const { same_target_again: again, without_reference: unnamed } = body;
  return [
    ['Digest', target?.replace('sha256:', '').slice(0, 8)],
    ['Lines', body.lines],
    ...totals.map(([code, sum]): ShownLine => ['Total', moneyText(BigInt(String(sum)), code)]),
    ...largest.map((line): ShownLine => ['Largest', lineText(line)]),
    [
      'Unusual',
      again
        ? `${quantity(Number(again), 'line', 'lines')} of a purchase that has another line`
        : undefined,
    ],
    [
      'Unusual',
      unnamed ? `${quantity(Number(unnamed), 'line', 'lines')} without a reference` : undefined,
    ],
  ];
}

function lineText(line: Json): string {
  if (!isObject(line)) return '';
  const { line: number, amount, currency, target, reference } = line;
  const money = moneyText(Number(amount), typeof currency === 'string' ? currency : null);
  return `${money}, line ${String(number)}: ${[target, reference].filter((text) => text !== null).join(', ')}`;
}

/**
 * @returns the person who approved the batch; undefined if the profile wants nobody to
 * @throws Failure guard if it does, and nobody has
 */
export async function approverOf(
  { operation, plan }: CheckedBatch,
  { profile, ledger }: GatewayConnection,
): Promise<string | undefined> {
  if (!operation.countsAs) return undefined;
  const isLarge = [...plan.totals].some(([code, sum]) =>
    isForTwo(profile, Number(sum), code || null),
  );
  if (!isLarge && !isUnsure(profile, plan)) return undefined;
  const released = await ledger.releasedBatch(targetOfBatch(plan));
  // The person saw the sums and lines that the proposal says, so the file has to have these.
  if (released && isDeepStrictEqual(released.body, bodyOf(plan)))
    return released.resolvedBy ?? undefined;
  throw approvalRequired(
    profile,
    'a batch of so much',
    'Propose it: add --propose, and have it approved with `gw approve`. Then run this command again.',
  );
}

/** @returns whether one line alone needs another person */
function isUnsure(profile: Profile, { lines }: Plan): boolean {
  if (!profile.twoPersonsAbove) return false;
  for (const { kept, currency } of lines)
    if (isForTwo(profile, kept?.amount ?? null, kept?.currency ?? currency ?? null)) return true;
  return false;
}
