/**
 * Builds `dist`: one file for the program, one for a thread of it and one for each command, in CommonJS, which starts
 * faster than ES modules. What a command imports dynamically becomes a chunk of its own, loaded
 * where it is used. Packages with native code stay outside.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'rolldown';

const commands = readdirSync('src/commands', { recursive: true })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => [join('commands', file.slice(0, -'.ts'.length)), join('src/commands', file)]);

export default defineConfig({
  input: {
    main: 'src/main.ts',
    help: 'src/help.ts',
    'events-worker': 'src/ledger/events-worker.ts',
    ...Object.fromEntries(commands),
  },
  platform: 'node',
  external: ['keytar', '@photostructure/sqlite'],
  output: {
    dir: 'dist',
    format: 'cjs',
    entryFileNames: '[name].cjs',
    chunkFileNames: 'chunks/[name]-[hash].cjs',
    cleanDir: true,
    sourcemap: true,
    minify: false,
  },
});
