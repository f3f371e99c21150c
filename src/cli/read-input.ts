/** Reads what a user points at with `--input` or `--card-file`: a file, or stdin with `-`. */
import { isObject, type JsonObject } from '../contract/envelope.ts';
import { parseJson } from '../contract/json.ts';
import { usage } from '../failure.ts';
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
  if (text.trim() === '') throw usage(`${name} (${flag}) is empty.`, 'It takes one JSON object.');
  const value = parseJson(text, `${name} (${flag})`);
  if (!isObject(value)) {
    throw usage(`${name} (${flag}) is JSON, but not an object.`, 'It takes one JSON object: {…}.');
  }
  return value;
}

/** @returns the body without its null fields, which stand for "left out" (see `--skeleton`) */
export function withoutNulls(body: JsonObject): JsonObject {
  const kept = Object.entries(body).filter(([, value]) => value !== null);
  return Object.fromEntries(
    kept.map(([name, value]) => [name, isObject(value) ? withoutNulls(value) : value]),
  );
}
