/** JSON values: their types, and reading and setting what is inside of them by a path of names. */

export type Json = null | boolean | number | string | Json[] | { [field: string]: Json };
export type JsonObject = { [field: string]: Json };

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * @param path names of fields, and places in lists from 0; none is the value itself
 * @returns the value there, or undefined when there is none: what an object inherits is none
 */
export function valueAt(value: Json, path: readonly PropertyKey[]): Json | undefined {
  let inner: Json | undefined = value;
  for (const key of path) {
    if (typeof inner !== 'object' || inner === null || !Object.hasOwn(inner, key)) return undefined;
    inner = (inner as { [key: PropertyKey]: Json })[key];
  }
  return inner;
}

/** Sets a value in place, making the objects on its way; what is no object there is replaced by one. */
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

/** An assignment to `__proto__` would change what the object is, and not its fields. */
function define(body: JsonObject, name: string, value: Json): void {
  Object.defineProperty(body, name, {
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  });
}
