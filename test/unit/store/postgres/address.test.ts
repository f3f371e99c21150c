import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  faultOfLedgerAddress,
  isOnThisMachine,
  labelOfAddress,
  parseLedgerAddress,
  placeOfAddress,
  refuseVariables,
} from '../../../../src/store/postgres/address.ts';

const parsed = (text: string) => parseLedgerAddress(text, 'The address');

test.each([
  ['postgres://ledger.example/gw', 'ledger.example/gw', true],
  ['postgresql://ada@ledger.example:6432/gw', 'ada@ledger.example:6432/gw', true],
  ['postgres://localhost/gw', 'localhost/gw', false],
  ['postgres://[::1]:5433/gw', '[::1]:5433/gw', false],
  ['postgres:///gw?host=/run/postgresql', '/run/postgresql/gw', false],
  ['postgres://ada@/gw?host=%2Frun&port=6432', 'ada@/run:6432/gw', false],
  ['postgres://ada@:6432/gw?host=/run', 'ada@/run:6432/gw', false],
  ['postgres://%2Frun%2Fpostgresql/gw', '/run/postgresql/gw', false],
  ['postgres://%2Frun%2Fpostgresql:6432/gw', '/run/postgresql:6432/gw', false],
  ['postgres:///gw?host=/run&sslmode=disable', '/run/gw', false],
  ['postgres://localhost/gw?sslmode=verify-full', 'localhost/gw', true],
  ['postgres://localhost/gw?sslmode=verify-full&sslrootcert=/ca.pem', 'localhost/gw', true],
  ['postgres://ledger.example/gw?sslrootcert=/ca.pem', 'ledger.example/gw', true],
  ['postgres://ledger.example/gw?user=ada', 'ada@ledger.example/gw', true],
  ['postgres://ada%40desk@localhost/my%20books', 'ada@desk@localhost/my books', false],
  ['postgres://a+b@localhost/gw?port=5432', 'a+b@localhost/gw', false],
  ['postgres://localhost/gw?user=a+b', 'a+b@localhost/gw', false],
  ['postgres://localhost/a%2Fb', 'localhost/a/b', false],
  ['postgres://localhost/a/b', 'localhost/a/b', false],
  ['postgres://localhost/a/../b', 'localhost/a/../b', false],
  ['postgres://localhost/100%25', 'localhost/100%', false],
  ['postgres://localhost/%E2%82%AC', 'localhost/€', false],
  ['postgres://localhost/gw?', 'localhost/gw', false],
  ['postgres://ada:@localhost:/gw', 'ada@localhost/gw', false],
])('the address %j is accepted', (text, label, isVerified) => {
  const address = parsed(text);
  expect(labelOfAddress(address)).toBe(label);
  expect(address.isVerified).toBe(isVerified);
});

/** Parameters of libpq that gw does not apply. */
const OTHERS = [
  ...['application_name', 'channel_binding', 'client_encoding', 'connect_timeout', 'dbname'],
  ...['fallback_application_name', 'gssencmode', 'gsslib', 'hostaddr', 'keepalives'],
  ...['keepalives_count', 'keepalives_idle', 'keepalives_interval', 'krbsrvname', 'options'],
  ...['load_balance_hosts', 'passfile', 'replication', 'require_auth', 'requirepeer', 'requiressl'],
  ...['service', 'ssl', 'sslcert', 'sslcertmode', 'sslcompression', 'sslcrl', 'sslcrldir'],
  ...['sslkey', 'sslnegotiation', 'sslsni', 'ssl_max_protocol_version'],
  ...['ssl_min_protocol_version', 'target_session_attrs', 'tcp_user_timeout'],
];

