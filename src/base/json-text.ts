/**
 * Reading JSON that a person or another program wrote, with an error that says where, and with a
 * look at what `JSON.parse` loses: how a number is written, how deep it goes, and of a field that is
 * there twice all but the last, which is refused everywhere.
 *
 * V8's own messages are of no use here: they differ between the versions of Node that gw runs on,
 * some of them carry no position, and most quote the text, which may hold a card number. So when
 * `JSON.parse` refuses a text, a scanner of our own walks it to the first place at which it stops
 * being JSON. The scanner keeps its own stack, so depth is bounded by the text and nothing else.
 */
import { usage } from '../failure.ts';
import type { Json } from './json.ts';

export interface JsonFault {
  /** UTF-16 offset of the first character that cannot be part of the text. */
  offset: number;
  code: 'json-invalid' | 'json-field-repeated';
  /** What is wrong there, to be said of the text, without any value of it: `is not valid JSON: …`. */
  problem: string;
}

/** What a walk through a text tells of it. */
export interface JsonWatch {
  /** An object or a list begins. @param depth 1 for the outermost */
  opened?(depth: number): void;
  /**
   * @param field the name, where the number is the value of a field
   * @param digits as written: `25.00`
   * @param offset where they begin, in UTF-16 units
   */
  number?(field: string | undefined, digits: string, offset: number): void;
}

/** @returns the text without a byte order mark before it */
function withoutMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

/**
 * @param text a JSON text; a byte order mark before it is ignored
 * @param whatItIs names the text at the beginning of the message: a file's path, `Standard input`
 * @throws Failure usage with the line and column at which the text stops being JSON, or names a field
 *   a second time
 */
export function parseJson(text: string, whatItIs: string, watch: JsonWatch = {}): Json {
  const source = withoutMark(text);
  const { value, fault } = readJson(source, watch);
  if (!fault) return value;
  const { line, column } = positionOf(source, fault.offset);
  throw usage(
    fault.code,
    `${whatItIs} ${fault.problem} at line ${line}, column ${column}.`,
    'Correct the JSON at that place, then run the command again.',
  );
}

/** @returns the value of a text without a byte order mark, or its first fault */
export function readJson(
  text: string,
  watch: JsonWatch = {},
): { value: Json; fault?: undefined } | { value?: undefined; fault: JsonFault } {
  const fault = findJsonFault(text, watch);
  if (fault) return { fault };
  return { value: JSON.parse(text) as Json };
}

/** @returns the first fault of a text, or undefined when it is valid JSON without a repeated field */
export function findJsonFault(text: string, watch: JsonWatch = {}): JsonFault | undefined {
  try {
    new Scanner(text, watch).run();
    return undefined;
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
}

/**
 * A quick look, for many texts of which next to none repeats a field: each name is written before a colon,
 * and so there are as many of those as fields where none is repeated, and no text has such a colon in it.
 * @returns true where each field is there once; false also where that is not certain
 */
export function hasEachFieldOnce(text: string): boolean {
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch {
    return false;
  }
  return fieldsIn(value) === (text.match(NAMED)?.length ?? 0);
}

const NAMED = /"\s*:/g;
const MAX_COUNTED_DEPTH = 50;

/** @returns how many fields there are, or no number for a value that is nested too deeply to tell */
function fieldsIn(value: Json, depth = 0): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (depth > MAX_COUNTED_DEPTH) return Number.NaN;
  let count = Array.isArray(value) ? 0 : Object.keys(value).length;
  for (const inner of Object.values(value)) count += fieldsIn(inner, depth + 1);
  return count;
}

class Fault extends Error implements JsonFault {
  readonly offset: number;
  readonly code: JsonFault['code'];
  readonly problem: string;

  constructor({ offset, code, problem }: JsonFault) {
    super();
    this.offset = offset;
    this.code = code;
    this.problem = problem;
  }
}

