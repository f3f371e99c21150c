/** The tour of the README, line after line in one home, as a reader would paste it. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { PROGRAM } from '../helpers/program.ts';
import { start } from '../helpers/run.ts';
import { temporaryDirectory } from '../helpers/temporary.ts';

const ROOT = path.join(import.meta.dirname, '../..');
const README = readFileSync(path.join(ROOT, 'README.md'), 'utf8');
const FIRST = /^npm ci && npx (gw .*)$/m.exec(README)?.[1];
const TOUR = [...README.matchAll(/^```sh tour\n(.*?)^```$/gms)].map(([, lines]) => lines).join('');

/** Runs a shell script in a new home, with the built gw on the path. */
function shell(script: string) {
  const home = temporaryDirectory();
  const bin = path.join(home, 'bin');
  mkdirSync(bin);
  writeFileSync(path.join(bin, 'gw'), `#!/bin/sh\nexec node '${PROGRAM}' "$@"\n`, { mode: 0o755 });
  const env = { PATH: `${bin}:${process.env.PATH}`, HOME: home };
  return start('sh', ['-eux', '-c', script], { cwd: ROOT, env, input: '' }).ended;
}

test('the first command of the README makes a purchase', async () => {
  const { code, stdout } = await shell(FIRST ?? 'false');
  expect(stdout).toMatch(/^071-P-\w+\tApproved\t25\.00 AUD\t512345XXXXXX2346\tINV-1001\t/);
  expect(code).toBe(0);
});

test('the tour of the README works as it stands', async () => {
  const { code, stdout, stderr } = await shell(TOUR);
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('071-P-IE49OSAF\tApproved');
  expect(stdout).toContain('DECLINED');
  expect(stdout).toContain('/v1.0/subscriptions');
});
