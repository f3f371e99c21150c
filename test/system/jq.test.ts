/** An expression of --jq that does not end: what ends it, and what is said of what the command did. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { PROGRAM } from '../helpers/program.ts';
import { start } from '../helpers/run.ts';
import { temporaryDirectory } from '../helpers/temporary.ts';

const ENDLESS = 'def f: f; f';
/** Processor time of a thread that only jq uses: more than starting takes. */
const BUSY_TICKS = 100;
const CARD = {
  ...{ card_number: '4111111111111111', card_holder: 'Ada Byron' },
  ...{ card_expiry: '05/2099', cvv: '123' },
};
const BUY = 'purchase create --test-card approved --amount 2500 --currency AUD --reference INV-1';

function shop() {
  const home = temporaryDirectory();
  return {
    home,
    env: { PATH: process.env.PATH, HOME: home, LANG: 'C.UTF-8', GW_PROFILE: 'local' },
  };
}

/** Resolves when a thread of a process, other than its first one, has been busy for a while. */
async function jqRuns(pid: number | undefined): Promise<void> {
  const folder = `/proc/${pid}/task`;
  const ticksOf = (thread: string) =>
    Number(readFileSync(`${folder}/${thread}/stat`, 'utf8').split(') ')[1]?.split(' ')[11]);
  await vi.waitUntil(
    () =>
      readdirSync(folder)
        .filter((thread) => thread !== String(pid))
        .some((thread) => ticksOf(thread) >= BUSY_TICKS),
    { timeout: 50_000 },
  );
}

test.skipIf(process.platform !== 'linux').each(['SIGINT', 'SIGTERM'] as const)(
  '%s ends it, and the message names the purchase that was made',
  async (signal) => {
    const { home, env } = shop();
    const args = [PROGRAM, ...BUY.split(' '), '--jq', ENDLESS];
    const { child, ended } = start(process.execPath, args, { cwd: home, env });
    await jqRuns(child.pid);
    child.kill(signal);
    const { stderr, ...end } = await ended;
    expect(end.code ?? end.signal).toBe('SIGINT');
    expect(stderr).toContain('purchase create succeeded, but its record could not be printed.');
    expect(stderr).toMatch(/Do not send it again\. It is 071-P-\w+\./);
    expect(stderr).not.toContain('Nothing was sent');
    const list = [PROGRAM, 'journal', 'list', '--jq', 'length'];
    const listed = await start(process.execPath, list, { cwd: home, env }).ended;
    expect(listed.stdout.trim()).toBe('1');
  },
  60_000,
);

test.skipIf(process.platform !== 'linux')(
  'in a batch it survives the first interrupt, and the second ends it',
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
    await jqRuns(batch.child.pid);
    batch.child.kill('SIGINT');
    await batch.printed(/again to stop at once/);
    batch.child.kill('SIGINT');
    const end = await batch.ended;
    expect(end.code ?? end.signal).toBe('SIGINT');
  },
  60_000,
);
