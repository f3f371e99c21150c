/** All commands as oclif's classes. oclif loads this file to make the manifest, and later reads only the manifest. */
import definitions from 'gw:commands';
import { commandClass } from './command-class.ts';

export const COMMANDS = Object.fromEntries(
  Object.entries(definitions).map(([id, definition]) => [id, commandClass(definition)]),
);
