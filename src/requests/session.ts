/**
 * The tools of a command once argv is parsed: the way to the gateway, and the way to print.
 *
 * This folder sends requests for a person: looks records up (look-up/), sends one (submit/), or many (batch/).
 */
import type { JsonObject } from '../base/json.ts';
import { plural } from '../base/text.ts';
import type { CommandOptions } from '../cli/flags/command-options.ts';
import type { Clearance, GatewayConnection } from '../client/connection/call.ts';
import type { RequestOptions } from '../client/connection/request-options.ts';
import { type ChosenAccount, chosenAccount } from '../client/connection/wire.ts';
import { oddFieldsOf, type Reply } from '../client/exchange/classify.ts';
import { moneyOf, saidCurrency } from '../client/exchange/said-money.ts';
import type { CallInput } from '../client/exchange/wire-request.ts';
import { gatewayTime } from '../client/gateway-time.ts';
import { CHECK_MODE, wrongMode } from '../client/guards/guard.ts';
import type { Profile } from '../client/profiles/profile.ts';
import type { ListCounts } from '../contract/envelope.ts';
import { moneyText } from '../contract/money.ts';
import type { Operation } from '../contract/operation.ts';
import type { RecordKind } from '../contract/record.ts';
import { Failure } from '../failure.ts';
import { departures } from '../host/http/left.ts';
import { note } from '../host/note.ts';
import { neutralise } from '../host/redaction/safe.ts';
import { PLAIN_VIEW, type RecordView } from '../view/columns.ts';
import { renderError } from '../view/errors.ts';
import type { Filter } from '../view/formats/jq.ts';
import {
  filterOf,
  formatOf,
  type OutputOptions,
  openPrinter,
  type PrintHost,
  printRecords,
} from '../view/print-records.ts';
import type { Printer } from '../view/printer.ts';
import { subscriptionView } from '../view/records/gateway-records.ts';
import { renderRaw } from '../view/text/debug.ts';
import type { KnownHost } from './known/open-ledger.ts';
import type { AskingContext } from './open-connection.ts';
import { openConnection } from './open-connection.ts';

/** A request that a dry run shows, with its secrets hidden. Its body may have any field. */
const REHEARSED_VIEW: RecordView = {
  ...PLAIN_VIEW,
  name: 'request',
  plural: 'requests',
  mayHave: ['method', 'url', 'body'],
  hasNoIds: true,
};

/**
 * Opens a session for records of an operation's kind. The caller closes it; `withSession` does.
 * @throws Failure if no profile can be used
 */
export async function openSession(
  context: SessionContext,
  settings: SessionSettings,
): Promise<Session> {
  const account = await chosenAccount(context.host, settings.request.profile);
  return new Session(context, account, settings);
}

/**
 * Does the work of a command in a session. With `--raw`, prints the answer that a failure is about.
 * @throws Failure if no profile can be used; and what `work` throws
 */
export async function withSession(
  context: SessionContext,
  settings: SessionSettings,
  work: (session: Session) => Promise<void>,
): Promise<void> {
  const session = await openSession(context, settings);
  try {
    await work(session);
  } catch (error) {
    throw await session.printAnswerTo(error);
  } finally {
    await session.close();
  }
}

/** The parts of the context that a session touches: those of its connection and its printer. */
export interface SessionContext extends AskingContext {
  host: AskingContext['host'] & PrintHost & KnownHost;
}

export interface SessionSettings extends Pick<CommandOptions, 'request' | 'output'> {
  /** The operation whose records are printed. */
  operation: Operation;
  /** The view of the records, if they are not those of the operation. */
  prints?: RecordView | undefined;
  /** true if records of any kind may be found. */
  isMixed?: boolean;
  /** true (the default) if the user asked for exactly one record. */
  isSingle?: boolean;
  /** The same as in `PrintOptions`. */
  ifNone?: string | undefined;
  /** The most requests at the same time; 1 by default. */
  inFlight?: number;
}

