/** A server over TCP: with a certificate, and with a password by SCRAM. */
import { chownSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { parseLedgerAddress } from '../../../../src/store/postgres/address.ts';
import { Server } from '../../../../src/store/postgres/server.ts';
import { type Authority, createAuthority } from '../../../helpers/certificates.ts';
import { failureOf } from '../../../helpers/failure.ts';
import { Cluster, findPostgres } from '../../../helpers/postgres.ts';
import { havePrograms } from '../../../helpers/skip.ts';

const programs = findPostgres();
const isPossible = programs !== undefined && havePrograms('openssl');
const PASSWORD = 'correct horse 7';

describe.skipIf(!isPossible)('a server over TCP', () => {
  const cluster = new Cluster(programs);
  afterAll(() => cluster.remove());
  let authority: Authority;
  let stranger: Authority;

  beforeAll(async () => {
    authority = createAuthority(mkdtempSync(path.join(tmpdir(), 'ca-')));
    stranger = createAuthority(mkdtempSync(path.join(tmpdir(), 'ca-')));
    await cluster.query('postgres', `CREATE ROLE ada LOGIN PASSWORD '${PASSWORD}'`);
    const { key, cert } = authority.issue('localhost');
    for (const [name, text] of [
      ['server.key', key],
      ['server.crt', cert],
    ] as const) {
      const file = path.join(cluster.folder, name);
      writeFileSync(file, text, { mode: 0o600 });
      if (process.getuid?.() === 0) chownSync(file, 65_534, 65_534);
    }
    cluster.configure('postgresql.conf', [
      "listen_addresses = '127.0.0.1'",
      'ssl = on',
      `ssl_cert_file = '${cluster.folder}/server.crt'`,
      `ssl_key_file = '${cluster.folder}/server.key'`,
    ]);
    cluster.configure('pg_hba.conf', ['host all all 127.0.0.1/32 scram-sha-256']);
    cluster.stop();
    cluster.start();
  }, 60_000);

  let isAsked = false;
  afterEach(() => {
    isAsked = false;
    delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
  });

  /** @param trusted PEM of an authority */
  async function ask(
    place: string,
    { trusted, password = PASSWORD }: { trusted?: string | undefined; password?: string } = {},
  ) {
    const server = new Server({
      address: parseLedgerAddress(`postgres://ada@${place}`, 'It'),
      userName: 'ada',
      password: async () => {
        isAsked = true;
        return { password, source: 'you' };
      },
      rootCertificates: trusted,
      sleep: async () => {},
    });
    try {
      const [row] = await server.run<{ ssl: boolean }>(
        'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()',
      );
      return row;
    } finally {
      await server.close();
    }
  }

  const verified = (host: string) => `${host}:${cluster.port}/postgres?sslmode=verify-full`;
  const pem = (of: Authority) => readFileSync(of.file, 'utf8');

  test('with a trusted certificate of its name is trusted', async () => {
    expect(await ask(verified('localhost'), { trusted: pem(authority) })).toEqual({ ssl: true });
  });

  test('with another certificate is refused', async () => {
    const trusted = pem(authority);
    for (const [host, known] of [
      ['127.0.0.1', trusted],
      ['localhost', pem(stranger)],
      ['localhost', undefined],
    ] as const) {
      expect(await failureOf(() => ask(verified(host), { trusted: known }))).toMatchObject({
        kind: 'guard',
        code: 'ledger-not-verified',
        message: expect.stringContaining('gw cannot verify the server of'),
      });
      expect(isAsked).toBe(false);
    }
  });

  test('stays refused with NODE_TLS_REJECT_UNAUTHORIZED or PGSSLMODE', async () => {
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
    process.env.PGSSLMODE = 'disable';
    try {
      expect(await failureOf(() => ask(verified('localhost')))).toMatchObject({
        code: 'ledger-not-verified',
      });
      expect(isAsked).toBe(false);
    } finally {
      delete process.env.PGSSLMODE;
    }
  });

  test('needs a certificate even if its name leads to this machine', async () => {
    const place = `${hostname()}:${cluster.port}/postgres`;
    if (parseLedgerAddress(`postgres://${place}`, 'It').host === 'localhost') return;
    const failure = await failureOf(() => ask(place, { trusted: pem(authority) }));
    // A machine whose own name leads nowhere reaches nobody; either way nothing is said to anyone.
    expect(['ledger-not-verified', 'ledger-unreachable']).toContain(failure.code);
    expect(isAsked).toBe(false);
  });

  test('needs no encryption on loopback, and SCRAM checks the password', async () => {
    expect(await ask(`127.0.0.1:${cluster.port}/postgres`)).toEqual({ ssl: false });
    const wrong = `127.0.0.1:${cluster.port}/postgres`;
    const failure = await failureOf(() => ask(wrong, { password: 'wrong horse 8' }));
    expect(failure).toMatchObject({
      code: 'ledger-refused',
      message: `The server of ada@127.0.0.1:${cluster.port}/postgres does not let the role connect with the password from you (password authentication failed for user "ada").`,
    });
    expect(JSON.stringify(failure) + failure.message + failure.stack).not.toContain('wrong horse');
  });

  test('without TLS gets no password', async () => {
    cluster.configure('postgresql.conf', ['ssl = off']);
    cluster.stop();
    cluster.start();
    expect(
      await failureOf(async () => ask(verified('localhost'), { trusted: pem(authority) })),
    ).toMatchObject({ code: 'ledger-not-verified' });
    expect(isAsked).toBe(false);
  });
});
