/** A test gateway of its own, and the profiles `shop` and `plain` for it: payments of `shop` need two persons. */
import path from 'node:path';
import { expect } from 'vitest';
import { PROGRAM } from './program.ts';
import { run, start } from './run.ts';

export interface Shop {
  env: Record<string, string>;
  /** Id of the purchase INV-1 of Ada Byron: 25.00 AUD. */
  purchase: string;
  gw(...args: string[]): Promise<string>;
  stop(): Promise<void>;
}

const ADDRESS = /http:\/\/127\.0\.0\.1:\d+/;

export async function openShop(home: string, more: Record<string, string> = {}): Promise<Shop> {
  const env = {
    ...{ PATH: String(process.env.PATH), HOME: home, TZ: 'UTC', GW_PROFILE: 'shop' },
    ...{ GW_USERNAME: 'TEST', GW_API_TOKEN: 'TEST', GW_OPERATOR: 'ada', ...more },
  };
  const gw = async (...args: string[]) => {
    const { code, stdout, stderr } = await run(process.execPath, [PROGRAM, ...args], { env });
    expect(code, stderr).toBe(0);
    return stdout.trim();
  };
  const serve = ['emulator', 'start', '--port', '0', '--db', path.join(home, 'gateway.db')];
  const plain = { PATH: env.PATH, HOME: home };
  const gateway = start(process.execPath, [PROGRAM, ...serve], { env: plain });
  await gateway.printed(ADDRESS);
  const [address = ''] = ADDRESS.exec(gateway.output()) ?? [];
  const settings = ['--environment', 'sandbox', '--base-url', address, '--currency', 'AUD'];
  for (const name of ['shop', 'plain']) await gw('profile', 'set', name, ...settings);
  await gw(
    ...['customer', 'create', '--test-card', 'approved', '--card-holder', 'Ada Byron'],
    ...['--first-name', 'Ada', '--last-name', 'Byron', '--reference', 'C-1'],
    ...['--email', 'ada@example.com'],
  );
  const bought = ['--customer', 'C-1', '--amount', '2500', '--reference', 'INV-1'];
  const purchase = await gw('purchase', 'create', ...bought, '-o', 'id');
  await gw('profile', 'set', 'shop', '--two-persons-above', '0.01');
  const stop = async () => {
    gateway.child.kill();
    await gateway.ended;
  };
  return { env, purchase, gw, stop };
}
