/** `scripts/tests-of-files.mjs` refuses a large file of `src` that no test holds. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../helpers/run.ts';
import { temporaryDirectory } from '../helpers/temporary.ts';

const CHECK = path.resolve('scripts/tests-of-files.mjs');
const LARGE = 'export {};\n'.repeat(101);
const CASES = 'test/unit/a/cases.ts';

/** @returns how the check of a folder with these files ends, and what it says */
async function check(files: Readonly<Record<string, string>>) {
  const folder = temporaryDirectory();
  for (const [file, text] of Object.entries({ ...files, [CASES]: '' })) {
    mkdirSync(path.join(folder, path.dirname(file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  }
  const { code, stderr } = await run(process.execPath, [CHECK], { cwd: folder });
  return { code, stderr };
}

const head = (line: string) => `/**\n * What it does.\n *\n * ${line}\n */\n${LARGE}`;
const naming = (tests: string) => head(`Tests: ${tests}`);

test.each<[title: string, files: Record<string, string>]>([
  ['a small one without a test', { 'src/a/x.ts': 'export {};\n'.repeat(100) }],
  ['types alone', { 'src/a/x.d.ts': LARGE }],
  ['one with a test of its name', { 'src/a/x.ts': LARGE, 'test/unit/a/x.test.ts': '' }],
  ['a command with one', { 'src/a/x.command.ts': LARGE, 'test/unit/a/x.test.ts': '' }],
  ['one that names its test', { 'src/a/x.ts': naming(CASES) }],
  ['one that names two in a line', { 'src/a/x.ts': naming(`${CASES}, ${CASES}`) }],
  ['one that names two in two lines', { 'src/a/x.ts': naming(`${CASES},\n * ${CASES}`) }],
])('%s passes', async (_, files) => {
  expect(await check(files)).toEqual({ code: 0, stderr: '' });
});

test.each<[title: string, files: Record<string, string>, fault: string]>([
  ['a file without a test', { 'src/a/x.ts': LARGE }, 'neither test/unit/a/x.test.ts nor'],
  ['a command without one', { 'src/a/x.command.ts': LARGE }, 'neither test/unit/a/x.test.ts nor'],
  ['a test of another folder', { 'src/a/x.ts': LARGE, 'test/unit/x.test.ts': '' }, 'neither'],
  ['a line in a later comment', { 'src/a/x.ts': `${LARGE}${naming(CASES)}` }, 'neither'],
  ['a line that is not the last', { 'src/a/x.ts': naming(`${CASES}\n *\n * More.`) }, 'neither'],
  [
    'a name that does not exist',
    { 'src/a/x.ts': naming(`${CASES}, test/unit/a/gone.test.ts`) },
    'test/unit/a/gone.test.ts, which does not exist',
  ],
  [
    'a small file that names such a test',
    { 'src/a/x.ts': naming('test/gone.script').slice(0, 200) },
    'test/gone.script, which does not exist',
  ],
  ['a name outside test', { 'src/a/x.ts': naming('src/a/x.ts') }, 'names src/a/x.ts, which'],
  ['a sentence', { 'src/a/x.ts': naming('those of the command.') }, 'those of the command.'],
])('%s is refused', async (_, files, fault) => {
  const { code, stderr } = await check(files);
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(fault) });
  expect(stderr).toMatch(/^src\/a\/x\.(?:command\.)?ts: .*\n$/);
});
