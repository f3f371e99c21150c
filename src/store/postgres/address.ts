/**
 * Parses the address of a shared ledger. It has the form that PostgreSQL's own programs take:
 *
 *     postgres://ledger.example/gw
 *     postgres://ada@ledger.example:6432/gw
 *     postgres:///gw?host=/run/postgresql                     a Unix socket
 *
 * An address has no password and names one server. If there are several, a proxy or a moving name must lead to the one
 * that accepts writes. A list would be unsafe, because the first server that gw tries might be the old one. Over a
 * network, the server must prove its name by its certificate. On this machine that is not needed.
 */

import { type ConnectionOptions, parse as readAddress } from 'pg-connection-string';
import { holdsControl } from '../../base/hidden-characters.ts';
import { isLoopback } from '../../base/loopback.ts';
import { usage } from '../../failure.ts';

const DEFAULT_PORT = 5432;
const DEFAULT_HOST = '127.0.0.1';
const MAX_LENGTH = 2048;
/** A trusted authority signed the certificate, for the name in the address. */
const VERIFIED = 'verify-full';

export interface LedgerAddress {
  /** Name, IP address, or directory of a Unix socket. */
  host: string;
  port: number;
  database: string;
  /** Role on the server; undefined means the name of this machine's user. */
  user: string | undefined;
  /** Whether the connection is encrypted and the server's certificate verified. */
  isVerified: boolean;
  /** File with the trusted certificate authorities; undefined means those that Node trusts. */
  rootCertificates: string | undefined;
}

const SEVERAL =
  'names several servers; use one name or a proxy that leads to the server that accepts writes';
/** Other parameters allowed after the question mark, by their libpq names. */
const PARAMETERS = ['host', 'port', 'user'];

/**
 * @param whatItIs the address's name in messages: `--ledger`, `GW_LEDGER_URL`
 * @throws Failure usage if the text is not an address, contains a password, or would trust any server
 */
export function parseLedgerAddress(text: string, whatItIs: string): LedgerAddress {
  const parsed = parse(text);
  if (typeof parsed !== 'string') return parsed;
  throw usage(
    'ledger-address-invalid',
    `${whatItIs} ${parsed}.`,
    'Use an address such as postgres://ledger.example/gw.',
  );
}

/** @returns the fault of an address, or undefined; never quotes the text, which may hold a password */
export function faultOfLedgerAddress(text: string): string | undefined {
  const parsed = parse(text);
  return typeof parsed === 'string' ? parsed : undefined;
}

/** @returns the address as shown and compared: `ada@ledger.example:5432/gw` */
export function labelOfAddress({ host, port, database, user }: LedgerAddress): string {
  const place = host.includes(':') ? `[${host}]` : host;
  const number = port === DEFAULT_PORT ? '' : `:${port}`;
  return `${user === undefined ? '' : `${user}@`}${place}${number}/${database}`;
}

/** @returns whether gw reaches the host without a network */
export function isOnThisMachine(host: string): boolean {
  return host.startsWith('/') || isLoopback(host);
}

/** @returns the address, or its fault */
function parse(text: string): LedgerAddress | string {
  const fault = faultOfText(text);
  if (fault !== undefined) return fault;
  const [place = '', query = ''] = text.split(/\?(.*)/);
  const parameters = new URLSearchParams(query);
  const sslmode = parameters.get('sslmode') ?? undefined;
  const rootCertificates = parameters.get('sslrootcert') ?? undefined;
  // gw judges these two itself. The parser would read the file, and accept a mode that trusts any server.
  parameters.delete('sslmode');
  parameters.delete('sslrootcert');
  const read = parsed(`${place}?${parameters}`);
  if (!read) return 'is not an address: check its host and its port';
  const host = read.host || DEFAULT_HOST;
  const port = Number(read.port || DEFAULT_PORT);
  const isRemote = !isOnThisMachine(host);
  return (
    faultOfParts(read, parameters) ??
    faultOfSslmode(sslmode, isRemote) ?? {
      host,
      port,
      database: read.database ?? '',
      user: read.user || undefined,
      isVerified: isRemote || sslmode === VERIFIED,
      rootCertificates,
    }
  );
}

function faultOfText(text: string): string | undefined {
  if (text.length > MAX_LENGTH) return `is longer than ${MAX_LENGTH} characters`;
  if (/[\s\\]/.test(text) || holdsControl(text))
    return 'contains a space, a backslash or a control character';
  if (!/^postgres(?:ql)?:\/\//i.test(text)) return 'does not begin with postgres://';
  if (text.includes(',')) return SEVERAL;
  return text.includes('#') ? 'has a fragment' : undefined;
}

function faultOfParts(
  { host, port, database, password }: ConnectionOptions,
  parameters: URLSearchParams,
): string | undefined {
  if (password || parameters.has('password'))
    return 'contains a password, which belongs in the keychain';
  if ([...parameters.keys()].some((parameter) => !PARAMETERS.includes(parameter)))
    return 'has a parameter that gw does not know';
  if (host?.includes(',')) return SEVERAL;
  const number = Number(port || DEFAULT_PORT);
  if (!Number.isInteger(number) || number < 1 || number > 65_535) return 'has an invalid port';
  return database ? undefined : 'does not name a database';
}

/** @returns the parts that node-postgres reads; undefined if it fails, because its error would show the text */
function parsed(text: string): ConnectionOptions | undefined {
  try {
    return readAddress(text);
  } catch {
    return undefined;
  }
}

function faultOfSslmode(sslmode: string | undefined, isRemote: boolean): string | undefined {
  if (sslmode === undefined || sslmode === VERIFIED) return undefined;
  if (isRemote)
    return 'has an sslmode that does not verify the server; use verify-full over a network';
  return sslmode === 'disable' ? undefined : 'has an sslmode other than verify-full and disable';
}