test.each([
  ...OTHERS.map((name) => [`postgres://localhost/gw?${name}=1`, `the parameter ${name},`]),
  ['postgres://ada:secret@ledger.example/gw', 'password'],
  ['postgres://ledger.example/gw?password=secret', 'password'],
  ['postgres://ledger.example/gw?sslpassword=secret', 'password'],
  ['postgres://ledger.example/gw?sslmode=require', 'sslmode=require; use verify-full'],
  ['postgres://ledger.example/gw?sslmode=verify-ca', 'sslmode=verify-ca; use verify-full'],
  ['postgres://ledger.example/gw?sslmode=disable', 'sslmode=disable; use verify-full'],
  ['postgres://localhost/gw?sslmode=allow', 'sslmode=allow; use verify-full or disable'],
  ['postgres://localhost/gw?sslmode=prefer', 'sslmode=prefer'],
  ['postgres://localhost/gw?sslmode=require', 'sslmode=require'],
  ['postgres://localhost/gw?sslmode=secret', 'unknown sslmode'],
  ['postgres://localhost/gw?sslmode=', 'no usable value for sslmode'],
  ['postgres://localhost/gw?sslmode=VERIFY-FULL', 'unknown sslmode'],
  ['postgres:///gw?host=/run&sslmode=verify-full', 'socket'],
  ['postgres:///gw?host=/run&sslrootcert=/ca.pem', 'socket'],
  ['postgres://localhost/gw?sslrootcert=/ca.pem', 'needs sslmode=verify-full'],
  ['postgres://ledger.example/gw?sslrootcert=system', 'sslrootcert=system'],
  ['postgres://ledger.example/gw?sslrootcert=', 'no usable value for sslrootcert'],
  ['postgres://ledger.example', 'database'],
  ['postgres:///gw', 'names no server; for a socket write postgres:///gw?host='],
  ['postgres://:5433/gw', 'names no server'],
  ['postgres://ada@/gw', 'names no server'],
  ['postgres://one.example,two.example:5433/gw', 'several servers'],
  ['postgres:///gw?host=/run/one,/run/two', 'several servers'],
  ['postgres://ledger.example/gw?port=5432,5433', 'several servers'],
  ['postgres://one.example%2Ctwo.example/gw', 'several servers'],
  ['postgres://one.example:1,two.example:2/gw', 'several servers'],
  ['postgres://ada:secret@one.example:1,two.example:2/gw', 'several servers'],
  ['postgres://one.example/gw?host=two.example', 'two values for host'],
  ['postgres://ada@one.example/gw?user=eve', 'two values for user'],
  ['postgres://one.example:1/gw?port=2', 'two values for port'],
  ['postgres://one.example/gw?port=1&port=2', 'two values for port'],
  ['postgres://one.example/gw?user=a=b', 'no usable value for user'],
  ['postgres://one.example/gw?user', 'no usable value for user'],
  ['postgres://one.example/gw?secret=1', 'parameter that gw does not know (it knows host, port'],
  ['postgres://one.example/gw?SSLMODE=verify-full', 'parameter that gw does not know'],
  ['postgres://one.example/gw?database=gw', 'parameter that gw does not know'],
  ['postgres://one.example/g%ZZw', 'no usable value for dbname'],
  ['postgres://one.example/g%00w', 'no usable value for dbname'],
  ['postgres://one.example/g%FFw', 'no usable value for dbname'],
  ['postgres://%40abstract/gw', 'invalid host'],
  ['postgres://a%20b/gw', 'invalid host'],
  ['postgres://ledger.example:0/gw', 'port'],
  ['postgres://ledger.example:1e3/gw', 'port'],
  ['postgres://ledger.example:%2035/gw', 'port'],
  ['postgres://ada:secret@[ledger/gw', 'not an address'],
  ['postgres://[::1]x/gw', 'not an address'],
  ['postgres://ledger.example:99999/gw', 'port'],
  ['postgres://ledger.example/gw#x', 'fragment'],
  ['mysql://ledger.example/gw', 'postgres://'],
  ['POSTGRES://ledger.example/gw', 'postgres://'],
  ['', 'postgres://'],
  ['postgres://ledger.example/g w', 'space'],
  ['host=ledger.example dbname=gw', 'postgres://HOST:PORT/DBNAME?user=ROLE'],
  ['dbname=gw password=secret', 'postgres://HOST:PORT/DBNAME?user=ROLE'],
  ['service=gw', 'postgres://HOST:PORT/DBNAME?user=ROLE'],
  ['user = ada  host = ledger.example', 'postgres://HOST:PORT/DBNAME?user=ROLE'],
])('the address %j is refused, and the message does not repeat it', (text, reason) => {
  const fault = faultOfLedgerAddress(text);
  expect(fault).toContain(reason);
  expect(fault).not.toContain('secret');
  expect(() => parsed(text)).toThrow(expect.objectContaining({ kind: 'usage' }));
});

