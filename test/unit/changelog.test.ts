/** `npm run changelog`: changes/*.md become a section of CHANGELOG.md. */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../helpers/run.ts';
import { temporaryDirectory } from '../helpers/temporary.ts';

const SCRIPT = path.resolve('scripts/changelog.mjs');
const CHANGELOG = '# Changelog\n\n## 0.1.0\n\n- The first.\n';

/** A repository with a version and changes, by name. */
function repository(version: string, changes: Record<string, string>): string {
  const folder = temporaryDirectory();
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ version }));
  writeFileSync(path.join(folder, 'CHANGELOG.md'), CHANGELOG);
  mkdirSync(path.join(folder, 'changes'));
  for (const [name, text] of Object.entries(changes))
    writeFileSync(path.join(folder, 'changes', name), text);
  return folder;
}

async function changelog(folder: string) {
  const { code, stdout, stderr } = await run(process.execPath, [SCRIPT], { cwd: folder });
  const text = readFileSync(path.join(folder, 'CHANGELOG.md'), 'utf8');
  return { code, stdout, stderr, text, left: readdirSync(path.join(folder, 'changes')) };
}

test('changes become the newest section, the largest first, and are removed', async () => {
  const folder = repository('1.2.3', {
    'a.md': 'patch\n\nA defect\nis mended.\n',
    'b.md': 'minor\n\n`gw x` is new.\n',
  });
  const { code, stdout, text, left } = await changelog(folder);
  expect({ code, stdout, left }).toEqual({
    code: 0,
    stdout: 'Now: npm version --no-git-tag-version 1.3.0\n',
    left: [],
  });
  expect(text.replace(/\d{4}-\d\d-\d\d/, 'DAY')).toBe(
    '# Changelog\n\n## 1.3.0 (DAY)\n\n- `gw x` is new.\n- A defect is mended.\n\n## 0.1.0\n\n- The first.\n',
  );
});

test.each([
  ['1.2.3', 'major', '2.0.0'],
  ['1.2.3', 'minor', '1.3.0'],
  ['1.2.3', 'patch', '1.2.4'],
  ['0.1.2', 'major', '0.2.0'],
  ['0.1.2', 'minor', '0.2.0'],
  ['0.1.2', 'patch', '0.1.3'],
])('after %s a %s change makes %s', async (version, size, next) => {
  const { stdout } = await changelog(repository(version, { 'a.md': `${size}\n\nIt is new.\n` }));
  expect(stdout).toContain(` ${next}\n`);
});

test.each([
  ['no size', 'It is new.\n'],
  ['no sentence', 'minor\n'],
  ['half a sentence', 'minor\n\nnew flag\n'],
])('a change with %s is named, and nothing is written', async (_what, text) => {
  const folder = repository('1.2.3', { 'a.md': 'minor\n\nIt is new.\n', 'b.md': text });
  const result = await changelog(folder);
  expect(result.code).toBe(1);
  expect(result.stderr).toContain('changes/b.md is not');
  expect(result).toMatchObject({ text: CHANGELOG, left: ['a.md', 'b.md'] });
});

test('a changelog with no section to stand before is named, and nothing is lost', async () => {
  const folder = repository('1.2.3', { 'a.md': 'minor\n\nIt is new.\n' });
  writeFileSync(path.join(folder, 'CHANGELOG.md'), '# Changelog\n');
  const result = await changelog(folder);
  expect(result.code).toBe(1);
  expect(result.stderr).toContain('CHANGELOG.md has no section');
  expect(result).toMatchObject({ text: '# Changelog\n', left: ['a.md'] });
});

test('the changes of this repository are well formed', async () => {
  const folder = repository('1.2.3', { 'a.md': 'patch\n\nOne at least.\n' });
  // Right after a release there are none.
  if (existsSync('changes')) cpSync('changes', path.join(folder, 'changes'), { recursive: true });
  expect(await changelog(folder)).toMatchObject({ code: 0, stderr: '' });
});
