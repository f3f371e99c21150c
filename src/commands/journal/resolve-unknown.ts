/**
 * Finds out, or takes down, what became of a money request whose outcome is unknown.
 *
 * Tests: test/hostile/resolve.test.ts, test/system/typed-answers.test.ts
 */

import type { JsonObject } from '../../base/json.ts';
import { instantText, quantity } from '../../base/text.ts';
import type { CommandOptions } from '../../cli/flags/command-options.ts';
import type { GatewayConnection } from '../../client/connection/call.ts';
import type { RequestOptions } from '../../client/connection/request-options.ts';
import { chosenAccount } from '../../client/connection/wire.ts';
import { gatewayTime } from '../../client/gateway-time.ts';
import { entryRecord } from '../../desk/query/entry-record.ts';
import { askOrRefuse, Failure, usage } from '../../failure.ts';
import type { Context } from '../../host/context.ts';
import type { Host } from '../../host/host.ts';
import { parseProcessName } from '../../host/processes.ts';
import { scrubJson } from '../../host/redaction/redactor.ts';
import { commandWord, neutralise } from '../../host/redaction/safe.ts';
import { findEntry } from '../../journal/find-entry.ts';
import type { EntrySender, Ledger, LedgerEntry } from '../../journal/ledger.ts';
import { openLedger } from '../../requests/known/open-ledger.ts';
import type { AskingContext } from '../../requests/open-connection.ts';
import { openConnection } from '../../requests/open-connection.ts';
import { isOwnedBy, type Owner } from '../../things/owner.ts';
import { type PrintHost, printRecords } from '../../view/print-records.ts';
import { ENTRY_VIEW } from '../../view/records/journal-entry.ts';
import { askGateway, type EntryFinding } from './resolve-entry.ts';
import { confirm, dropLost, resolveLost } from './resolve-lost.ts';

/** Those that there are more of wait for the next time. */
const MAX_ENTRIES = 10_000;

interface ResolveOptions extends Pick<CommandOptions, 'request' | 'output'> {
  /** The outcome, as the user knows it. */
  said: 'done' | 'not-done' | undefined;
  /** true where the user has confirmed it already. */
  isConfirmed: boolean;
  /** Whether to drop the outcomes whose entries are lost. */
  dropsLost: boolean;
}

/**
 * @param id of an entry, or enough of its beginning to tell it; none for all that are unresolved
 * @throws Failure unknown when nothing certain follows; usage for one id of all that are lost
 */
export async function resolveUnknown(
  context: Context,
  id: string | undefined,
  options: ResolveOptions,
): Promise<void> {
  const { request } = options;
  const { host } = context;
  if (options.dropsLost && id !== undefined)
    throw usage(
      'flags-exclusive',
      'An id and --lost do not go together: --lost is about all outcomes whose entries are lost.',
      `\`gw journal resolve ${commandWord(id)}\` shows one, and drops it once you confirm. \`gw journal resolve --lost\` lists all.`,
    );
  const ledger = await openLedger(host, { needs: 'sends', profile: request.profile });
  const gateways = new Gateways(context, ledger, request);
  try {
    const resolving = { host, ledger, gateways, options };
    if (options.dropsLost) await dropLost(host, ledger, request);
    else if (id === undefined) await resolveAll(resolving);
    else if (!(await resolveLost(host, ledger, id, options)))
      await resolveOne(resolving, await findEntry(ledger, id));
  } finally {
    await gateways.close();
    await ledger.close();
  }
}

interface Resolving {
  host: PrintHost & Pick<Host, 'prompts'>;
  ledger: Ledger;
  gateways: Gateways;
  options: ResolveOptions;
}

async function resolveOne(resolving: Resolving, entry: LedgerEntry): Promise<void> {
  const { host, ledger, options } = resolving;
  const { isSettled, said } = await settle(resolving, entry);
  for (const sentence of said) await host.stderr.write(`${neutralise(sentence)}\n`);
  if (!isSettled) throw stillUnknown(entry);
  const now = await findEntry(ledger, entry.id);
  const record = await entryRecord(ledger, now);
  try {
    await printRecords(host, options.output, [record], { kind: ENTRY_VIEW, isSingle: true });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw error.with({
      message: `The outcome is recorded: ${now.state}. It could not be printed. ${error.message}`,
      next: `\`gw journal show ${now.id}\` shows it.`,
      sent: undefined,
    });
  }
}

