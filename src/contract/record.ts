/**
 * Records: the kinds, their ids, and the types of their fields.
 *
 * Ids, such as `071-P-IE49OSAF`, are opaque, but their shape hints at the kind (sections 2.3 to 2.7).
 *
 * Types of fields are plain data. Every look-up checks its answer against them, and building schemas for that would take
 * a tenth of its time. Deployments omit fields or send null, so every field may be missing or null. A record keeps fields
 * that the interface does not name.
 */
import { isObject, type Json, type JsonObject } from '../base/json.ts';

export type RecordKind = 'card' | 'purchase' | 'refund' | 'plan' | 'customer' | 'subscription';

/** @returns whether the kind belongs to the deprecated recurring area (section 9) */
export function isRecurring(kind: RecordKind): boolean {
  return kind === 'plan' || kind === 'customer' || kind === 'subscription';
}

const KINDS: Readonly<Record<string, RecordKind>> = {
  P: 'purchase',
  R: 'refund',
  PL: 'plan',
  C: 'customer',
  S: 'subscription',
};

/**
 * @returns the kind that an id's shape suggests, or undefined. Use it only as a hint, never as a check: deployments
 *   send other shapes.
 */
export function kindOfId(id: string): RecordKind | undefined {
  const code = /^\d{3,5}-([A-Z]{1,2})-\w+$/.exec(id)?.[1];
  return code === undefined ? undefined : KINDS[code];
}

/**
 * @returns an id in the form of records, in capitals and without spaces around it. Many gateways ignore these, and gw's
 *   knowledge of a record must not depend on them. Any other text is unchanged.
 */
export function plainId(text: string): string {
  const plain = text.trim().toUpperCase();
  return kindOfId(plain) === undefined ? text : plain;
}

/** @returns ids of several records as one text */
export function idsText(ids: readonly string[]): string {
  return ids.join(', ');
}

/** @returns the ids in a text from `idsText`; a single id gives itself */
export function idsIn(text: string): string[] {
  return text.split(', ');
}

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
