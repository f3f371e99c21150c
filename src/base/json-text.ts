/**
 * Reading JSON that a person or another program wrote, with an error that says where, and with a look at what
 * `JSON.parse` loses: how a number is written, and of a field that is there twice all but the last, which is refused
 * everywhere.
 *
 * The value is `JSON.parse`'s. The place, repeated names and the digits of numbers are of jsonc-parser's visitor,
 * since V8's messages differ between versions of Node, may carry no position, and quote the text, which may hold a
 * card number. Within a text or a number the place is where that begins.
 */
import { type ParseErrorCode, visit } from 'jsonc-parser';
import { usage } from '../failure.ts';
import type { Json } from './json.ts';

/** Deeper than any body of the interface by far, and no danger to what walks through one. */
const MAX_DEPTH = 100;

export interface JsonFault {
  /** UTF-16 offset of the part that cannot be there. */
  offset: number;
  code: 'json-invalid' | 'json-field-repeated' | 'input-too-deep';
  /** What is wrong there, to be said of the text, without any value of it: `is not valid JSON: …`. */
  problem: string;
}

/**
 * Told of each number.
 * @param field the name, where the number is the value of a field
 * @param digits as written: `25.00`
 * @param offset where they begin, in UTF-16 units
 */
export type SeesNumber = (field: string | undefined, digits: string, offset: number) => void;

/**
 * @param text a JSON text; a byte order mark before it is ignored
 * @param whatItIs names the text at the beginning of the message: a file's path, `Standard input`
 * @throws Failure usage with the line and column at which the text stops being JSON, names a field a second time, or
 *   is nested too deeply
 */
export function parseJson(text: string, whatItIs: string, seesNumber?: SeesNumber): Json {
  const source = text.startsWith('\uFEFF') ? text.slice(1) : text;
  const { value, fault } = readJson(source, seesNumber);
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
  seesNumber?: SeesNumber,
): { value: Json; fault?: undefined } | { value?: undefined; fault: JsonFault } {
  try {
    walk(text, seesNumber);
    return { value: JSON.parse(text) as Json };
  } catch (error) {
    if (error instanceof Fault) return { fault: error };
    // JSON.parse refuses a text that the walk took. Its message may quote the text, so it is not shown.
    if (error instanceof SyntaxError) return { fault: new Fault(0, 'json-invalid', INVALID) };
    throw error;
  }
}

class Fault extends Error implements JsonFault {
  readonly offset: number;
  readonly code: JsonFault['code'];
  readonly problem: string;

  constructor(offset: number, code: JsonFault['code'], problem: string) {
    super();
    this.offset = offset;
    this.code = code;
    this.problem = problem;
  }
}

/** @throws Fault at the first one, which also ends the walk before it is too deep for the stack */
function walk(text: string, seesNumber: SeesNumber | undefined): void {
  /** Names of the fields so far of each object that is open; undefined for a list. */
  const open: (Set<string> | undefined)[] = [];
  let field: string | undefined;
  const begin = (names: Set<string> | undefined, offset: number) => {
    if (open.push(names) > MAX_DEPTH) throw new Fault(offset, 'input-too-deep', TOO_DEEP);
  };
  const end = () => void open.pop();
  visit(
    text,
    {
      onObjectBegin: (offset) => begin(new Set(), offset),
      onArrayBegin: (offset) => begin(undefined, offset),
      onObjectEnd: end,
      onArrayEnd: end,
      onObjectProperty(name, offset) {
        const names = open.at(-1);
        const problem = `has ${named(name)} twice, the second time`;
        if (names?.has(name)) throw new Fault(offset, 'json-field-repeated', problem);
        names?.add(name);
        field = name;
      },
      onLiteralValue(value, offset, length) {
        if (typeof value !== 'number') return;
        seesNumber?.(open.at(-1) && field, text.slice(offset, offset + length), offset);
      },
      onError(code, offset) {
        throw new Fault(offset, 'json-invalid', `${INVALID}: ${reasonOf(code, text, offset)}`);
      },
    },
    { disallowComments: true },
  );
}

const TOO_DEEP = `is nested more than ${MAX_DEPTH} levels deep`;
const INVALID = 'is not valid JSON';

/** By the codes of jsonc-parser. */
const REASONS: { readonly [code in ParseErrorCode]?: string } = {
  1: 'a name or value is missing, or not in double quotes',
  3: 'a field name in double quotes is missing',
  4: 'a value is missing',
  5: 'a colon is missing',
  6: 'a comma or the end of an object or list is missing',
  9: 'there is extra text after its end',
  10: 'it has a comment',
  12: 'a text does not end on its line',
  13: 'a number is not written as JSON requires',
  14: 'a text has a backslash before what it cannot escape',
  15: 'a text has a backslash before what it cannot escape',
  16: 'a text has a control character',
};

function reasonOf(code: ParseErrorCode, text: string, offset: number): string {
  if (text.trim() === '') return 'it is empty';
  if (offset >= text.length) return 'it ends too early';
  return REASONS[code] ?? 'it is broken';
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
