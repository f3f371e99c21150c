/** Reads what a user points at with `--input` or `--card-file`: a file, or stdin with `-`. */
import { isObject, type Json, type JsonObject } from '../base/json.ts';
import { findJsonFault, parseJson, withoutMark } from '../base/json-text.ts';
import { type Failure, usage } from '../failure.ts';
import type { Host } from '../host/host.ts';

const MAX_INPUT_BYTES = 1024 * 1024;

/**
 * @param source a path, or `-` for stdin
 * @param flag name of the flag, for messages
 * @throws Failure usage when it cannot be read or is over 1 MiB
 */
export async function readText(host: Host, source: string, flag: string): Promise<string> {
  const text =
    source === '-'
      ? await host.stdin.text(MAX_INPUT_BYTES)
      : host.files.read(source, MAX_INPUT_BYTES);
  if (text !== undefined) return text;
  throw usage(
    'file-not-found',
    `${source} (${flag}) does not exist.`,
    'Check the path, or use - to read from stdin.',
  );
}

/** As `readText`. @throws Failure usage when it is not a JSON object either */
export async function readJsonObject(
  host: Host,
  source: string,
  flag: string,
): Promise<JsonObject> {
  const name = source === '-' ? 'stdin' : source;
  const text = await readText(host, source, flag);
  if (text.trim() === '')
    throw usage('input-empty', `${name} (${flag}) is empty.`, 'It takes one JSON object.');
  const value = parseJson(text, `${name} (${flag})`);
  refuseInexact(text, `${name} (${flag})`);
  if (!isObject(value)) {
    throw usage(
      'input-not-an-object',
      `${name} (${flag}) is JSON, but not an object.`,
      'It takes one JSON object: {…}.',
    );
  }
  return value;
}

/**
 * @returns the body without its null fields, which stand for "left out" (see `--skeleton`), and
 *   without an object that has nothing else in it
 */
export function withoutNulls(body: JsonObject): JsonObject {
  const kept = Object.entries(body)
    .filter(([, value]) => value !== null)
    .map(([name, value]): [string, Json | undefined] => [name, leftOf(value)])
    .filter((entry): entry is [string, Json] => entry[1] !== undefined);
  return Object.fromEntries(kept);
}

function leftOf(value: Json): Json | undefined {
  if (!isObject(value) || Object.keys(value).length === 0) return value;
  const left = withoutNulls(value);
  return Object.keys(left).length === 0 ? undefined : left;
}

/** Deeper than any body of the interface by far, and no danger to what walks through one. */
const MAX_DEPTH = 100;

/** Digits that survive the trip through a double. */
const MAX_DIGITS = 15;

/**
 * JSON's numbers become doubles: 25.00 becomes 25, which is another amount, and a long one becomes
 * another number.
 * @param text valid JSON
 * @throws Failure usage when it is too deep, or a field has a number that would not arrive as it is written
 */
function refuseInexact(text: string, whatItIs: string): void {
  let fault: Failure | undefined;
  let deepest = 0;
  findJsonFault(withoutMark(text), {
    opened: (depth) => {
      deepest = Math.max(deepest, depth);
    },
    number: (field, digits) => {
      fault ??= field === undefined ? undefined : faultOf(field, digits, whatItIs);
    },
  });
  if (deepest > MAX_DEPTH) {
    throw usage(
      'input-too-deep',
      `${whatItIs} is nested more than ${MAX_DEPTH} levels deep.`,
      'Nothing was sent. Check what wrote it: a body has two levels.',
    );
  }
  if (fault) throw fault;
}

function faultOf(field: string, digits: string, whatItIs: string): Failure | undefined {
  if (field === 'amount' && /[.eE]/.test(digits)) {
    return usage(
      'amount-invalid',
      `The amount in ${whatItIs} is ${digits}: amounts are whole minor units.`,
      'Nothing was sent. 2500 is 25.00 AUD; --decimal-amount takes decimals.',
    );
  }
  if (!isLossy(digits)) return undefined;
  return usage(
    'number-inexact',
    `The number of ${field} in ${whatItIs} would not arrive as it is written.`,
    'Nothing was sent. Write it as text, in double quotes, or with fewer digits.',
  );
}

function isLossy(number: string): boolean {
  const digits = number.replace(/[eE].*$|[-.]/g, '').replace(/^0+/, '');
  const value = Number(number);
  return !Number.isFinite(value) || (digits.length > MAX_DIGITS && String(value) !== number);
}
