import { describe, expect, test } from 'vitest';
import { createFiles } from '../../../../src/host/files/files.ts';
import { directoryOf } from '../../../../src/host/files/folders.ts';
import { failureOf } from '../../../helpers/failure.ts';

describe('directories', () => {
  test('directories are those of XDG', () => {
    const env = { HOME: '/home/ada', XDG_CONFIG_HOME: '/c', XDG_STATE_HOME: '/s/' };
    expect(directoryOf('config', env, 'linux')).toBe('/c/gw');
    expect(directoryOf('state', env, 'linux')).toBe('/s/gw');
  });

  test.each([
    {},
    { XDG_CONFIG_HOME: '', XDG_STATE_HOME: '' },
    { XDG_CONFIG_HOME: 'c', XDG_STATE_HOME: './s' },
  ])('directories are in the home directory if XDG is unset or relative: %o', (xdg) => {
    const env = { HOME: '/home/ada', ...xdg };
    expect(directoryOf('config', env, 'linux')).toBe('/home/ada/.config/gw');
    expect(directoryOf('state', env, 'darwin')).toBe('/home/ada/.local/state/gw');
  });

  test("directories are in the account's home if HOME is not set", () => {
    expect(directoryOf('config', {}, 'linux')).toMatch(/^\/.*\/\.config\/gw$/);
  });

  test.each(['', 'relative'])('directories need a valid home directory (%j)', async (HOME) => {
    const failure = await failureOf(() => createFiles({ HOME }, 'linux').configDirectory);
    expect(failure.kind).toBe('usage');
    expect(failure.next).toBe('Set HOME or XDG_CONFIG_HOME to a directory of yours.');
    expect((await failureOf(() => createFiles({ HOME }, 'linux').stateDirectory)).next).toContain(
      'XDG_STATE_HOME',
    );
  });

  test('directories are those of Windows', () => {
    const env = {
      APPDATA: 'C:\\Users\\ada\\AppData\\Roaming',
      LOCALAPPDATA: 'C:\\Users\\ada\\AppData\\Local',
    };
    expect(directoryOf('config', env, 'win32')).toBe('C:\\Users\\ada\\AppData\\Roaming\\gw');
    expect(directoryOf('state', env, 'win32')).toBe('C:\\Users\\ada\\AppData\\Local\\gw');
  });
});