/** Goes through all of them, says a line on stderr for each, and prints what they are now. */
async function resolveAll(resolving: Resolving): Promise<void> {
  const { host, ledger, options } = resolving;
  if (options.said !== undefined) {
    throw usage(
      'argument-missing',
      '--as needs an id.',
      'Nothing was changed. Run `gw journal list --unresolved` to see the ids.',
    );
  }
  const entries = await ledger.list({ unresolved: true, limit: MAX_ENTRIES });
  const records: JsonObject[] = [];
  let open = 0;
  for (const entry of entries) {
    const { said } = await settle(resolving, entry).catch(asSaid);
    const now = await findEntry(ledger, entry.id);
    if (now.state === 'unknown' || now.state === 'sending') open++;
    const what = [entry.operation, entry.reference].filter((part) => part !== null).join(' ');
    await host.stderr.write(`${neutralise(`${entry.id} ${what}: ${said.join(' ')}`)}\n`);
    records.push(await entryRecord(ledger, now));
  }
  if (entries.length === 0) await host.stderr.write('Every outcome is known.\n');
  await printRecords(host, options.output, records, { kind: ENTRY_VIEW });
  if (open > 0) throw someUnknown(open);
}

/** @returns what a failure says of one entry. @throws what ends the program */
function asSaid(error: unknown): Settled {
  if (!(error instanceof Failure) || error.kind === 'interrupted') throw error;
  return { isSettled: false, said: [error.message] };
}

interface Settled {
  isSettled: boolean;
  /** Sentences. */
  said: string[];
}

async function settle(resolving: Resolving, entry: LedgerEntry): Promise<Settled> {
  const { ledger, gateways, options } = resolving;
  const isSenderGone = entry.state === 'sending' && (await refuseSending(resolving, entry));
  refuseSettled(entry);
  const finding =
    options.said === undefined
      ? await gateways.ask(entry)
      : { settlement: settled(options.said), said: [] };
  if (!finding.settlement) return { isSettled: false, said: finding.said };
  const how = options.said === undefined ? 'the gateway was asked' : 'the user said so';
  if (!(await ledger.resolve(entry.id, finding.settlement, how, isSenderGone)))
    throw usage(
      'entry-resolved-meanwhile',
      'The entry has been resolved in the meantime.',
      `\`gw journal show ${entry.id}\` shows how.`,
    );
  return { isSettled: true, said: finding.said };
}

/** The gateways that entries went to, each connected once, and not asked again once it cannot be. */
class Gateways {
  readonly #context: AskingContext;
  readonly #ledger: Ledger;
  readonly #request: RequestOptions;
  readonly #open = new Map<string | undefined, Promise<GatewayConnection>>();
  readonly #failures = new Map<string | undefined, Failure>();

  constructor(context: AskingContext, ledger: Ledger, request: RequestOptions) {
    this.#context = context;
    this.#ledger = ledger;
    this.#request = request;
  }

  /** @throws Failure when the gateway of the entry cannot be asked */
  async ask(entry: LedgerEntry): Promise<EntryFinding> {
    const own = entry.profile === 'environment' ? undefined : entry.profile;
    const named = this.#request.profile ?? own;
    const { host } = this.#context;
    const known = this.#failures.get(named);
    if (known) throw known;
    try {
      const gateway = await this.#connect(named);
      refuseAnother(entry, await gateway.ledger.destination());
      // The gateway's records have the time of its clock.
      const sentAt = await gatewayTime(host, gateway.profile, new Date(entry.createdAt));
      const sent = { ...entry, createdAt: sentAt.toISOString() };
      return await askGateway(sent, {
        call: async (operation, input) => {
          const reply = await gateway.call(operation, input);
          // The records are stored, and a gateway may echo this run's secrets.
          const scrub = (text: string) => this.#context.redactor.scrubKnown(text);
          return { ...reply, records: reply.records.map((record) => scrubJson(record, scrub)) };
        },
        isTaken: (recordId) => this.#ledger.isMadeByAnother(recordId, entry.id),
      });
    } catch (error) {
      if (error instanceof Failure && CONCERNS_ALL.has(error.code))
        this.#failures.set(named, error);
      throw error;
    }
  }

