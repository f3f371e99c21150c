/** Questions in a real terminal: what is asked, what is drawn while one types, and what is said before and after. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { PROGRAM } from '../helpers/program.ts';
import { run } from '../helpers/run.ts';
import { havePrograms } from '../helpers/skip.ts';
import { temporaryDirectory } from '../helpers/temporary.ts';
import { openTerminal, type Terminal } from '../helpers/terminal.ts';

const NUMBER = '5123 4567-8901 2346';
const PURCHASE = 'gw purchase create -p local --test-card approved --amount 2500';

/** A terminal of somebody who has never used gw, or has the profile `live`. */
function desk({ env = {}, live }: { env?: Record<string, string>; live?: object } = {}) {
  const home = temporaryDirectory();
  const bin = path.join(home, 'bin');
  mkdirSync(bin);
  writeFileSync(path.join(bin, 'gw'), `#!/bin/sh\nexec '${process.execPath}' '${PROGRAM}' "$@"\n`, {
    mode: 0o755,
  });
  if (live) {
    const config = path.join(home, '.config', 'gw');
    mkdirSync(config, { recursive: true, mode: 0o700 });
    const profiles = { live: { environment: 'live', baseUrl: 'https://127.0.0.1:1', ...live } };
    writeFileSync(path.join(config, 'profiles.json'), JSON.stringify({ profiles }), {
      mode: 0o600,
    });
  }
  const all = {
    PATH: `${bin}:${process.env.PATH}`,
    HOME: home,
    LANG: 'C.UTF-8',
    GW_OPERATOR: 'ada@desk',
    ...env,
  };
  const terminal = openTerminal({ columns: 80, rows: 24, env: all, cwd: home });
  const gw = (line: string, input = '') => run('sh', ['-c', line], { env: all, cwd: home, input });
  return { terminal, gw };
}

/** Answers questions in their order: what has to be on the screen, and what is typed then. */
async function answer(
  { shows, type }: Terminal,
  steps: readonly (readonly [shown: RegExp, keys: string])[],
): Promise<void> {
  for (const [shown, keys] of steps) {
    await shows(shown);
    type(keys);
  }
}

const CREDENTIALS = { credentialCommand: `echo '{"username": "shop", "apiToken": "TEST"}'` };

