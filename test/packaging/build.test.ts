/** The build: the same sources give the same program, and one that is broken is not built. */
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { rolldown } from 'rolldown';
import { describe, expect, onTestFinished, test } from 'vitest';
import bundles from '../../rolldown.config.mjs';
import { run } from '../helpers/run.ts';
import { temporaryDirectory } from '../helpers/temporary.ts';

/** Inside the repository, so that the packages are found. */
const CACHE = path.resolve('node_modules/.cache/gw-test');

test('the same sources make the same dist', async () => {
  const dir = temporaryDirectory();
  for (const { output, ...input } of bundles) {
    const build = await rolldown(input);
    await build.write({ ...output, dir });
    await build.close();
  }
  const files = filesIn(dir, '.cjs', '.txt');
  expect(files.length).toBeGreaterThan(30);
  expect(filesIn('dist', '.cjs', '.txt')).toEqual(files);
  const different = files.filter(
    (file) => !readFileSync(path.join(dir, file)).equals(readFileSync(path.join('dist', file))),
  );
  expect(different, 'dist is older than src: `npm run build`').toEqual([]);
});

test('the manifest has every command, in order', () => {
  const { commands } = JSON.parse(readFileSync('oclif.manifest.json', 'utf8'));
  const files = filesIn('src/commands', '.command.ts');
  const ids = Object.keys(commands);
  expect(ids).toEqual(ids.toSorted());
  // A command is a file of its topic, or has a folder of its own name.
  const filesOf = (id: string) =>
    [id, `${id}:${id.split(':').at(-1)}`]
      .map((words) => `${words.replaceAll(':', path.sep)}.command.ts`)
      .filter((file) => files.includes(file));
  expect(ids.map(filesOf).filter((found) => found.length !== 1)).toEqual([]);
  expect(ids.flatMap(filesOf).toSorted()).toEqual(files);
});

describe('a build', () => {
  const OK =
    "export default { summary: 'X', description: 'X.', examples: [], run: async () => {} };\n";

  test('a build of a valid command prints nothing', async () => {
    expect(await buildWith(OK)).toMatchObject({ code: 0, stdout: '', stderr: '' });
  });

  test.each([
    ['cannot be parsed', 'export default clas X {}', 'src/commands/x/x.command.ts'],
    ['throws when it is loaded', `${OK}throw new Error('no such luck');\n`, 'no such luck'],
    ['is no command', 'export const x = 1;\n', '"default" is not exported'],
    ['imports what is not there', `${OK}import 'no-such-package';\n`, 'no-such-package'],
  ])('a build fails when a command %s', async (_what, source, message) => {
    const { code, stderr } = await buildWith(source);
    expect(stderr).toContain(message);
    expect(code).toBe(1);
  });
});

function filesIn(folder: string, ...endings: string[]): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => endings.some((ending) => file.endsWith(ending)))
    .sort();
}

/** Builds the program with one more command, `gw x`. */
async function buildWith(source: string) {
  mkdirSync(CACHE, { recursive: true });
  const folder = mkdtempSync(path.join(CACHE, 'build-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const file of [
    'package.json',
    'CHANGELOG.md',
    'rolldown.config.mjs',
    'scripts',
    'src',
    'docs',
  ]) {
    cpSync(file, path.join(folder, file), { recursive: true });
  }
  const command = path.join(folder, 'src/commands/x');
  mkdirSync(command);
  writeFileSync(path.join(command, 'x.command.ts'), source);
  return run(process.execPath, ['scripts/build.mjs'], { cwd: folder });
}
