/** `--fields`: which fields of a record are printed, in which order. */
import type { Json, JsonObject } from '../base/json.ts';
import { usage } from '../failure.ts';
import { fieldAt } from './values.ts';

export interface PickedFields {
  names: readonly string[];
  /** Fields given as `name?`, which a record need not have. */
  optional: ReadonlySet<string>;
}

/**
 * Reads a list of field names such as `id,amount,customer.email,risk?`.
 * @throws Failure usage if it names no field
 */
export function parseFields(text: string): PickedFields {
  const given = text.split(',').map((name) => name.trim());
  const nameOf = (name: string) => (name.endsWith('?') ? name.slice(0, -1) : name);
  if (given.some((name) => nameOf(name) === '')) {
    throw usage(
      'field-name-empty',
      'The list of fields has an empty name.',
      'Separate field names with single commas, for example --fields id,amount,customer.email.',
    );
  }
  const optional = given.filter((name) => name.endsWith('?')).map(nameOf);
  return { names: [...new Set(given.map(nameOf))], optional: new Set(optional) };
}

/**
 * The picked record is flat: a nested field keeps its dotted name as its key, so that one name does
 * for picking, for a CSV header and for `jq '."customer.email"'`. A field the record has not is null.
 * @param fields undefined for the whole record, as it is
 */
export function pickFields(record: JsonObject, fields: readonly string[] | undefined): JsonObject {
  if (!fields) return record;
  return Object.fromEntries(
    fields.map((field): [string, Json] => [field, fieldAt(record, field) ?? null]),
  );
}
