/** All commands as oclif's classes. oclif loads it to make the manifest, and from then on reads that. */
import definitions from 'gw:commands';
import { commandClass } from './command-class.ts';

export const COMMANDS = Object.fromEntries(
  Object.entries(definitions).map(([id, definition]) => [id, commandClass(definition)]),
);
