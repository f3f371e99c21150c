/** The tours of the README and of other pages: all of a page, line after line in one home, as a reader would paste it. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { PROGRAM } from '../helpers/program.ts';
import { start } from '../helpers/run.ts';
import { temporaryDirectory } from '../helpers/temporary.ts';

const README = readFileSync('README.md', 'utf8');
const FIRST = /^npm ci && npx (gw .*)$/m.exec(README)?.[1];
const TOURS = new Map(
  ['README.md', ...readdirSync('docs').map((name) => `docs/${name}`)]
    .filter((file) => file.endsWith('.md'))
    .map((file): [string, string] => [file, tourOf(readFileSync(file, 'utf8'))])
    .filter(([, tour]) => tour !== ''),
);

function tourOf(page: string): string {
  return [...page.matchAll(/^```sh tour\n(.*?)^```$/gms)].map(([, lines]) => lines).join('');
}

/** Runs a shell script in a new home, with the built gw on the path. */
function shell(script: string) {
  const home = temporaryDirectory();
  const bin = path.join(home, 'bin');
  mkdirSync(bin);
  writeFileSync(path.join(bin, 'gw'), `#!/bin/sh\nexec node '${PROGRAM}' "$@"\n`, { mode: 0o755 });
  const env = { PATH: `${bin}:${process.env.PATH}`, HOME: home };
  return start('sh', ['-eux', '-c', script], { cwd: home, env, input: '' }).ended;
}

test('the first command of the README makes a purchase', async () => {
  const { code, stdout } = await shell(FIRST ?? 'false');
  expect(stdout).toMatch(/^071-P-\w+\tApproved\t25\.00 AUD\t512345XXXXXX2346\tINV-1001\t/);
  expect(code).toBe(0);
});

/** Some of what is on the screen in the end. */
const SHOWN: Readonly<Record<string, string[]>> = {
  'README.md': ['071-P-IE49OSAF\tApproved', 'DECLINED', 'SUB-1', 'RET-1002'],
  'docs/money-and-secrets.md': ['071-P-IE49OSAF\tApproved', 'purchase create'],
  'docs/scripts.md': [
    'hqy7mj2obxa3',
    '071-P-IE49OSAF,2500,Approved',
    '/v1.0/subscriptions',
    'INV-8',
  ],
};

test.each(Object.entries(SHOWN))('the tour of %s works unchanged', async (file, shown) => {
  const { code, stdout, stderr } = await shell(TOURS.get(file) ?? 'false');
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
  for (const text of shown) expect(stdout).toContain(text);
});

test('each page with a tour is tested', () => {
  expect([...TOURS.keys()].sort()).toEqual(Object.keys(SHOWN).sort());
});
