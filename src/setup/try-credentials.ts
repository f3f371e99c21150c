/** Tries credentials, for `gw login` and `gw doctor`. */
import { openConnection } from '../cli/open-connection.ts';
import { verifyCredentials } from '../client/connection/call.ts';
import type { RequestOptions } from '../client/connection/request-options.ts';
import type { ChosenAccount, ConnectionParts } from '../client/connection/wire.ts';
import type { Reply } from '../client/exchange/classify.ts';
import type { Context } from '../host/context.ts';

/**
 * Sends one harmless look-up. `allowedCommands` limits commands, and this look-up is not one.
 * @throws Failure if the gateway does not accept the credentials, or cannot be asked
 */
export function tryCredentials(
  context: Context,
  { profile, credentials }: ChosenAccount,
  options: RequestOptions,
  parts: Partial<ConnectionParts> = {},
): Promise<Reply> {
  const account = { profile: { ...profile, allowedCommands: undefined }, credentials };
  return verifyCredentials(openConnection(context, account, options, parts));
}
