/**
 * Sends a request of the user's own, and prints the answer as it arrived.
 *
 * Tests: test/scripts/commands/api.script, test/system/raw-writes.test.ts
 */

import { hiddenTexts, hidesSomething, withTrimmedTexts } from '../../base/clean-text.ts';
import type { JsonObject } from '../../base/json.ts';
import { commandText } from '../../base/shell.ts';
import { count } from '../../base/text.ts';
import type { CommandOptions } from '../../cli/flags/command-options.ts';
import { operationFlags } from '../../cli/flags/operation-flags.ts';
import { applyPairs, splitPair } from '../../cli/flags/pairs.ts';
import { holdsCardNumber } from '../../contract/cards/find-card-numbers.ts';
import type { Operation } from '../../contract/operation.ts';
import { fieldsOf } from '../../contract/request.ts';
import { planList } from '../../contract/resources/plan.ts';
import { purchaseGet } from '../../contract/resources/purchase.ts';
import { Failure, orFailure, usage } from '../../failure.ts';
import type { Context } from '../../host/context.ts';
import type { Host } from '../../host/host.ts';
import { readJsonObject } from '../../requests/body/read-input.ts';
import { withSession } from '../../requests/session.ts';
import { submit } from '../../requests/submit/submit.ts';
import { type RawRequest, rawOperation, refuseOverride } from './raw-operation.ts';

interface RawOptions extends CommandOptions {
  /** The body: a path, or `-` for stdin. */
  input: string | undefined;
  /** Pairs, each `name=value`. */
  fields: readonly string[];
  query: readonly string[];
}

/** @throws Failure usage for a write that has a command, and as the operation of the request */
export async function sendRawRequest(
  context: Context,
  typed: { method?: string | undefined; path?: string | undefined },
  options: RawOptions,
): Promise<void> {
  // A path alone is looked up.
  const isPath = typed.path === undefined && typed.method?.includes('/') === true;
  const { method, path } = isPath ? { method: 'GET', path: typed.method } : typed;
  if (method === undefined || path === undefined) {
    throw usage(
      'argument-missing',
      'Method and path are missing.',
      'Give both, for example `gw api GET /v1.0/plans.json`.',
    );
  }
  const raw = rawOperation(method, path);
  const given = options.query.map((pair) => splitPair('query', pair));
  const query = [...raw.query, ...given];
  if (raw.command) throw hasCommand(raw.command, { id: raw.id, query }, options);
  const { operation: row, otherwise, id } = raw;
  const operation = { ...row, ...(otherwise && { otherwise }) };
  const body = await bodyOf(context.host, options);
  if (body !== undefined && operation.effect === 'read') {
    throw usage(
      'body-of-get',
      'A GET request has no body.',
      'Use --query for parameters, or POST or PUT.',
    );
  }
  refuseOverride([...query.map(([name]) => name), ...Object.keys(body ?? {})]);
  const input = { query, ...(id !== undefined && { id }), ...(body !== undefined && { body }) };
  // Only for the form of the output: the operation itself depends on the path.
  const request = { ...options.request, isRaw: true };
  const settings = { operation: purchaseGet, request, output: options.output };
  await withSession(context, settings, async (session) => {
    const unknown = unknownQueryText(operation, query);
    if (unknown !== undefined) await session.notice(unknown);
    const reply = await orFailure(submit(session, operation, input));
    if (reply instanceof Failure) throw withOwnList(reply, raw.listed);
    const { pages = 1, current_page: page } = reply?.envelope.counts ?? {};
    if (pages > 1) {
      const all = row.name === planList.name ? ' `gw plan list --all -o json` has all plans.' : '';
      await session.notice(
        `This is ${page === undefined ? 'one' : `page ${page}`} of ${count(pages)} pages.${all || nextPage(page, pages)}`,
      );
    }
  });
}

/** The interface names no parameter for a page. Deployments count pages by `offset`, from 1. */
function nextPage(page: number | undefined, pages: number): string {
  return page === undefined || page >= pages
    ? ''
    : ` \`--query offset=${page + 1}\` asks for the next.`;
}

/**
 * A deployment may know more than the interface, so such a request is sent all the same.
 * @returns a note on the parameters of a look-up that the interface does not have; undefined if there are none
 */
