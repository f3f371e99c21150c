/** A case: requests in their order, with what each of them is answered. */
import { isObject } from '../../src/base/json.ts';
import type { ClientRequest } from './client.ts';

export interface Expected {
  status: number;
  /** Fields that the record has, among others. */
  response?: object;
  /** All of them, in any order. */
  errors?: readonly string[];
  /** The whole body of an answer that is no envelope. */
  bare?: object;
}

export interface Step {
  /** In its texts `{new}` is a reference of its own, and `{name.field}` a field of what was kept. */
  request: ClientRequest;
  /** By the deployed dialect, and by the other where that has no answer of its own. */
  answer: Expected;
  /** A failure ends the case in the strict dialect. */
  strict?: Expected;
  /** A name for the record that is answered. */
  keep?: string;
}

export interface Case {
  title: string;
  steps: readonly Step[];
}

/** @returns the value with what its texts name in it */
export function filled<Value>(value: Value, names: Readonly<Record<string, string>>): Value {
  if (typeof value === 'string')
    return value.replaceAll(/\{([a-z][\w.]*)\}/g, (text, name) => names[name] ?? text) as Value;
  if (Array.isArray(value)) return value.map((item) => filled(item, names)) as Value;
  // Matchers, such as expect.any, stay as they are.
  if (!isObject(value) || Object.getPrototypeOf(value) !== Object.prototype) return value;
  const entries = Object.entries(value).map(([name, item]) => [name, filled(item, names)]);
  return Object.fromEntries(entries) as Value;
}
