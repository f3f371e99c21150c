import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';

/** @returns an empty directory, which is removed after the test */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(path.join(tmpdir(), 'gw-test-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}
