/** Types of JSON values, and access to nested values by path. */

export type Json = null | boolean | number | string | Json[] | { [field: string]: Json };
export type JsonObject = { [field: string]: Json };

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * @param path names of fields, and indexes of lists from 0; an empty path is the value itself
 * @returns the value at the path; undefined if there is none. Inherited properties do not count.
 */
export function valueAt(value: Json, path: readonly PropertyKey[]): Json | undefined {
  let inner: Json | undefined = value;
  for (const key of path) {
    if (typeof inner !== 'object' || inner === null || !Object.hasOwn(inner, key)) return undefined;
    inner = (inner as { [key: PropertyKey]: Json })[key];
  }
  return inner;
}

/** Sets a nested value in place. Creates objects along the path, and replaces anything there that is not an object. */
export function setAt(body: JsonObject, path: readonly string[], value: Json): void {
  const [name, ...rest] = path;
  if (name === undefined) return;
  if (rest.length === 0) {
    define(body, name, value);
    return;
  }
  const inner = Object.hasOwn(body, name) ? body[name] : undefined;
  const next = isObject(inner) ? inner : {};
  define(body, name, next);
  setAt(next, rest, value);
}

/** Defines the field, because assigning to `__proto__` would change the object's prototype. */
function define(body: JsonObject, name: string, value: Json): void {
  Object.defineProperty(body, name, {
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  });
}
