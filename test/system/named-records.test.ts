/** A command that takes an id also takes a reference or an email, known here or at the gateway. */
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { PROGRAM } from '../helpers/program.ts';
import { run } from '../helpers/run.ts';
import { havePrograms } from '../helpers/skip.ts';
import { temporaryDirectory } from '../helpers/temporary.ts';
import { openTerminal } from '../helpers/terminal.ts';

function machine() {
  const home = temporaryDirectory();
  writeFileSync(
    path.join(home, 'gw'),
    `#!/bin/sh\nexec '${process.execPath}' '${PROGRAM}' "$@"\n`,
    {
      mode: 0o755,
    },
  );
  const env = {
    PATH: `${home}:${process.env.PATH}`,
    HOME: home,
    GW_PROFILE: 'local',
    LANG: 'C.UTF-8',
  };
  const sh = (line: string, input = '') => run('sh', ['-c', line], { env, cwd: home, input });
  const json = async (line: string) => JSON.parse((await sh(`${line} --json`)).stdout);
  return { home, env, sh, json };
}

type Machine = ReturnType<typeof machine>;

const CARD = '--test-card approved';

async function pay({ json }: Machine, reference: string): Promise<string> {
  return (
    await json(`gw purchase create ${CARD} --amount 2500 --currency AUD --reference ${reference}`)
  ).id;
}

async function enroll({ json }: Machine, reference: string, email: string): Promise<string> {
  const who = '--first-name Ada --last-name Byron';
  return (await json(`gw customer create ${who} --reference ${reference} --email ${email} ${CARD}`))
    .id;
}

/** Calls gw on a machine that has never seen the records of the gateway. */
function forget({ home }: Machine): void {
  const state = path.join(home, '.local/state/gw');
  for (const name of readdirSync(state))
    if (/^(?:ledger|seen)/.test(name)) rmSync(path.join(state, name));
}

describe('the reference of a subscription', () => {
  test.each(['gw refund create SUB-1 --amount 100 --reference RET-1', 'gw receipt SUB-1'])(
    'chooses none of its charges in %s',
    async (command) => {
      const at = machine();
      await at.sh('gw plan create --name Gold --reference GOLD --description Daily --amount 2500');
      const customer = await enroll(at, 'C-1', 'ada@example.com');
      const today = (await at.json('gw emulator status')).time.slice(0, 10);
      await at.sh(
        `gw subscription create --customer ${customer} --plan GOLD --frequency Daily --start-date ${today} --reference SUB-1`,
      );
      await at.sh('gw emulator advance 3d');
      forget(at);
      const refused = await at.sh(command);
      expect(refused.code).toBe(2);
      expect(refused.stderr).toMatch(
        /"SUB-1" is the reference of every charge of a subscription\. 071-P-\w+ is one of them/,
      );
      // Now one of them is known here, and is no more the one that was meant.
      expect((await at.sh(command)).stderr).toBe(refused.stderr);
    },
  );
});

describe('an email, for a subscription', () => {
  const plan = 'gw plan create --name Gold --reference GOLD --description Daily --amount 2500';
  const subscribe = (customer: string, reference: string) =>
    `gw subscription create --customer ${customer} --plan GOLD --frequency Monthly --start-date 2099-05-01 --reference ${reference}`;

  test("stands for the customer's only subscription, and is refused if there are two", async () => {
    const at = machine();
    await at.sh(plan);
    const customer = await enroll(at, 'C-1', 'ada@example.com');
    const { id } = await at.json(subscribe(customer, 'SUB-1'));
    const stopped = await at.sh('gw subscription stop Ada@example.com --json');
    expect(JSON.parse(stopped.stdout)).toMatchObject({ id, is_active: false });
    expect(stopped.stderr).toContain(
      `Ada@example.com is a customer. Their only known subscription is subscription ${id}.`,
    );
    expect((await at.sh('gw subscription stop "ada byron"')).code).toBe(2);

    await at.json(subscribe(customer, 'SUB-2'));
    const refused = await at.sh('gw subscription update ada@example.com --is-active');
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(/names several records: .*SUB-2.*SUB-1/s);
  });
});

