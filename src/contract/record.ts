/**
 * Types of the fields of a response record, as plain data. Every look-up checks its answer against them, and building
 * schemas for that would take a tenth of its time.
 *
 * Deployments omit fields or send null, so every field may be missing or null. A record keeps fields that the interface
 * does not name.
 */
import { isObject, type Json, type JsonObject } from '../base/json.ts';

/** An integer must be exact in JSON and in JavaScript. */
export type FieldType = 'text' | 'integer' | 'number' | 'flag' | 'text or integer' | RecordFields;

export interface RecordFields {
  readonly [name: string]: FieldType;
}

/** @returns the names of fields whose values the interface does not allow, dotted if nested */
export function oddFields(fields: RecordFields, record: JsonObject): string[] {
  const odd: string[] = [];
  for (const name of Object.keys(record)) {
    const type = Object.hasOwn(fields, name) ? fields[name] : undefined;
    const value = record[name];
    if (type === undefined || value === undefined || value === null) continue;
    if (typeof type === 'object' && isObject(value))
      odd.push(...oddFields(type, value).map((inner) => `${name}.${inner}`));
    else if (!fits(type, value)) odd.push(name);
  }
  return odd;
}

function fits(type: FieldType, value: Json): boolean {
  switch (type) {
    case 'text':
      return typeof value === 'string';
    case 'integer':
      return Number.isSafeInteger(value);
    case 'number':
      return typeof value === 'number';
    case 'flag':
      return typeof value === 'boolean';
    case 'text or integer':
      return fits('text', value) || fits('integer', value);
    default:
      return false;
  }
}

/** @returns the names of all fields, dotted if nested */
export function fieldNames(fields: RecordFields): string[] {
  return Object.entries(fields).flatMap(([name, type]) =>
    typeof type === 'object' ? fieldNames(type).map((inner) => `${name}.${inner}`) : [name],
  );
}
