import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { unportableTests } from './test/helpers/portable.ts';

/**
 * The long suites: clients in other languages, hostile gateways and machines, pages in a browser, kills, faults, patterns, packages, shells,
 * the recipes, examples and pictures of the documents, and scripts at their other doors. `npm run test:long`, and CI
 * after `npm test`.
 */
const LONG = [
  'test/clients/**/*.test.ts',
  'test/hostile/**/*.test.ts',
  'test/docs/{examples,pictures}.test.ts',
  'test/packaging/{build,completion,pack}.test.ts',
  'test/scripts/other-doors.test.ts',
  'test/system/*{faults,kill,memory}*.test.ts',
  'test/system/{batch-corrected,batch-spreadsheet,desk,desk-attacks,hearsay,keychain,ledger-restored,reconcile,reconcile-banks,report-spreadsheet,support-desk,three-months,two-operators}.test.ts',
  'test/unit/**/{concurrency,growth,kill,ledger-cuts,patterns}.test.ts',
];
/** Replaces a module, which is only possible where nobody has loaded it before. */
const ALONE = ['test/unit/journal/both-ledgers.test.ts'];
/** Tests that run the built program. */
const PROGRAM = ['test/{docs,packaging,scripts,system}/**/*.test.ts'];

const LEFT_OUT = unportableTests(process.platform);
const ROOT = 'test/helpers/run-root.ts';

export default defineConfig({
  test: {
    // More than there are processors: most of a test that runs programs is waiting.
    maxWorkers: availableParallelism() + 1,
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
          include: ['test/unit/**/*.test.ts'],
          exclude: [...LONG, ...ALONE, ...LEFT_OUT],
          globalSetup: ROOT,
          // Loading the sources again for each file costs as much as the tests do.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'program',
          include: [...PROGRAM, ...ALONE],
          exclude: [...LONG, ...LEFT_OUT],
          globalSetup: [ROOT, 'test/helpers/build.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'long',
          include: LONG,
          globalSetup: [ROOT, 'test/helpers/build.ts'],
        },
      },
    ],
  },
});
