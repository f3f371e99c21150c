/** What is asked of a gateway only to learn whether it takes the credentials: it changes nothing. */

import { planList } from '../../contract/resources/plan.ts';
import type { Context } from '../../host/context.ts';
import type { Reply } from '../exchange/classify.ts';
import { type Account, type ConnectionParts, GatewayConnection } from './gateway-connection.ts';
import type { RequestOptions } from './request-options.ts';

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
