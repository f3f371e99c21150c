/** For each address, gw reaches the same database as the real psql, as the same role, or refuses it by name. */
import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openServer } from '../../../../src/client/ledger/open-on-server.ts';
import { serverAt } from '../../../../src/client/ledger/place.ts';
import { Failure, orFailure } from '../../../../src/failure.ts';
import { createShell } from '../../../../src/host/programs/shell.ts';
import { type Authority, createAuthority } from '../../../helpers/certificates.ts';
import { createTestHost } from '../../../helpers/cli.ts';
import { failureOf } from '../../../helpers/failure.ts';
import { Cluster, findPostgres } from '../../../helpers/postgres.ts';
import { havePrograms } from '../../../helpers/skip.ts';

const programs = findPostgres();
const isPossible = programs !== undefined && havePrograms('openssl');
const PASSWORD = 'correct horse 7';
const WHO = "SELECT current_database() || ' ' || session_user AS who";
const me = userInfo().username;

type Variables = Readonly<Record<string, string>>;

describe.skipIf(!isPossible)('an address of a ledger', () => {
  const cluster = new Cluster(programs);
  afterAll(() => cluster.remove());
  const { folder, port } = cluster;
  const socket = encodeURIComponent(folder);
  let authority: Authority;
  let stranger: Authority;
  let home = '';
  const at = (name: string) => path.join(home, name);
  const databases = ['gw', 'a/b', 'b', '100%', '€', 'my books', 'latin', 'ascii'];
  const roles = ['ada', 'a+b', 'd:e', 'd@e', me, 'eve', 'bob'];

  /** Has the server show another certificate, or none. */
  function show({ key, cert }: { key: string; cert: string }, isOn = true): void {
    for (const [name, text] of Object.entries({ 'server.key': key, 'server.crt': cert })) {
      const file = path.join(folder, name);
      writeFileSync(file, text, { mode: 0o600 });
      if (process.getuid?.() === 0) chownSync(file, 65_534, 65_534);
    }
    cluster.configure('postgresql.conf', [`ssl = ${isOn ? 'on' : 'off'}`]);
    cluster.stop();
    cluster.start();
  }

  beforeAll(async () => {
    authority = createAuthority(mkdtempSync(path.join(tmpdir(), 'ca-')));
    stranger = createAuthority(mkdtempSync(path.join(tmpdir(), 'ca-')));
    home = mkdtempSync(path.join(tmpdir(), 'gw-home-'));
    writeFileSync(at('garbage.pem'), 'no certificate');
    writeFileSync(at('empty.pem'), '');
    for (const name of databases.slice(0, 6))
      await cluster.query('postgres', `CREATE DATABASE "${name}"`);
    for (const [name, encoding] of [
      ['latin', 'LATIN1'],
      ['ascii', 'SQL_ASCII'],
    ])
      await cluster.query(
        'postgres',
        `CREATE DATABASE ${name} ENCODING '${encoding}' LOCALE 'C' TEMPLATE template0`,
      );
    for (const name of roles)
      await cluster.query('postgres', `CREATE ROLE "${name}" LOGIN PASSWORD '${PASSWORD}'`);
    await cluster.query('postgres', 'ALTER ROLE bob NOLOGIN');
    cluster.configure('postgresql.conf', [
      "listen_addresses = '127.0.0.1'",
      `ssl_cert_file = '${folder}/server.crt'`,
      `ssl_key_file = '${folder}/server.key'`,
    ]);
    cluster.configure('pg_hba.conf', [
      'local all gw trust',
      'local all all scram-sha-256',
      'hostssl b all 127.0.0.1/32 scram-sha-256',
      'host b all 127.0.0.1/32 reject',
      'host all all 127.0.0.1/32 scram-sha-256',
    ]);
    show(authority.issue('localhost'));
  }, 60_000);

  /** @returns the database and the role, or nothing if psql does not get in */
  function byPsql(url: string, env: Variables): string | undefined {
    const { stdout, status } = spawnSync(
      path.join(programs ?? '', 'psql'),
      ['-X', '-w', '-A', '-t', '-c', WHO, url],
      {
        encoding: 'utf8',
        env: { PATH: process.env.PATH, HOME: home, ...env },
      },
    );
    return status === 0 ? stdout.trim() : undefined;
  }

  async function byGw(url: string, env: Variables, command?: string): Promise<string> {
    const host = {
      ...createTestHost({ env: { HOME: home, ...env } }),
      user: { name: me, machine: 'desk' },
      shell: createShell(new AbortController().signal),
    };
    const none = async () => undefined;
    const keychain = { ...host.keychain, get: none };
    const place = { ...(await serverAt(url, 'The address')), command };
    const server = openServer({ ...host, keychain }, place);
    try {
      const [row] = await server.run<{ who: string }>(WHO);
      return row?.who ?? '';
    } finally {
      await server.close();
    }
  }

  const pw = { PGPASSWORD: PASSWORD };
  const tcp = (rest: string, user = 'ada@') => `postgres://${user}localhost:${port}/${rest}`;
  const verified = (file: string) => tcp(`gw?sslmode=verify-full&sslrootcert=${file}`);

  describe('beside psql', () => {
    // The cluster's port and folder are known before its certificates are.
    test.each<[what: string, url: () => string, env?: Variables, either?: 'neither']>([
      ['a database', () => tcp('gw')],
      ['a slash in its name', () => tcp('a%2Fb')],
      ['a slash as it is', () => tcp('a/b')],
      ['steps in its name', () => tcp('a/../b'), {}, 'neither'],
      ['a percent sign', () => tcp('100%25')],
      ['a broken percent sign', () => tcp('100%'), {}, 'neither'],
      ['a letter outside ASCII', () => tcp('%E2%82%AC')],
      ['the same as it is', () => tcp('€')],
      ['a space', () => tcp('my%20books')],
      ['a plus sign, which is no space', () => tcp('my+books'), {}, 'neither'],
      ['SQL_ASCII', () => tcp('ascii')],
      ['no user', () => tcp('gw', '')],
      ['a user in the query', () => tcp('gw?user=ada', '')],
      ['two users', () => tcp('gw?user=eve')],
      ['a user with a plus sign', () => tcp('gw', 'a+b@')],
      ['the same in the query', () => tcp('gw?user=a+b', '')],
      ['a user with a colon', () => tcp('gw', 'd%3Ae@')],
      ['a user with an at sign', () => tcp('gw', 'd%40e@')],
      ['an empty password', () => tcp('gw', 'ada:@')],
      ['a password', () => tcp('gw', `ada:${encodeURIComponent(PASSWORD)}@`), {}],
      ['a port in the query', () => `postgres://ada@localhost/gw?port=${port}`],
      ['two ports', () => tcp(`gw?port=${port}`)],
      ['an IP address', () => `postgres://ada@127.0.0.1:${port}/gw`],
      ['two hosts', () => `postgres://ada@localhost:1,localhost:${port}/gw`],
      ['a host in the query', () => `postgres://ada@/gw?host=localhost&port=${port}`],
      ['two hosts, of which one is in the query', () => tcp('gw?host=127.0.0.1')],
      ['a socket in the query', () => `postgres://ada@/gw?host=${socket}&port=${port}`],
      ['a socket, undecoded', () => `postgres://ada@/gw?host=${folder}&port=${port}`],
      ['a socket as the host', () => `postgres://ada@${socket}:${port}/gw`],
      ['a socket, and a port before', () => `postgres://ada@:${port}/gw?host=${socket}`],
      ['a socket with sslmode', () => `postgres://ada@${socket}:${port}/gw?sslmode=verify-full`],
      ['no host', () => `postgres://ada@/gw?port=${port}`, { PGHOST: folder }],
      ['no database', () => tcp(''), { PGDATABASE: 'b' }],
      ['another name for a database', () => tcp('gw?dbname=b')],
      ['a list of parameters', () => `host=localhost port=${port} dbname=gw user=ada`],
      ['the prefix in capitals', () => `POSTGRES://ada@localhost:${port}/gw`, {}, 'neither'],
      ['PGHOST beside a host', () => tcp('gw'), { PGHOST: '127.0.0.9', PGDATABASE: 'b' }],
      ['PGPORT beside a port', () => tcp('gw'), { PGPORT: '1' }],
      ['PGPORT', () => 'postgres://ada@localhost/gw', { PGPORT: `${port}` }],
      ['PGUSER beside a user', () => tcp('gw'), { PGUSER: 'eve' }],
      ['PGUSER', () => tcp('gw', ''), { PGUSER: 'eve' }],
      ['PGHOSTADDR', () => `postgres://ada@ledger.example:${port}/gw`, { PGHOSTADDR: '127.0.0.1' }],
      ['PGOPTIONS', () => tcp('gw'), { PGOPTIONS: '-c default_transaction_read_only=on' }],
      ['options', () => tcp('gw?options=-c%20default_transaction_read_only%3Don')],
      ['an application', () => tcp('gw?application_name=x')],
      ['a time limit', () => tcp('gw?connect_timeout=3')],
      ['channel binding', () => tcp('gw?channel_binding=require')],
      ['standbys', () => tcp('gw?target_session_attrs=read-write')],
      ['a password file', () => tcp('gw?passfile=/nothing')],
      ...['disable', 'allow', 'prefer', 'require'].flatMap(
        (mode): [string, () => string, Variables?][] => [
          [`sslmode=${mode}`, () => tcp(`gw?sslmode=${mode}`)],
          [`PGSSLMODE=${mode}`, () => tcp('gw'), { PGSSLMODE: mode }],
        ],
      ),
      ['verify-full', () => verified(authority.file)],
      ['verify-ca', () => tcp(`gw?sslmode=verify-ca&sslrootcert=${authority.file}`)],
      ['another authority', () => verified(stranger.file), {}, 'neither'],
      ['no such authority', () => verified('/nonexistent.pem'), {}, 'neither'],
      ['an authority that is none', () => verified(at('garbage.pem')), {}, 'neither'],
      ['an authority that is empty', () => verified(at('empty.pem')), {}, 'neither'],
      ['an authority that is a folder', () => verified(home), {}, 'neither'],
      ['the authorities of the system', () => verified('system'), {}, 'neither'],
      ['an authority without verify-full', () => tcp(`gw?sslrootcert=${authority.file}`)],
      [
        'another name in the certificate',
        () => `${verified(authority.file).replace('localhost', '127.0.0.1')}`,
        {},
        'neither',
      ],
      ['a list of what is revoked', () => `${verified(authority.file)}&sslcrl=/nothing`],
      ['PGSSLCRL', () => verified(authority.file), { PGSSLCRL: '/nothing' }],
      ['PGSSLNEGOTIATION', () => tcp('gw'), { PGSSLNEGOTIATION: 'postgres' }],
    ])('%s', async (_, url, env = {}, either = undefined) => {
      const variables = { ...pw, ...env };
      const psql = byPsql(url(), variables);
      const gw = await orFailure(byGw(url(), variables));
      if (either === 'neither') {
        expect(psql).toBeUndefined();
        expect(gw).toBeInstanceOf(Failure);
      } else if (gw instanceof Failure) {
        expect(gw).toMatchObject({ kind: 'usage', code: expect.stringMatching(/^ledger-/) });
      } else expect(gw).toBe(psql);
    });

    test.each<[what: string, text: string, mode?: number]>([
      ['one line', '*:*:*:*:PW\n'],
      ['two that fit, the first right', '*:*:*:*:PW\n*:*:*:*:wrong\n'],
      ['two that fit, the second right', '*:*:*:*:wrong\n*:*:*:*:PW\n'],
      ['a right one after one of another host', 'other:*:*:*:wrong\n*:*:*:*:PW\n'],
      ['every field', 'localhost:PORT:gw:ada:PW\n'],
      ['another port', 'localhost:1:gw:ada:PW\n'],
      ['a port with a zero before it', 'localhost:0PORT:*:*:PW\n'],
      ['another database', '*:*:b:*:PW\n'],
      ['another role', '*:*:*:eve:PW\n'],
      ['a host in capitals', 'LOCALHOST:*:*:*:PW\n'],
      ['a half wildcard', 'local*:*:*:*:PW\n'],
      ['a comment', '#*:*:*:*:wrong\n*:*:*:*:PW\n'],
      ['a space before', ' *:*:*:*:wrong\n*:*:*:*:PW\n'],
      ['a space after', '*:*:*:*:PW \n'],
      ['a line of Windows', '*:*:*:*:PW\r\n'],
      ['no end of line', '*:*:*:*:PW'],
      ['a field too few', '*:*:*:PW\n*:*:*:*:PW\n'],
      ['a field too many', '*:*:*:*:PW:more\n'],
      ['an empty password', '*:*:*:*:\n*:*:*:*:PW\n'],
      ['backslashes', 'local\\host:*:*:a\\da:correct \\horse 7\n'],
      ['an escaped colon', '*:*:*:ada\\:x:PW\n'],
      ['a mark of byte order', '\ufeff*:*:*:*:PW\n'],
      ['nothing', ''],
      ['a file that others can read', '*:*:*:*:PW\n', 0o644],
      ['a file that its group can read', '*:*:*:*:PW\n', 0o640],
    ])('a password file with %s', async (_, text, mode = 0o600) => {
      const file = at('.pgpass');
      writeFileSync(file, text.replaceAll('PW', PASSWORD).replaceAll('PORT', `${port}`));
      chmodSync(file, mode);
      // An empty variable is none.
      for (const env of [{}, { PGPASSWORD: '' }, { PGPASSFILE: '' }, { PGPASSFILE: file }]) {
        const gw = await orFailure(byGw(tcp('gw'), env));
        expect(gw instanceof Failure ? undefined : gw).toBe(byPsql(tcp('gw'), env));
      }
    });

    test('a file that is none has no password', async () => {
      for (const PGPASSFILE of ['/dev/null', home, at('nothing')])
        expect(await failureOf(() => byGw(tcp('gw'), { PGPASSFILE }))).toMatchObject({
          code: 'ledger-password-missing',
        });
    });
  });

  describe('a refusal says what to do', () => {
    test.each<[what: string, url: () => string, expected: object, env?: Variables]>([
      ['a missing file', () => verified('/nonexistent.pem'), { code: 'ledger-authority-unusable' }],
      [
        'an unknown authority',
        () => verified(stranger.file),
        { code: 'ledger-not-verified', next: expect.stringContaining('sslrootcert=FILE') },
      ],
      [
        'another name',
        () => verified(authority.file).replace('localhost', '127.0.0.1'),
        { next: 'Use the name that is in its certificate.' },
      ],
      [
        'a server that only takes encrypted connections',
        () => tcp('b'),
        {
          code: 'ledger-refused',
          next: expect.stringMatching(/pg_hba\.conf.*sslmode=verify-full/),
        },
      ],
      [
        'a role that may not log in',
        () => tcp('gw', 'bob@'),
        { code: 'ledger-refused', next: expect.stringContaining('createuser -P') },
      ],
      [
        'a wrong PGPASSWORD',
        () => tcp('gw'),
        {
          code: 'ledger-refused',
          message: expect.stringContaining('with the password from PGPASSWORD ('),
          next: expect.stringMatching(/^Correct the password there/),
        },
        { PGPASSWORD: 'wrong' },
      ],
      [
        'a wrong password in a file',
        () => tcp('gw'),
        { message: expect.stringMatching(/with the password from \/\S*pass-wrong \(/) },
        { PGPASSWORD: '', PGPASSFILE: 'pass-wrong' },
      ],
      [
        'LATIN1',
        () => tcp('latin'),
        {
          ...{ kind: 'guard', code: 'ledger-encoding' },
          message: expect.stringContaining('LATIN1'),
          next: expect.stringContaining('createdb -E UTF8 -T template0'),
        },
      ],
    ])('%s', async (_, url, expected, env = {}) => {
      writeFileSync(at('pass-wrong'), '*:*:*:*:wrong', { mode: 0o600 });
      const named = env.PGPASSFILE ? { PGPASSFILE: at(env.PGPASSFILE) } : {};
      const failure = await failureOf(() => byGw(url(), { ...pw, ...env, ...named }));
      expect(failure).toMatchObject(expected);
      expect(failure.message + failure.next).not.toContain(PASSWORD);
    });

    test('a wrong password of a command, and a command that fails, are named', async () => {
      expect(await failureOf(() => byGw(tcp('gw'), {}, 'echo wrong'))).toMatchObject({
        code: 'ledger-refused',
        message: expect.stringContaining("with the password from the profile's --ledger-command"),
      });
      expect(await failureOf(() => byGw(tcp('gw'), {}, 'exit 3'))).toMatchObject({
        ...{ kind: 'auth', code: 'ledger-command-failed' },
        message: 'The ledger command exited with 3.',
      });
    });

    test('a password may take longer than the server waits', async () => {
      cluster.configure('postgresql.conf', ['authentication_timeout = 1s']);
      cluster.stop();
      cluster.start();
      // The command ends when the server has given the connection up.
      const log = path.join(folder, 'log');
      const before = readFileSync(log).length;
      const waits = `until tail -c +${before} ${log} | grep -q 'authentication'; do sleep 0.1; done`;
      expect(await byGw(tcp('gw'), {}, `${waits}; echo ${PASSWORD}`)).toBe('gw ada');
      cluster.configure('postgresql.conf', ['authentication_timeout = 60s']);
    }, 60_000);

    test('an expired certificate', async () => {
      show(authority.issue('localhost', -1));
      expect(await failureOf(() => byGw(verified(authority.file), pw))).toMatchObject({
        code: 'ledger-not-verified',
        next: expect.stringMatching(/expired.*renew/),
      });
    });

    test('a server without encryption', async () => {
      show(authority.issue('localhost'), false);
      expect(await failureOf(() => byGw(verified(authority.file), pw))).toMatchObject({
        code: 'ledger-not-verified',
        next: expect.stringContaining('ssl = on'),
      });
    });
  });
});
