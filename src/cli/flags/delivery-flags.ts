/** Shared by the commands around webhooks: addresses, the receiver's password. */

import { hidesSomething, oddPartOf } from '../../base/clean-text.ts';
import { receiverAddress } from '../../base/loopback.ts';
import type { RequestOptions } from '../../client/connection/request-options.ts';
import { askOrRefuse, usage } from '../../failure.ts';
import type { Host } from '../../host/host.ts';
import type { BasicCredentials } from '../../host/http/check-basic-auth.ts';
import type { Redactor } from '../../host/redaction/redactor.ts';
import { option } from './flag.ts';

/** The address of a listener that was started without flags. */
export const LISTENER_HOST = '127.0.0.1';
export const LISTENER_PORT = 4242;
export const LISTENER_URL = `http://${LISTENER_HOST}:${LISTENER_PORT}/`;

const MAX_PORT = 65_535;
const PASSWORD_VARIABLE = 'GW_LISTEN_PASSWORD';

export const basicAuthFlag = (whose: string, group: { helpGroup?: string } = {}) => ({
  'basic-auth': option({
    description: `Username ${whose}. gw asks for the password or takes it from ${PASSWORD_VARIABLE}.`,
    helpValue: '<username>',
    ...group,
  }),
});

export const setFlag = {
  set: option({
    description:
      'Change one field of the body: join names with dots; list positions start at 0. May be repeated.',
    helpValue: '<path=value>',
    multiple: true,
  }),
};

/** The parts of the context that a password for deliveries needs. */
export interface PasswordContext {
  host: Pick<Host, 'env' | 'prompts'>;
  redactor: Pick<Redactor, 'addCredentials'>;
}

/**
 * @param username the value of `--basic-auth`
 * @throws Failure usage if there is no password and gw cannot ask, or if the variable has quotes or blanks around it
 */
export async function basicCredentials(
  { host, redactor }: PasswordContext,
  username: string | undefined,
  options: Pick<RequestOptions, 'mayAsk'>,
): Promise<BasicCredentials | undefined> {
  if (username === undefined) return undefined;
  if (username === '' || username.includes(':')) {
    throw usage(
      'username-invalid',
      '--basic-auth takes a username without a colon.',
      'Example: --basic-auth hooks',
    );
  }
  const given = host.env[PASSWORD_VARIABLE];
  const fault = given && oddPartOf(given);
  if (fault) throw hidesSomething(`${PASSWORD_VARIABLE} ${fault}`);
  const missing = usage(
    'password-missing',
    `No password given for ${username}.`,
    `Set ${PASSWORD_VARIABLE}. Others could read it on the command line.`,
  );
  const ask = () => host.prompts.hidden(`Password for ${username} (not shown):`);
  const password = given || (await askOrRefuse(options, missing, ask));
  redactor.addCredentials(username, password);
  return { username, password };
}

/**
 * @param text an address; without a scheme, a port of this machine is taken as http://
 * @throws Failure usage unless the text is an http or https address without credentials
 */
export function parseTarget(flag: string, text: string): URL {
  const url = receiverAddress(text);
  if (!url) {
    throw usage(
      'url-invalid',
      `--${flag} takes an address that begins with http:// or https://.`,
      `For example --${flag} http://127.0.0.1:3000/hooks.`,
    );
  }
  if (url.username || url.password) {
    throw usage(
      'url-has-credentials',
      `The address in --${flag} contains credentials, which other programs could read.`,
      'Remove them from the address.',
    );
  }
  return url;
}

/**
 * @param text the value of `--port`
 * @param usual the port to name as an example
 * @returns the port; 0 lets the system choose
 * @throws Failure usage if it is not a port
 */
export function parsePort(text: string, usual: number): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port <= MAX_PORT) return port;
  throw usage(
    'port-invalid',
    `--port takes a number from 0 to ${MAX_PORT}, not ${JSON.stringify(text)}.`,
    `For example --port ${usual}.`,
  );
}
