/**
 * `gw emulator start`: serves the test gateway over HTTP until it is interrupted.
 *
 * Tests: test/system/emulator-start.test.ts
 */

import type { Dialect } from '../../contract/local-account.ts';
import type { Beginning } from '../../emulator/initial-contents.ts';
import type { Store } from '../../emulator/store.ts';
import type { Host } from '../../host/host.ts';
import type { KnownHost } from '../../requests/known/open-ledger.ts';
import { renderError } from '../../view/errors.ts';
import { replaceState } from './start-over.ts';

export interface ServeSettings {
  /** The file of the state. */
  path: string;
  /** true deletes the old state first. */
  isFresh: boolean;
  /** The beginning of new state. Existing state only gets its dialect and time. */
  beginning: Beginning;
  /** The address to listen on. */
  address: string;
  port: number;
  allowRemote: boolean;
  faults: boolean;
}

const DIALECT_TEXTS: Readonly<Record<Dialect, string>> = {
  deployed: 'the deployed dialect, which accepts requests as deployments do',
  strict: 'the strict dialect, which accepts only what the text of the interface allows',
};

/** @throws Failure usage if the state cannot be used, or the address is taken; invalid settings change nothing */
export async function serveGateway(
  host: KnownHost & Pick<Host, 'stdout'>,
  settings: ServeSettings,
): Promise<void> {
  const [{ serve }, { Refusals }, { runInBackground }, { openState }] = await Promise.all([
    import('../../emulator/http/server.ts'),
    import('../../host/http/refusals.ts'),
    import('../../emulator/billing/advance.ts'),
    import('../../emulator/state.ts'),
  ]);
  const { clock, stdout, stderr, interrupted } = host;
  const { path, isFresh, beginning, address, port, allowRemote, faults } = settings;
  const at = { clock, host: address, port, allowRemote };
  if (isFresh) {
    // An address that cannot be used must not cost the old state.
    const trial = openState({ path: ':memory:', clock });
    await (await serve({ ...at, store: trial })).close();
    trial.close();
    await replaceState(host, path, beginning);
  }
  const store = openState({ path, clock, ...(isFresh ? {} : beginning) });
  const onDefect = (error: unknown) => void stderr.write(renderError(error, { debug: true }));
  const refusals = new Refusals((text) => void stderr.write(`${text}\n`));
  const server = await serve({
    ...at,
    store,
    faults,
    onDefect,
    onRefused: (status, reason) => refusals.add(status, reason),
  });
  if (!isFresh && !store.isNew) await change(store, beginning, host);
  await stdout.write(`${server.url}\n`);
  await stderr.write(greeting(store, server.url, host));
  if (faults)
    await stderr.write('Faults are on: a request with the header X-Gw-Fault meets one.\n');
  await runInBackground({ store, clock, signal: interrupted, onDefect });
  await server.close();
  refusals.end();
  store.close();
}

/** Gives existing state another dialect and another time. */
async function change(
  store: Store,
  { dialect, time }: Beginning,
  { clock, interrupted }: Pick<Host, 'clock' | 'interrupted'>,
): Promise<void> {
  if (time) {
    const { moveClockTo } = await import('../../emulator/billing/advance.ts');
    await moveClockTo(time, { store, clock, signal: interrupted });
  }
  if (dialect) store.write((tx) => tx.setDialect(dialect));
}

/** A smaller difference between clocks is not shown. */
const SAME_TIME_MS = 60_000;

function greeting(store: Store, url: string, { clock, env }: Pick<Host, 'clock' | 'env'>): string {
  const { time, dialect } = store.read((tx) => ({ time: tx.now, dialect: tx.dialect }));
  const isLikeHere = Math.abs(time.getTime() - clock.now().getTime()) < SAME_TIME_MS;
  // The variable would choose another account.
  const without = env.GW_PROFILE ? 'GW_PROFILE= ' : '';
  return [
    `The built-in test gateway is listening on ${url}; its state is in ${store.path}.`,
    `It uses ${DIALECT_TEXTS[dialect]}.`,
    ...(isLikeHere ? [] : [`Its clock is at ${time.toISOString()}.`]),
    `Try: ${without}GW_USERNAME=TEST GW_API_TOKEN=TEST GW_ENVIRONMENT=sandbox \\`,
    `     GW_BASE_URL=${url} gw plan list`,
    'Press Ctrl-C to stop.',
    '',
  ].join('\n');
}
