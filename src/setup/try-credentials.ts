/** Tries credentials, for `gw login` and `gw doctor`. */

import type { RequestOptions } from '../client/connection/request-options.ts';
import type { ChosenAccount, ConnectionParts } from '../client/connection/wire.ts';
import type { Reply } from '../client/exchange/classify.ts';
import { planList } from '../contract/resources/plan.ts';
import type { AskingContext } from '../requests/open-connection.ts';
import { openConnection } from '../requests/open-connection.ts';

/**
 * Asks the gateway, without changing anything, whether it accepts the credentials. `allowedCommands` limits commands,
 * and this look-up is not one.
 * @throws Failure if it does not, or cannot be asked
 */
export async function tryCredentials(
  context: AskingContext,
  { profile, credentials }: ChosenAccount,
  options: RequestOptions,
  parts: Partial<ConnectionParts> = {},
): Promise<Reply> {
  const account = { profile: { ...profile, allowedCommands: undefined }, credentials };
  const gateway = openConnection(context, account, options, parts);
  try {
    return await gateway.call(planList, { query: { limit: '1' } });
  } finally {
    await gateway.close();
  }
}
