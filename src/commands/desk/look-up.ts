/** Asks the gateway for a record, because a person pressed the button. The ledger keeps the answer as any other. */
import { capitalised } from '../../base/text.ts';
import { requestOptions } from '../../cli/flags/command-options.ts';
import { chosenAccount } from '../../client/connection/wire.ts';
import { CHECK_MODE, wrongMode } from '../../client/guards/guard.ts';
import { lookUpOf } from '../../contract/operations.ts';
import type { RecordKind } from '../../contract/record.ts';
import { usage } from '../../failure.ts';
import { openConnection } from '../../requests/open-connection.ts';
import type { Desk } from './desk.ts';

/**
 * @param asked the kind and the id, as a form has them
 * @returns a warning if the answer is of another mode than the profile; otherwise undefined
 * @throws Failure of the gateway; usage if a record of that kind cannot be looked up
 */
export async function lookUp(
  { context, profile }: Desk,
  asked: { kind: string; id: string },
): Promise<string | undefined> {
  const operation = lookUpOf(asked.kind as RecordKind);
  if (!operation || asked.id === '')
    throw usage('id-invalid', 'This cannot be looked up.', 'Search for it, and open its page.');
  const account = await chosenAccount(context.host, profile.name);
  const request = requestOptions(context.host, { profile: profile.name, 'no-input': true });
  const gateway = openConnection(context, account, request);
  try {
    const { envelope } = await gateway.call(operation, { id: asked.id });
    await gateway.ledger.allSeen();
    const wrong = wrongMode(profile, envelope.test);
    return wrong && `${capitalised(wrong)}. ${CHECK_MODE}`;
  } finally {
    await gateway.close();
  }
}
