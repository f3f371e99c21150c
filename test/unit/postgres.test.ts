/** The servers of the tests: none outlives what made it, however that ends. */
import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { bundle } from '../helpers/bundle.ts';
import { findPostgres } from '../helpers/postgres.ts';
import { start } from '../helpers/run.ts';

describe.skipIf(findPostgres() === undefined)('a server of the tests', () => {
  test.each(['SIGTERM', 'SIGKILL'] as const)('ends with a process that %s ends', async (signal) => {
    const program = await bundle('test/unit/postgres-program.ts');
    const { child, printed, output, ended } = start(process.execPath, [program]);
    await printed(/\n/);
    const folder = output().trim();
    expect(existsSync(`${folder}/data/postmaster.pid`)).toBe(true);
    child.kill(signal);
    await ended;
    await expect.poll(() => existsSync(folder)).toBe(false);
  });
});
