import { defineConfig } from 'vitest/config';

/** Tests that run the built program. */
const PROGRAM = ['test/{docs,hostile,packaging,scripts,system}/**/*.test.ts'];

export default defineConfig({
  test: {
    testTimeout: 60_000,
    hookTimeout: 60_000,
    projects: [
      { extends: true, test: { name: 'source', include: ['test/**/*.test.ts'], exclude: PROGRAM } },
      {
        extends: true,
        test: { name: 'program', include: PROGRAM, globalSetup: 'test/helpers/build.ts' },
      },
    ],
  },
});
