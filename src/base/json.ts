/**
 * Types of JSON values, access to nested values by path, and walks over values of any depth. Parses JSON from others,
 * detects whether its text contains more than its value, and has numbers as they were written.
 */
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

/**
 * @param value the parsed value, if the caller has it
 * @returns whether the text is JSON and an object repeats a field; `JSON.parse` keeps only the last
 */
export function repeatsField(text: string, value: Json | undefined = jsonIn(text)): boolean {
  return value !== undefined && hasMoreNames(text, value);
}

/** @returns undefined if the text is not JSON */
export function jsonIn(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** @returns whether the text has more names than its value has fields */
function hasMoreNames(text: string, whole: Json): boolean {
  let fields = 0;
  eachField(whole, () => fields++);
  return namesIn(text) > fields;
}

const QUOTE = '"'.charCodeAt(0);
const BACKSLASH = '\\'.charCodeAt(0);
const COLON = ':'.charCodeAt(0);

/** @returns how many names of fields a JSON text has, repeated ones included: each has a colon outside of texts */
export function namesIn(text: string): number {
  let names = 0;
  let isInside = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) isInside = !isInside;
    else if (code === BACKSLASH) i++;
    else if (code === COLON && !isInside) names++;
  }
  return names;
}

/**
 * A number that JSON.parse would change (`12345678901234567890`, `25.00`, `1e400`) is kept as it was written: as a text
 * of this mark and its digits. The mark is a code point that Unicode keeps free for the use inside of programs.
 */
export const MARK = '\ufdd0';
const NUMBER = String.raw`-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?`;
const WRITTEN = new RegExp(`^${MARK}${NUMBER}$`);
/** A text that is a value, and not the name of a field. */
const MARKED = new RegExp(`"${MARK}(${NUMBER})"(?!:)`, 'g');

/** @param digits a number as JSON writes it */
export function writtenNumber(digits: string): string {
  return MARK + digits;
}

export function isWrittenNumber(value: unknown): boolean {
  return typeof value === 'string' && WRITTEN.test(value);
}

/** @returns a text of written numbers with their digits alone, also if some of them are masked */
export function withoutMark(text: string): string {
  return text.replaceAll(MARK, '');
}

/** @returns JSON in which written numbers are numbers again; a masked one is a text */
export function withNumbers(json: string): string {
  return json.includes(MARK) ? withoutMark(json.replace(MARKED, '$1')) : json;
}

/**
 * @param json a JSON text from outside
 * @returns the text in which U+FFFD is in place of each mark: only gw itself marks a number
 */
export function withoutForeignMarks(json: string): string {
  if (!/\ufdd0|\\ufdd0/i.test(json)) return json;
  return json.replace(/\ufdd0|\\(?:u[fF][dD]{2}0|[\s\S])/g, (found) =>
    found.length === 2 ? found : '\ufffd',
  );
}
