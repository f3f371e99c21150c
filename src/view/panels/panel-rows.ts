/**
 * The parts of a panel that a terminal and a page show alike: the rows of fields that its content leaves out, and the
 * words and signs of outcomes.
 */
import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import type { PanelContent, PanelLine } from '../columns.ts';
import { amountText, flatten, textOf } from '../values.ts';

/** The sign of each outcome, where signs can be shown. */
export const SIGNS = {
  approved: '✓',
  authorised: '✓',
  declined: '✗',
  rejected: '✗',
  unclear: '?',
} as const;

/** Fields that repeat what the head of a record with an outcome and an amount says. */
const REPEATED: readonly [field: string, of: readonly string[]][] = [
  ['decimal_amount', ['amount']],
  ['successful', ['authorized', 'message']],
  ['authorized', ['successful', 'message']],
];

/** @returns a row for each field that the panel does not show yet */
export function otherRows(record: JsonObject, { shown }: PanelContent): PanelLine[] {
  const isShown = (name: string) =>
    shown.some((field) => name === field || name.startsWith(`${field}.`));
  const isRepeated = ([name, value]: [string, Json]) =>
    (name !== 'id' && value !== null && value === record.id) ||
    REPEATED.some(([field, of]) => field === name && of.some((other) => other in record));
  return flatten(record)
    .filter((field) => !isShown(field[0]) && !isRepeated(field))
    .flatMap(([name, value]): PanelLine[] => {
      const text =
        name === 'captured_amount'
          ? amountText({ amount: value, currency: record.currency ?? null })
          : valueText(value);
      return text === undefined || text === '' ? [] : [{ label: labelOf(name), text }];
    });
}

/** @returns a field's name in words, as headers of tables have it */
const labelOf = (name: string) => name.replaceAll(/[._]/g, ' ');

/** @returns the value as people read it; undefined if there is none */
function valueText(value: Json): string | undefined {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  // The fields of any other object have rows of their own.
  if (isObject(value)) return undefined;
  if (Array.isArray(value) && value.every((one) => typeof one === 'string'))
    return value.join(', ');
  const text = textOf(value);
  return text?.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?(?:Z|\+00:00)$/, '$1 $2 UTC');
}

/** Without a sign or a colour, a row must say in words that it succeeded. */
export function inWords({ text, outcome }: PanelLine, { blocks }: { blocks: boolean }): string {
  const isTold = blocks || outcome !== 'approved' || /\b(?:approved|active)\b/i.test(text);
  return isTold ? text : `${text}  approved`;
}
