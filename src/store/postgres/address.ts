/**
 * The address of a ledger that a team shares, in the form that PostgreSQL's own programs take:
 *
 *     postgres://ledger.example/gw
 *     postgres://ada@ledger.example:6432/gw
 *     postgres:///gw?host=/run/postgresql                     a Unix socket
 *
 * It holds no password, and leads to one server: which of several takes writes is for a proxy or a name that moves
 * to know, since one that gw tried first might be the old one. Over a network the server has to prove by its certificate that it is the one
 * that was named; on this machine itself there is nobody to be mistaken for.
 */
import { type ConnectionOptions, parse as readAddress } from 'pg-connection-string';
import { isLoopback } from '../../base/loopback.ts';
import { usage } from '../../failure.ts';

const DEFAULT_PORT = 5432;
const DEFAULT_HOST = '127.0.0.1';
const MAX_LENGTH = 2048;
/** The certificate has been signed by somebody who is trusted, for the name that was asked for. */
const VERIFIED = 'verify-full';

export interface LedgerAddress {
  /** Name, IP address, or directory of a Unix socket. */
  host: string;
  port: number;
  database: string;
  /** Role of the server; undefined for the name of the user of this machine. */
  user: string | undefined;
  /** Whether the connection is encrypted, and the server's certificate verified. */
  isVerified: boolean;
  /** File of the authorities that may have signed the server's certificate; else those Node knows. */
  rootCertificates: string | undefined;
}

const SEVERAL =
  'names several servers; use one name or a proxy that leads to the server that accepts writes';
/** What else may stand behind the question mark, by the names that libpq gives it. */
const PARAMETERS = ['host', 'port', 'user'];

/**
 * @param whatItIs names it in messages: `--ledger`, `GW_LEDGER_URL`
 * @throws Failure usage for what is no address, has a password in it, or would trust any server
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

/** @returns what is wrong with an address, or undefined; never any of its text, which may hold a password */
export function faultOfLedgerAddress(text: string): string | undefined {
  const parsed = parse(text);
  return typeof parsed === 'string' ? parsed : undefined;
}

/** @returns the address as it is shown and compared: `ada@ledger.example:5432/gw` */
export function labelOfAddress({ host, port, database, user }: LedgerAddress): string {
  const place = host.includes(':') ? `[${host}]` : host;
  const number = port === DEFAULT_PORT ? '' : `:${port}`;
  return `${user === undefined ? '' : `${user}@`}${place}${number}/${database}`;
}

/** @returns whether a host is reached without a network */
export function isOnThisMachine(host: string): boolean {
  return host.startsWith('/') || isLoopback(host);
}

/** @returns the address, or what is wrong with it */
function parse(text: string): LedgerAddress | string {
  const fault = faultOfText(text);
  if (fault !== undefined) return fault;
  const [place = '', query = ''] = text.split(/\?(.*)/);
  const parameters = new URLSearchParams(query);
  const sslmode = parameters.get('sslmode') ?? undefined;
  const rootCertificates = parameters.get('sslrootcert') ?? undefined;
  // These two are gw's own to judge: the parser would read the file, and take a mode that trusts any server.
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
  if (/[\s\p{Cc}\\]/u.test(text)) return 'contains a space, a backslash or a control character';
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

/** @returns what node-postgres reads of it; undefined where it cannot. Its own error would show the text */
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
