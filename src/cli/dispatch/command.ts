/**
 * The form of a command: one plain definition in a file of its own. The file's path in src/commands is what a user
 * types after `gw`. A definition knows nothing of oclif, and neither parses nor prints. `runCommand` runs one, after its
 * words are cleaned and gw's own environment variables are checked.
 *
 * Tests: test/scripts/bad-input/words.script, test/unit/cli/dispatch/fast-path.test.ts
 */

import {
  cleanText,
  hiddenFault,
  hidesSomething,
  oddPartOf,
  trimText,
} from '../../base/clean-text.ts';
import type { Operation } from '../../contract/operation.ts';
import type { RecordKind } from '../../contract/record.ts';
import type { Context } from '../../host/context.ts';
import type { Host } from '../../host/host.ts';
import type { RecordView } from '../../view/columns.ts';
import type { ArgMap, ArgValuesOf, FlagMap, FlagValuesOf } from '../flags/flag.ts';

/** The words typed after the command's name. */
export interface CommandInput<Args extends ArgMap = ArgMap, Flags extends FlagMap = FlagMap> {
  args: ArgValuesOf<Args>;
  /** All words that are no flags, in order. */
  argv: readonly string[];
  flags: FlagValuesOf<Flags>;
}

export interface CommandDefinition<Args extends ArgMap = ArgMap, Flags extends FlagMap = FlagMap> {
  /** One line, without a full stop. */
  summary: string;
  /** Sentences. Empty lines separate paragraphs; other line breaks and indentation are not part of the text. */
  description: string;
  /** true for the recurring area (section 9); the description then says so. */
  isDeprecated?: boolean;
  /** true if it deletes something for good. gw never suggests it for a word that it does not know. */
  erases?: boolean;
  /** The view of the records that it prints, for its help and for `--json FIELDS`; none if they are of any kind. */
  prints?: RecordKind | RecordView;
  /** Two or three commands, as they are typed. */
  examples: readonly string[];
  args?: Args;
  /** true when the last argument may come several times. */
  takesMany?: true;
  /** The command's own flags, which come before those of the operation. */
  flags?: Flags;
  /**
   * The operation whose flags the command takes as well. They are derived from the schema of its body, which is loaded
   * for help and for the manifest, but not when the command runs.
   */
  operation?: Operation;
  /** @throws Failure if the command does not succeed */
  run(context: Context, input: CommandInput<Args, Flags>): Promise<void>;
}

/** Types a definition, so that `run` knows the types of its flags. */
export function command<const Args extends ArgMap, const Flags extends FlagMap>(
  definition: CommandDefinition<Args, Flags>,
): CommandDefinition<Args, Flags> {
  return definition;
}

/** Runs a command after checking gw's variables, the words and the output options. */
export async function runCommand(
  { run }: CommandDefinition,
  context: Context,
  typed: CommandInput,
): Promise<void> {
  checkVariables(context.host.env);
  const input = cleanInput(typed);
  const { jq } = input.flags;
  if (typeof jq === 'string') {
    const { checkJq } = await import('../../view/formats/jq.ts');
    await checkJq(context.host, jq);
  }
  await run(context, input);
}

/** Flags and arguments with a path, a program, or names that another program chose: they are taken as they are typed. */
const AS_TYPED: ReadonlySet<string> = new Set([
  ...['file', 'input', 'card-file', 'failed', 'html', 'db', 'from'],
  ...['jq', 'credential-command', 'ledger-command'],
  ...['map', 'ignore-columns', 'field', 'query', 'set'],
]);

/** @returns the words with their ends trimmed. @throws Failure usage if one hides a character inside */
function cleanInput({ args, argv, flags }: CommandInput): CommandInput {
  const clean = <Value>(value: Value, name: string, title: string): Value => {
    if (AS_TYPED.has(name)) return value;
    if (Array.isArray(value)) return value.map((one) => clean(one, name, title)) as Value;
    if (typeof value !== 'string') return value;
    if (name !== 'note') return cleanText(value, title) as Value;
    // Nothing is compared by a note, so it may have lines.
    cleanText(value.replace(/[\t\n\r]/g, ' '), title);
    return trimText(value) as Value;
  };
  const all = <Values extends object>(values: Values, title: (name: string) => string): Values =>
    Object.fromEntries(
      Object.entries(values).map(([name, value]) => [name, clean(value, name, title(name))]),
    ) as Values;
  const isPath = Object.keys(args).some((name) => AS_TYPED.has(name));
  return {
    args: all(args, (name) => name.toUpperCase()),
    argv: isPath ? argv : argv.map((word, i) => cleanText(word, `Argument ${i + 1}`)),
    flags: all(flags, (name) => `--${name}`),
  };
}

/** Credentials are checked where they are used, and GW_PAGER is a command, which may begin with a quote. */
const CHECKED = ['PROFILE', 'ENVIRONMENT', 'BASE_URL', 'LEDGER_URL', 'OPERATOR', 'PLAIN', 'PROMPT'];

/**
 * The host has trimmed the values (host/create.ts).
 * @throws Failure usage that names a variable with quotes around its value, a quote at one end, or a hidden character
 */
function checkVariables(env: Host['env']): void {
  for (const name of CHECKED.map((one) => `GW_${one}`)) {
    const value = env[name] ?? '';
    const fault = hiddenFault(value) ?? oddPartOf(value) ?? loneQuote(value);
    if (fault !== undefined) throw hidesSomething(`${name} ${fault}`);
  }
}

/** @returns a quote at one end that no other one closes, as the rest of a sentence */
function loneQuote(value: string): string | undefined {
  const quote = /^["'`]|["'`]$/.exec(value)?.[0] ?? '';
  if (quote === '' || value.split(quote).length > 2) return undefined;
  return `${value.startsWith(quote) ? 'begins' : 'ends'} with ${quote}`;
}
