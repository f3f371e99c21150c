/** A connection as a command makes it, with a sender and a ledger of the test's own. */

import type { RequestOptions } from '../../src/client/connection/request-options.ts';
import type { ConnectionParts } from '../../src/client/connection/wire.ts';
import { Secret } from '../../src/client/profiles/credentials.ts';
import type { Profile } from '../../src/client/profiles/profile.ts';
import type { Context } from '../../src/host/context.ts';
import type { Host } from '../../src/host/host.ts';
import { Redactor } from '../../src/host/redaction/redactor.ts';
import { openConnection } from '../../src/requests/open-connection.ts';
import { Capture } from './capture.ts';

/** The usual options, without a person to ask. */
export const USUAL_OPTIONS: RequestOptions = {
  profile: undefined,
  confirmedProfile: undefined,
  timeoutMs: undefined,
  recordsMoney: true,
  refusesDuplicates: false,
  refusesOverRefunds: false,
  isDebugging: false,
  isDryRun: false,
  isRaw: false,
  mayAsk: false,
};

export interface ConnectionSetting {
  redactor?: Redactor;
  host: Partial<Host>;
  profile: Partial<Profile>;
  options?: Partial<RequestOptions>;
  parts: Partial<ConnectionParts>;
  /** The loader of the program, if the test has one. */
  load?: Context['load'];
}

/** For the account shop, on a sandbox profile of that name unless it is said otherwise. */
export function testConnection({
  host,
  profile,
  options,
  parts,
  redactor = new Redactor(),
  load,
}: ConnectionSetting) {
  return openConnection(
    {
      host: {
        env: {},
        user: { name: 'ada', machine: 'desk' },
        version: '1.2.3',
        stderr: new Capture(),
        interrupted: new AbortController().signal,
        ...host,
      } as Host,
      redactor,

      ...(load && { load }),
    },
    {
      profile: {
        name: 'sandbox',
        environment: 'sandbox',
        baseUrl: new URL('https://gateway.example/api'),
        ...profile,
      },
      credentials: async () => ({ username: 'shop', apiToken: new Secret('secret-token') }),
    },
    { ...USUAL_OPTIONS, ...options },
    { random: () => 0, ...parts },
  );
}
