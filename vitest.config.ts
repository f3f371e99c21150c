import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { unportableTests } from './test/helpers/portable.ts';

/** Tests that run the built program. */
const PROGRAM = ['test/{clients,docs,hostile,packaging,scripts,system}/**/*.test.ts'];

const LEFT_OUT = unportableTests(process.platform, (line) => process.stderr.write(line));

export default defineConfig({
  test: {
    // One fewer than processors would be one at a time where there are two: most of a test is waiting.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // For a test that hangs, on a machine that is busy with others too.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // It ends as soon as what is polled for is there; a second is too little on a machine that is busy.
    expect: { poll: { timeout: 30_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'source',
          include: ['test/**/*.test.ts'],
          exclude: [...PROGRAM, ...LEFT_OUT],
          globalSetup: 'test/helpers/run-root.ts',
        },
      },
      {
        extends: true,
        test: {
          name: 'program',
          include: PROGRAM,
          globalSetup: ['test/helpers/run-root.ts', 'test/helpers/build.ts'],
        },
      },
    ],
  },
});
