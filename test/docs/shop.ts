/**
 * A shop in which examples run: a home with the first records of a new test gateway and the files
 * that the examples name; an application of the shop's own, which takes webhooks; and a gateway that
 * loses its answers.
 */
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { PROGRAM } from '../helpers/program.ts';
import { type Ended, run, start } from '../helpers/run.ts';
import { haveLibsecret, havePrograms } from '../helpers/skip.ts';

/** Each line prints an id, which stands for the word before it in the examples. */
const RECORDS = {
  PURCHASE:
    'gw purchase create --card-file card.json --amount 2500 --currency AUD --reference INV-1000 -o id',
  TOKEN: 'gw purchase get PURCHASE --jq .card_token',
  REFUND: 'gw refund create --transaction-id PURCHASE --amount 100 --reference RET-1000 -o id',
  PLAN: 'gw plan create --name Gold --reference GOLD --description "Every day" --amount 900 -o id',
  UNUSED: 'gw plan create --name Lead --reference LEAD --description Never --amount 500 -o id',
  OTHER: 'gw plan create --name Tin --reference TIN --description "Every week" --amount 700 -o id',
  CUSTOMER:
    'gw customer create --first-name Ada --last-name Byron --reference CUST-1 --email ada@example.com --card-file card.json -o id',
  SUBSCRIPTION:
    'gw subscription create --customer CUSTOMER --plan TIN --frequency Weekly --start-date 2026-02-01 --reference SUB-1 -o id',
  SECOND:
    'gw purchase create --card-file card.json --amount 1000 --currency AUD --reference INV-999 -o id',
  ENTRY: 'gw journal list --unresolved --profile shop -o id',
};

/** The time of the gateway stands still; its ids are the ones of any new gateway. */
const FROZEN = '{"start": "2026-01-15T10:00:00Z"}';
const CARD = {
  card_number: '5123456789012346',
  card_holder: 'Ada Byron',
  card_expiry: '05/2099',
  cvv: '739',
};
const FILES = {
  'ids.txt': 'SECOND\n',
  'charges.csv': 'card_token,amount,reference\nTOKEN,1200,CH-1\nTOKEN,1300,CH-2\n',
  'charges.jsonl': '{"card_token": "TOKEN", "amount": 1400, "reference": "CH-3"}\n',
  'books.csv':
    'id,reference,amount,currency,state\nPURCHASE,INV-1000,2500,AUD,Approved\nSECOND,INV-999,1000,AUD,Approved\nREFUND,,-100,AUD,Approved\n',
  'cards.csv':
    'card_number;card_holder;card_expiry;cvv\n4111111111111111;Ada Byron;05/2099;739\n2221001234567896;Bo Chan;06/2099;321\n',
  'customers.csv':
    'first_name,last_name,reference,email,card_number,expiry_date,cvv,city\nGrace,Hopper,CUST-8,grace@example.com,4111111111111111,05/2099,739,Arlington\nAlan,Turing,CUST-9,alan@example.com,2221001234567896,06/2099,739,\n',
  'subscriptions.csv':
    'customer,plan,frequency,reference,start_date,is_active\nCUSTOMER,GOLD,Monthly,SUB-8,2026-03-01,\nCUSTOMER,GOLD,Weekly,SUB-9,,false\n',
  'april.csv': 'Invoice,Amount\nINV-1000,1.50\nINV-999,1.60\n',
  'refunds.csv': 'transaction_id,amount,reference\nPURCHASE,150,RET-1\nPURCHASE,160,RET-2\n',
};
/** Another test gateway, with the account that `gw login` is given. */
const SEED = {
  merchants: [{ username: 'shop', api_token: 'secret', prefix: '102', currency: 'EUR' }],
};
/** A purchase whose outcome is not known. */
const FORGETFUL_PROFILE = `gw profile set shop --environment sandbox --base-url FORGETFUL --credential-command 'echo {\\"username\\":\\"shop\\",\\"apiToken\\":\\"secret\\"}'`;
const LOST =
  'gw purchase create --profile shop --card-token lost --amount 700 --currency AUD --reference INV-998 || test $? -eq 8';
/** The line that a running command prints when it is ready. */
const READY = /Press Ctrl-C to stop/;

export const hasKeychain =
  process.platform === 'linux' &&
  havePrograms('dbus-run-session', 'gnome-keyring-daemon') &&
  haveLibsecret();

export interface Outcome extends Ended {
  /** How every `gw` of the line ended; a pipeline tells of its last program only. */
  codes: number[];
}

export interface Shop {
  /** @returns a home of its own, in which everything is as the shop left it */
  home(name: string): string;
  /** Runs a line by `sh`. */
  shell(home: string, line: string): Promise<Outcome>;
  /** @returns what the line printed, when it succeeded */
  succeed(home: string, line: string): Promise<string>;
  /**
   * Runs a command that goes on until something ends it.
   * @param by a line that does, with OWN for the address of the command; without it, a signal
   */
  until(home: string, line: string, by?: string): Promise<Outcome>;
  close(): Promise<void>;
}

