/**
 * The test gateway in each dialect, as a program of its own, with an account for each client and
 * one of each kind of record in it. Its time stands still.
 */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DIALECTS, type Dialect } from '../../src/contract/local-account.ts';
import { basicAuthorization } from '../../src/host/http/basic-auth.ts';
import { PROGRAM } from '../helpers/program.ts';
import { type Running, start } from '../helpers/run.ts';
import { CARD } from './bodies.ts';
import type { Account, Client } from './client.ts';

export const TODAY = '2026-03-10';

/** Names of existing records in the texts of a case, such as `{purchase}`. */
export type Names = Readonly<Record<string, string>>;

export interface Gateways {
  accountOf(dialect: Dialect, client: Client): { account: Account; names: Names };
  close(): Promise<void>;
}

export async function startGateways(clients: readonly Client[]): Promise<Gateways> {
  const home = mkdtempSync(path.join(tmpdir(), 'gw-clients-'));
  const seed = path.join(home, 'seed.json');
  const merchants = clients.map((client) => ({
    ...credentialsOf(client),
    cards: [{ ...CARD, alias: 'ann' }],
  }));
  writeFileSync(seed, JSON.stringify({ start: `${TODAY}T09:30:00Z`, merchants }));
  const running: Running[] = [];
  const found = new Map<string, { account: Account; names: Names }>();
  for (const dialect of DIALECTS) {
    const db = path.join(home, `${dialect}.db`);
    const server = start(
      process.execPath,
      [
        ...[PROGRAM, 'emulator', 'start', '--port', '0', '--db', db],
        ...['--seed', seed, '--dialect', dialect],
      ],
      { env: { PATH: process.env.PATH, HOME: home } },
    );
    running.push(server);
    await server.printed(/^http:\/\/\S+\n/m);
    const url = /^http:\/\/\S+/m.exec(server.output())?.[0] ?? '';
    for (const client of clients) {
      const { username, api_token } = credentialsOf(client);
      const account = { url, username, password: api_token };
      found.set(dialect + client.name, { account, names: await makeRecords(account) });
    }
  }
  return {
    accountOf: (dialect, { name }) => {
      const account = found.get(dialect + name);
      if (!account) throw new Error(`${name} has no account`);
      return account;
    },
    async close() {
      for (const { child } of running) child.kill('SIGTERM');
      await Promise.all(running.map(({ ended }) => ended));
    },
  };
}

const credentialsOf = ({ name }: Client) => ({
  username: name.replaceAll(/\W+/g, '-'),
  api_token: 'T0K3N',
});

/** Makes one of each kind in the form of the text, so that either dialect takes it. */
async function makeRecords({ url, username, password }: Account): Promise<Names> {
  const make = async (resource: string, body: object): Promise<Record<string, string>> => {
    const answer = await fetch(`${url}/v1.0/${resource}`, {
      method: 'POST',
      headers: { authorization: basicAuthorization(username, password) },
      body: JSON.stringify(body),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${resource} cannot be made: ${text}`);
    return JSON.parse(text).response;
  };
  const card = await make('credit_cards', CARD);
  const purchase = await make('purchases', { ...CARD, amount: 50_000, reference: 'ORDER-1' });
  const refund = await make('refunds', {
    ...{ transaction_id: purchase.id, amount: 100, reference: 'RETURN-1' },
  });
  const plan = await make('plans', {
    ...{ name: 'Gold', reference: 'GOLD', description: 'All of it', amount: 2500 },
  });
  const { card_expiry: expiry_date, ...rest } = CARD;
  const customer = await make('customers', {
    ...{ first_name: 'Ann', last_name: 'Example', reference: 'ANN', email: 'ann@example.com' },
    card: { ...rest, expiry_date },
  });
  const subscription = await make('subscriptions', {
    ...{ customer: customer.id, plan: plan.id, frequency: 'Weekly', reference: 'ANN-GOLD' },
  });
  const made = { purchase, refund, plan, customer, subscription };
  return {
    token: card.token ?? '',
    ...Object.fromEntries(Object.entries(made).map(([name, { id = '' }]) => [name, id])),
  };
}