function unknownQueryText(
  { path, query: known = {}, isForeign, otherwise }: Operation,
  query: RawRequest['query'],
): string | undefined {
  const unknown = query.map(([name]) => name).filter((name) => !Object.hasOwn(known, name));
  if (isForeign || otherwise || unknown.length === 0) return undefined;
  const names = Object.keys(known);
  const has = names.length === 0 ? 'none' : names.join(' and ');
  return `The interface has no query parameter ${unknown.map((name) => JSON.stringify(name)).join(', ')} of ${path}, so the gateway may ignore it. It has ${has}.`;
}

/** @returns the failure; one of a list that the gateway lacks comes with the list that gw has */
function withOwnList(failure: Failure, listed: RawRequest['listed']): Failure {
  const isLacking = failure.kind === 'rejected' || failure.kind === 'notFound';
  if (!isLacking || listed === undefined || !(listed in LISTS)) return failure;
  return failure.with({
    next: `The interface has no list of ${LISTS[listed]}. \`gw ${listed} list -o json\` has those that gw has seen.`,
  });
}

/** The kinds of records that gw lists and the gateway does not. */
const LISTS: Partial<Record<Operation['kind'], string>> = {
  purchase: 'purchases',
  refund: 'refunds',
  customer: 'customers',
  subscription: 'subscriptions',
};

/**
 * A write that has a command is only sent by that command. So limits, duplicates and the confirmation share one reading
 * of it.
 * @returns the failure that names the command. Its kind is usage: the user only has to type another command, whatever
 *   the profile permits and the journal knows
 */
function hasCommand(
  row: Operation,
  { id, query }: Pick<RawRequest, 'query'> & { id: string | undefined },
  { typed, input, fields }: RawOptions,
): Failure {
  const taken = operationFlags(row);
  const body = bodyFlags(row, { input, fields });
  const others = Object.entries(typed).filter(([name]) => name !== 'input' && name !== 'field');
  // A card number would be shown masked, so the command would name another record.
  const isShown = id === undefined || !holdsCardNumber(id);
  const line = commandText(
    [...row.name.split(' '), ...(id === undefined ? [] : [id])],
    [...others.filter(([name]) => Object.hasOwn(taken, name)), ...body],
  );
  const isRead = body.some(([name, value]) => name === 'input' && value === '-');
  const onStdin = isRead ? ', with the body as JSON on stdin' : '';
  const hasBody = input !== undefined || fields.length > 0;
  return usage(
    'has-a-command',
    `\`gw ${row.name}\` sends this request. \`gw api\` sends only what has no command.`,
    [
      line !== undefined && isShown
        ? `Run \`${line}\`${onStdin}.`
        : `Run \`gw ${row.name}\` with this id: its --help shows what else it takes.`,
      ...(hasBody && !row.body ? ['It sends no body.'] : []),
      ...(query.length > 0
        ? [`It sends no query${row.body ? ': put those fields into the body' : ''}.`]
        : []),
    ].join(' '),
  );
}

/** @returns the flags that give the body: one for each pair, or --input if one has no flag, or holds card data */
function bodyFlags(
  { body }: Operation,
  { input, fields }: Pick<RawOptions, 'input' | 'fields'>,
): [flag: string, value: string][] {
  if (!body) return [];
  const known = fieldsOf(body);
  const flags = fields.flatMap((pair): [string, string][] => {
    const [path, value] = splitPair('field', pair);
    const field = known.find((one) => one.path.join('.') === path);
    const isCard = field?.isCard && field.flag !== 'card-token';
    return field && !isCard && !holdsCardNumber(value) ? [[field.flag, value]] : [];
  });
  if (input === undefined && flags.length > 0 && flags.length === fields.length) return flags;
  return [['input', input !== undefined && fields.length === 0 ? input : '-']];
}

async function bodyOf(
  host: Parameters<typeof readJsonObject>[0],
  { input, fields }: RawOptions,
): Promise<JsonObject | undefined> {
  if (input === undefined && fields.length === 0) return undefined;
  const body = input === undefined ? {} : await readJsonObject(host, input, '--input');
  applyPairs(body, fields);
  const clean = withTrimmedTexts(body);
  const [hidden] = hiddenTexts(clean);
  if (!hidden) return clean;
  throw hidesSomething(`${hidden.field} ${hidden.problem}`);
}

export async function printOpenApi({ stdout }: Pick<Host, 'stdout'>): Promise<void> {
  const { openApiDocument } = await import('../../contract/openapi.ts');
  await stdout.write(`${JSON.stringify(openApiDocument(), null, 2)}\n`);
}
