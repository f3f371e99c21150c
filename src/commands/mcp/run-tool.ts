/**
 * Runs a call of a tool as the command that it stands for, and makes its rows, notes or failure the answer.
 *
 * A call keeps nothing: a cursor is the number of the next row. Of a list of any length, only the rows of the page are
 * kept.
 *
 * Tests: test/system/mcp.test.ts, test/system/mcp-proposal.test.ts
 */
import { isObject, type JsonObject } from '../../base/json.ts';
import { callHost } from '../../cli/dispatch/call-host.ts';
import { runWords } from '../../cli/dispatch/program.ts';
import { answerJson } from '../../contract/envelope.ts';
import { usage } from '../../failure.ts';
import { renderError } from '../../view/errors.ts';
import { addCall } from './call-log.ts';
import type { Serving } from './serving.ts';
import type { Progress, ToolAnswer, ToolCall } from './tool-call.ts';
import { PAGE_ROWS } from './tools.ts';
import { typedCall } from './typed-call.ts';
import { Cleaner } from './untrusted.ts';

/** A search reads all rows before a page, so nobody pages farther. */
const MOST_ROWS = 10_000;

/** Reads of so many rows are a step of progress. */
const STEP_ROWS = 500;

/**
 * Runs the call in its turn, and writes it down.
 * @returns the answer; a failure is one too, and so is a log that cannot be written
 */
export async function runTool(
  serving: Serving,
  call: ToolCall,
  progress: Progress,
): Promise<ToolAnswer> {
  const cleaner = new Cleaner(serving.folders);
  try {
    const answer = await serving.turns
      .take(() => answerOf(serving, call, { cleaner, progress }), call.interrupted)
      .catch((cause: unknown) => failed(cleaner, cause));
    await addCall(serving, call, answer);
    return answer;
  } catch (cause) {
    return failed(cleaner, cause);
  }
}

function failed(cleaner: Cleaner, cause: unknown): ToolAnswer {
  return { records: [], notes: [], error: cleanError(cleaner, errorOf(cause)) };
}

async function answerOf(
  serving: Serving,
  call: ToolCall,
  { cleaner, progress }: { cleaner: Cleaner; progress: Progress },
): Promise<ToolAnswer> {
  const { context, program } = serving;
  const page = new Page(call, progress);
  const notes: string[] = [];
  const host = callHost(
    context.host,
    { rows: (text) => page.take(text), notes: (text) => notes.push(...text.split('\n')) },
    AbortSignal.any([context.host.interrupted, call.interrupted]),
  );
  let error: JsonObject | undefined;
  try {
    const { id, words } = wordsOf(serving, call, page.start());
    context.redactor.addCardNumbersOf(words);
    await runWords({ ...context, host }, program, id, words);
  } catch (cause) {
    error = errorOf(cause);
  }
  const { rows, ...place } = page.end();
  for (const row of rows) cleaner.learn(row);
  return {
    records: rows.map((row) => cleaner.record(row, call.row.own)),
    ...place,
    notes: notes.flatMap((note) => (note.trim() === '' ? [] : [cleaner.text(note.trim())])),
    ...(error && { error: cleanError(cleaner, error) }),
  };
}

/** @param from the first row that is wanted, from 0 */
function wordsOf({ profile }: Serving, { row, given, client }: ToolCall, from: number) {
  const { id, words } = typedCall(row, given);
  const flags = [`--profile=${profile.name}`, '--output=jsonl', '--no-input', ...(row.fixed ?? [])];
  // A row more says that there are more.
  if (row.limit) flags.push(`--limit=${from + PAGE_ROWS + 1}`);
  const note = row.name === 'propose' ? words.map((word) => withAssistant(word, client)) : words;
  return { id, words: [...flags, ...note] };
}

/** The person who approves sees that a machine wrote it down, and which. */
function withAssistant(word: string, client: string): string {
  return word.startsWith('--note=') ? `${word} [by the assistant ${client}]` : word;
}

/** @returns the failure as every command reports it in JSON */
function errorOf(cause: unknown): JsonObject {
  const json = renderError(cause, { format: 'json', debug: false });
  return (JSON.parse(json) as { error: JsonObject }).error;
}

function cleanError(cleaner: Cleaner, error: JsonObject): JsonObject {
  const { kind = null, code = null, exit_code = null, sent = null } = error;
  const text = (name: string) => cleaner.text(String(error[name] ?? ''));
  return { code, kind, message: text('message'), next: text('next'), exit_code, sent };
}

/** The rows of one page, out of all that a command prints. */
class Page {
  readonly #rows: JsonObject[] = [];
  readonly #call: ToolCall;
  readonly #progress: Progress;
  #from = 0;
  #read = 0;
  #rest = '';

  constructor(call: ToolCall, progress: Progress) {
    this.#call = call;
    this.#progress = progress;
  }

  /** @returns the number of the first row, from 0. @throws Failure usage for a text that is no cursor */
  start(): number {
    const { cursor } = this.#call.given;
    if (cursor === undefined || cursor === null) return 0;
    const from = /^\d{1,7}$/.test(String(cursor)) ? Number(cursor) : MOST_ROWS + 1;
    if (from > MOST_ROWS)
      throw usage(
        'flag-invalid',
        'The cursor is none that a tool returned.',
        'Call the tool without a cursor, and narrow the search.',
      );
    this.#from = from;
    return from;
  }

  take(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#line(line);
  }

  #line(line: string): void {
    this.#read++;
    if (this.#read % STEP_ROWS === 0) this.#progress(this.#read);
    const skipped = this.#call.row.limit === 'newest last' ? 0 : this.#from;
    if (this.#read <= skipped || this.#rows.length > PAGE_ROWS) return;
    const row = answerJson(line, NO_TYPES);
    if (isObject(row)) this.#rows.push(row);
  }

  /** @returns the rows of the page, whether there are more, and how many in all, if all were read */
  end(): { rows: JsonObject[] } & Pick<ToolAnswer, 'total' | 'next_cursor'> {
    const { limit } = this.#call.row;
    const left = this.#read - this.#from;
    const hasMore = left > PAGE_ROWS;
    // The newest ones of a history stand last: then the row more is the first one.
    const start = limit === 'newest last' && hasMore ? 1 : 0;
    return {
      rows: this.#rows.slice(start, start + Math.min(Math.max(left, 0), PAGE_ROWS)),
      ...(!limit && { total: this.#read }),
      ...(hasMore && { next_cursor: String(this.#from + PAGE_ROWS) }),
    };
  }
}

/** Whatever JSON.parse would change keeps its digits, also in an amount. */
const NO_TYPES: Parameters<typeof answerJson>[1] = new Map();
