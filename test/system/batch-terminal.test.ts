/** A batch on a terminal: what a person sees of it, and of an interruption. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { PROGRAM } from '../helpers/program.ts';
import { havePrograms } from '../helpers/skip.ts';
import { temporaryDirectory } from '../helpers/temporary.ts';
import { openTerminal } from '../helpers/terminal.ts';

/** By its amount, this card declines the third line. */
const CARD = {
  ...{ card_number: '4111111111111111', card_holder: 'Ada Byron' },
  ...{ card_expiry: '05/2099', cvv: '123' },
};
const LINES = 400;

function shop(columns: number, plain?: string) {
  const home = temporaryDirectory();
  writeFileSync(path.join(home, 'card.json'), JSON.stringify(CARD));
  const terminal = openTerminal({
    ...{ columns, rows: 24, cwd: home },
    env: { PATH: process.env.PATH, HOME: home, LANG: 'C.UTF-8', ...(plain && { GW_PLAIN: plain }) },
  });
  const gw = (args: string) => `${process.execPath} ${PROGRAM} ${args} -p local`;
  return { home, terminal, gw };
}

const fill = (home: string, token: string) =>
  writeFileSync(
    path.join(home, 'charges.csv'),
    [
      'card_token;decimal_amount;currency;reference',
      ...Array.from({ length: LINES }, (_, n) => `${token};1.${n === 2 ? 51 : '00'};AUD;INV-${n}`),
      '',
    ].join('\r\n'),
  );

test.skipIf(!havePrograms('script')).each([[80], [120]])(
  'at %i columns a batch draws one line, and an interruption is reported once',
  async (columns) => {
    const { home, terminal, gw } = shop(columns);
    const { stdout } = await terminal.run(gw('tokenize --card-file card.json -o id'));
    fill(home, stdout.trim());
    const running = terminal.begin(gw('purchase batch charges.csv --rate 40 --failed left.csv'));
    // The part below the decline stays until it is drawn again, in one piece.
    await terminal.shows(/Line 4 {2}declined.*\n(?:.*\n)*.*\d+ of 400 {2}\d+ done/);
    expect(terminal.text().filter((line) => /\d of 400/.test(line))).toHaveLength(1);
    terminal.type('\x03');
    await running.ended;
    await terminal.shows(/Interrupted/);
    const text = terminal.text();
    expect(text.filter((line) => /\d of 400/.test(line))).toEqual([]);
    expect(text).toContain('Line 4  declined  INV-2  1.51 AUD  Insufficient Funds');
    const whole = text.join('');
    expect(whole.match(/not-started|not started/g)).toHaveLength(2);
    expect(whole).toMatch(/Purchase batch, 400 lines: \d+ done, 1 declined, \d+ not started\./);
    expect(whole).toContain('in left.csv');
    expect(whole).not.toContain('{');
  },
  60_000,
);

test.skipIf(!havePrograms('script'))(
  'in plain mode no line is redrawn',
  async () => {
    const { home, terminal, gw } = shop(80, '1');
    const { stdout } = await terminal.run(gw('tokenize --card-file card.json -o id'));
    fill(home, stdout.trim());
    const ended = await terminal.run(gw('purchase batch charges.csv --max-count 400'));
    expect(ended.stdout).not.toContain('\u001b[K');
    expect(terminal.text()).toContain('Line 4  declined  INV-2  1.51 AUD  Insufficient Funds');
  },
  60_000,
);
