/** The commands as oclif.manifest.json has them: what the built program starts from. */
import { readFileSync } from 'node:fs';

interface Flag {
  name: string;
  type: 'boolean' | 'option';
  char?: string;
  description?: string;
  helpGroup?: string;
  helpValue?: string;
  options?: string[];
  default?: unknown;
  required?: boolean;
  multiple?: boolean;
  allowNo?: boolean;
}

interface Arg {
  name: string;
  description?: string;
  default?: unknown;
  options?: string[];
  required?: boolean;
}

export interface Command {
  /** With colons: `purchase:create`. */
  id: string;
  summary?: string;
  description?: string;
  examples?: string[];
  args: Record<string, Arg>;
  flags: Record<string, Flag>;
  strict?: boolean;
  hidden?: boolean;
}

/** The program as package.json describes it to oclif. */
export const { oclif, description } = readJson<{
  description: string;
  oclif: { topics: Record<string, { description: string }> };
}>('package.json');

/** The commands of gw itself, in the order of their names. */
export const commands = commandsOf('oclif.manifest.json');

/** @returns the command as it is typed: `gw purchase create` */
export const typed = ({ id }: Command) => `gw ${id.replaceAll(':', ' ')}`;

/** @returns the examples as they are typed */
export const examplesOf = ({ examples = [] }: Command) =>
  examples.map((line) => line.replace(/^\$ /, '').replaceAll('<%= config.bin %>', 'gw'));

function commandsOf(file: string): Command[] {
  const { commands } = readJson<{ commands: Record<string, Command> }>(file);
  return Object.values(commands)
    .filter(({ hidden }) => !hidden)
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

function readJson<T>(file: string): T {
  return JSON.parse(readFileSync(file, 'utf8'));
}
