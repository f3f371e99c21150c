/** The rules of a profile in words, for `whoami` and `profile list`. */
import type { Json, JsonObject } from '../base/json.ts';
import { moneyText } from '../contract/money.ts';
import { capText, parseAmount, parseCaps } from '../journal/caps.ts';
import type { Cap } from '../journal/rules.ts';
import { textOf } from './values.ts';

/** @returns for example `two persons above 500.00 AUD`; undefined if one person may send any amount */
export function approvalText(record: JsonObject): string | undefined {
  const { two_persons_above: above, currency } = record;
  if (!Array.isArray(above)) return undefined;
  const amounts = above.flatMap((text) => parseAmount(textOf(text) ?? '', textOf(currency)) ?? []);
  return `two persons above ${amounts.map((one) => moneyText(one.minor, one.currency)).join(', ')}`;
}

/** @param record with the settings of a profile. @returns its caps in words: `at most 20 refunds an hour` */
export function capTexts(record: JsonObject): string[] {
  const currency = textOf(record.currency);
  const inWords = (value: Json | undefined, per: Cap['per']) =>
    (Array.isArray(value) ? value : []).flatMap((text) => {
      const [cap, other] = parseCaps(textOf(text) ?? '', per, currency) ?? [];
      if (!cap) return [];
      const also = cap.currency === undefined ? 'as many' : 'as much of';
      return [`at most ${capText(cap)}${other ? `, and ${also} ${other.of}` : ''}`];
    });
  return [...inWords(record.max_per_hour, 'hour'), ...inWords(record.max_per_day, 'day')];
}
