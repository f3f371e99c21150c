/**
 * Builds `dist`: one file for the program, one for a thread of it and one for each command, in
 * CommonJS, which starts faster than ES modules. What is imported dynamically becomes a file of its
 * own, loaded where it is used (scripts/groups.mjs). Packages with native code stay outside;
 * everything else is inside, so that an installed gw brings no packages but those and what the oclif
 * plugins need.
 *
 * The same sources give the same bytes. Names are kept, so a stack trace reads like the source; the
 * source maps are for `NODE_OPTIONS=--enable-source-maps` in a clone and are not packed. Minifying
 * was measured, and starts no faster.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { groups } from './scripts/groups.mjs';
import { licenses } from './scripts/licenses.mjs';

const commands = readdirSync('src/commands', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .sort()
  .map((file) => [join('commands', file.slice(0, -'.ts'.length)), join('src/commands', file)]);

/** @satisfies {Pick<import('rolldown').InputOptions, 'platform' | 'external'>} */
const options = { platform: 'node', external: ['keytar', '@photostructure/sqlite'] };

/** @satisfies {import('rolldown').RolldownOptions} */
export default {
  input: {
    main: 'src/main.ts',
    help: 'src/dispatch/help.ts',
    'events-worker': 'src/events/event-store-worker.ts',
    ...Object.fromEntries(commands),
  },
  ...options,
  onLog(level, log) {
    // A warning here is a defect of the program later, such as a package that is not found.
    throw new Error(`${level}: ${log.message}`);
  },
  plugins: [licenses('THIRD-PARTY-LICENSES.txt')],
  output: {
    dir: 'dist',
    format: 'cjs',
    entryFileNames: '[name].cjs',
    chunkFileNames: 'chunks/[name]-[hash].cjs',
    cleanDir: true,
    sourcemap: true,
    minify: false,
    codeSplitting: { groups: await groups(options) },
  },
};
