/** What a command that sends a body does once argv is parsed: as `runGet` for a look-up. */
import type { JsonObject } from '../base/json.ts';
import { buildBody } from '../body/build-body.ts';
import { checkedId } from '../body/read-ids.ts';
import type { CallInput } from '../client/wire-request.ts';
import type { Operation } from '../contract/operations.ts';
import { skeletonOf } from '../contract/request.ts';
import { usage } from '../failure.ts';
import type { Context } from '../session/context.ts';
import { gatewayTime } from './gateway-time.ts';
import { type OperationFlags, withSession } from './run-operation.ts';
import { submit } from './submit.ts';

/** Sends a body, to the record `id` where the path has a parameter, and prints what comes back. */
export async function runSubmit(
  context: Context,
  operation: Operation,
  id: string | undefined,
  flags: OperationFlags,
): Promise<void> {
  const { host } = context;
  const { body: request } = operation;
  if (flags.skeleton === true && request) {
    await host.stdout.write(`${JSON.stringify(skeletonOf(request), null, 2)}\n`);
    return;
  }
  await withSession(context, { operation, flags }, async (session) => {
    const input: CallInput = {};
    if (id !== undefined) input.id = checkedId(id);
    if (request) {
      const { profile, options } = session;
      const now = () => gatewayTime(context, profile);
      input.body = await buildBody({ host, profile, options, now }, request, flags);
      if (request.isPartial) refuseEmpty(input.body);
    }
    await submit(session, operation, input);
  });
}

/** An update that changes nothing was not meant. */
function refuseEmpty(body: JsonObject): void {
  if (Object.keys(body).length > 0) return;
  throw usage(
    'nothing-to-change',
    'There is nothing to change.',
    'Nothing was sent. Give what is to be changed as a flag, or with --input FILE.',
  );
}
