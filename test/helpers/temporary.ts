import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { scanFolder } from './scan.ts';

/** @returns an empty directory, which is scanned for secrets and removed after the test */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(path.join(tmpdir(), 'gw-test-'));
  onTestFinished(() => {
    try {
      scanFolder(directory);
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  });
  return directory;
}
