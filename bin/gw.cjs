#!/usr/bin/env node
const path = require('node:path');
const { existsSync } = require('node:fs');

const root = path.dirname(__dirname);
const program = path.join(root, 'dist', 'main.cjs');

// An installation that was interrupted, and a clone, lack the built program.
if (existsSync(program)) require(program).run(process.argv.slice(2), root, require);
else {
  process.stderr.write(`Error: gw is not built here.\nRun \`npm ci\` in ${root}, to its end.\n`);
  process.exitCode = 1;
}
