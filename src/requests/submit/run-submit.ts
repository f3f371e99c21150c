/** What a command that sends a body does once argv is parsed: as `runGet` for a look-up. */
import type { JsonObject } from '../../base/json.ts';
import { type BodyPlace, buildBody } from '../../cli/body/build-body.ts';
import { gatewayTime } from '../../client/connection/gateway-time.ts';
import type { CallInput } from '../../client/exchange/wire-request.ts';
import { checkRequest } from '../../contract/check.ts';
import type { Operation } from '../../contract/operation.ts';
import { type RequestBody, skeletonOf } from '../../contract/request.ts';
import { usage } from '../../failure.ts';
import type { Context } from '../../host/context.ts';
import { type Asking, openAsking, summarise, tellCommand, tellFailure } from '../asking.ts';
import { idToChange } from '../known/named-record.ts';
import { askedId, choicesOf } from '../known-choices.ts';
import type { OperationFlags } from '../open-session.ts';
import { submit } from './submit.ts';

/** Sends a body, to the record `id` where the path has a parameter, and prints what comes back. */
export async function runSubmit(
  context: Context,
  operation: Operation,
  id: string | undefined,
  flags: OperationFlags,
): Promise<void> {
  const { body: request } = operation;
  if (flags.skeleton === true && request) return printSkeleton(context, request);
  const words = [...operation.name.split(' '), ...(id === undefined ? [] : [id])];
  const asking = await openAsking(context, operation, words, flags);
  try {
    const input: CallInput = {};
    if (operation.path.includes('{')) input.id = await askedId(asking, id, operation.kind);
    if (request) input.body = await buildBody(bodyPlace(asking), request, flags);
    if (request?.isPartial) refuseEmpty(input.body);
    if (input.body) checkRequest(operation, input.body);
    await nameByIds(asking, operation, input);
    await summarise(asking, operation, input);
    await submit(asking.session, operation, input);
    await tellCommand(asking);
  } catch (error) {
    throw await tellFailure(asking, error);
  } finally {
    await asking.session.close();
  }
}

/** Names the records of a request by their ids, however they were typed. @throws Failure usage as `idToChange` */
async function nameByIds(asking: Asking, operation: Operation, input: CallInput): Promise<void> {
  const { id, body } = input;
  if (id !== undefined) input.id = await idToChange(asking, operation, operation.kind, id);
  // A plan may be named by its reference (section 2.7).
  if (
    body &&
    operation.body &&
    'customer' in operation.body.fields &&
    typeof body.customer === 'string'
  )
    body.customer = await idToChange(asking, operation, 'customer', body.customer);
}

/** Prints a body to fill in. */
export async function printSkeleton({ host }: Context, request: RequestBody): Promise<void> {
  await host.stdout.write(`${JSON.stringify(skeletonOf(request), null, 2)}\n`);
}

/** Where the body of a request is built. */
export function bodyPlace({ context, session, questions }: Asking): BodyPlace {
  const { profile, options } = session;
  return {
    host: context.host,
    profile,
    options,
    questions,
    choicesOf: (name) => choicesOf(session, name),
    now: () => gatewayTime(context, profile),
  };
}

/** An update that changes nothing was not meant. */
function refuseEmpty(body: JsonObject = {}): void {
  if (Object.keys(body).length > 0) return;
  throw usage(
    'nothing-to-change',
    'There is nothing to change.',
    'Give the fields to change as flags or with --input FILE.',
    { sent: false },
  );
}
