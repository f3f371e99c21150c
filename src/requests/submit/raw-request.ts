/** Sends a request of the user's own, and prints the answer as it came. */
import type { JsonObject } from '../../base/json.ts';
import { readJsonObject } from '../../cli/body/read-input.ts';
import { applyPairs, splitPair } from '../../cli/flags/pairs.ts';
import { purchaseGet } from '../../contract/resources/purchase.ts';
import { usage } from '../../failure.ts';
import type { Context } from '../../host/context.ts';
import { openSession, type SessionFlags } from '../open-session.ts';
import { rawOperation } from './raw-operation.ts';
import { submit } from './submit.ts';

interface RawFlags extends SessionFlags {
  input?: string | undefined;
  field?: readonly string[] | undefined;
  query?: readonly string[] | undefined;
}

/** @throws Failure as for the operation that the request is */
export async function sendRawRequest(
  context: Context,
  { method, path }: { method?: string | undefined; path?: string | undefined },
  flags: RawFlags,
): Promise<void> {
  if (method === undefined || path === undefined) {
    throw usage(
      'argument-missing',
      'Method and path are missing.',
      'Give both, for example `gw api GET /v1.0/plans.json`.',
    );
  }
  const body = await bodyOf(context, flags);
  const given = (flags.query ?? []).map((pair) => splitPair('query', pair));
  const names = [...given.map(([name]) => name), ...Object.keys(body ?? {})];
  const { operation: row, otherwise, id, query } = rawOperation(method, path, names);
  const operation = { ...row, ...(otherwise && { otherwise }) };
  if (body !== undefined && operation.effect === 'read') {
    throw usage(
      'body-of-get',
      'A GET request has no body.',
      'Use --query for parameters, or POST or PUT.',
    );
  }
  const input = {
    query: [...query, ...given],
    ...(id !== undefined && { id }),
    ...(body !== undefined && { body }),
  };
  // The look of the answer only: which operation it is depends on the path.
  const shape = { operation: purchaseGet, flags: { ...flags, raw: true } };
  const session = await openSession(context, shape);
  try {
    await submit(session, operation, input, { isChecked: false });
  } catch (error) {
    throw await session.printAnswerTo(error);
  } finally {
    await session.close();
  }
}

async function bodyOf(
  { host }: Context,
  { input, field = [] }: RawFlags,
): Promise<JsonObject | undefined> {
  if (input === undefined && field.length === 0) return undefined;
  const body = input === undefined ? {} : await readJsonObject(host, input, '--input');
  applyPairs(body, field);
  return body;
}

/** Prints the interface as an OpenAPI document. */
export async function printOpenApi({ host }: Context): Promise<void> {
  const { openApiDocument } = await import('../../contract/openapi.ts');
  await host.stdout.write(`${JSON.stringify(openApiDocument(), null, 2)}\n`);
}
