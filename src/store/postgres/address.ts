/**
 * Parses the address of a shared ledger. It has the form that PostgreSQL's own programs take, and means what it means to
 * them:
 *
 *     postgres://ledger.example/gw
 *     postgres://ada@ledger.example:6432/gw
 *     postgres:///gw?host=/run/postgresql                     a Unix socket
 *
 * An address has no password and names one server. If there are several, a proxy or a moving name must lead to the one
 * that accepts writes. A list would be unsafe, because the first server that gw tries might be the old one. Over a
 * network, the server must prove its name by its certificate. On this machine that is not needed. gw refuses a
 * parameter that it does not apply, and a variable that psql would apply to the address.
 *
 * @see PostgreSQL, 34.1.1, connection strings
 */

import { holdsControl } from '../../base/clean-text.ts';
import { isLoopback } from '../../base/loopback.ts';
import { usage } from '../../failure.ts';

const DEFAULT_PORT = 5432;
const MAX_LENGTH = 2048;
/** A trusted authority signed the certificate, for the name in the address. */
const VERIFIED = 'verify-full';

export interface LedgerAddress {
  /** The address as it was given. */
  text: string;
  /** Name, IP address, or directory of a Unix socket. */
  host: string;
  port: number;
  database: string;
  /** Role on the server; undefined means the name of this machine's user. */
  user: string | undefined;
  /** Whether the connection is encrypted and the server's certificate verified. */
  isVerified: boolean;
  /** The parameters of the address, by libpq's names, such as `sslrootcert`. */
  said: AddressParameters;
}

type AddressParameters = Readonly<Record<string, string>>;

const SEVERAL =
  'names several servers; use one name or a proxy that leads to the server that accepts writes';
const PASSWORD = 'contains a password, which belongs in the keychain';

/** Parameters that gw applies, by their libpq names. */
const APPLIED = ['host', 'port', 'user', 'sslmode', 'sslrootcert'];
const SECRET = ['password', 'sslpassword'];
/** libpq's other parameters. Nobody's password is called so, and a message may name them. */
const OTHERS =
  /^(?:(fallback_)?application_name|channel_binding|client_encoding|connect_timeout|dbname|gssdelegation|gssencmode|gsslib|hostaddr|keepalives(_count|_idle|_interval)?|krbsrvname|load_balance_hosts|(ssl_)?m(ax|in)_protocol_version|options|passfile|replication|require(_auth|peer|ssl)|service(file)?|ssl(cert(mode)?|compression|crl(dir)?|key(logfile)?|negotiation|sni)?|target_session_attrs|tcp_user_timeout)$/;
const SSLMODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', VERIFIED];

/** Another form that PostgreSQL's programs take. */
export const PARAMETER_LIST =
  /^\s*(?:host(?:addr)?|port|dbname|user|password|passfile|service|ssl\w+)\s*=/;
/** libpq's parts: a user ends at the first `@` that comes before a slash. */
const PARTS =
  /^postgres(?:ql)?:\/\/(?:([^@/:]*)(:[^@/]*)?@)?(\[[^\]]*\]|[^[:/?@]*)(?::([^/?@]*))?(?:\/([^?]*))?(?:\?(.*))?$/;

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

/** @returns the server and the database, whatever the role and the certificates */
export function placeOfAddress(address: LedgerAddress): string {
  return labelOfAddress({ ...address, user: undefined });
}

/** @returns whether gw reaches the host without a network */
export function isOnThisMachine(host: string): boolean {
  return isSocket(host) || isLoopback(host);
}

const isSocket = (host: string) => host.startsWith('/');

/** @returns the address, or its fault */
function parse(text: string): LedgerAddress | string {
  const fault = faultOfText(text);
  if (fault !== undefined) return fault;
  const parts = PARTS.exec(text);
  if (!parts) return 'is not an address: check its host and its port';
  const [, user, password = ':', name = '', number, dbname, query = ''] = parts;
  const pairs = query.split('&').flatMap((pair) => (pair === '' ? [] : [pair.split('=')]));
  const named = { user, host: name.replace(/^\[(.*)\]$/, '$1'), port: number, dbname };
  const all = [...Object.entries(named).filter(([, value]) => value), ...pairs];
  const said =
    (password !== ':' ? PASSWORD : faultOfNames(pairs.map(([it = '']) => it))) ?? decodePairs(all);
  if (typeof said === 'string') return said;
  const { host = '' } = said;
  return (
    faultOfParts(said) ??
    faultOfTls(said, host) ?? {
      text,
      host,
      port: Number(said.port ?? DEFAULT_PORT),
      database: said.dbname ?? '',
      user: said.user,
      isVerified: !isOnThisMachine(host) || said.sslmode === VERIFIED,
      said,
    }
  );
}

