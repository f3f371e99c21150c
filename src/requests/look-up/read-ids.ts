/** Reads the ids of a command: arguments, or stdin with `-`. */
import { cleanText, trimText } from '../../base/clean-text.ts';
import { isObject } from '../../base/json.ts';
import { checkedId } from '../../cli/flags/flag.ts';
import { usage } from '../../failure.ts';
import type { Host } from '../../host/host.ts';

const MAX_ID_LINE_BYTES = 1024 * 1024;

/**
 * @param argv ids, or a single `-`
 * @returns the ids in order. On stdin, each line is an id or a JSON object that has an `id`
 * @throws Failure usage for an empty stdin, or a JSON line without an id
 */
export async function* readIds(
  { stdin }: Pick<Host, 'stdin'>,
  argv: readonly string[],
): AsyncGenerator<string> {
  if (!argv.includes('-')) {
    for (const id of argv) yield checkedId(id);
    return;
  }
  if (argv.length > 1) {
    throw usage(
      'id-ambiguous',
      '- reads ids from stdin. It cannot be combined with ids.',
      'Give either ids or -.',
    );
  }
  let found = false;
  let lineNumber = 0;
  for await (const line of stdin.lines(MAX_ID_LINE_BYTES)) {
    lineNumber++;
    const text = trimText(line);
    if (text === '') continue;
    found = true;
    const isJson = text.startsWith('{') || text.startsWith('"');
    const id = isJson ? await idOfJson(text, lineNumber) : text;
    yield cleanText(id, `The id in line ${lineNumber} of stdin`);
  }
  if (found) return;
  throw usage(
    'id-missing',
    'No id came on stdin.',
    'Give one id per line, or JSON lines that have an "id".',
  );
}

async function idOfJson(text: string, lineNumber: number): Promise<string> {
  const { readJson } = await import('../../base/json-text.ts');
  const { value, fault } = readJson(text);
  if (fault?.code === 'json-field-repeated') {
    throw usage(
      fault.code,
      `Line ${lineNumber} of stdin ${fault.problem} at column ${fault.offset + 1}.`,
      'Correct the line, then run the command again.',
    );
  }
  const id = isObject(value) ? value.id : value;
  if (typeof id === 'string' && id !== '') return id;
  throw usage(
    'id-missing',
    `Line ${lineNumber} of stdin has no id.`,
    'Give one id per line, or JSON lines that have an "id": `-o jsonl` prints them.',
  );
}
