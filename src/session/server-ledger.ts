/** The server of a ledger that a team shares, with its password. */
import { Server } from '../postgres/server.ts';
import { ledgerPassword } from './ledger-password.ts';
import type { LedgerPlace } from './ledger-place.ts';
import type { LedgerHost } from './own-ledger.ts';

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

const MAX_CERTIFICATES_BYTES = 1024 * 1024;
