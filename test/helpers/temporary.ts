import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { scanFolder } from './scan.ts';

/**
 * @param prefix where it is, and how its name begins; six characters follow
 * @returns an empty directory, which is scanned for secrets and removed after the test
 */
export function temporaryDirectory(prefix = path.join(tmpdir(), 'gw-test-')): string {
  const directory = mkdtempSync(prefix);
  onTestFinished(() => {
    try {
      scanFolder(directory);
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  });
  return directory;
}
