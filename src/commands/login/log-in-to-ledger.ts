/**
 * The password of a shared ledger's server. gw asks for it if the server wants one, tries it, and stores it only in the
 * keychain of the operating system.
 */

import type { RequestOptions } from '../../client/connection/request-options.ts';
import { openServer } from '../../client/ledger/open-on-server.ts';
import {
  keychainAccountOf,
  LEDGER_COMMAND,
  NO_LEDGER_PASSWORD,
  ofLedger,
  passwordOfLibpq,
} from '../../client/ledger/password.ts';
import {
  type LedgerChoice,
  type LedgerHost,
  ledgerPlace,
  type ServerPlace,
} from '../../client/ledger/place.ts';
import { noteOfKept } from '../../client/profiles/credentials.ts';
import { Failure, orFailure, usage } from '../../failure.ts';
import type { Context } from '../../host/context.ts';
import type { Host } from '../../host/host.ts';
import { labelOfAddress } from '../../store/postgres/address.ts';
import type { ServerParts } from '../../store/postgres/server.ts';

const MAX_PASSWORD_BYTES = 4 * 1024;
const REFUSED = 'ledger-refused';

type Profile = LedgerChoice['profile'];

type AskOptions = Pick<RequestOptions, 'mayAsk'>;

/**
 * After a login to the gateway, makes sure that the profile's ledger accepts the user too. A problem is only reported
 * on stderr, since the gateway's credentials are already stored.
 */
export async function checkLedgerLogin(
  context: Context,
  name: string,
  { profile, options }: { profile: Profile; options: AskOptions },
): Promise<void> {
  const { host } = context;
  const { stderr } = host;
  try {
    const place = await ledgerPlace(host, { profile });
    if (place.kind === 'file') return;
    const failure = await connect(host, place);
    if (failure && options.mayAsk && isForKeychain(host, place, failure)) {
      await askAndKeep(host, place, options);
      return;
    }
    if (failure) throw failure;
    await stderr.write(`You have access to the ledger at ${labelOfAddress(place.address)}.\n`);
  } catch (error) {
    if (!(error instanceof Failure) || error.kind === 'interrupted') throw error;
    const next =
      error.code === NO_LEDGER_PASSWORD || error.code === REFUSED
        ? `Store its password with \`gw login ${name} --ledger\`.`
        : error.next;
    await stderr.write(`Warning: ${error.message}\n${next}\n`);
  }
}

/**
 * Stores only the password of the ledger: typed, or read from stdin if gw cannot ask. If the server wants none, gw says
 * so and stores nothing.
 * @throws Failure, with nothing stored, if the server does not accept it
 */
export async function logInToLedger(
  context: Context,
  name: string,
  { profile, options }: { profile: Profile; options: AskOptions },
): Promise<void> {
  const { host } = context;
  const place = await ledgerPlace(host, { profile });
  if (place.kind === 'file')
    throw usage(
      'ledger-is-a-file',
      `The ledger of ${name} is a file on this machine and has no password.`,
      `Choose one on a server first: \`gw profile set ${name} --ledger postgres://ledger.example/gw\`.`,
    );
  if (!(await wantsPassword(host, place))) {
    const label = labelOfAddress(place.address);
    await host.stderr.write(
      `The server of ${label} does not ask for a password, so nothing was stored.\n`,
    );
    return;
  }
  await askAndKeep(host, place, options);
}

async function askAndKeep(
  host: LedgerHost & Pick<Host, 'prompts' | 'stdin'>,
  place: ServerPlace,
  options: AskOptions,
): Promise<void> {
  const label = labelOfAddress(place.address);
  const password = options.mayAsk
    ? await host.prompts.hidden(`Password for the ledger at ${label} (not shown):`, {
        check: (value) => value !== '' || "Can't be blank",
      })
    : (await host.stdin.text(MAX_PASSWORD_BYTES)).replace(/\r?\n$/, '');
  if (password === '')
    throw new Failure(
      NO_LEDGER_PASSWORD,
      `No password for the ledger at ${label} came on stdin.`,
      'Pipe it in, or run the command in a terminal to be asked for it.',
      { kind: 'usage' },
    );
  host.hide(password);
  const failure = await connect(host, place, async () => ({ password, source: 'your input' }));
  if (failure)
    throw failure.with({
      next:
        failure.code === REFUSED
          ? 'Nothing was stored. Check the password and the role in the address.'
          : `Nothing was stored. ${failure.next}`,
    });
  const kept = await ofLedger(host.keychain.set(keychainAccountOf(place), password));
  const note = noteOfKept(kept, password, `the password for the ledger at ${label}`);
  const first = sourceBefore(host, place);
  await host.stderr.write(
    `Stored the password for the ledger at ${label} in the keychain.\n${note}` +
      (first === undefined ? '' : `It is not used here, because ${first} takes precedence.\n`),
  );
}

/** @returns the source of a password that comes before the keychain, if there is one */
function sourceBefore(
  host: Pick<Host, 'env' | 'user'>,
  { address, command }: ServerPlace,
): string | undefined {
  return command === undefined ? passwordOfLibpq(host, address)?.source : LEDGER_COMMAND;
}

/** @returns whether a password in the keychain would help */
function isForKeychain(
  host: Pick<Host, 'env' | 'user'>,
  place: ServerPlace,
  { code }: Failure,
): boolean {
  if (code === NO_LEDGER_PASSWORD) return true;
  return code === REFUSED && sourceBefore(host, place) === undefined;
}

/** @throws Failure if the server cannot be asked */
async function wantsPassword(host: LedgerHost, place: ServerPlace): Promise<boolean> {
  let isAsked = false;
  const failure = await connect(host, place, async () => {
    isAsked = true;
    throw new Failure(NO_LEDGER_PASSWORD, 'It asks for a password.', '');
  });
  if (failure && !isAsked) throw failure;
  return isAsked;
}

/**
 * @param password instead of the one that this machine has
 * @returns why the server rejects this user; undefined if it does not
 * @throws Failure interrupted
 */
async function connect(
  host: LedgerHost,
  place: ServerPlace,
  password?: ServerParts['password'],
): Promise<Failure | undefined> {
  const server = openServer(host, place, password);
  const asked = await orFailure(server.run('SELECT 1').finally(() => server.close()));
  if (!(asked instanceof Failure)) return undefined;
  if (asked.kind === 'interrupted') throw asked;
  return asked;
}
