/** A program around the real keychain: `get|peek|set|delete ACCOUNT [SECRET]`; ends as `start.ts` does. */
import { Failure } from '../../src/failure.ts';
import { createHost } from '../../src/host/create.ts';
import { createKeychain } from '../../src/host/keychain.ts';

const [method, account = '', secret = ''] = process.argv.slice(2);
const host = createHost();
const { GW_TEST_UNLOCK_TIMEOUT_MS } = process.env;
const keychain = createKeychain({
  interrupted: host.interrupted,
  ...(GW_TEST_UNLOCK_TIMEOUT_MS ? { unlockTimeoutMs: Number(GW_TEST_UNLOCK_TIMEOUT_MS) } : {}),
});

try {
  let result: unknown;
  // A batch and what it looks up may ask at the same time.
  if (method === 'get')
    [result] = await Promise.all([keychain.get(account), keychain.get(account)]);
  else if (method === 'peek') result = await keychain.peek(account);
  else if (method === 'set') result = await keychain.set(account, secret);
  else result = await keychain.delete(account);
  await host.stdout.write(`${method}: ${JSON.stringify(result)}\n`);
  await host.exit(0);
} catch (error) {
  if (!(error instanceof Failure)) throw error;
  await host.stdout.write(`${method}: ${error.kind}: ${error.message} ${error.next}\n`);
  await host.exit(error.exitCode);
}
