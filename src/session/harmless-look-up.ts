/** What is asked of a gateway only to learn whether it takes the credentials: it changes nothing. */
import type { Reply } from '../client/classify.ts';
import { planList } from '../contract/plan.ts';
import type { RequestOptions } from '../flags/request-options.ts';
import type { Context } from './context.ts';
import { type Account, type ConnectionParts, GatewayConnection } from './gateway-connection.ts';

/** @throws Failure when the credentials are not accepted, or the gateway cannot be asked */
export async function lookUpHarmlessly(
  context: Context,
  account: Account,
  options: RequestOptions,
  parts: Partial<ConnectionParts> = {},
): Promise<Reply> {
  const gateway = new GatewayConnection(context, account, options, parts);
  try {
    return await gateway.call(planList, { query: { limit: '1' } });
  } finally {
    await gateway.close();
  }
}