describe('the name of a customer', () => {
  test('is refused in a pipe with the whole command about the id', async () => {
    const at = machine();
    const id = await enroll(at, 'C-1', 'ada@example.com');
    const { stderr } = await at.sh("gw customer update 'ada byron' --email new@example.com");
    expect(stderr).toContain(`\`gw customer update ${id} --email new@example.com\``);
    const last = await at.sh('gw refund create --last-of ada byron --amount 5.00 --reference R-1');
    expect(last.stderr).toContain(
      "`gw refund create --last-of 'ada byron' --decimal-amount 5.00 --reference R-1`",
    );
  });

  test.skipIf(!havePrograms('script', 'stty'))(
    'is shown on a terminal before it is changed, and asked about once',
    async () => {
      const at = machine();
      const id = await enroll(at, 'C-1', 'ada@example.com');
      const terminal = openTerminal({ columns: 100, rows: 24, env: at.env, cwd: at.home });
      const { ended } = terminal.begin("gw customer update 'ada byron' --email new@example.com");
      await terminal.shows(
        new RegExp(`Record +${id} \\(Ada Byron, C-1, ada@example.com, ending in [^]*Send it`),
      );
      terminal.type('y\r');
      expect((await ended).code).toBe(0);
      expect(terminal.text().join('\n')).toContain(
        `gw customer update ${id} -p local --email new@example.com`,
      );
    },
  );
});

