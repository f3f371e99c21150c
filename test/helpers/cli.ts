/**
 * Runs a command in this process, as a person or a script would have it: its own argv parsing, a
 * real gateway address, real files in a home of its own. Only terminal and keychain are stand-ins.
 */
import path from 'node:path';
import type { Command } from '@oclif/core';
import { commandFiles } from '../../scripts/commands.mjs';
import type { CommandDefinition } from '../../src/cli/dispatch/command.ts';
import { commandClass } from '../../src/cli/dispatch/command-class.ts';
import { type CommandEntry, fastPath } from '../../src/cli/dispatch/fast-path.ts';
import { type KnownCommand, parseArgv } from '../../src/cli/dispatch/slow-path.ts';
import type { HelpSource } from '../../src/cli/help/help-data.ts';
import { type ProfileChanges, setProfile } from '../../src/client/profiles/store.ts';
import { cancellation, Failure } from '../../src/failure.ts';
import { createFiles } from '../../src/host/files/files.ts';
import type { Host, Input, Prompts } from '../../src/host/host.ts';
import { Redactor } from '../../src/host/redaction/redactor.ts';
import { Capture } from './capture.ts';
import { NOW, standingClock } from './client.ts';
import { temporaryDirectory } from './temporary.ts';

export interface TestHostOptions {
  env?: Readonly<Record<string, string>>;
  stdin?: string;
  /** A person is there, and answers the questions in order. */
  answers?: readonly string[];
  /** Profiles that are set up, by name. */
  profiles?: Readonly<Record<string, ProfileChanges>>;
  now?: string;
  /** The home; without it, a new one. */
  home?: string;
}

export interface TestHost extends Host {
  readonly stdout: Capture;
  readonly stderr: Capture;
  /** The questions, and the messages about answers that were refused. */
  readonly asked: readonly string[];
}

export function createTestHost({
  env = {},
  stdin = '',
  answers,
  now = NOW,
  home = temporaryDirectory(),
}: TestHostOptions = {}): TestHost {
  const isTerminal = answers !== undefined;
  const asked: string[] = [];
  const files = createFiles({ HOME: home });
  const impossible = async (): Promise<never> => {
    throw new Error('this test has no such thing');
  };
  return {
    env,
    stdin: inputOf(stdin, isTerminal),
    stdout: new Capture({ isTerminal }),
    stderr: new Capture({ isTerminal }),
    paged: () => undefined,
    endPaged: async () => {},
    clock: standingClock(now),
    files,
    keychain: {
      name: 'the keychain',
      get: impossible,
      peek: impossible,
      set: impossible,
      delete: impossible,
    },
    prompts: promptsOf([...(answers ?? [])], asked),
    shell: { run: impossible },
    jq: { run: impossible },
    version: '1.2.3',
    versionText: 'gw/1.2.3\n',
    interrupted: new AbortController().signal,
    exit: impossible,
    processes: { self: 'test', isGone: () => undefined },
    user: { name: 'ada', machine: 'desk' },
    readNamed: async (path, maxBytes) => {
      const text = files.read(path, maxBytes);
      return text === undefined ? undefined : Buffer.from(text);
    },
    hide: () => {},
    pass: () => {},
    endOfTurn: async () => {},
    asked,
  };
}

function inputOf(stdin: string, isTerminal: boolean): Input {
  return {
    isTerminal,
    async *lines() {
      yield* stdin.split('\n').filter((line, i, all) => i < all.length - 1 || line !== '');
    },
    text: async () => stdin,
    bytes: async () => Buffer.from(stdin),
  };
}

/** An answer that takes the question back. */
export const CTRL_C = '\u0003';

function promptsOf(answers: string[], asked: string[]): Prompts {
  const ask: Prompts['text'] = async (question, { check = () => true } = {}) => {
    asked.push(question);
    for (;;) {
      const answer = answers.shift();
      if (answer === undefined) throw new Error(`nobody answers ${question}`);
      if (answer === CTRL_C) throw cancellation();
      const verdict = await check(answer);
      if (verdict === true) return answer;
      asked.push(String(verdict));
    }
  };
  const select: Prompts['select'] = async (question, choices) => {
    const begun = (typed: string) =>
      choices.find(({ name }) => name.toLowerCase().startsWith(typed));
    const typed = await ask(question, { check: (text) => begun(text) !== undefined || 'No match' });
    return begun(typed)?.value ?? '';
  };
  const confirm: Prompts['confirm'] = async (question) => (await ask(question)) === 'y';
  return { text: ask, hidden: ask, select, confirm };
}

export interface RunResult {
  host: TestHost;
  stdout: string;
  stderr: string;
  failure: Failure | undefined;
}

/** Which of the two ways into gw. */
export type Way = 'fast path' | 'oclif';

/** Help without other commands, which are only named in an error. */
export const NO_HELP: HelpSource = {
  index: { commands: {}, erasing: [], charging: [], topics: {} },
  recipes: () => [],
  command: (id) => {
    throw new Error(`no help on ${id}`);
  },
};

/** Runs a command to its end. Anything that is not an expected failure is thrown. */
export async function runCommand(
  way: Way,
  argv: readonly string[],
  options: TestHostOptions = {},
): Promise<RunResult> {
  const host = createTestHost(options);
  for (const [name, settings] of Object.entries(options.profiles ?? {}))
    await setProfile(host.files, name, settings);
  const context = { host, redactor: new Redactor(), root: path.resolve('.') };
  let failure: Failure | undefined;
  try {
    const { id, definition, entry, rest } = await findCommand(argv);
    const input =
      way === 'oclif'
        ? await parseArgv({ ...entry, id } as KnownCommand, rest, NO_HELP)
        : fastPath(rest, entry);
    if (!input) throw new Error(`the fast path does not take gw ${argv.join(' ')}`);
    await definition.run(context, input);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    failure = error;
  }
  return { host, stdout: host.stdout.text, stderr: host.stderr.text, failure };
}

interface Named {
  id: string;
  definition: CommandDefinition;
  /** The entry of the command in oclif's manifest. */
  entry: CommandEntry & Pick<Command.Loadable, 'args' | 'flags'> & Pick<KnownCommand, 'fields'>;
  /** The words after its name. */
  rest: string[];
}

export async function findCommand(argv: readonly string[]): Promise<Named> {
  for (const words of [3, 2, 1]) {
    const name = argv.slice(0, words).join(' ');
    const file = filesOfCommands().get(name);
    if (!file) continue;
    const definition = await loadCommand(file);
    const id = name.replaceAll(' ', ':');
    const { flags, args, strict, fields } = commandClass(definition);
    const named = Object.entries(flags).map(([flag, entry]) => [flag, { ...entry, name: flag }]);
    const entry = {
      flags: Object.fromEntries(named),
      args: args as Named['entry']['args'],
      strict,
      fields,
    };
    return { id, definition, entry, rest: argv.slice(words) };
  }
  throw new Error(`there is no command gw ${argv.join(' ')}`);
}

/** @returns the files of all commands by what a user types after `gw` */
export function filesOfCommands(): Map<string, string> {
  return new Map(commandFiles().map(({ id, file }) => [id.replaceAll(':', ' '), file]));
}

export async function loadCommand(file: string): Promise<CommandDefinition> {
  const loaded = (await import(path.resolve(file))) as { default: CommandDefinition };
  return loaded.default;
}
