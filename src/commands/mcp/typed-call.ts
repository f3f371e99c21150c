/**
 * A call of a tool as the words of a command. Whatever the client sends, it is the value of a flag that the tool offers, or a
 * word behind all flags: no text can become another flag.
 *
 * Tests: test/unit/commands/mcp/tools.test.ts
 */
import type { JsonObject } from '../../base/json.ts';
import { usage } from '../../failure.ts';
import { argumentOf, type ToolRow } from './tools.ts';

/** A call as the words of a command. */
export interface TypedCall {
  /** Id of the command. */
  id: string;
  words: readonly string[];
}

/**
 * @param given the arguments, as the client sent them
 * @throws Failure usage for an argument that the tool does not have, or a value of another type
 */
export function typedCall(row: ToolRow, given: JsonObject): TypedCall {
  const { cursor: _, ...all } = given;
  const id = commandOf(row, all);
  const flags: string[] = [];
  const words = new Map<string, string>();
  for (const [name, value] of Object.entries(all)) {
    if (name === row.choice || !isGiven(value)) continue;
    const flag = row.flags.find((one) => argumentOf(one) === name);
    if (flag !== undefined) flags.push(...typedFlag(row, flag, value));
    else if (Object.hasOwn(row.words, name)) words.set(name, textOf(row, name, value));
    else throw unknown(row, name);
  }
  const missing = row.required.find((name) => !isGiven(all[name]));
  if (missing !== undefined) throw wrong(row, missing, 'given');
  const inOrder = Object.keys(row.words).flatMap((name) => words.get(name) ?? []);
  // Behind `--`, a word that begins with a dash is no flag. Without one, the quick reader is enough.
  const end = inOrder.some((word) => word.startsWith('-')) ? ['--'] : [];
  return { id, words: [...flags, ...end, ...inOrder] };
}

const isGiven = (value: unknown) => value !== null && value !== undefined;

/** @returns the id of the command that the call chooses */
function commandOf({ commands, choice, ...row }: ToolRow, given: JsonObject): string {
  const chosen = choice === undefined ? Object.keys(commands)[0] : given[choice];
  const isOne = typeof chosen === 'string' && Object.hasOwn(commands, chosen);
  const id = isOne ? commands[chosen] : undefined;
  if (id !== undefined) return id;
  throw wrong(row, choice ?? '', `one of ${Object.keys(commands).join(', ')}`);
}

function typedFlag(row: ToolRow, flag: string, value: unknown): string[] {
  if (value === true) return [`--${flag}`];
  if (value === false) return [];
  const values = Array.isArray(value) ? value : [value];
  return values.map((one) => `--${flag}=${textOf(row, flag, one)}`);
}

function textOf(row: ToolRow, name: string, value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value);
  throw wrong(row, argumentOf(name), 'a text, or a whole number that a double holds exactly');
}

function unknown(row: ToolRow, name: string) {
  const known = [row.choice ?? [], Object.keys(row.words), row.flags.map(argumentOf)].flat();
  return usage(
    'flag-unknown',
    `The tool ${row.name} has no argument ${JSON.stringify(name.slice(0, 40))}.`,
    `It has ${[...known, 'cursor'].join(', ')}.`,
  );
}

function wrong(row: Pick<ToolRow, 'name'>, name: string, what: string) {
  return usage(
    'flag-invalid',
    `The argument ${name} of the tool ${row.name} has to be ${what}.`,
    'Call it again with that.',
  );
}