describe('the card of a customer', () => {
  test('is charged by --customer, which says who it is', async () => {
    const at = machine();
    await enroll(at, 'C-1', 'ada@example.com');
    const sale = '--amount 2500 --currency AUD --reference INV-1';
    const paid = await at.sh(`gw purchase create --customer ada@example.com ${sale} --json`);
    expect(JSON.parse(paid.stdout)).toMatchObject({ amount: 2500, reference: 'INV-1' });
    expect(paid.stderr).toMatch(
      /This charges the stored card of 071-C-\w+ \(Ada Byron, C-1, ada@example\.com/,
    );
    // One payment alone is meant by the email.
    expect((await at.sh('gw receipt ada@example.com')).stdout).toContain('INV-1');
    const twice = await at.sh(`gw purchase create --customer C-1 ${sale}`);
    expect(twice.code).toBe(10);
    expect(twice.stderr).toContain('give it another --reference');
    const both = await at.sh(`gw purchase create --customer C-1 --test-card approved ${sale}`);
    expect(both.code).toBe(2);
  });
});

describe('the last payment of a customer', () => {
  test('is shown, and refunded with the note that says why', async () => {
    const at = machine();
    const customer = await enroll(at, 'C-1', 'ada@example.com');
    const { card_token: token } = await at.json(`gw customer get ${customer}`);
    const buy = (reference: string, amount: number) =>
      at.json(
        `gw purchase create --card-token ${token} --amount ${amount} --reference ${reference}`,
      );
    await buy('INV-1', 1000);
    const { id } = await buy('INV-2', 2000);
    const of = 'gw refund create --last-of ada@example.com';
    const refund = await at.sh(`${of} --full --reference RET-1 --note 'box was broken' --json`);
    expect(refund.stderr).toContain(
      `The last payment of ada@example.com known here is ${id}: 20.00 AUD`,
    );
    expect(JSON.parse(refund.stdout)).toMatchObject({ amount: -2000 });
    expect((await at.sh(`${of} --full --reference RET-2`)).code).toBe(10);
    const history = await at.json('gw history INV-2');
    expect(history).toMatchObject([
      { what: 'purchase' },
      { what: 'refund', note: 'box was broken' },
    ]);
  });

  test('is known after the card was renewed, here or elsewhere', async () => {
    const at = machine();
    const customer = await enroll(at, 'C-1', 'ada@example.com');
    const buy = async (reference: string) => {
      const sale = `--amount 2500 --currency AUD --reference ${reference}`;
      return (await at.json(`gw purchase create --customer ${customer} ${sale}`)).id;
    };
    const lastOf = async () =>
      (await at.sh('gw refund create --last-of ada@example.com --full --reference R-1 --dry-run'))
        .stderr;
    const renew = `gw customer update ${customer} --test-card`;
    const first = await buy('INV-1');
    await at.sh(`${renew} approved-visa`);
    expect(await lastOf()).toContain(first);
    const second = await buy('INV-2');
    const { card_token: token } = await at.json(`gw customer get ${customer}`);
    // Another machine has no ledger of this one.
    await at.sh('cd .local/state/gw && mkdir kept && mv ledger* kept/');
    expect((await at.sh(`${renew} approved-jcb`)).code).toBe(0);
    await at.sh('cd .local/state/gw && rm -f ledger.db* seen* && mv kept/* .');
    expect((await at.json(`gw customer get ${customer}`)).card_token).not.toBe(token);
    expect(await lastOf()).toContain(second);
    for (const line of ['gw get ada byron', 'gw get C-1', `gw get ${token}`])
      expect((await at.sh(`${line} -o table`)).stdout).toMatch(/paid +50\.00 AUD in 2 payments/);
    for (const line of ['gw report charges all time --customer C-1', 'gw report customer C-1'])
      expect((await at.sh(line)).stderr).toContain('2 purchases: 50.00 AUD.');
    expect(await at.json('gw history C-1')).toHaveLength(4);
  });

  test('is refused without one known payment and one name', async () => {
    const at = machine();
    await enroll(at, 'C-1', 'ada@example.com');
    for (const of of ['ada@example.com', "'Ada Byron'", 'nobody@example.com'])
      expect(await at.sh(`gw refund create --last-of ${of} --full`)).toMatchObject({ code: 2 });
    const both = await at.sh('gw refund create 071-P-1 --last-of C-1 --full');
    expect(both.stderr).toContain('Give only one of them.');
    const card = `gw refund create 071-P-1 --amount 1 --reference R --note 'card 5123456789012346'`;
    expect((await at.sh(card)).stderr).toContain('The note holds a card number');
    expect(await at.json('gw journal list --limit 9')).toEqual([]);
  });

  test('of a name alone is refused with a command that works', async () => {
    const at = machine();
    await enroll(at, 'C-1', 'ada@example.com');
    await at.sh(
      'gw purchase create --card-token "$(gw customer get C-1 --jq .card_token)" --amount 2500 --reference INV-7',
    );
    const byName = await at.sh("gw refund create --last-of 'ada byron' --amount 3.75");
    const [, proposed = ''] = /`(gw refund [^`]*)`/.exec(byName.stderr) ?? [];
    expect(proposed).toMatch(/--decimal-amount 3\.75 --reference RET-7$/);
    expect(await at.sh(`${proposed} --dry-run`)).toMatchObject({ code: 0 });
  });
});

describe('a refund', () => {
  test.each([
    ['as an argument', 'gw refund create WEB-3021'],
    ['as a flag', 'gw refund create --transaction-id WEB-3021'],
  ])('by a reference %s sends and stores the id, and is the same refund', async (_, command) => {
    const at = machine();
    const id = await pay(at, 'WEB-3021');
    const first = await at.sh(`${command} --amount 500 --reference RET-1`);
    expect(first.stderr).toContain(`WEB-3021 is the reference of purchase ${id}.`);
    expect(first.code).toBe(0);
    expect((await at.json('gw journal list'))[0]).toMatchObject({ target: id, reference: 'RET-1' });
    for (const again of [command, `gw refund create ${id}`])
      expect((await at.sh(`${again} --amount 500 --reference RET-1`)).code).toBe(10);
    const rest = await at.sh(`${command} --full --reference RET-2 --json`);
    expect(JSON.parse(rest.stdout)).toMatchObject({ amount: -2000 });
  });

  test('accepts a reference in a body, with a decimal amount or not', async () => {
    const at = machine();
    const id = await pay(at, 'WEB-3021');
    const body = JSON.stringify({ transaction_id: 'WEB-3021', amount: 500, reference: 'RET-1' });
    expect((await at.sh('gw refund create --input -', body)).code).toBe(0);
    expect((await at.sh(`gw refund create ${id} --amount 500 --reference RET-1`)).code).toBe(10);
    const other = JSON.stringify({ transaction_id: 'WEB-3021', reference: 'RET-2' });
    const paid = await at.sh('gw refund create --input - --decimal-amount 5.00 --json', other);
    expect(JSON.parse(paid.stdout).amount).toBe(-500);
  });

  test('looks up an unknown reference at the gateway', async () => {
    const at = machine();
    const id = await pay(at, 'WEB-3021');
    forget(at);
    expect((await at.sh('gw refund create WEB-3021 --amount 500 --reference RET-1')).code).toBe(0);
    expect((await at.json('gw journal list'))[0]).toMatchObject({ target: id });
  });

  test('sends a reference unchanged that nobody knows', async () => {
    const { sh } = machine();
    const { code, stderr } = await sh('gw refund create WEB-9 --amount 500 --reference RET-1');
    expect(code).toBe(6);
    expect(stderr).toContain('Original transaction could not be found');
  });

  test('is refused for the email or reference of a customer', async () => {
    const at = machine();
    const customer = await enroll(at, 'CUST-1', 'ada@example.com');
    for (const name of ['ada@example.com', 'CUST-1', customer]) {
      const { code, stderr } = await at.sh(`gw refund create ${name} --amount 500 --reference R`);
      expect(stderr).toContain(`names customer ${customer}, and no purchase.`);
      expect(code).toBe(2);
    }
  });

  test('in a batch is refused with a reference, which may mean another purchase later', async () => {
    const at = machine();
    const id = await pay(at, 'WEB-3021');
    const lines = `transaction_id,amount,reference\n${id},100,A\nWEB-3021,100,B\n`;
    const { code, stderr } = await at.sh('gw refund batch', lines);
    expect(stderr).toContain(
      `stdin:3: transaction_id "WEB-3021" names purchase ${id}: write its id, or add --by-reference, which takes it in all lines`,
    );
    expect(code).toBe(2);
    expect((await at.sh('gw refund batch', lines.replace('WEB-3021', id))).code).toBe(0);
  });

  test('in a dry run names the known purchase', async () => {
    const at = machine();
    const id = await pay(at, 'WEB-3021');
    const refund = 'gw refund create WEB-3021 --amount 500 --reference RET-1 --dry-run';
    expect(JSON.parse((await at.sh(refund)).stdout).body.transaction_id).toBe(id);
    forget(at);
    const { stderr, code } = await at.sh(refund);
    expect(stderr).toContain(
      'The real run asks the gateway whether WEB-3021 is an id or a reference.',
    );
    expect(code).toBe(0);
  });
});

/** A customer with a plan and a subscription. */
async function shop() {
  const at = machine();
  const customer = await enroll(at, 'CUST-1', 'ada@example.com');
  const named = '--description d --amount 100';
  const plan: string = (await at.json(`gw plan create --name Gold --reference GOLD ${named}`)).id;
  await at.sh(`gw plan create --name Tin --reference TIN ${named}`);
  const made = await at.json(
    'gw subscription create --customer ada@example.com --plan GOLD --frequency Weekly --start-date 2099-01-01 --reference SUB-1 --is-active',
  );
  expect(made.customer).toBe(customer);
  const subscription: string = made.id;
  return { at, customer, plan, subscription };
}

describe('a customer, a plan and a subscription', () => {
  test('are looked up and changed by email or reference', async () => {
    const { at, customer, plan, subscription } = await shop();
    for (const [command, id] of [
      ['customer get ada@example.com', customer],
      ['customer get CUST-1', customer],
      ['plan get GOLD', plan],
      ['subscription get SUB-1', subscription],
      [`subscription get ${subscription}`, subscription],
      ['customer update ada@example.com --first-name Augusta', customer],
      ['customer update CUST-1 --first-name Ada', customer],
      ['plan update GOLD --name Golden', plan],
      ['subscription update SUB-1 --is-active', subscription],
      ['subscription stop SUB-1', subscription],
      ['subscription stop sub-1', subscription],
    ] as const)
      expect((await at.json(`gw ${command}`)).id, command).toBe(id);
  });

  test("are moved by an id or a reference, and not changed by a person's name", async () => {
    const { at, customer, subscription } = await shop();
    const moved = await at.sh(`gw subscription move ${subscription} --plan TIN`);
    expect(moved.stderr).toContain(
      'Stopped SUB-1; SUB-1-TIN takes its place: 1.00 (account currency) Weekly from 2099-01-01.',
    );
    expect(moved.code).toBe(0);
    const { code, stderr } = await at.sh('gw customer delete "Ada Byron"');
    expect(stderr).toContain(`is the name of customer ${customer}, and others may have the same.`);
    expect(code).toBe(2);
  });

  test('are not deleted by an email that two customers have', async () => {
    const both = machine();
    const ids = [
      await enroll(both, 'C-1', 'shared@example.com'),
      await enroll(both, 'C-2', 'shared@example.com'),
    ];
    const { code, stderr } = await both.sh('gw customer delete shared@example.com');
    expect(code).toBe(2);
    for (const id of ids) expect(stderr).toContain(id);
    expect((await both.json('gw customer delete C-2')).id).toBe(ids[1]);
    expect((await both.json('gw customer delete shared@example.com')).id).toBe(ids[0]);
  });
});

describe.skipIf(!havePrograms('script', 'stty'))('the same command without questions', () => {
  test('runs after a refund by a reference', async () => {
    const at = machine();
    const id = await pay(at, 'WEB-3021');
    const { begin, shows, type } = openTerminal({
      columns: 120,
      rows: 30,
      env: at.env,
      cwd: at.home,
    });
    const { ended } = begin('gw refund create WEB-3021');
    await shows(/Amount in AUD/);
    type('5\r');
    await shows(/Reference/);
    type('RET-1\r');
    await shows(/Record +071|Purchase +071/);
    await shows(/Send it\?/);
    type('y\r');
    const { stdout, code } = await ended;
    expect(code).toBe(0);
    const [command = ''] = /gw refund create WEB-3021 .*/.exec(stdout.replaceAll('\r', '')) ?? [];
    expect(command).toContain('--amount 500 --reference RET-1');
    const again = await at.sh(command);
    expect(again.code).toBe(10);
    expect(again.stderr).toContain(id);
    expect((await at.sh(`${command} --allow-duplicate`)).code).toBe(0);
  });
});
