/** The card of an entry of the journal: a request that was sent, and its outcome. */

import type { JsonObject } from '../../base/json.ts';
import { capitalised } from '../../base/text.ts';
import { type Outcome, saysVoid } from '../../contract/normal.ts';
import { operationNamed } from '../../contract/operations.ts';
import { type CardContent, type CardLine, VOIDED } from '../columns.ts';
import { reasonIn } from '../reason.ts';
import { sentBy } from '../sent-by.ts';
import { amountText, textOf } from '../values.ts';
import { cardLines, joined, timeText } from './words.ts';

const OUTCOMES: Readonly<Record<string, Outcome>> = {
  done: 'approved',
  declined: 'declined',
  rejected: 'declined',
  'not-sent': 'declined',
  'not-done': 'declined',
};

/** @param record in the form of ENTRY_VIEW, with its body if that is to be shown */
export function entryCard(record: JsonObject): CardContent {
  const { amount, state, message, environment, body } = record;
  const isNamed = record.profile === environment;
  const profile = joined([textOf(record.profile), !isNamed && textOf(environment)]);
  const operation = capitalised(textOf(record.operation) ?? 'Request');
  const said = reasonIn(textOf(message) ?? '');
  const isSaid = said === '' || said.toLowerCase() === 'approved';
  const money = amount === null ? undefined : amountText(record);
  const at = sentBy(record).enteredAt ?? record.created_at;
  return {
    outcome: OUTCOMES[textOf(state) ?? ''] ?? 'unclear',
    head: joined(
      [saysVoid(message) ? VOIDED : stateText(textOf(state)), money, timeText(at)],
      '  ',
    ),
    title: joined([operation, textOf(record.reference)]),
    rows: [
      ...cardLines('entry', record.id),
      ...cardLines('record', record.record_id),
      ...(isSaid ? [] : cardLines('message', said)),
      ...cardLines('customer', joined([textOf(record.customer), textOf(record.who)], ' ')),
      ...targetRows(record),
      ...cardLines('note', record.note),
      // A decline is always answered with 200 (section 3.1).
      ...(state === 'declined' ? [] : cardLines('answer', record.status)),
      ...cardLines('profile', profile),
      ...(environment === 'live' ? [{ label: 'mode', text: 'LIVE', role: 'live' as const }] : []),
      ...cardLines('gateway', record.host),
      ...senderRows(record),
      ...cardLines('settled', timeText(record.settled_at)),
      ...cardLines('resolution', record.resolution),
      ...resolverRows(record),
      ...cardLines('batch', record.batch),
    ],
    shown: Object.keys(record),
    parts: body === undefined || body === null ? [] : [{ title: 'Request', json: body }],
  };
}

/** The card that was to pay, or the purchase that was refunded. */
function targetRows({ operation, target, last_four }: JsonObject): CardLine[] {
  const counts = operationNamed(textOf(operation) ?? null)?.countsAs;
  if (counts !== 'purchases')
    return cardLines(counts === 'refunds' ? 'purchase' : 'target', target);
  const token = textOf(target);
  const lastFour = textOf(last_four);
  return cardLines('card', joined([token, !token?.endsWith(lastFour ?? '') && lastFour]));
}

/** The sender as the server knows it, and the sender that the machine named if that differs. */
function senderRows(record: JsonObject): CardLine[] {
  const { who, enteredAt, said } = sentBy(record);
  const claimed = joined(
    [said ?? (enteredAt && textOf(record.operator)), textOf(record.machine)],
    ' on ',
  );
  if (enteredAt !== undefined)
    return [
      ...cardLines('entered by', joined([textOf(record.entered_by), timeText(enteredAt)])),
      ...cardLines('machine says', joined([claimed, timeText(record.created_at)])),
    ];
  if (said === undefined)
    return cardLines('sent by', joined([who, textOf(record.machine)], ' on '));
  return [...cardLines('sent by', who), ...cardLines('machine says', claimed)];
}

function resolverRows({ resolved_by: by, entered_by: role }: JsonObject): CardLine[] {
  if (textOf(by) === undefined) return [];
  return cardLines('resolved by', textOf(role) ? `${by}, by the clock of the machine` : by);
}

function stateText(state: string | undefined): string {
  if (state === undefined) return 'UNCLEAR';
  const isPlain = state === 'done' || state === 'sending';
  return isPlain ? capitalised(state) : state.replace('-', ' ').toUpperCase();
}
