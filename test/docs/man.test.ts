/** The manual pages: one for each command and topic, in a form that roff and mandoc take, with every text as it is. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { manualPages } from '../../scripts/man.mjs';
import type { HelpSource } from '../../src/cli/help/help-data.ts';
import { havePrograms } from '../helpers/skip.ts';
import { commands, oclif } from './manifest.ts';

const FOLDER = 'dist/man';
const pages = readdirSync(FOLDER).sort();

test('each command, each topic and gw itself have a page, which npm installs, and nothing else has', () => {
  const ids = new Set([...commands.map(({ id }) => id), ...Object.keys(oclif.topics)]);
  const names = [...ids].map((id) => `gw-${id.replaceAll(':', '-')}.1`);
  expect(pages).toEqual(['gw.1', ...names].sort());
  const { man } = JSON.parse(readFileSync('package.json', 'utf8'));
  expect(man.toSorted()).toEqual(pages.map((name) => `${FOLDER}/${name}`));
});

const RELEASE = { version: '1.0.0-rc.1', released: '2026-01-02' };

/** Texts that roff reads as something else, unless they are escaped. */
const HARD = [
  '.SH looks like a request.',
  "'br looks like one too.",
  String.raw`A path C:\new\fB and a \" are text.`,
  'A jq filter is \'.[] | select(.a == "b")\'.',
  '--no-input, ~/.config and x^2 are copied as they stand.',
  'Müller, 王伟 and … are no ASCII.',
  '`gw find x\\y` is a command.',
];

async function pageOf(texts: readonly string[]): Promise<string> {
  const source: HelpSource = {
    index: { commands: { hard: 'Is hard to escape' }, erasing: [], charging: [], topics: {} },
    recipes: () => [],
    command: (id) => ({
      id,
      summary: 'Is hard to escape',
      description: texts.join('\n\n'),
      examples: ["gw hard '.a'", '.hard'],
      args: { id: { name: 'id', description: texts[0] ?? '' } },
      flags: {},
      strict: true,
      fields: [],
      choices: {},
    }),
  };
  return (await manualPages(source, RELEASE)).get('gw-hard.1') ?? '';
}

test('a line of text never begins like a request, and has no sign that roff changes', async () => {
  const lines = (await pageOf(HARD)).split('\n');
  const requests = lines.filter((line) => /^[.']/.test(line));
  expect([...new Set(requests.map((line) => line.split(' ')[0]))].sort()).toEqual([
    ...['.EE', '.EX', '.PP', '.SH', '.TH', '.TP', '.ad', '.nh'],
  ]);
  const texts = lines.filter((line) => !line.startsWith('.'));
  const known = /\\(?:fB|fR|e|-|&|\((?:aq|dq|ga|ha|ti)|\[u[0-9A-F]{4,6}\])/g;
  expect(texts.filter((line) => /[\\'"`^~-]|[^ -~]/.test(line.replace(known, '')))).toEqual([]);
});

describe.skipIf(!havePrograms('groff'))('groff', () => {
  /** @param files of a folder */
  const typeset = (folder: string, files: readonly string[]) =>
    spawnSync('groff', ['-man', '-ww', '-Kutf8', '-Tutf8', '-P-cbou', '-rLL=400n', ...files], {
      cwd: folder,
      encoding: 'utf8',
    });

  test('warns of nothing in any page', () => {
    expect(typeset(FOLDER, pages)).toMatchObject({ status: 0, stderr: '' });
  });

  test('prints each text as it is', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'gw-man-'));
    writeFileSync(path.join(folder, 'hard.1'), await pageOf(HARD));
    const { stdout, stderr } = typeset(folder, ['hard.1']);
    expect(stderr).toBe('');
    for (const text of HARD) expect(stdout).toContain(text.replaceAll(/(?<!\\)`/g, ''));
    expect(stdout).toContain("  gw hard '.a'\n");
    expect(stdout).toContain('gw-hard - Is hard to escape');
  });
});
