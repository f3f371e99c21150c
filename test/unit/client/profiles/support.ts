import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createFiles } from '../../../../src/host/files/files.ts';
import type { Files } from '../../../../src/host/host.ts';
import { temporaryDirectory } from '../../../helpers/temporary.ts';

/** Real files in a configuration directory of the test's own. */
export function temporaryFiles(): Files {
  return createFiles({ XDG_CONFIG_HOME: temporaryDirectory(), XDG_STATE_HOME: '/nowhere' });
}

/** Puts a text in place of `profiles.json`, as a user's editor would. */
export function writeProfilesText(files: Files, text: string): string {
  mkdirSync(files.configDirectory, { recursive: true });
  const file = path.join(files.configDirectory, 'profiles.json');
  writeFileSync(file, text);
  return file;
}
