/**
 * Reads the words of a command by the files of `dist`, and runs it.
 *
 * Tests: test/scripts/bad-input/words.script, test/system/mcp.test.ts
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CommandNames, commandNames, type Load } from '../../host/code-cache.ts';
import type { Context } from '../../host/context.ts';
import type { CommandHelp, NamedHelp } from '../help/help-data.ts';
import { type CommandDefinition, type CommandInput, runCommand } from './command.ts';
import { type CommandEntry, fastPath } from './fast-path.ts';

/** The built program. */
export interface Program {
  /** Folder of package.json, oclif's manifest and `dist`. */
  root: string;
  names: CommandNames;
  /** Loads the file of a command. */
  load: Load;
}

/** @returns the program that runs, for a command that runs others for days: an update meanwhile may replace their files */
export function programOf({ load, root }: Context): Program {
  if (!load) throw new Error('A command runs others of the built program alone');
  load.keepAll();
  return { root, load, names: commandNames(root) };
}

/**
 * Mistakes in the words are found with the built help data, before the command and its imports are loaded.
 * @param id of the command: `purchase:get`
 * @param words those after its name
 * @throws Failure usage if the command does not take them, and as the command
 */
export async function runWords(
  context: Context,
  program: Program,
  id: string,
  words: readonly string[],
): Promise<void> {
  const isOff = context.host.env.GW_FAST_PATH === 'off';
  const input = isOff ? undefined : fastPath(words, readEntry(program.root, id));
  const sure = input ?? (await inputByOclif(program, id, words));
  await runCommand(loadCommand(program, id), context, sure);
}

/** Handles what the fast path leaves: an argv that is or may be wrong. */
async function inputByOclif(
  program: Program,
  id: string,
  words: readonly string[],
): Promise<CommandInput> {
  const source = helpSource(program);
  const { parseArgv } = await import('./slow-path.ts');
  return parseArgv(source.command(id), words, source);
}

/** @returns the help that the build wrote to `dist/help` */
export function helpSource({ root, names }: Omit<Program, 'load'>): NamedHelp {
  return {
    names,
    index: readJson(root, 'dist/help/index.json'),
    recipes: () => readJson(root, 'dist/help/recipes.json'),
    command: (id) => readHelp(root, id),
  };
}

const readHelp = (root: string, id: string) =>
  readJson<CommandHelp>(root, `dist/help/commands/${id.replaceAll(':', '/')}.json`);

function readJson<T>(root: string, file: string): T {
  return JSON.parse(readFileSync(join(root, file), 'utf8'));
}

/** Reads a command's part of oclif's manifest, which the build splits into one file per command (scripts/build.mjs). */
const readEntry = (root: string, id: string) =>
  readJson<CommandEntry>(root, `dist/flags/${id.replaceAll(':', '/')}.json`);

/**
 * Loads a command by the words that a user types, which are the path of its file. The build creates both file and
 * manifest.
 */
export function loadCommand({ load }: Pick<Program, 'load'>, id: string): CommandDefinition {
  const file = `commands/${id.replaceAll(':', '/')}.cjs`;
  return (load(file) as { default: CommandDefinition }).default;
}
