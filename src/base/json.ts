/** Types of JSON values, access to nested values by path, and walks over values of any depth. */

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

/**
 * Visits the fields of all objects in a value, those in lists too. Outer fields come first. A list of the values that
 * are left takes the place of the stack, which a deep value would exhaust.
 */
export function eachField(
  whole: Json,
  visit: (name: string, value: Json, object: JsonObject) => void,
): void {
  const values = [whole];
  // The list grows meanwhile.
  for (const value of values) {
    if (Array.isArray(value)) for (const item of value) values.push(item);
    else if (isObject(value)) {
      for (const name in value) {
        const inner = value[name] as Json;
        visit(name, inner, value);
        if (typeof inner === 'object') values.push(inner);
      }
    }
  }
}

/**
 * @param change returns what takes the place of a text
 * @param fieldsOf returns a new object with those fields of an object that stay; all stay without it
 * @returns a copy of the value, of any depth; the same value if all fields stay and no text changes
 */
export function withTexts(
  value: Json,
  change: (text: string) => Json,
  fieldsOf?: (object: JsonObject) => JsonObject,
): Json {
  const whole = [value];
  const copies: (Json[] | JsonObject)[] = [whole];
  let isSame = fieldsOf === undefined;
  // The list grows meanwhile, as in `eachField`.
  for (const copy of copies) {
    const parts = copy as JsonObject;
    for (const [name, inner] of Object.entries(parts)) {
      const part = typeof inner === 'string' ? change(inner) : copyOf(inner, fieldsOf);
      parts[name] = part;
      if (typeof inner === 'string') isSame &&= part === inner;
      else if (typeof part === 'object' && part !== null) copies.push(part);
    }
  }
  return isSame ? value : (whole[0] as Json);
}

function copyOf(value: Json, fieldsOf?: (object: JsonObject) => JsonObject): Json {
  if (Array.isArray(value)) return [...value];
  return isObject(value) ? (fieldsOf?.(value) ?? { ...value }) : value;
}