test.each([
  [
    'postgres://ledger.example/gw',
    'postgres://ada@ledger.example:5432/gw?sslrootcert=/ca.pem',
    true,
  ],
  ['postgres://localhost/gw', 'postgres://localhost/gw?sslmode=verify-full&user=ada', true],
  ['postgres:///gw?host=/run', 'postgres://%2Frun/gw', true],
  ['postgres://ledger.example/gw', 'postgres://ledger.example:6432/gw', false],
  ['postgres://ledger.example/gw', 'postgres://ledger.example/gw2', false],
  ['postgres://ledger.example/gw', 'postgres://other.example/gw', false],
])('%j and %j lead to the same place: %j', (one, other, isSame) => {
  expect(placeOfAddress(parsed(one)) === placeOfAddress(parsed(other))).toBe(isSame);
});

const REMOTE = 'postgres://ledger.example/gw';
const LOCAL = 'postgres://localhost/gw';
const SOCKET = 'postgres:///gw?host=/run';

test.each([
  [REMOTE, 'PGPORT', '6432'],
  [REMOTE, 'PGUSER', 'eve'],
  [REMOTE, 'PGHOSTADDR', '10.0.0.1'],
  [REMOTE, 'PGSERVICE', 'gw'],
  [REMOTE, 'PGSERVICE', 'ada'],
  [REMOTE, 'PGUSER', '5432'],
  [REMOTE, 'PGOPTIONS', '-c role=eve'],
  [REMOTE, 'PGSSLROOTCERT', '/ca.pem'],
  [REMOTE, 'PGSSLCRL', '/crl.pem'],
  [REMOTE, 'PGSSLCERT', '/me.pem'],
  [REMOTE, 'PGCHANNELBINDING', 'require'],
  [REMOTE, 'PGREQUIREAUTH', 'scram-sha-256'],
  [LOCAL, 'PGSSLMODE', 'require'],
  [LOCAL, 'PGSSLMODE', 'verify-ca'],
  [LOCAL, 'PGSSLMODE', 'verify-full'],
  [SOCKET, 'PGREQUIREPEER', 'postgres'],
  [SOCKET, 'PGUSER', 'eve'],
])('%j is refused with %s=%s, which psql applies', (text, name, value) => {
  expect(() => refuseVariables({ [name]: value }, parsed(text), 'ada')).toThrow(
    expect.objectContaining({
      ...{ kind: 'usage', code: 'ledger-variable-set' },
      message: expect.stringContaining(`${name} is set`),
      next: expect.stringContaining(`env -u ${name} gw`),
    }),
  );
});

test.each([
  [REMOTE, { PGPORT: '5432', PGUSER: 'ada', PGSSLMODE: 'disable', PGHOST: 'x', PGDATABASE: 'y' }],
  [REMOTE, { PGPORT: '', PGSERVICE: '', PGOPTIONS: '', PGCHANNELBINDING: 'prefer' }],
  [REMOTE, { PGPASSWORD: 'x', PGPASSFILE: '/p', PGAPPNAME: 'x', PGCONNECT_TIMEOUT: '3' }],
  [
    'postgres://eve@ledger.example:1/gw?sslrootcert=/a',
    { PGPORT: '2', PGUSER: 'x', PGSSLROOTCERT: 'y' },
  ],
  [LOCAL, { PGSSLMODE: 'prefer', PGSSLROOTCERT: '/ca.pem', PGSSLCERT: '/me.pem' }],
  [`${LOCAL}?sslmode=disable`, { PGSSLMODE: 'verify-full' }],
  [SOCKET, { PGSSLMODE: 'verify-full', PGSSLROOTCERT: '/ca.pem', PGSSLNEGOTIATION: 'direct' }],
])('%j is taken with %j', (text, env) => {
  expect(() => refuseVariables(env, parsed(text), 'ada')).not.toThrow();
});

test('any text is an address or has a fault', () => {
  fc.assert(
    fc.property(fc.string(), fc.boolean(), (text, isAlike) => {
      const whole = isAlike ? `postgres://${text}` : text;
      if (faultOfLedgerAddress(whole) !== undefined) return;
      expect(parsed(whole).host).not.toBe('');
    }),
  );
});

test('a directory and a loopback address are on this machine', () => {
  expect(isOnThisMachine('/run/postgresql')).toBe(true);
  expect(isOnThisMachine('127.0.0.1')).toBe(true);
  expect(isOnThisMachine('ledger.example')).toBe(false);
});
