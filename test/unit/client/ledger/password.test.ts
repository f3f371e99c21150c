/** The message about a missing password of a ledger. */
import { expect, test } from 'vitest';
import { ledgerPassword } from '../../../../src/client/ledger/password.ts';
import { Failure } from '../../../../src/failure.ts';
import { WAYS_WITHOUT_KEYCHAIN } from '../../../../src/host/secret-variables.ts';
import { parseLedgerAddress } from '../../../../src/store/postgres/address.ts';
import { createTestHost } from '../../../helpers/cli.ts';

const place = {
  address: parseLedgerAddress('postgres://ada@ledger.example/gw', 'It'),
  command: undefined,
};

test.each([
  ['the keychain has none', async () => undefined],
  [
    'there is no keychain',
    async () => {
      const next = `Start a keychain; or ${WAYS_WITHOUT_KEYCHAIN}.`;
      throw new Failure('keychain-missing', 'No keychain found.', next);
    },
  ],
])(
  '%s: the message names the ways to store the password of a ledger, not of a gateway',
  async (_, get) => {
    const host = createTestHost({});
    const failure = await ledgerPassword(
      { ...host, keychain: { ...host.keychain, get } },
      place,
    ).catch((error) => error);
    expect(failure).toMatchObject({ kind: 'auth' });
    for (const way of ['PGPASSWORD', '~/.pgpass', '--ledger-command'])
      expect(failure.next).toContain(way);
    expect(failure.next).not.toMatch(/GW_USERNAME|credentialCommand/);
  },
);
