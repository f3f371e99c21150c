/** The walk in ARCHITECTURE.md names files that really run for that command, in the order in which they are entered. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { tracedProgram } from '../helpers/files-that-run.ts';
import { temporaryDirectory } from '../helpers/temporary.ts';

const [, WALK = ''] =
  /^## One command, from argv to output\n(.*?)^###? /ms.exec(
    readFileSync('ARCHITECTURE.md', 'utf8'),
  ) ?? [];
const COMMAND = /^`gw (.*)`$/m.exec(WALK)?.[1] ?? '';
const PURCHASE =
  'purchase create --profile local --test-card approved --amount 2500 --reference INV-1';

const filesIn = (text: string) => [...text.matchAll(/`(src\/[^`]*\.ts)`/g)].map(([, file]) => file);

test('every file that the walk names runs, those of its table in its order', async () => {
  const home = path.join(temporaryDirectory(), 'home');
  const gw = tracedProgram();
  await gw(PURCHASE.split(' '), home);
  const ran = await gw(COMMAND.split(' '), home);
  const named = filesIn(WALK);
  expect(named.length).toBeGreaterThan(15);
  expect(named.filter((file) => !ran.includes(file ?? ''))).toEqual([]);
  const steps = WALK.split('\n').flatMap((line) => filesIn(/^\| \d+ \|.*/.exec(line)?.[0] ?? ''));
  expect(steps).toEqual(ran.filter((file) => steps.includes(file)));
});
