/** An expression of --jq that does not end: what ends it, and what is said of what the command did. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { PROGRAM } from '../helpers/program.ts';
import { start } from '../helpers/run.ts';
import { havePrograms } from '../helpers/skip.ts';
import { temporaryDirectory } from '../helpers/temporary.ts';
import { openTerminal } from '../helpers/terminal.ts';

/** More results than are passed on together show that jq runs; after them it goes on without any. */
const ENDLESS = 'range(20000), (def f: f; f)';
const CARD = { card_number: '4111111111111111', card_holder: 'Ada Byron', card_expiry: '05/2099' };
const BUY = 'purchase create --test-card approved --amount 2500 --currency AUD --reference INV-1';

function shop() {
  const home = temporaryDirectory();
  return {
    home,
    env: { PATH: process.env.PATH, HOME: home, LANG: 'C.UTF-8', GW_PROFILE: 'local' },
  };
}

test.skipIf(!havePrograms('script'))(
  'Ctrl-C ends it, and the purchase that was made is named',
  async () => {
    const { home, env } = shop();
    const terminal = openTerminal({ columns: 120, rows: 24, cwd: home, env });
    const running = terminal.begin(`${process.execPath} ${PROGRAM} ${BUY} --jq '${ENDLESS}'`);
    await terminal.shows(/^9999$/m);
    terminal.type('\x03');
    const { signal, code } = await running.ended;
    expect(code ?? signal).toBe(130);
    const said = terminal.text().join(' ');
    expect(said).toContain('purchase create succeeded, but its record could not be printed.');
    expect(said).toMatch(/Do not send it again\. It is 071-P-\w+\./);
    expect(said).not.toContain('Nothing was sent');
    const listed = await terminal.run(`${process.execPath} ${PROGRAM} journal list --jq length`);
    expect(listed.stdout.trim()).toBe('1');
  },
  60_000,
);

test.skipIf(process.platform === 'win32').each(['SIGINT', 'SIGTERM'] as const)(
  '%s ends it',
  async (signal) => {
    const { home, env } = shop();
    const args = [PROGRAM, 'emulator', 'status', '--jq', ENDLESS];
    const { child, printed, ended } = start(process.execPath, args, { cwd: home, env });
    await printed(/^9999$/m);
    child.kill(signal);
    const { stderr, ...end } = await ended;
    expect(end.code ?? end.signal).toBe('SIGINT');
    expect(stderr).toMatch(/^Error: Interrupted while the expression of --jq was still running\./);
  },
  60_000,
);

test.skipIf(!havePrograms('bash', 'head'))(
  'a reader who has enough ends it',
  async () => {
    const { home, env } = shop();
    const script = '"$0" "$1" emulator status --jq "repeat(1)" | head -n 3; echo $PIPESTATUS';
    const args = ['-c', script, process.execPath, PROGRAM];
    const { stdout, stderr } = await start('bash', args, { cwd: home, env }).ended;
    expect(stderr).toBe('');
    expect(stdout.split('\n').slice(1)).toEqual(['1', '1', '141', '']);
  },
  60_000,
);

test.skipIf(process.platform === 'win32')(
  'in a batch it outlives the first interrupt, and does not hold the second',
  async () => {
    const { home, env } = shop();
    const options = { cwd: home, env };
    writeFileSync(path.join(home, 'card.json'), JSON.stringify(CARD));
    const tokenize = [PROGRAM, 'tokenize', '--card-file', 'card.json', '-o', 'id'];
    const token = (await start(process.execPath, tokenize, options).ended).stdout.trim();
    const rows = Array.from({ length: 300 }, (_, n) => `${token},100,AUD,INV-${n}`);
    const header = 'card_token,amount,currency,reference';
    writeFileSync(path.join(home, 'charges.csv'), [header, ...rows, ''].join('\n'));

    const args = [PROGRAM, 'purchase', 'batch', 'charges.csv', '--max-count', '300'];
    const batch = start(process.execPath, [...args, '--jq', ENDLESS], options);
    await batch.printed(/^9999$/m);
    batch.child.kill('SIGINT');
    await batch.printed(/again to leave at once/);
    batch.child.kill('SIGINT');
    const end = await batch.ended;
    expect(end.code ?? end.signal).toBe('SIGINT');
  },
  60_000,
);
