/**
 * `--fields`: which fields of a record are printed, in which order.
 *
 * A name is valid if the view has it, if it is an object with a field of the view, or if it is a part of gw's own
 * records, or the decimal of an amount or a sum of the view. A view without names accepts any name. `name?` is a field that gw does not know but a gateway may send; it
 * is empty in a record that lacks it.
 */
import type { Json, JsonObject } from '../base/json.ts';
import { nearest } from '../base/nearest.ts';
import { capitalised } from '../base/text.ts';
import { usage } from '../failure.ts';
import type { RecordView } from './columns.ts';
import { VIEWS } from './records/gateway-records.ts';
import { decimalIn, decimalNameOf, decimalOfSum, fieldAt } from './values.ts';

const MOST_LISTED = 60;

/**
 * Reads a list of field names such as `id,amount,customer.email,risk?`.
 * @param view of the records
 * @throws Failure usage if a name is empty, or not a field
 */
export function parseFields(text: string, view: RecordView): string[] {
  const given = text.split(',').flatMap((name) => view.standIns?.get(name.trim()) ?? name.trim());
  const names = given.map((name) => name.replace(/\?$/, ''));
  if (names.includes('')) {
    throw usage(
      'field-name-empty',
      'The list of fields has an empty name.',
      'Separate field names with single commas, for example --fields id,amount,customer.email.',
    );
  }
  const known = [...view.fields, ...(view.mayHave ?? [])];
  const unknown = given.find((name) => !name.endsWith('?') && !isKnown(name, view));
  if (known.length > 0 && unknown !== undefined) throw unknownField(unknown, view, known);
  return [...new Set(names)];
}

function isKnown(name: string, { fields, mayHave = [], sums = [] }: RecordView): boolean {
  const isPart = mayHave.some((field) => name.startsWith(`${field}.`));
  const all = [...fields, ...mayHave];
  return (
    isPart ||
    sums.some((sum) => decimalOfSum(sum) === name) ||
    all.some((field) => decimalNameOf(field) === name || `${field}.`.startsWith(`${name}.`))
  );
}

function unknownField(name: string, view: RecordView, known: readonly string[]) {
  const meant = nearest(name, known);
  const next = [
    meant === undefined ? '' : `Did you mean ${meant}? `,
    `The fields are ${(view.fields.length > 0 ? view.fields : known).slice(0, MOST_LISTED).join(', ')}.`,
    Object.hasOwn(VIEWS, view.name) ? ` If your gateway sends such a field, write ${name}?.` : '',
  ];
  return usage(
    'field-unknown',
    `${capitalised(view.plural)} have no field ${JSON.stringify(name)}.`,
    next.join(''),
  );
}

/**
 * Picks fields of a record. The result is flat: a nested field has its dotted name as its key. So one name serves for
 * picking, for a CSV header and for `jq '."customer.email"'`. A missing field is null.
 * @param fields undefined for the whole record, unchanged
 */
export function pickFields(record: JsonObject, fields: readonly string[] | undefined): JsonObject {
  if (!fields) return record;
  return Object.fromEntries(
    fields.map((field): [string, Json] => [
      field,
      fieldAt(record, field) ?? decimalIn(record, field) ?? null,
    ]),
  );
}