  async close(): Promise<void> {
    for (const opening of this.#open.values())
      await opening.then(
        (gateway) => gateway.close(),
        () => undefined,
      );
  }

  #connect(named: string | undefined): Promise<GatewayConnection> {
    const opening =
      this.#open.get(named) ??
      chosenAccount(this.#context.host, named).then((account) =>
        openConnection(this.#context, account, this.#request),
      );
    this.#open.set(named, opening);
    return opening;
  }
}

/** Codes of failures that the next look-up at the same gateway would meet as well. */
const CONCERNS_ALL = new Set(['not-reached', 'no-trustworthy-answer', 'credentials-refused']);

/** @throws Failure usage when the gateway that would be asked knows nothing of the request */
function refuseAnother(entry: LedgerEntry, { account, profile, host }: Owner<string>): void {
  const say = 'or say what you know with --as.';
  if (entry.account === null || account === null) {
    if (host === entry.host) return;
    throw usage(
      'entry-of-another-gateway',
      `The request went to ${entry.host}, but the profile ${profile} is for ${host}.`,
      `Choose a profile for ${entry.host} with --profile, ${say}`,
    );
  }
  if (isOwnedBy(entry, { account, profile, host }, 'named')) return;
  throw usage(
    'entry-of-another-account',
    `The request was sent to ${entry.host} for a different account from that of the profile ${profile}.`,
    `Choose a profile for that account with --profile, ${say} \`gw whoami\` shows the account of a profile.`,
  );
}

function settled(as: 'done' | 'not-done') {
  return { state: as, status: null, recordId: null, message: null };
}

/**
 * Shows which gw sends the request. A user who knows that it has ended may then say so.
 * @returns true if the user did
 * @throws Failure guard when it runs, or nobody says that it does not
 */
async function refuseSending(
  { host, ledger, options }: Resolving,
  entry: LedgerEntry,
): Promise<boolean> {
  const sender = await ledger.senderOf(entry.id);
  if (!sender) return false;
  const which = senderText(entry, sender, host.clock.now());
  if (sender.isRunning)
    throw new Failure(
      'request-in-flight',
      `Another gw is still sending it: ${which}.`,
      'Wait for its answer, or end that process first.',
    );
  const told = `gw cannot tell from here whether the gw that sent it still runs: ${which}.`;
  const { said, isConfirmed: yes, request } = options;
  const unsaid = new Failure(
    'sender-not-known',
    told,
    `Find out there. If it has ended, record the outcome: \`gw journal resolve ${entry.id} --as ${said ?? 'OUTCOME'} --yes\`.`,
  );
  if (said === undefined) throw unsaid;
  const tell = () => host.stderr.write(`${neutralise(told)}\n`);
  if (yes) await tell();
  else
    await askOrRefuse(request, unsaid, async () => {
      await tell();
      await confirm(host, 'Has it ended?');
    });
  return true;
}

/** @returns for example `process 812 on desk-1, ada@desk-1, since 2026-03-10 09:30` */
function senderText(entry: LedgerEntry, { process }: EntrySender, now: Date): string {
  const { pid, machine } = parseProcessName(process ?? '');
  const on = `on ${machine || (entry.machine ?? 'a machine that is not known')}`;
  const isAhead = Date.parse(entry.createdAt) > now.getTime();
  return [
    pid === '' ? `a gw ${on}` : `process ${pid} ${on}`,
    ...(entry.operator === null ? [] : [entry.operator]),
    `since ${instantText(entry.createdAt)}${isAhead ? ' by its clock, which is ahead' : ''}`,
  ].join(', ');
}

function refuseSettled({ id, state }: LedgerEntry): void {
  if (state === 'unknown' || state === 'sending') return;
  throw usage(
    'entry-settled',
    `Its outcome is known: ${state}.`,
    `\`gw journal show ${id}\` shows it. Only unknown outcomes can be resolved.`,
  );
}

function stillUnknown({ id, operation }: LedgerEntry): Failure {
  return new Failure(
    'outcome-still-unknown',
    'The outcome is still unknown.',
    `Ask whoever runs the gateway about what \`gw journal show ${id}\` shows, then run \`gw journal resolve ${id} --as done\` or \`--as not-done\`.`,
    { operation, id, entry: id },
  );
}

function someUnknown(count: number): Failure {
  return new Failure(
    'outcome-still-unknown',
    `${quantity(count, 'outcome is', 'outcomes are')} still unknown.`,
    'See the reasons above. Ask whoever runs the gateway, then record the answer with `gw journal resolve ID --as done` or `--as not-done`.',
  );
}
