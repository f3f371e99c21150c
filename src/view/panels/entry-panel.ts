/**
 * The panel of an entry of the journal: a request that was sent, and its outcome.
 *
 * Tests: test/unit/view/panels/own-panels.test.ts
 */

import type { JsonObject } from '../../base/json.ts';
import { capitalised } from '../../base/text.ts';
import { type Outcome, saysVoid } from '../../contract/normal.ts';
import { findOperation } from '../../contract/operations.ts';
import { type PanelContent, type PanelLine, VOIDED } from '../columns.ts';
import { reasonIn } from '../reason.ts';
import { sentBy } from '../sent-by.ts';
import { amountText, textOf } from '../values.ts';
import { joinTexts, panelLines, timeText } from './words.ts';

const OUTCOMES: Readonly<Record<string, Outcome>> = {
  done: 'approved',
  declined: 'declined',
  rejected: 'declined',
  'not-sent': 'declined',
  'not-done': 'declined',
};

const ANSWERED: readonly string[] = ['done', 'declined', 'rejected'];

/** @param record in the form of ENTRY_VIEW, with its body if that is to be shown */
export function entryPanel(record: JsonObject): PanelContent {
  const { amount, state, message, environment, body } = record;
  const isNamed = record.profile === environment;
  const profile = joinTexts([textOf(record.profile), !isNamed && textOf(environment)]);
  const operation = capitalised(textOf(record.operation) ?? 'Request');
  const said = reasonIn(textOf(message) ?? '');
  const isSaid = said === '' || said.toLowerCase() === 'approved';
  const money = amount === null ? undefined : amountText(record);
  const at = sentBy(record).enteredAt ?? record.created_at;
  return {
    outcome: OUTCOMES[textOf(state) ?? ''] ?? 'unclear',
    head: joinTexts(
      [saysVoid(message) ? VOIDED : stateText(textOf(state)), money, timeText(at)],
      '  ',
    ),
    title: joinTexts([operation, textOf(record.reference)]),
    rows: [
      ...panelLines('entry', record.id),
      ...panelLines('record', record.record_id),
      ...(isSaid ? [] : panelLines('message', said)),
      ...panelLines('customer', joinTexts([textOf(record.customer), textOf(record.who)], ' ')),
      ...targetRows(record),
      ...panelLines('note', record.note),
      // A decline is always answered with 200 (section 3.1).
      ...(state === 'declined' ? [] : panelLines('answer', record.status)),
      ...panelLines('profile', profile),
      ...(environment === 'live' ? [{ label: 'mode', text: 'LIVE', role: 'live' as const }] : []),
      ...panelLines('gateway', record.host),
      ...senderRows(record),
      ...panelLines('approved by', record.approved_by),
      ...panelLines(endOf(record), timeText(record.settled_at)),
      ...panelLines('resolution', record.resolution),
      ...resolverRows(record),
      ...panelLines('batch', record.batch),
    ],
    shown: Object.keys(record),
    parts: body === undefined || body === null ? [] : [{ title: 'Request', json: body }],
  };
}

/** In payments, what is settled was paid out: that is not said of a request that was answered, nor of a decline. */
function endOf({ state, resolution }: JsonObject): string {
  if (textOf(resolution) !== undefined) return 'resolved';
  return ANSWERED.includes(textOf(state) ?? '') ? 'answered' : 'ended';
}

/** The card that was to pay, or the purchase that was refunded. */
function targetRows({ operation, target, last_four }: JsonObject): PanelLine[] {
  const counts = findOperation(textOf(operation) ?? null)?.countsAs;
  if (counts !== 'purchases')
    return panelLines(counts === 'refunds' ? 'purchase' : 'target', target);
  const token = textOf(target);
  const lastFour = textOf(last_four);
  return panelLines('card', joinTexts([token, !token?.endsWith(lastFour ?? '') && lastFour]));
}

/** The sender as the server knows it, and the sender that the machine named if that differs. */
function senderRows(record: JsonObject): PanelLine[] {
  const { who, enteredAt, said } = sentBy(record);
  const claimed = joinTexts(
    [said ?? (enteredAt && textOf(record.operator)), textOf(record.machine)],
    ' on ',
  );
  if (enteredAt !== undefined)
    return [
      ...panelLines('entered by', joinTexts([textOf(record.entered_by), timeText(enteredAt)])),
      ...panelLines('machine says', joinTexts([claimed, timeText(record.created_at)])),
    ];
  if (said === undefined)
    return panelLines('sent by', joinTexts([who, textOf(record.machine)], ' on '));
  return [...panelLines('sent by', who), ...panelLines('machine says', claimed)];
}

function resolverRows({ resolved_by: by, entered_by: role }: JsonObject): PanelLine[] {
  if (textOf(by) === undefined) return [];
  return panelLines('resolved by', textOf(role) ? `${by}, by the clock of the machine` : by);
}

function stateText(state: string | undefined): string {
  if (state === undefined) return 'UNCLEAR';
  const isPlain = state === 'done' || state === 'sending';
  return isPlain ? capitalised(state) : state.replace('-', ' ').toUpperCase();
}
