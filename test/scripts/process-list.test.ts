/**
 * Other users of the machine see this while gw waits for a secret on stdin: the command lines of all
 * processes. A pipe holds less than PADDING, so when all of it is written gw has begun to read.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { passesLuhn } from '../../src/contract/cards/card-number.ts';
import { PROGRAM } from '../helpers/program.ts';
import { type Running, start } from '../helpers/run.ts';
import { temporaryDirectory } from '../helpers/temporary.ts';

/** Nobody else's: another checkout may run the same test on this machine at the same time. */
const NUMBER = withCheckDigit(`374245${String(process.pid).padStart(8, '0')}`);
const CARD = `{"card_number": "${NUMBER}", "card_holder": "Ada Byron", "card_expiry": "05/2099", "cvv": "7391"}`;
const TOKEN = `waiting-token-0x5ECRET-${process.pid}`;
const PADDING = ' '.repeat(700_000);

function startGw(...args: string[]): Running {
  const env = { PATH: process.env.PATH, HOME: temporaryDirectory(), GW_PROFILE: 'local' };
  const gw = start(process.execPath, [PROGRAM, ...args], { env });
  onTestFinished(() => void gw.child.kill('SIGKILL'));
  return gw;
}

function write({ child }: Running, text: string): Promise<void> {
  return new Promise((resolve, reject) =>
    child.stdin?.write(text, (error) => (error ? reject(error) : resolve())),
  );
}

/** @returns command lines that have the text in them; a process that has just ended has none */
function commandLinesWith(text: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => readOrNothing(path.join('/proc', pid, 'cmdline')))
    .filter((line) => line.includes(text));
}

function withCheckDigit(digits: string): string {
  const found = [...'0123456789'].find((digit) => passesLuhn(digits + digit));
  return `${digits}${found}`;
}

function readOrNothing(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

describe.skipIf(process.platform !== 'linux')('while gw waits on stdin', () => {
  test('a card that is typed on the command line is seen: the check can fail', async () => {
    const gw = startGw('purchase', 'create', '--card-number', NUMBER, '--input', '-');
    await write(gw, PADDING);
    expect(commandLinesWith(NUMBER)).toHaveLength(1);
  });

  test('no process shows a card that is piped in', async () => {
    const gw = startGw('purchase', 'create', '--card-file', '-', '--amount', '2500', '--json');
    await write(gw, PADDING + CARD);
    expect(commandLinesWith(NUMBER)).toEqual([]);
    expect(readFileSync(`/proc/${gw.child.pid}/environ`, 'utf8')).not.toContain(NUMBER);
    gw.child.stdin?.end();
    const { code, stdout, stderr } = await gw.ended;
    expect(stdout + stderr).toContain(`"card_number": "374245XXXXX${NUMBER.slice(-4)}"`);
    expect(code).toBe(0);
  });

  test('no process shows an API token that is piped in', async () => {
    const gw = startGw(
      ...['login', 'sandbox', '--username', 'SHOP', '--with-token'],
      ...['--base-url', 'http://127.0.0.1:1'],
    );
    await write(gw, TOKEN);
    expect(commandLinesWith(TOKEN)).toEqual([]);
  });
});