export async function openShop(): Promise<Shop> {
  const root = mkdtempSync(path.join(tmpdir(), 'gw-examples-'));
  const bin = path.join(root, 'bin');
  const template = path.join(root, 'shop');
  for (const folder of [bin, template]) mkdirSync(folder);
  const program = (name: string, lines: string) =>
    writeFileSync(path.join(bin, name), `#!/bin/sh\n${lines}\n`, { mode: 0o755 });
  // The trap keeps the shell until the program, which gets the signal too, has ended.
  program(
    'gw',
    `trap : TERM
    "${process.execPath}" "${PROGRAM}" "$@"
    code=$?; echo $code >> "$HOME/exit-codes"; exit $code`,
  );
  program('pass', 'echo secret');

  const words = new Map<string, string>();
  const real = (line: string) =>
    [...words].reduce((text, [word, meant]) => text.replaceAll(word, meant), line);

  const [application, forgetful] = await Promise.all([listening(takesAll()), listening(forgets())]);
  words.set('127.0.0.1:3000', application.host).set('FORGETFUL', `http://${forgetful.host}`);
  words.set('events get 17', 'events get 1').set('events resend 17', 'events resend 1');

  const shop: Shop = {
    home(name) {
      const home = path.join(root, name);
      cpSync(template, home, { recursive: true });
      return home;
    },
    async shell(home, line) {
      const ended = await runIn(bin, home, real(line));
      return { ...ended, codes: takeExitCodes(home) };
    },
    async succeed(home, line) {
      const { code, stdout, stderr } = await shop.shell(home, line);
      if (code !== 0) throw new Error(`exit ${code}: ${line}\n${stderr}`);
      return stdout;
    },
    async until(home, line, by) {
      // A port of its own, since others may run at the same time.
      const own = `exec ${real(line).replace(/ --port \d+/, '')} --port 0`;
      const options = { cwd: home, env: environmentOf(bin, home), detached: true };
      const running = start('sh', ['-c', own], options);
      await running.printed(READY);
      const url = /http:\/\/127\.0\.0\.1:\d+[^\s;]*/.exec(running.output())?.[0] ?? '';
      if (by === undefined) process.kill(-(running.child.pid ?? 0), 'SIGTERM');
      else await shop.succeed(home, by.replaceAll('OWN', url));
      return { ...(await running.ended), codes: takeExitCodes(home) };
    },
    async close() {
      server.child.kill('SIGTERM');
      await server.ended;
      application.server.close();
      forgetful.server.close();
      rmSync(root, { recursive: true, force: true });
    },
  };

  for (const [name, content] of Object.entries({ card: CARD, shop: SEED })) {
    writeFileSync(path.join(template, `${name}.json`), JSON.stringify(content));
  }
  writeFileSync(path.join(template, 'frozen.json'), FROZEN);
  await shop.succeed(template, 'gw emulator reset --seed frozen.json');
  await shop.succeed(template, FORGETFUL_PROFILE);
  await shop.succeed(template, LOST);
  for (const [word, line] of Object.entries(RECORDS)) {
    words.set(word, (await shop.succeed(template, `GW_PROFILE=local ${line}`)).trim());
  }
  for (const [name, text] of Object.entries(FILES)) {
    writeFileSync(path.join(template, name), real(text));
  }

  const serverHome = shop.home('server');
  const server = start(
    process.execPath,
    [PROGRAM, 'emulator', 'start', '--port', '0', '--db', 'server.db', '--seed', 'shop.json'],
    { cwd: serverHome, env: environmentOf(bin, serverHome) },
  );
  await server.printed(/^http\S+\n/);
  words.set('SERVER', /^http\S+/.exec(server.output())?.[0] ?? '');

  // The first two events that were received.
  const events = ['charge:successful', 'charge:retry'].map((name) => `gw trigger ${name} --to OWN`);
  await shop.until(template, 'gw listen --count 2', events.join(' && '));
  return shop;
}

async function listening(server: Server) {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, host: `127.0.0.1:${(server.address() as AddressInfo).port}` };
}

const takesAll = () =>
  createServer((request, response) => {
    request.resume().on('end', () => response.end());
  });

/** Answers money requests with nothing, and finds purchases by their reference, as some gateways do. */
function forgets(): Server {
  const purchases = new Map<string, object>();
  return createServer(async (request, response) => {
    if (request.method === 'POST') {
      const { reference, amount } = JSON.parse(await text(request));
      const transaction_date = new Date().toISOString();
      const id = '102-P-LOST0001';
      purchases.set(reference, { id, reference, amount, successful: true, transaction_date });
      response.end();
      return;
    }
    const purchase = purchases.get(request.url?.split('/').at(-1) ?? '');
    const body = { successful: true, response: purchase, errors: [], test: true };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
  });
}

/** In a session with an empty keychain for what needs one, where this machine has it. */
function runIn(bin: string, home: string, line: string): Promise<Ended> {
  const options = { cwd: home, env: environmentOf(bin, home) };
  if (!hasKeychain || !/\bgw (?:login|logout|profile remove)\b/.test(line)) {
    return run('sh', ['-c', line], options);
  }
  const unlock = 'echo | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1';
  return run('dbus-run-session', ['--', 'sh', '-c', `${unlock}\n${line}`], options);
}

function environmentOf(bin: string, home: string) {
  const runtime = path.join(home, 'run');
  mkdirSync(runtime, { recursive: true, mode: 0o700 });
  return {
    PATH: `${bin}:${process.env.PATH}`,
    HOME: home,
    XDG_RUNTIME_DIR: runtime,
    LANG: 'C.UTF-8',
  };
}

/** The exit codes that the shop's commands wrote down since the last call. */
function takeExitCodes(home: string): number[] {
  const file = path.join(home, 'exit-codes');
  const codes = readFileSync(file, 'utf8').trim().split('\n').map(Number);
  writeFileSync(file, '');
  return codes;
}