export class Session {
  /** The connection for everything but a call; `call` of the session also reports what is odd about an answer. */
  readonly gateway: GatewayConnection;
  readonly profile: Profile;
  readonly options: RequestOptions;
  readonly isSingle: boolean;
  /** Names that a question offered, and that only unverified webhooks tell of. */
  readonly offeredOnHearsay = new Set<string>();
  readonly #context: SessionContext;
  readonly #output: OutputOptions;
  readonly #printer: Printer;
  readonly #filter: Filter | undefined;
  #subscriptionView: RecordView | undefined;

  /** @throws Failure usage if the output options contradict each other */
  constructor(context: SessionContext, account: ChosenAccount, settings: SessionSettings) {
    const { request, output, operation, isSingle = true, isMixed, ifNone, inFlight = 1 } = settings;
    this.profile = account.profile;
    this.options = request;
    this.isSingle = isSingle;
    this.#context = context;
    this.#output = output;
    // Output of a change is not paged.
    const isUnpaged = operation.effect !== 'read';
    // A dry run prints the request, which has other fields than the record.
    const printed = request.isDryRun ? { ...output, fields: undefined } : output;
    this.#printer = openPrinter(context.host, printed, {
      kind: settings.prints ?? operation.kind,
      isSingle,
      isMixed: isMixed ?? false,
      isUnpaged,
      ifNone,
      now: () => gatewayTime(context.host, account.profile),
    });
    this.#filter = filterOf(context.host, output);
    // Last, because it may open a ledger on a server at once, and only a session is closed.
    const sparesLookUps = operation.effect !== 'read';
    this.gateway = openConnection(context, account, request, { inFlight, sparesLookUps });
  }

  get host(): SessionContext['host'] {
    return this.#context.host;
  }

  /** Calls `GatewayConnection.call`, and says on stderr what is odd about the answer. */
  async call(operation: Operation, input: CallInput, cleared?: Clearance): Promise<Reply> {
    try {
      const reply = await this.gateway.call(operation, input, cleared);
      await this.#sayWhatIsOdd(reply);
      return reply;
    } catch (error) {
      if (error instanceof Failure) await this.#warnOfMode(error.test);
      throw error;
    }
  }

  /** Prints the records of a reply; with `--raw`, the answer as it arrived. */
  async printReply(reply: Reply): Promise<void> {
    if (this.options.isRaw) return this.#printRaw(reply.raw);
    for (const record of reply.records)
      await this.printRecord(await this.#withCurrency(record, reply), reply.operation.kind);
  }

  /** Prints a record that is no answer of the gateway: gw's own, or one seen before. */
  async printRecord(record: JsonObject, kind: RecordKind | RecordView): Promise<void> {
    await this.#printer.add(record, kind === 'subscription' ? await this.#subscriptions() : kind);
  }

  /**
   * With `--raw`, prints the answer that a failure is about, if there was one.
   * @returns the error to throw
   */
  async printAnswerTo(error: unknown): Promise<unknown> {
    if (!(error instanceof Failure) || !this.options.isRaw || !error.body) return error;
    try {
      await this.#printRaw(error.body);
    } catch (unprinted) {
      // An answer that is no JSON matters more to the user than jq's complaint about it.
      if (!(unprinted instanceof Failure) || unprinted.code !== 'jq-failed') throw unprinted;
    }
    return error;
  }

  /** Ends the output of records; nothing may be printed after it. */
  async endOutput(counts?: ListCounts): Promise<void> {
    if (!this.options.isRaw) await this.#printer.end(counts);
  }

  /**
   * Asks every guard about a request, and prints the request without its secrets.
   * @throws Failure as the call would before it sends
   */
  async rehearse(row: Operation, input: CallInput): Promise<void> {
    const { operation, request, refused } = await this.gateway.clearance(row, input);
    const { method, url, body } = request;
    const shown: JsonObject = { method, url: url.href };
    if (body !== undefined) shown.body = JSON.parse(renderRaw(body, this.#context.redactor));
    const output = { ...this.#output, format: formatOf(this.#output) ?? 'json' } as const;
    const kind = REHEARSED_VIEW;
    await printRecords(this.#context.host, output, [shown], {
      kind,
      isSingle: true,
      isUnpaged: true,
    });
    if (refused) throw await this.gateway.ledger.refusal(refused, operation, input);
    const { amount } = this.options.mayAsk ? moneyOf(operation, input) : { amount: null };
    const currency = amount && (await this.gateway.ledger.currencyOf(operation, input));
    const money = amount && currency ? `The amount is ${moneyText(amount, currency)}. ` : '';
    await this.notice(`${money}Nothing was sent.`);
  }

  /** Says something on stderr that is not an error. */
  async notice(text: string): Promise<void> {
    await note(this.#context.host.stderr, text);
  }

  /** Reports one of several failures; the command goes on. */
  async reportFailure(failure: Failure, id: string): Promise<void> {
    const { host, redactor } = this.#context;
    const { message } = failure;
    const isNamed = message.includes(neutralise(id));
    const named = failure.with({ message: isNamed ? message : `${id}: ${message}`, id });
    const [format, debug] = [this.#output.format, this.options.isDebugging];
    await host.stderr.write(renderError(named, { format, debug, redactor, left: departures }));
  }

  async close(): Promise<void> {
    await this.gateway.close();
  }

  /** The view of subscriptions today, by the gateway's own clock: one may have ended. */
  async #subscriptions(): Promise<RecordView> {
    if (!this.#subscriptionView) {
      const now = await gatewayTime(this.#context.host, this.profile);
      this.#subscriptionView = subscriptionView(now.toISOString().slice(0, 'YYYY-MM-DD'.length));
    }
    return this.#subscriptionView;
  }

  /** A table or a sheet shows an amount in the currency of its request or purchase, or as it was listed. JSON has the gateway's record unchanged. */
  async #withCurrency(record: JsonObject, { input, operation }: Reply): Promise<JsonObject> {
    const { id, amount, currency: said = null } = record;
    const isJson = /^(?:json|jsonl|yaml|id)$/.test(formatOf(this.#output) ?? 'table');
    if (isJson || said !== null || typeof id !== 'string' || typeof amount !== 'number')
      return record;
    const read = saidCurrency(input);
    const isListed = input.id === undefined && operation.kind === 'plan';
    const currency = read ?? (isListed ? undefined : await this.#currencySeen(operation.kind, id));
    return currency === undefined ? record : { ...record, currency };
  }

  /** A look-up of a plan does not name its currency, which a list does (section 2.5), nor does that of a refund. */
  async #currencySeen(kind: RecordKind, id: string): Promise<string | undefined> {
    const { ledger } = this.gateway;
    if (kind === 'refund') return ledger.currencyKnown({ refund: id });
    const seen = kind === 'plan' ? await ledger.rememberedOf(kind, id) : undefined;
    return seen?.currency ?? undefined;
  }

  async #sayWhatIsOdd(reply: Reply): Promise<void> {
    const { envelope, operation, unrecorded } = reply;
    if (unrecorded) {
      const { message, next } = unrecorded;
      await this.notice(`Note: the journal does not have this answer. ${message} ${next}`);
    }
    await this.#warnOfMode(envelope.test);
    const odd = oddFieldsOf(reply);
    const n = odd.length;
    if (n === 0) return;
    await this.notice(
      `Note: ${odd.join(', ')} in the answer to ${operation.name} ${plural(n, 'has', 'have')} an unusual form. gw shows ${plural(n, 'it', 'them')} as received.`,
    );
  }

  async #warnOfMode(test: boolean | undefined): Promise<void> {
    const wrong = wrongMode(this.profile, test);
    if (wrong) await this.notice(`WARNING: ${wrong}. ${CHECK_MODE}`);
  }

  async #printRaw(body: string): Promise<void> {
    const text = renderRaw(body, this.#context.redactor);
    if (text === '') return;
    return this.#printText(text.endsWith('\n') ? text : `${text}\n`);
  }

  /** @param text JSON, as `--jq` takes it */
  async #printText(text: string): Promise<void> {
    const { stdout } = this.#context.host;
    if (this.#filter === undefined) return stdout.write(text);
    const { filterJq } = await import('../view/formats/jq.ts');
    await filterJq(this.#filter, [text], (lines) => stdout.write(lines));
  }
}
