/** `--fields`: which fields of a record are printed, in which order. */
import type { Json, JsonObject } from '../base/json.ts';
import { usage } from '../failure.ts';
import { fieldAt } from './values.ts';

/**
 * Reads a list of field names such as `id,amount,customer.email`.
 * @throws Failure usage when it names no field
 */
export function parseFields(text: string): string[] {
  const names = text.split(',').map((name) => name.trim());
  if (names.includes('')) {
    throw usage(
      'field-name-empty',
      'The list of fields has an empty name.',
      'Separate field names with single commas, for example --fields id,amount,customer.email.',
    );
  }
  return [...new Set(names)];
}

/**
 * The picked record is flat: a nested field keeps its dotted name as its key, so that one name does
 * for picking, for a CSV header and for `jq '."customer.email"'`. A field the record has not is null.
 */
export function pickFields(record: JsonObject, fields: readonly string[]): JsonObject {
  return Object.fromEntries(
    fields.map((field): [string, Json] => [field, fieldAt(record, field) ?? null]),
  );
}
