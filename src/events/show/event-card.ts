/** The card of an event that was received: its outcome once, whom it is about, its headers and its payload. */
import { capitalised } from '../../base/capitalised.ts';
import { isObject, type JsonObject } from '../../base/json.ts';
import type { Outcome } from '../../contract/normal.ts';
import { joined, rowOf, timeText } from '../../view/cards/words.ts';
import type { CardContent, CardPart } from '../../view/columns.ts';
import { amountText, textOf } from '../../view/values.ts';

const AUTHENTICATIONS: Readonly<Record<string, string>> = {
  none: 'none: anyone could have sent it',
  basic: 'by password',
};

/** @param record as EVENT_VIEW has it, with headers and payload where they are to be shown */
export function eventCard(record: JsonObject, outcome: Outcome, words: string): CardContent {
  const { id, amount, duplicate_of: duplicateOf, masked } = record;
  const authentication = textOf(record.authentication);
  const verification = joined(
    [textOf(record.verification), textOf(record.verification_reason)],
    ': ',
  );
  return {
    outcome,
    head: joined(
      [
        wordsOf(outcome, words),
        amount === null ? undefined : amountText(record),
        textOf(record.who),
      ],
      '  ',
    ),
    title: joined([`Event ${textOf(id) ?? ''}`, textOf(record.event), duplicateText(duplicateOf)]),
    rows: [
      ...rowOf('received', timeText(record.received_at)),
      ...rowOf('customer', record.customer),
      ...rowOf('subscription', joined([textOf(record.subscription), textOf(record.reference)])),
      ...rowOf('purchase', record.purchase),
      ...rowOf('mode', record.mode),
      ...rowOf('profile', record.profile),
      ...rowOf('answered', record.status),
      ...rowOf('verification', verification),
      ...rowOf(
        'authentication',
        authentication && (AUTHENTICATIONS[authentication] ?? authentication),
      ),
      ...(masked === true ? [{ label: 'masked', text: 'before it was kept' }] : []),
    ],
    shown: Object.keys(record),
    parts: partsOf(record),
  };
}

/** @returns `Approved`, `DECLINED: Insufficient Funds`, `Pending` */
function wordsOf(outcome: Outcome, words: string): string {
  const [word = ''] = /^\w*/.exec(words) ?? [];
  const isBad = outcome === 'declined';
  return (isBad ? word.toUpperCase() : capitalised(word)) + words.slice(word.length);
}

function duplicateText(of: JsonObject[string] | undefined): string | undefined {
  const id = textOf(of);
  return id === undefined ? undefined : `duplicate of ${id}`;
}

function partsOf({ headers, payload, body }: JsonObject): CardPart[] {
  const parts: CardPart[] = [];
  if (isObject(headers) && Object.keys(headers).length > 0)
    parts.push({ title: 'Headers', json: headers });
  if (payload !== undefined && payload !== null) parts.push({ title: 'Payload', json: payload });
  if (typeof body === 'string') parts.push({ title: 'Body', json: body });
  return parts;
}