describe.skipIf(!havePrograms('script', 'stty'))('a person at a terminal', () => {
  test('picks a missing argument from the known records, or cancels', async () => {
    const { terminal, gw } = desk({ live: CREDENTIALS });
    const shown = terminal.begin('gw profile use');
    await answer(terminal, [[/Profile: ?\n❯ 1\. live {2}LIVE, 127\.0\.0\.1:1/, '\r']]);
    expect((await shown.ended).code).toBe(0);
    expect(terminal.text().join('\n')).toContain('Default profile: live (LIVE)');
    const { stdout } = await gw(`${PURCHASE} -o id`);
    const looked = terminal.begin('gw purchase get -p local');
    const id = stdout.trim();
    await answer(terminal, [
      [
        new RegExp(`Purchases known here, newest first:\\n {2}${id} {2}25.00 AUD.*\\n.*Purchase:`),
        `${id}\r`,
      ],
    ]);
    expect((await looked.ended).code).toBe(0);
    const removed = terminal.begin('gw profile remove');
    await answer(terminal, [[/profile remove\n\? Profile: ?\n❯ 1\. live/, '\x03']]);
    expect((await removed.ended).code).toBe(130);
    expect(terminal.text().join('\n')).toContain('Cancelled. Nothing was changed.');
    expect((await gw('gw profile use')).stderr).toContain('`gw profile use NAME`');
  });

  test('types a hidden card, sees the summary and gets the command without questions', async () => {
    const { terminal, gw } = desk();
    const { ended } = terminal.begin('gw purchase create -p local');
    await answer(terminal, [
      [/Card: ?\n❯ 1\. type a card/, '\r'],
      [/Card number \(not shown\):$/m, '4111'],
      [/: \*{4}$/m, '\r'],
      [/4 digits, and one has 12 to 19/, NUMBER],
      [/: \*{19}$/m, '\r'],
      [/Name on the card:/, 'Ada\r'],
      [/Expiry \(MM\/YY\):/, '05/20\r'],
      // A refused answer stays: Ctrl-U wipes it.
      [/expired in 05\/2020/, '\x150531\r'],
      [/05\/2031/, ''],
      [/CVV \(not shown; empty when there is none\):/, '739'],
      [/: \*{3}$/m, '\r'],
      [/Amount in AUD \(like 25.00\):/, '25\r'],
      [/: 25.00 AUD/, ''],
      [/Reference \(your own; empty for none\):/, 'INV-1\r'],
      [
        /Card +512345XXXXXX2346\n.*Name +Ada\n.*Expiry +05\/2031\n.*Amount +25.00 AUD\n.*Reference +INV-1\n.*Send it\?/,
        'y\r',
      ],
    ]);
    expect((await ended).code).toBe(0);
    const text = terminal.text().join('\n');
    expect(text).not.toMatch(/4111|5123 4567|8901/);
    expect(terminal.text().filter((line) => line.includes('CVV'))).toEqual([
      '✔ CVV (not shown; empty when there is none): ***',
    ]);
    const command =
      'gw purchase create -p local --card-file - --currency AUD --amount 2500 --reference INV-1';
    // The terminal breaks the line.
    const unbroken = text.replaceAll('\n', '');
    expect(unbroken).toContain(
      `The same without questions, with the card as JSON on stdin:  ${command}`,
    );
    const card =
      '{"card_number": "5123456789012346", "card_holder": "Ada", "card_expiry": "05/2031"}';
    const again = await gw(command, card);
    expect(again).toMatchObject({ code: 10, stderr: expect.stringContaining('You already made') });
  });

  test('gw asks nothing if every flag is given', async () => {
    const { terminal } = desk();
    const { code } = await terminal.run(`${PURCHASE} --reference INV-1 -o id`);
    expect(code).toBe(0);
    expect(terminal.text()).toHaveLength(2 + 1);
  });

  test('picks a profile and a test card, and sends nothing after a no', async () => {
    const { terminal } = desk();
    const { ended } = terminal.begin('gw purchase create --amount 2500');
    await answer(terminal, [
      [/No profile is set up yet.*\n.*Profile: ?\n❯ 1\. local/, '\r'],
      [/❯ 1\. type a card/, 'decl'],
      [/❯ \d+\. declined /, '\r'],
      [/Reference/, '\r'],
      [/Send it\?/, 'n\r'],
    ]);
    expect((await ended).code).toBe(130);
    expect(terminal.text().join('\n')).toMatch(/\nCancelled\. Nothing was sent\.$/);
  });

  test.each([
    ['Ctrl-C', '\x03'],
    ['Ctrl-D', '\x04'],
  ])('cancels a command with %s', async (_, key) => {
    const { terminal } = desk();
    const { ended } = terminal.begin('gw plan create -p local --name Gold');
    await answer(terminal, [[/Reference:/, key]]);
    expect((await ended).code).toBe(130);
    expect(terminal.text().at(-1)).toBe('Cancelled. Nothing was sent.');
  });

  test.each([
    ['drawn', {}, '\r', '\x03'],
    ['drawn', {}, '\r', '\x04'],
    ['plain', { GW_PLAIN: '1' }, '1\r', '\x03'],
    ['plain', { GW_PLAIN: '1' }, '1\r', '\x04'],
  ])(
    'who cancels a hidden question sees later keys again: %s, %j, %j, %j',
    async (_, env, first, key) => {
      const { terminal } = desk({ env });
      const { ended } = terminal.begin('gw purchase create -p local; stty -a');
      await answer(terminal, [
        [/type a card/, first],
        [/Card number \(not shown\):/, key],
      ]);
      expect((await ended).code).toBe(0);
      expect(terminal.text().join('\n')).toMatch(/Cancelled(.*\n)*.* icanon (.*\n)*.* echo /);
    },
  );

  test('picks a plan of the gateway and a known customer', async () => {
    const { terminal, gw } = desk();
    const made = await gw(
      [
        'gw plan create -p local --name Gold --reference GOLD --description "Every week" --amount 500 -o id',
        'gw plan create -p local --name Tin --reference TIN --description "Never" --amount 100 -o id',
        'gw customer create -p local --first-name Ada --last-name Byron --reference C-1 --email ada@example.com --test-card approved -o id',
      ].join(' && '),
    );
    expect(made).toMatchObject({ code: 0, stderr: '' });
    const { ended } = terminal.begin('gw subscription create -p local');
    await answer(terminal, [
      [/ 071-C-\S+ {2}Ada Byron, ada@example.com, C-1\n.*Customer:/, 'c-1\r'],
      [/✔ Customer: 071-C-/, ''],
      [/ GOLD {2}Gold, 5.00 AUD\n {2}TIN {3}Tin, 1.00 AUD\n.*Plan:/, 'tin\r'],
      [/Frequency:/, 'week'],
      [/❯ \d+\. Weekly/, '\r'],
      [/Reference:/, 'SUB-1\r'],
      [/Start date \(YYYY-MM-DD\): \(\d{4}-\d\d-\d\d\)/, '2099-02-30\r'],
      [/The start date is not a date that exists/, '\x152099-03-01\r'],
      [
        /Plan +TIN, Tin: 1.00 AUD each time\n.*Customer +Ada Byron \(071-C-\w+\)\n.*Frequency +Weekly\n.*First billing +2099-03-01\n.*Reference +SUB-1\n.*Send it\?/,
        'y\r',
      ],
    ]);
    expect((await ended).code).toBe(0);
    // The line is longer than the screen is wide.
    expect(terminal.text().join('')).toMatch(
      /--plan TIN --frequency Weekly --reference SUB-1 --start-date 2099-03-01$/,
    );
  });

  test('a refund offers refundable purchases, with customer and amount left', async () => {
    const { terminal, gw } = desk();
    const made = await gw(
      [
        `paid=$(${PURCHASE} --reference INV-1 -o id)`,
        `gw refund create $paid -p local --amount 1500 --reference RET-1 -o id`,
        `gw refund create $(${PURCHASE} --reference INV-2 -o id) -p local --full --reference RET-2 -o id`,
        'gw purchase create -p local --test-card declined --amount 700 --reference INV-3 -o id',
        'echo $paid',
      ].join('; '),
    );
    const paid = made.stdout.trim().split('\n').at(-1);
    const { ended } = terminal.begin('gw refund create -p local');
    await terminal.shows(/Purchase:/);
    const [title, row, next] = terminal.text().slice(1);
    expect(title).toBe('Purchases that can be refunded, newest first:');
    expect(row).toMatch(
      new RegExp(`^  ${paid}  10\\.00 AUD left, Test Card, card ending 2346, [-\\d]{10}, INV-1$`),
    );
    expect(next?.trim()).toBe('? Purchase:');
    await answer(terminal, [
      [/Purchase:/, 'INV-1\r'],
      [new RegExp(`✔ Purchase: ${paid}\n(.*\n)*.*10\\.00 is left`), '4\r'],
      [/Reference:/, 'RET-4\r'],
      [
        /Name +Test Card\n.*Card +512345XXXXXX2346\n.*Left before this refund +10\.00 AUD\n.*Send it\?/,
        'n\r',
      ],
    ]);
    expect((await ended).code).toBe(130);
  });

  test('with --plain gets the known records as lines', async () => {
    const { terminal, gw } = desk({ env: { GW_PLAIN: '1' } });
    await gw(`${PURCHASE} --reference INV-1 -o id`);
    const { ended } = terminal.begin('gw refund create -p local');
    await answer(terminal, [
      [
        /^Purchases that can be refunded, newest first:\n071-P-\w+: 25.00 AUD left, .*INV-1\nPurchase: /m,
        'inv-1\r',
      ],
      [/^071-P-\w+\nAmount in AUD/m, '\x03'],
    ]);
    expect((await ended).code).toBe(130);
  });

  test('a refund shows the amount left, and takes no more', async () => {
    const { terminal, gw } = desk();
    const { stdout } = await gw(`${PURCHASE} --reference INV-1 -o id`);
    const { ended } = terminal.begin(`gw refund create ${stdout.trim()} -p local`);
    await answer(terminal, [
      [/Amount in AUD \(like 25.00; 25.00 is left\):/, '30\r'],
      [/Only 25.00 AUD is left/, '\x1510.50\r'],
      [/Reference:/, 'RET-1\r'],
      [/Amount +10.50 AUD/, ''],
      [/Send it\?/, 'y\r'],
    ]);
    expect((await ended).code).toBe(0);
    const full = await gw(`gw refund create ${stdout.trim()} -p local --full --reference RET-2`);
    expect(full.stderr).toContain('14.50 AUD (25.00 AUD paid, 10.50 AUD refunded).');
  });

  test('with --plain gets questions as lines that are not redrawn', async () => {
    const { terminal } = desk({ env: { GW_PLAIN: '1' } });
    const { ended, output } = terminal.begin('gw purchase create -p local');
    await answer(terminal, [
      [/^1\. type a card/m, ''],
      [/Number or name:/, '1\r'],
      [/Card number \(not shown\):/, '4111\r'],
      [/4 digits, and one has 12 to 19/, `${NUMBER}\r`],
      [/Name on the card:/, 'Ada\r'],
      [/Expiry/, '0531\r'],
      [/CVV \(not shown/, '739\r'],
      [/Amount in AUD/, '25.00\r'],
      [/^25.00 AUD/m, ''],
      [/Reference/, '\r'],
      [/Send it\? \(y\/N\)/, 'y\r'],
    ]);
    expect((await ended).code).toBe(0);
    expect(output()).not.toContain('\u001b');
  });
});

describe.skipIf(!havePrograms('script', 'stty'))('a live profile in a terminal', () => {
  test('that is read-only or has no credentials asks nothing', async () => {
    const { terminal } = desk({ live: { ...CREDENTIALS, readOnly: true } });
    expect((await terminal.run('gw purchase create -p live')).code).toBe(10);
    expect(terminal.text().join(' ')).not.toContain('Card number');
    const without = desk({ live: { credentialCommand: 'exit 1' } }).terminal;
    expect((await without.run('gw purchase create -p live')).code).toBe(3);
    expect(without.text().join(' ')).not.toContain('Card number');
  });

  test('says LIVE and sends nothing without its exact name', async () => {
    const { terminal } = desk({ live: CREDENTIALS });
    const { ended } = terminal.begin(
      'gw purchase create -p live --card-token tok --amount 2500 --currency AUD',
    );
    await answer(terminal, [
      [
        /LIVE: this moves real money\.\n(.*\n)*.*Amount +25.00 AUD\n.*Type the profile name \(live\)/,
        'liv\r',
      ],
      [/not the profile name\. 2 tries are left/, 'LIVE\r'],
      [/not the profile name\. 1 try is left/, '\r'],
    ]);
    expect((await ended).code).toBe(10);
    expect(terminal.text().join(' ')).toMatch(/Error: Not confirmed.*Nothing was sent\./);
  });

  test('announces charges, even of an unknown amount', async () => {
    const { terminal } = desk({ live: CREDENTIALS });
    const { ended } = terminal.begin(
      'gw subscription create -p live --customer C --plan GOLD --frequency Daily --reference S',
    );
    await answer(terminal, [
      [
        /LIVE: this starts charges of real money that repeat\.\n(.*\n)*.*Plan +GOLD: gw does not know what it charges\n.*Customer +C\n.*Frequency +Daily\n(.*\n)*.*Type the profile name \(live\)/,
        '\x03',
      ],
    ]);
    expect((await ended).code).toBe(130);
  });

  test('asks again for a mistyped name, and not for the card', async () => {
    const { terminal } = desk({ live: CREDENTIALS });
    const { ended } = terminal.begin('gw purchase create -p live --amount 2500 --currency AUD');
    await answer(terminal, [
      [/Card number \(not shown\):/, `${NUMBER}\r`],
      [/Name on the card:/, 'Ada\r'],
      [/Expiry/, '0531\r'],
      [/CVV/, '\r'],
      [/Reference/, '\r'],
      [/Name +Ada\n.*Card +512345XXXXXX2346\n(.*\n)*.*Type the profile name/, 'lvie\r'],
      [/2 tries are left/, 'live\r'],
    ]);
    // Nobody listens there.
    expect((await ended).code).toBe(7);
  });

  test('is removed after its name is typed, and not after a cancellation', async () => {
    const { terminal, gw } = desk({ live: CREDENTIALS });
    const first = terminal.begin('gw profile remove live');
    await answer(terminal, [[/Type the profile name \(live\)/, '\x03']]);
    expect((await first.ended).code).toBe(130);
    expect(terminal.text().at(-1)).toBe('Cancelled. Nothing was changed.');
    const second = terminal.begin('gw profile remove live');
    await terminal.shows(/Type the profile name \(live\)/, 2);
    terminal.type('live\r');
    expect((await second.ended).code).toBe(0);
    expect((await gw('gw profile list -o id')).stdout).toBe('local\n');
  });
});

test('two simultaneous refunds of all that is left are one refund', async () => {
  const { gw } = desk();
  const { stdout } = await gw(`${PURCHASE} --reference INV-1 -o id`);
  const refund = (reference: string) =>
    gw(`gw refund create ${stdout.trim()} -p local --full --reference ${reference} -o id`);
  const ended = await Promise.all([refund('RET-1'), refund('RET-2')]);
  expect(ended.map(({ code }) => code).toSorted()).toEqual([0, 10]);
});
