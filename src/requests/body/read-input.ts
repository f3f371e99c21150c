/** Reads the input that `--input` or `--card-file` names: a file, or stdin with `-`. */
import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import type { RequestField, RequestFields, RequestGroup } from '../../contract/request.ts';
import { usage } from '../../failure.ts';
import type { Host } from '../../host/host.ts';
import { textOfBytes } from '../../host/utf8.ts';
import { inexactFault } from './exactness.ts';

const MAX_INPUT_BYTES = 1024 * 1024;

/**
 * @param source a path, or `-` for stdin
 * @param flag its name for messages; undefined for an argument
 * @throws Failure usage if it cannot be read or is larger than `maxBytes`
 */
export async function readText(
  host: Pick<Host, 'stdin' | 'readNamed'>,
  source: string,
  flag?: string,
  maxBytes = MAX_INPUT_BYTES,
): Promise<string> {
  const bytes = await readBytes(host, source, flag, maxBytes);
  return textOfBytes(bytes, nameOfInput(source));
}

/** @returns the name of an input for messages at the beginning of a sentence */
export function nameOfInput(source: string): string {
  return source === '-' ? 'Standard input' : source;
}

/** Like `readText`, for what may be no text. */
export async function readBytes(
  host: Pick<Host, 'stdin' | 'readNamed'>,
  source: string,
  flag: string | undefined,
  maxBytes: number,
): Promise<Buffer> {
  const bytes =
    source === '-' ? await host.stdin.bytes(maxBytes) : await host.readNamed(source, maxBytes);
  if (bytes !== undefined) return bytes;
  throw usage(
    'file-not-found',
    `${source}${flag === undefined ? '' : ` (${flag})`} does not exist.`,
    'Check the path, or use - to read from stdin.',
  );
}

/** Like `readText`. @throws Failure usage also if the text is no JSON object */
export async function readJsonObject(
  host: Pick<Host, 'stdin' | 'readNamed'>,
  source: string,
  flag: string,
): Promise<JsonObject> {
  const name = source === '-' ? 'stdin' : source;
  const text = await readText(host, source, flag);
  if (text.trim() === '')
    throw usage('input-empty', `${name} (${flag}) is empty.`, 'It takes one JSON object.');
  const { parseJson } = await import('../../base/json-text.ts');
  const value = parseJson(text, `${name} (${flag})`, (field, digits) => {
    const fault = inexactFault(field, digits, field === 'amount');
    if (fault)
      throw usage(fault.code, `${name} (${flag}) ${fault.problem}.`, fault.next, { sent: false });
  });
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
 * @param fields if given, only nulls of these fields are removed
 * @returns the body without null fields, which mean "left out" (see `--skeleton`), and without objects that only had
 *   null fields
 */
export function withoutNulls(body: JsonObject, fields?: RequestFields): JsonObject {
  const kept = Object.entries(body).flatMap(([name, value]): [string, Json][] => {
    const field = fields && Object.hasOwn(fields, name) ? fields[name] : undefined;
    const left = fields && !field ? value : leftOf(value, field && innerOf(field));
    return left === undefined ? [] : [[name, left]];
  });
  return Object.fromEntries(kept);
}

function innerOf(field: RequestField | RequestGroup): RequestFields {
  return 'fields' in field ? field.fields : {};
}

function leftOf(value: Json, fields: RequestFields | undefined): Json | undefined {
  if (value === null) return undefined;
  if (!isObject(value) || Object.keys(value).length === 0) return value;
  const left = withoutNulls(value, fields);
  return Object.keys(left).length === 0 ? undefined : left;
}
