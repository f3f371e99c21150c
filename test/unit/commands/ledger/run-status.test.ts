/** `gw ledger status` where something is wrong: it ends as what is wrong does. */

import { afterAll, describe, expect, test } from 'vitest';
import { outputOptions } from '../../../../src/cli/flags/command-options.ts';
import { setProfile } from '../../../../src/client/profiles/store.ts';
import { showStatus } from '../../../../src/commands/ledger/run-status.ts';
import { Redactor } from '../../../../src/host/redaction/redactor.ts';
import { digestOf, LedgerMarks } from '../../../../src/journal/postgres/ledger-marks.ts';
import { LEDGER_FORM } from '../../../../src/store/ledger/postgres-schema.ts';
import { marksPath } from '../../../../src/store/paths.ts';
import { createTestHost } from '../../../helpers/cli.ts';
import { failureOf } from '../../../helpers/failure.ts';
import { Cluster, findPostgres } from '../../../helpers/postgres.ts';

const programs = findPostgres();

function machine() {
  const host = createTestHost();
  return { host, context: { host, redactor: new Redactor(), root: '.' } };
}

const OWN = { ledger: undefined, profile: undefined, output: outputOptions({}) };

test('without a file, the status names the profile that has a ledger elsewhere', async () => {
  const { host, context } = machine();
  expect(await failureOf(() => showStatus(context, OWN))).toMatchObject({
    code: 'ledger-missing',
    next: 'The first request that moves money creates it.',
  });
  const ledger = 'postgres://ledger.example/gw';
  await setProfile(host.files, 'team', {
    environment: 'sandbox',
    baseUrl: 'http://127.0.0.1:1',
    ledger,
  });
  await setProfile(host.files, 'alone', { environment: 'sandbox', baseUrl: 'http://127.0.0.1:1' });
  const asked = { ...OWN, profile: 'alone' };
  expect(await failureOf(() => showStatus(context, asked))).toMatchObject({
    next: 'The first request that moves money creates it.',
  });
  const other = { ...context, host: { ...host, env: { GW_PROFILE: 'alone' } } };
  expect(await failureOf(() => showStatus(other, OWN))).toMatchObject({
    code: 'ledger-missing',
    next: 'For the ledger of the profile team, add `--profile team`.',
  });
});

test('a named file that is missing is not promised by the first request', async () => {
  const { context } = machine();
  const named = (ledger: string) => failureOf(() => showStatus(context, { ...OWN, ledger }));
  expect(await named('./nowhere.db')).toMatchObject({
    code: 'ledger-missing',
    next: 'Name another file. `gw ledger status file` shows the one of this machine.',
  });
  expect(await named('file')).toMatchObject({
    next: 'The first request that moves money creates it.',
  });
});

test('a named file needs no ledger in use', async () => {
  const { host, context } = machine();
  const wrong = { ...context, host: { ...host, env: { GW_LEDGER_URL: 'ledger.example' } } };
  const named = (ledger: string) => failureOf(() => showStatus(wrong, { ...OWN, ledger }));
  expect(await named('file')).toMatchObject({ code: 'ledger-missing' });
  expect(await named('./nowhere.db')).toMatchObject({ code: 'ledger-missing' });
  expect(await named('nowhere')).toMatchObject({ code: 'ledger-unknown' });
});

describe.skipIf(programs === undefined)('of a server', () => {
  const cluster = new Cluster(programs);
  afterAll(() => cluster.remove());

  test.each([
    ['an older', LEDGER_FORM - 1, 'ledger-older'],
    ['a newer', LEDGER_FORM + 1, 'ledger-newer'],
    ['no', undefined, 'ledger-missing'],
  ])('with %s form, the status fails like a request', async (_, form, code) => {
    const { name, url } = await cluster.database({ isEmpty: form === undefined });
    if (form !== undefined) await cluster.query(name, `UPDATE gw.ledger SET form = ${form}`);
    const { host, context } = machine();
    const failure = await failureOf(() => showStatus(context, { ...OWN, ledger: url }));
    expect(failure).toMatchObject({ kind: 'guard', code });
    expect(host.stdout.text).toBe('');
  });

  test('the status of a restored ledger is shown and fails like a request', async () => {
    const { name, url } = await cluster.database();
    const { host, context } = machine();
    await setProfile(host.files, 'team', {
      environment: 'sandbox',
      baseUrl: 'http://127.0.0.1:1',
      ledger: url,
    });
    const asked = { ...OWN, profile: 'team' };
    await showStatus(context, asked);
    const shown = host.stdout.text;
    expect(shown).toContain('PostgreSQL');
    const [{ id = '' } = {}] = await cluster.query<{ id: string }>(
      name,
      'SELECT id FROM gw.ledger',
    );
    new LedgerMarks(host.files, marksPath(host.files)).wrote(
      {
        ...{ ledger: digestOf(id), account: digestOf('sandbox/shop') },
        ...{ entry: 'gone', at: '2026-03-10T09:30:00.000Z' },
      },
      [],
    );
    expect(await failureOf(() => showStatus(context, asked))).toMatchObject({
      kind: 'guard',
      code: 'ledger-restored',
      message: expect.stringContaining('an entry of 2026-03-10 at 09:30:00 UTC'),
    });
    expect(host.stdout.text.length).toBeGreaterThan(shown.length);
    // Another name for its role does not hide it.
    const named = url.replace('gw@', 'ada@');
    await cluster.query('postgres', 'CREATE ROLE ada LOGIN SUPERUSER');
    expect(await failureOf(() => showStatus(context, { ...asked, ledger: named }))).toMatchObject({
      code: 'ledger-restored',
    });
    // A machine that has seen nothing is told who noticed it, and what.
    const other = machine();
    const told = await failureOf(() => showStatus(other.context, { ...OWN, ledger: named }));
    expect(told.message).toMatch(
      /^.+ on .+ \(role gw\) has seen an entry of 2026-03-10 at 09:30:00 UTC that the ledger at .* lacks \(gone\).* It was noticed on \d{4}-/,
    );
  });
});
