/**
 * Parsing JSON that a person or another program wrote, with an error that says where.
 *
 * V8's own messages are of no use here: they differ between the versions of Node that gw runs on,
 * some of them carry no position, and most quote the text, which may hold a card number. So when
 * `JSON.parse` refuses a text, a scanner of our own walks it to the first place at which it stops
 * being JSON. The scanner keeps its own stack, so depth is bounded by the text and nothing else.
 */

import type { Json } from '../base/json.ts';
import { usage } from '../failure.ts';

export interface JsonFault {
  /** UTF-16 offset of the first character that cannot be part of a JSON text. */
  offset: number;
  /** What is wrong there, without any of the text. */
  reason: string;
}

/**
 * @param text a JSON text; a byte order mark before it is ignored
 * @param whatItIs names the text at the beginning of the message: a file's path, `Standard input`
 * @throws Failure usage with the line and column at which the text stops being JSON
 */
export function parseJson(text: string, whatItIs: string): Json {
  const source = text.startsWith('\uFEFF') ? text.slice(1) : text;
  try {
    return JSON.parse(source) as Json;
  } catch {
    const fault = findJsonFault(source);
    if (!fault) throw new Error('JSON.parse refused a text in which the scanner finds no fault');
    const { line, column } = positionOf(source, fault.offset);
    throw usage(
      `${whatItIs} is not valid JSON: ${fault.reason} at line ${line}, column ${column}.`,
      'Correct the JSON at that place, then run the command again.',
    );
  }
}

const WHITE_SPACE = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /true|false|null/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids them inside a text
const PLAIN_CHARACTERS = /[^"\\\u0000-\u001f]*/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

type Expected = 'value' | 'firstElement' | 'key' | 'firstKey' | 'colon' | 'separator' | 'end';

/** @returns the first fault of a text, or undefined when it is valid JSON. */
export function findJsonFault(text: string): JsonFault | undefined {
  const open: ('{' | '[')[] = [];
  let expected: Expected = 'value';
  let offset = 0;

  const after = (): Expected => (open.length === 0 ? 'end' : 'separator');
  const skip = (pattern: RegExp): boolean => {
    pattern.lastIndex = offset;
    const found = pattern.exec(text)?.[0] ?? '';
    offset += found.length;
    return found !== '';
  };

  for (;;) {
    skip(WHITE_SPACE);
    const character = text[offset];
    if (character === undefined) {
      if (expected === 'end') return undefined;
      return { offset, reason: offset === 0 ? 'there is nothing in it' : 'it ends too early' };
    }
    switch (expected) {
      case 'end':
        return { offset, reason: 'there is something after its end' };
      case 'colon':
        if (character !== ':') return { offset, reason: 'a colon is missing' };
        offset++;
        expected = 'value';
        break;
      case 'separator': {
        const inObject = open.at(-1) === '{';
        if (character === ',') expected = inObject ? 'key' : 'value';
        else if (character === (inObject ? '}' : ']')) {
          open.pop();
          expected = after();
        } else return { offset, reason: `a comma or ${inObject ? '}' : ']'} is missing` };
        offset++;
        break;
      }
      case 'key':
      case 'firstKey': {
        if (character === '}' && expected === 'firstKey') {
          offset++;
          open.pop();
          expected = after();
          break;
        }
        if (character !== '"') {
          return { offset, reason: 'a field name in double quotes is missing' };
        }
        const fault = skipString();
        if (fault) return fault;
        expected = 'colon';
        break;
      }
      default: {
        if (character === ']' && expected === 'firstElement') {
          offset++;
          open.pop();
          expected = after();
        } else if (character === '{' || character === '[') {
          offset++;
          open.push(character);
          expected = character === '{' ? 'firstKey' : 'firstElement';
        } else {
          const fault = skipScalar(character);
          if (fault) return fault;
          expected = after();
        }
      }
    }
  }

  function skipScalar(character: string): JsonFault | undefined {
    if (character === '"') return skipString();
    if (skip(WORD)) return undefined;
    if (character === "'") return { offset, reason: 'text is not in double quotes' };
    const start = offset;
    if (skip(NUMBER) && !/[\d.eE+-]/.test(text[offset] ?? '')) return undefined;
    if (/[-\d]/.test(character)) {
      if (offset === start) offset++;
      return { offset, reason: 'a number is not written the way JSON writes numbers' };
    }
    return { offset, reason: 'a value is missing' };
  }

  function skipString(): JsonFault | undefined {
    offset++;
    for (;;) {
      if (skip(PLAIN_CHARACTERS)) continue;
      const character = text[offset];
      if (character === undefined) return { offset, reason: 'it ends inside a text' };
      if (character === '"') {
        offset++;
        return undefined;
      }
      if (character !== '\\') {
        return { offset, reason: 'a line break or control character is inside a text' };
      }
      if (!skip(ESCAPE)) {
        const ends = offset + 1 >= text.length;
        return { offset, reason: ends ? 'it ends inside a text' : 'a backslash escapes nothing' };
      }
    }
  }
}

/** Line and column from 1; a column counts characters as an editor does. */
function positionOf(text: string, offset: number): { line: number; column: number } {
  const lines = text.slice(0, offset).split(/\r\n|\n|\r/);
  return { line: lines.length, column: [...lines.at(-1)!].length + 1 };
}
