/**
 * Reads JSON from a person or another program, and reports where an error is. It also finds what `JSON.parse` loses:
 * how a number is written, and a repeated field, of which only the last value survives. A repeated field is always
 * refused.
 *
 * The value comes from `JSON.parse`. Positions, repeated names and the digits of numbers come from jsonc-parser's
 * visitor. V8's messages are unsuitable: they differ between versions of Node, may have no position, and quote the
 * text, which may hold a card number. An error inside a text or a number is reported at its start.
 */
import { type ParseErrorCode, visit } from 'jsonc-parser';
import { usage } from '../failure.ts';
import type { Json } from './json.ts';

/** Much deeper than any body of the interface, yet safe for recursive code. */
const MAX_DEPTH = 100;

export interface JsonFault {
  /** UTF-16 offset of the faulty part. */
  offset: number;
  code: 'json-invalid' | 'json-field-repeated' | 'input-too-deep';
  /** The fault, as a clause about the text, without any value from it: `is not valid JSON: …`. */
  problem: string;
}

/**
 * Called for each number.
 * @param field the name, if the number is the value of a field
 * @param digits the number as written: `25.00`
 * @param offset where the digits begin, in UTF-16 units
 */
export type SeesNumber = (field: string | undefined, digits: string, offset: number) => void;

/**
 * @param text a JSON text; a byte order mark before it is ignored
 * @param whatItIs names the text at the beginning of the message: a file's path, `Standard input`
 * @throws Failure usage with line and column if the text is not JSON, repeats a field, or is nested too deeply
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

/**
 * @param text must not begin with a byte order mark
 * @returns the value of the text, or its first fault
 */
export function readJson(
  text: string,
  seesNumber?: SeesNumber,
): { value: Json; fault?: undefined } | { value?: undefined; fault: JsonFault } {
  try {
    walk(text, seesNumber);
    return { value: JSON.parse(text) as Json };
  } catch (error) {
    if (error instanceof Fault) return { fault: error };
    // JSON.parse refuses a text that the visitor accepted. Its message may quote the text, so do not show it.
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

/** @throws Fault at the first error, which also ends the visit before it overflows the stack */
function walk(text: string, seesNumber: SeesNumber | undefined): void {
  /** Names of the fields so far in each open object; undefined for a list. */
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

/** By the error codes of jsonc-parser. */
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

/** Names only what looks like a field of the interface. In a text of another kind, a name may be a secret. */
function named(field: string): string {
  return /^[a-z_]{1,40}$/.test(field) ? `the field ${field}` : 'a field';
}

/** Line and column start at 1. A column counts characters, as an editor does. */
function positionOf(text: string, offset: number): { line: number; column: number } {
  const lines = text.slice(0, offset).split(/\r\n|\n|\r/);
  return { line: lines.length, column: [...lines.at(-1)!].length + 1 };
}