const WHITE_SPACE = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /true|false|null/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids them inside a text
const PLAIN_CHARACTERS = /[^"\\\u0000-\u001f]*/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

type Expected = 'value' | 'firstElement' | 'key' | 'firstKey' | 'colon' | 'separator' | 'end';

class Scanner {
  readonly #text: string;
  readonly #watch: JsonWatch;
  /** Names of the fields of each object so far; undefined for a list. */
  readonly #open: (Set<string> | undefined)[] = [];
  #offset = 0;
  /** Of the value that comes next, in an object. */
  #field: string | undefined;

  constructor(text: string, watch: JsonWatch) {
    this.#text = text;
    this.#watch = watch;
  }

  /** @throws Fault at the first place that is no JSON */
  run(): void {
    let expected: Expected = 'value';
    for (;;) {
      this.#skip(WHITE_SPACE);
      const character = this.#text[this.#offset];
      if (character !== undefined) expected = this.#step(expected, character);
      else if (expected === 'end') return;
      else this.#fail(this.#offset === 0 ? 'it is empty' : 'it ends too early');
    }
  }

  /** @returns what is expected next */
  #step(expected: Expected, character: string): Expected {
    switch (expected) {
      case 'end':
        return this.#fail('there is extra text after its end');
      case 'colon':
        if (character !== ':') this.#fail('a colon is missing');
        this.#offset++;
        return 'value';
      case 'separator':
        return this.#separator(character);
      case 'firstKey':
        return character === '}' ? this.#close() : this.#key(character);
      case 'key':
        return this.#key(character);
      case 'firstElement':
        return character === ']' ? this.#close() : this.#value(character);
      case 'value':
        return this.#value(character);
    }
  }

  #separator(character: string): Expected {
    const inObject = this.#open.at(-1) !== undefined;
    const end = inObject ? '}' : ']';
    if (character === end) return this.#close();
    if (character !== ',') this.#fail(`a comma or ${end} is missing`);
    this.#offset++;
    return inObject ? 'key' : 'value';
  }

  #key(character: string): Expected {
    if (character !== '"') this.#fail('a field name in double quotes is missing');
    const start = this.#offset;
    this.#string();
    // As JSON reads it, in which the same name may be written in several ways.
    const field = JSON.parse(this.#text.slice(start, this.#offset)) as string;
    const fields = this.#open.at(-1);
    if (fields?.has(field)) {
      const problem = `has ${named(field)} twice, the second time`;
      throw new Fault({ offset: start, code: 'json-field-repeated', problem });
    }
    fields?.add(field);
    this.#field = field;
    return 'colon';
  }

  #value(character: string): Expected {
    if (character === '{' || character === '[') {
      this.#offset++;
      const depth = this.#open.push(character === '{' ? new Set() : undefined);
      this.#watch.opened?.(depth);
      return character === '{' ? 'firstKey' : 'firstElement';
    }
    if (character === '"') this.#string();
    else if (!this.#skip(WORD)) this.#number(character);
    return this.#afterValue();
  }

  #close(): Expected {
    this.#offset++;
    this.#open.pop();
    return this.#afterValue();
  }

  #afterValue(): Expected {
    return this.#open.length === 0 ? 'end' : 'separator';
  }

  #number(character: string): void {
    if (character === "'") this.#fail('text is not in double quotes');
    const start = this.#offset;
    if (this.#skip(NUMBER) && !/[\d.eE+-]/.test(this.#text[this.#offset] ?? '')) {
      const field = this.#open.at(-1) ? this.#field : undefined;
      this.#watch.number?.(field, this.#text.slice(start, this.#offset), start);
      return;
    }
    if (!/[-\d]/.test(character)) this.#fail('a value is missing');
    if (this.#offset === start) this.#offset++;
    this.#fail('a number is not written as JSON requires');
  }

  #string(): void {
    this.#offset++;
    for (;;) {
      this.#skip(PLAIN_CHARACTERS);
      const character = this.#text[this.#offset];
      if (character === '"') break;
      if (character === undefined) this.#fail('it ends in the middle of a string');
      if (character !== '\\') this.#fail('a string contains a line break or control character');
      if (this.#skip(ESCAPE)) continue;
      const ends = this.#offset + 1 >= this.#text.length;
      this.#fail(
        ends
          ? 'it ends in the middle of a string'
          : 'a backslash is followed by a character it cannot escape',
      );
    }
    this.#offset++;
  }

  /** @returns whether anything was there to skip */
  #skip(pattern: RegExp): boolean {
    pattern.lastIndex = this.#offset;
    const found = pattern.exec(this.#text)?.[0] ?? '';
    this.#offset += found.length;
    return found !== '';
  }

  #fail(reason: string): never {
    const problem = `is not valid JSON: ${reason}`;
    throw new Fault({ offset: this.#offset, code: 'json-invalid', problem });
  }
}

/** Only what looks like a field of the interface: in a text that is not what it should be it may be a secret. */
function named(field: string): string {
  return /^[a-z_]{1,40}$/.test(field) ? `the field ${field}` : 'a field';
}

/** Line and column from 1; a column counts characters as an editor does. */
function positionOf(text: string, offset: number): { line: number; column: number } {
  const lines = text.slice(0, offset).split(/\r\n|\n|\r/);
  return { line: lines.length, column: [...lines.at(-1)!].length + 1 };
}
