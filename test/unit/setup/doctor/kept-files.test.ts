import { chmodSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { createFiles } from '../../../../src/host/files/files.ts';
import type { DirectoryRoom } from '../../../../src/host/host.ts';
import {
  bytesText,
  checkPrivacy,
  checkStateDirectory,
} from '../../../../src/setup/doctor/kept-files.ts';
import { temporaryDirectory } from '../../../helpers/temporary.ts';

const MIB = 1024 * 1024;
const room: DirectoryRoom = { isThere: true, isWritable: true, freeBytes: 1024 * MIB };
const check = (differs: Partial<DirectoryRoom>) =>
  checkStateDirectory({
    stateDirectory: "/home/o'hara/gw",
    roomIn: () => ({ ...room, ...differs }),
  });

describe('the state directory', () => {
  test('the state directory is ok with room in it, and where it is not told', () => {
    expect(check({})).toEqual({ state: 'ok', message: "/home/o'hara/gw, 1.0 GiB free" });
    expect(check({ freeBytes: undefined })).toMatchObject({ state: 'ok' });
  });

  test('the state directory that is not there yet is made later', () => {
    expect(check({ isThere: false }).message).toContain('created when there is something to keep');
  });

  test('the state directory that cannot be written fails, with a command that can be copied', () => {
    expect(check({ isWritable: false })).toMatchObject({
      state: 'failed',
      kind: 'guard',
      next: expect.stringContaining(`sudo chown -R "$USER" '/home/o'\\''hara/gw'`),
    });
  });

  test('the state directory of a disk that is nearly full is a warning, of a full one a failure', () => {
    expect(check({ freeBytes: 50 * MIB }).state).toBe('warning');
    expect(check({ freeBytes: 4 * MIB })).toMatchObject({ state: 'failed', kind: 'guard' });
  });

  test('the state directory of a real machine is looked at', () => {
    const files = createFiles({ HOME: temporaryDirectory() });
    expect(files.roomIn(files.stateDirectory)).toMatchObject({ isThere: false, isWritable: true });
    files.writePrivate(path.join(files.stateDirectory, 'a'), '');
    const { isThere, freeBytes } = files.roomIn(files.stateDirectory);
    expect([isThere, freeBytes]).toEqual([true, expect.any(Number)]);
    expect(files.roomIn(path.join(files.stateDirectory, 'a')).isWritable).toBe(false);
  });
});

describe('privacy', () => {
  test('privacy is mended by what the warning says', () => {
    const files = createFiles({ HOME: temporaryDirectory() });
    const file = path.join(files.stateDirectory, 'ledger.db');
    files.writePrivate(file, '');
    expect(checkPrivacy(files)).toMatchObject({ state: 'ok' });
    chmodSync(file, 0o644);
    expect(checkPrivacy(files)).toEqual({
      state: 'warning',
      message: `Other users can read or change ${file}.`,
      next: expect.stringContaining('`gw doctor --repair`'),
    });
    expect(statSync(file).mode & 0o777).toBe(0o644);
    files.keepPrivate();
    expect(checkPrivacy(files)).toMatchObject({ state: 'ok' });
  });

  test('what is somebody else’s is a failure', () => {
    const foreign = ['/a', '/b', '/c', '/d'];
    expect(checkPrivacy({ findExposed: () => ({ open: ['/e'], foreign }) })).toMatchObject({
      state: 'failed',
      kind: 'guard',
      message: expect.stringContaining('/a, /b, /c and 1 more'),
    });
  });

  test.skipIf(process.getuid?.() !== 0)('what another user owns is seen', async () => {
    const { chownSync } = await import('node:fs');
    const files = createFiles({ HOME: temporaryDirectory() });
    const file = path.join(files.configDirectory, 'profiles.json');
    files.writePrivate(file, '');
    writeFileSync(file, '');
    chownSync(file, 65534, 65534);
    expect(files.findExposed()).toEqual({ open: [], foreign: [file] });
  });
});

test.each([
  [0, '0 B'],
  [1023, '1023 B'],
  [1536, '1.5 KiB'],
  [300 * MIB, '300 MiB'],
  [2 ** 60, '1048576 TiB'],
])('%i bytes are said as %s', (bytes, text) => {
  expect(bytesText(bytes)).toBe(text);
});
