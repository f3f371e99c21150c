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

/** The variables that hold the passwords of usernames, by the flag that gives the username. */
const PASSWORD_VARIABLES = {
  'basic-auth': 'GW_LISTEN_PASSWORD',
  'forward-basic-auth': 'GW_FORWARD_PASSWORD',
} as const;

type UsernameFlag = keyof typeof PASSWORD_VARIABLES;

/** The flag for the username of a receiver, by the flag of its address. */
const USERNAME_FLAGS = {
  to: 'basic-auth',
  'forward-to': 'forward-basic-auth',
} as const;

const usernameOption = (flag: UsernameFlag, whose: string, group: { helpGroup?: string }) =>
  option({
    description: `Username ${whose}. gw asks for the password or takes it from ${PASSWORD_VARIABLES[flag]}.`,
    helpValue: '<username>',
    ...group,
  });

export const basicAuthFlag = (whose: string, group: { helpGroup?: string } = {}) => ({
  'basic-auth': usernameOption('basic-auth', whose, group),
});

export const forwardBasicAuthFlag = (whose: string, group: { helpGroup?: string }) => ({
  'forward-basic-auth': usernameOption('forward-basic-auth', whose, group),
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
 * @param username the value of the flag
 * @throws Failure usage if there is no password and gw cannot ask, or if the variable has quotes or blanks around it
 */
export async function basicCredentials(
  { host, redactor }: PasswordContext,
  username: string | undefined,
  options: Pick<RequestOptions, 'mayAsk'>,
  flag: UsernameFlag = 'basic-auth',
): Promise<BasicCredentials | undefined> {
  if (username === undefined) return undefined;
  const variable = PASSWORD_VARIABLES[flag];
  if (username === '' || username.includes(':')) {
    throw usage(
      'username-invalid',
      `--${flag} takes a username without a colon.`,
      `Example: --${flag} hooks`,
    );
  }
  const given = host.env[variable];
  const fault = given && oddPartOf(given);
  if (fault) throw hidesSomething(`${variable} ${fault}`);
  const missing = usage(
    'password-missing',
    `No password given for ${username}.`,
    `Set ${variable}. Others could read it on the command line.`,
  );
  const whose = flag === 'basic-auth' ? '' : ' at the application';
  const ask = () => host.prompts.hidden(`Password for ${username}${whose} (not shown):`);
  const password = given || (await askOrRefuse(options, missing, ask));
  redactor.addCredentials(username, password);
  return { username, password };
}

/**
 * @param flag of the address
 * @param text an address; without a scheme, a port of this machine is taken as http://
 * @throws Failure usage unless the text is an http or https address without credentials
 */
export function parseTarget(flag: keyof typeof USERNAME_FLAGS, text: string): URL {
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
      `Leave them out, and add --${USERNAME_FLAGS[flag]} USERNAME: gw asks for the password.`,
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
