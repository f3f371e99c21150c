/** Names of commands by the files of the build. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { commandNames } from '../../../src/host/code-cache.ts';
import { temporaryDirectory } from '../../helpers/temporary.ts';

/** The names below a root that has the files of three commands. */
function namesOfThree() {
  const root = temporaryDirectory();
  const flags = path.join(root, 'dist/flags');
  mkdirSync(path.join(flags, 'emulator/hooks'), { recursive: true });
  for (const name of ['find', 'emulator/status', 'emulator/hooks/list'])
    writeFileSync(path.join(flags, `${name}.json`), '{}');
  writeFileSync(path.join(root, 'dist/outside.json'), '{}');
  return commandNames(root);
}

test.each([
  ['find', true, false],
  ['emulator', false, true],
  ['emulator status', true, false],
  ['emulator hooks', false, true],
  ['emulator hooks list', true, false],
  ['nothing', false, false],
  ['', false, false],
  ['.', false, false],
  ['..', false, false],
  ['../outside', false, false],
  ['emulator/status', false, false],
])('%j is a command: %s; a topic: %s', (line, isCommand, isTopic) => {
  const names = namesOfThree();
  const words = line === '' ? [] : line.split(' ');
  expect({ isCommand: names.isCommand(words), isTopic: names.isTopic(words) }).toEqual({
    isCommand,
    isTopic,
  });
});
