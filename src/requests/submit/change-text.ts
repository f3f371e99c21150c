/**
 * Says what an update changed.
 *
 * An answer has no expiry of a card and no CVV, so the request says what was changed. A field that the answer shows
 * otherwise is left out: the gateway did not change it so.
 */
import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import { HIDDEN, redactJson } from '../../host/redaction/redact.ts';
import { amountText } from '../../view/values.ts';

/**
 * @param body the request that the gateway accepted
 * @param record its answer
 * @returns for example `email ada@example.com, expiry date 11/2029`; empty if nothing can be said
 */
export function changeText(body: Json, record: JsonObject): string {
  return changesIn(redactJson(body), record, record).join(', ');
}

function changesIn(asked: Json, answered: Json | undefined, record: JsonObject): string[] {
  if (!isObject(asked)) return [];
  return Object.entries(asked).flatMap(([name, value = null]) => {
    const said = isObject(answered) ? answered[name] : undefined;
    if (isObject(value)) return changesIn(value, said, record);
    const isOther = said !== undefined && textOf(said) !== textOf(value);
    if (isOther || value === HIDDEN) return [];
    const shown = name === 'amount' ? amountText({ ...record, amount: value }) : String(value);
    return `${name.replace(/^is_/, '').replaceAll('_', ' ')} ${shown}`;
  });
}

const textOf = (value: Json) => String(value).toLowerCase();
