/** The card of an entry of the journal: a request that was sent, and what became of it. */
import { capitalised } from '../../base/capitalised.ts';
import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import { type Outcome, saysVoid } from '../../contract/normal.ts';
import { type CardContent, type CardRow, VOIDED } from '../columns.ts';
import { reasonIn } from '../reason.ts';
import { amountText, textOf } from '../values.ts';
import { joined, rowOf, timeText } from './words.ts';

const OUTCOMES: Readonly<Record<string, Outcome>> = {
  done: 'approved',
  declined: 'declined',
  rejected: 'declined',
  'not-sent': 'declined',
  'not-done': 'declined',
};

/** @param record as ENTRY_VIEW has it, and with its body where that is to be shown */
export function entryCard(record: JsonObject): CardContent {
  const { amount, state, message, environment, body } = record;
  const isNamed = record.profile === environment;
  const profile = joined([textOf(record.profile), !isNamed && textOf(environment)]);
  const sentBy = joined([textOf(record.operator), textOf(record.machine)], ' on ');
  const operation = capitalised(textOf(record.operation) ?? 'Request');
  const said = reasonIn(textOf(message) ?? '');
  const isSaid = said === '' || said.toLowerCase() === 'approved';
  const money = amount === null ? undefined : amountText(record);
  return {
    outcome: OUTCOMES[textOf(state) ?? ''] ?? 'unclear',
    head: joined(
      [saysVoid(message) ? VOIDED : stateText(textOf(state)), money, timeText(record.created_at)],
      '  ',
    ),
    title: joined([operation, textOf(record.reference)]),
    rows: [
      ...rowOf('entry', record.id),
      ...rowOf('record', record.record_id),
      ...rowOf('target', record.target),
      ...(isSaid ? [] : rowOf('message', said)),
      ...rowOf('answer', record.status),
      ...rowOf('profile', profile),
      ...(environment === 'live' ? [{ label: 'mode', text: 'LIVE', role: 'live' as const }] : []),
      ...rowOf('gateway', record.host),
      ...rowOf('sent by', sentBy),
      ...rowOf('settled', timeText(record.settled_at)),
      ...rowOf('resolution', record.resolution),
      ...rowOf('resolved by', record.resolved_by),
      ...rowOf('batch', record.batch),
      ...outcomeRows(record.outcomes),
    ],
    shown: Object.keys(record),
    parts: body === undefined || body === null ? [] : [{ title: 'Request', json: body }],
  };
}

/** A line for each outcome that was written: what, when by the server's clock, by which role, by whom. */
function outcomeRows(outcomes: Json | undefined): CardRow[] {
  const all = Array.isArray(outcomes) ? outcomes.filter(isObject) : [];
  return all.map(({ state, entered_at: at, entered_by: role, operator }, i) => ({
    ...(i === 0 && { label: 'outcomes' }),
    text: joined([
      joined([textOf(state), timeText(at)], '  '),
      textOf(role) && `role ${textOf(role)}`,
      textOf(operator),
    ]),
  }));
}

function stateText(state: string | undefined): string {
  if (state === undefined) return 'UNCLEAR';
  const isPlain = state === 'done' || state === 'sending';
  return isPlain ? capitalised(state) : state.replace('-', ' ').toUpperCase();
}
