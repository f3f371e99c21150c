/** The panel of a received event: its outcome once, its customer, its headers and its payload. */
import { isObject, type JsonObject } from '../../base/json.ts';
import type { Outcome } from '../../contract/normal.ts';
import type { PanelContent, PanelLine, PanelPart } from '../../view/columns.ts';
import { joinTexts, panelLines, timeText } from '../../view/panels/words.ts';
import { amountText, textOf } from '../../view/values.ts';

/** An outcome with its reason. */
export interface OutcomeWording {
  /** The text for a sentence: `DECLINED: Insufficient Funds`. */
  text: string;
  /** The text with the field's own word: `declined: Insufficient Funds`. */
  asField: string;
  /** The record outcome whose colour it has; undefined for an event that only waits. */
  tint: Outcome | undefined;
}

const AUTHENTICATIONS: Readonly<Record<string, string>> = {
  none: 'none: anyone could have sent it',
  basic: 'by password',
};

/** @param record in the form of EVENT_VIEW, with headers and payload if they are to be shown */
export function eventPanel(record: JsonObject, { text, tint }: OutcomeWording): PanelContent {
  const { id, amount, duplicate_of: duplicateOf, masked } = record;
  const authentication = textOf(record.authentication);
  const verification = joinTexts(
    [textOf(record.verification), textOf(record.verification_reason)],
    ': ',
  );
  return {
    outcome: tint ?? 'unclear',
    head: joinTexts(
      [text, amount === null ? undefined : amountText(record), textOf(record.who)],
      '  ',
    ),
    title: joinTexts([
      `Event ${textOf(id) ?? ''}`,
      textOf(record.event),
      duplicateText(duplicateOf),
    ]),
    rows: [
      ...panelLines('received', timeText(record.received_at)),
      ...namedLines('customer', textOf(record.customer)),
      ...namedLines(
        'subscription',
        joinTexts([textOf(record.subscription), textOf(record.reference)]),
        textOf(record.reference ?? record.subscription),
      ),
      ...namedLines('purchase', textOf(record.purchase)),
      ...panelLines('mode', record.mode),
      ...panelLines('profile', record.profile),
      ...panelLines('answered', record.status),
      ...panelLines('verification', verification),
      ...panelLines(
        'authentication',
        authentication && (AUTHENTICATIONS[authentication] ?? authentication),
      ),
      ...(masked === true ? [{ label: 'masked', text: 'before it was kept' }] : []),
    ],
    shown: Object.keys(record),
    parts: partsOf(record),
  };
}

/** @param name by which other commands find it; the text, if left out */
function namedLines(label: string, text: string | undefined, name = text): PanelLine[] {
  return panelLines(label, text).map((line) => ({ ...line, name }));
}

function duplicateText(of: JsonObject[string] | undefined): string | undefined {
  const id = textOf(of);
  return id === undefined ? undefined : `duplicate of ${id}`;
}

function partsOf({ headers, payload, body }: JsonObject): PanelPart[] {
  const parts: PanelPart[] = [];
  if (isObject(headers) && Object.keys(headers).length > 0)
    parts.push({ title: 'Headers', json: headers });
  if (payload !== undefined && payload !== null) parts.push({ title: 'Payload', json: payload });
  if (typeof body === 'string') parts.push({ title: 'Body', json: body });
  return parts;
}