function faultOfText(text: string): string | undefined {
  if (text.length > MAX_LENGTH) return `is longer than ${MAX_LENGTH} characters`;
  if (PARAMETER_LIST.test(text))
    return 'is a list of parameters; gw takes them as postgres://HOST:PORT/DBNAME?user=ROLE';
  if (/[\s\\]/.test(text) || holdsControl(text))
    return 'contains a space, a backslash or a control character';
  if (!/^postgres(?:ql)?:\/\//.test(text)) return 'does not begin with postgres://';
  if (text.includes(',')) return SEVERAL;
  return text.includes('#') ? 'has a fragment' : undefined;
}

/** @param names of the parameters after the question mark */
function faultOfNames(names: readonly string[]): string | undefined {
  if (names.some((name) => SECRET.includes(name))) return PASSWORD;
  const other = names.find((name) => !APPLIED.includes(name));
  if (other === undefined) return undefined;
  return OTHERS.test(other)
    ? `has the parameter ${other}, which gw does not apply`
    : `has a parameter that gw does not know (it knows ${APPLIED.join(', ')})`;
}

/** @returns the values, in which a plus sign stays one, as for libpq; or the fault of one */
function decodePairs(
  pairs: readonly (readonly (string | undefined)[])[],
): AddressParameters | string {
  const said: Record<string, string> = {};
  for (const [name = '', text = '', ...more] of pairs) {
    let value = '';
    try {
      value = decodeURIComponent(text);
    } catch {}
    if (value === '' || more.length > 0 || holdsControl(value))
      return `has no usable value for ${name}`;
    if (said[name] !== undefined) return `has two values for ${name}`;
    said[name] = value;
  }
  return said;
}

function faultOfParts({
  host,
  port = `${DEFAULT_PORT}`,
  dbname,
}: AddressParameters): string | undefined {
  if (host === undefined)
    return 'names no server; for a socket write postgres:///gw?host=/var/run/postgresql';
  if (host.includes(',') || port.includes(',')) return SEVERAL;
  if (!isSocket(host) && /[\s@/]/.test(host)) return 'has an invalid host';
  const number = Number(port);
  if (!/^\d+$/.test(port) || number < 1 || number > 65_535) return 'has an invalid port';
  return dbname === undefined ? 'does not name a database' : undefined;
}

function faultOfTls({ sslmode, sslrootcert }: AddressParameters, host: string): string | undefined {
  if (!SSLMODES.includes(sslmode ?? VERIFIED)) return 'has an unknown sslmode';
  if (isSocket(host) && (sslmode === VERIFIED || sslrootcert !== undefined))
    return 'asks for encryption, which a socket does not have; leave out sslmode and sslrootcert';
  const isPlain = isOnThisMachine(host) && sslmode !== VERIFIED;
  if (isPlain && sslrootcert !== undefined)
    return 'has sslrootcert, which needs sslmode=verify-full';
  if (sslrootcert === 'system')
    return "has sslrootcert=system; without it, gw trusts Node's authorities and those of NODE_EXTRA_CA_CERTS";
  if ([undefined, VERIFIED, isPlain && 'disable'].includes(sslmode)) return undefined;
  return `has sslmode=${sslmode}; use verify-full ${isPlain ? 'or disable' : 'over a network'}`;
}

/** Variables that psql applies where an address does not have the parameter of that name. */
const VARIABLES =
  'PGPORT PGUSER PGHOSTADDR PGSERVICE PGOPTIONS PGREQUIREAUTH PGREQUIREPEER PGCHANNELBINDING PGGSSENCMODE PGSSLMODE PGSSLROOTCERT PGSSLCERT PGSSLKEY PGSSLCRL PGSSLCRLDIR PGSSLMINPROTOCOLVERSION PGSSLMAXPROTOCOLVERSION';

/**
 * Refuses a variable that leads psql elsewhere than the address alone, or has it demand more of the server. gw takes
 * only passwords from PostgreSQL's variables, since a ledger must not change with the shell.
 * @param userName of this machine's user
 * @throws Failure usage
 */
export function refuseVariables(
  env: Readonly<Record<string, string | undefined>>,
  { host, isVerified, said }: LedgerAddress,
  userName: string,
): void {
  const weak = SSLMODES.slice(0, SSLMODES.indexOf('require'));
  /** Values with which psql does what gw does. */
  const usual: Readonly<Record<string, readonly string[]>> = {
    PGPORT: [`${DEFAULT_PORT}`],
    PGUSER: [userName],
    PGSSLMODE: weak,
    PGCHANNELBINDING: weak,
    PGGSSENCMODE: weak,
  };
  const refused = VARIABLES.split(' ').find((name) => {
    const isOfTls = name.startsWith('PGSSL');
    const isIdle = isSocket(host) || isVerified === (name === 'PGSSLMODE');
    if ((isOfTls && isIdle) || said[name.slice(2).toLowerCase()] !== undefined) return false;
    return Boolean(env[name]) && !usual[name]?.includes(env[name] ?? '');
  });
  if (refused === undefined) return;
  throw usage(
    'ledger-variable-set',
    `${refused} is set. psql would apply it to the address of the ledger, and gw does not.`,
    `Run gw without it (\`env -u ${refused} gw …\`). A port, role or certificate authority belongs in the address.`,
  );
}
