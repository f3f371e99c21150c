/** The ledger that a team shares on a server, and that server with its password. */
import type { Ledger } from '../journal/ledger.ts';
import { openPostgresLedger } from '../journal/postgres-ledger.ts';
import { Server } from '../postgres/server.ts';
import { authorOf } from './author.ts';
import { ledgerPassword } from './ledger-password.ts';
import type { LedgerPlace } from './ledger-place.ts';
import type { LedgerHost, OpenLedgerOptions } from './own-ledger.ts';

type ServerPlace = Extract<LedgerPlace, { kind: 'server' }>;

/**
 * @param password in place of what is stored, for whoever tries one
 * @returns the server of a place; it is connected to when it is first asked
 */
export function openServer(
  host: LedgerHost,
  place: ServerPlace,
  password = () => ledgerPassword(host, place),
): Server {
  const { address } = place;
  const { rootCertificates } = address;
  return new Server({
    address,
    userName: host.user.name,
    password,
    rootCertificates:
      rootCertificates === undefined
        ? undefined
        : host.files.read(rootCertificates, MAX_CERTIFICATES_BYTES),
    sleep: (ms) => host.clock.sleep(ms),
  });
}

/** @returns its ledger; the connection is begun, and waited for when it is first asked */
export function openServerLedger(
  host: LedgerHost,
  place: ServerPlace,
  { endOfTurn }: Pick<OpenLedgerOptions, 'endOfTurn'>,
): Ledger {
  const author = authorOf(host);
  const server = openServer(host, place);
  server.begin();
  return openPostgresLedger(server, { author, clock: host.clock, endOfTurn });
}

const MAX_CERTIFICATES_BYTES = 1024 * 1024;
