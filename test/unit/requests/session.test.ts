/** A session opens only what it will close. */
import { expect, onTestFinished, test, vi } from 'vitest';
import { LedgerAccess } from '../../../src/client/connection/ledger-access.ts';
import { runCommand } from '../../helpers/cli.ts';

test('a session that cannot print opens no ledger, which nobody would close', async () => {
  const open = vi.spyOn(LedgerAccess.prototype, 'open');
  onTestFinished(() => open.mockRestore());
  const shop = {
    environment: 'sandbox',
    baseUrl: 'https://gateway.example',
    ledger: 'postgres://127.0.0.1:1/gw',
  } as const;
  const argv = ['purchase', 'get', '071-P-1', '--fields', 'nothing'];
  const { failure } = await runCommand('fast path', argv, {
    env: { GW_PROFILE: 'shop' },
    profiles: { shop },
  });
  expect(failure?.kind).toBe('usage');
  expect(open).not.toHaveBeenCalled();
});
