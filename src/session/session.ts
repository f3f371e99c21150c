/** What a command works with once its flags are parsed: the way to the gateway, and the way to print. */

import type { JsonObject } from '../base/json.ts';
import type { Reply } from '../client/classify.ts';
import type { CallInput } from '../client/client.ts';
import type { ListCounts } from '../contract/envelope.ts';
import type { Operation } from '../contract/operations.ts';
import type { RecordKind } from '../contract/record-id.ts';
import type { Failure } from '../failure.ts';
import type { Profile } from '../profiles/profile.ts';
import { toJson } from '../redaction/safe.ts';
import { renderRaw } from '../view/debug.ts';
import { renderError } from '../view/errors.ts';
import { formatOf, openPrinter, type PrintFlags } from '../view/print-records.ts';
import type { Printer } from '../view/printer.ts';
import type { Context } from './context.ts';
import { chosenAccount, Gateway, type GatewayFlags } from './gateway-connection.ts';

/** Flags of the global groups; each is there when the command has it and it was given. */
export interface CommonFlags extends GatewayFlags, PrintFlags {
  raw?: boolean | undefined;
  'dry-run'?: boolean | undefined;
}

export interface SessionOptions {
  /** Kind of the records that are printed. */
  kind: RecordKind;
  /** true when the user asked for exactly one record. */
  isSingle: boolean;
  /** Requests at the same time, at the most. */
  inFlight: number;
}

interface Parts {
  printer: Printer;
  gateway: Gateway;
}

export class Session {
  readonly isSingle: boolean;
  readonly flags: CommonFlags;
  readonly #context: Context;
  readonly #gateway: Gateway;
  readonly #printer: Printer;

  private constructor(context: Context, flags: CommonFlags, isSingle: boolean, parts: Parts) {
    this.isSingle = isSingle;
    this.flags = flags;
    this.#context = context;
    this.#printer = parts.printer;
    this.#gateway = parts.gateway;
  }

  /** @throws Failure when no profile can be used, or the flags contradict each other */
  static async open(
    context: Context,
    flags: CommonFlags,
    { isSingle, inFlight, kind }: SessionOptions,
  ): Promise<Session> {
    const printer = openPrinter(context.host, flags, { isSingle, kind });
    const account = await chosenAccount(context, flags.profile);
    const gateway = new Gateway(context, flags, account, inFlight);
    return new Session(context, flags, isSingle, { printer, gateway });
  }

  get profile(): Profile {
    return this.#gateway.profile;
  }

  /** Sends a request whose body is checked first, and says on stderr what is odd about the answer. */
  async call(operation: Operation, input: CallInput): Promise<Reply> {
    return this.#watch(this.#gateway.call(operation, input));
  }

  /** As `call`, for a body that is sent as it is. */
  async callUnchecked(operation: Operation, input: CallInput): Promise<Reply> {
    return this.#watch(this.#gateway.callUnchecked(operation, input));
  }

  async close(): Promise<void> {
    await this.#gateway.close();
  }

  /** Prints the records of a reply, or the answer as it came with `--raw`. */
  async printReply(reply: Reply): Promise<void> {
    if (this.flags.raw) return this.#printRaw(reply.raw);
    for (const record of reply.records) await this.#printer.add(record, reply.operation.kind);
  }

  /** With `--raw`, prints the answer that a failure is about, where there was one. */
  async printAnswerTo(failure: Failure): Promise<void> {
    if (this.flags.raw && failure.body) await this.#printRaw(failure.body);
  }

  /** Ends the output of records; nothing is printed after it. */
  async endOutput(counts?: ListCounts): Promise<void> {
    if (!this.flags.raw) await this.#printer.end(counts);
  }

  /** Prints the request that a call would send, without its secrets. */
  async printRequest(operation: Operation, input: CallInput): Promise<void> {
    const { method, url, body } = await this.#gateway.preview(operation, input);
    const shown: JsonObject = { method, url: url.href };
    if (body !== undefined) shown.body = JSON.parse(renderRaw(body, this.#context.redactor));
    await this.#context.host.stdout.write(`${toJson(shown, 2)}\n`);
    await this.notice('Nothing was sent.');
  }

  /** Says something on stderr that is not an error. */
  async notice(text: string): Promise<void> {
    await this.#context.host.stderr.write(`${text}\n`);
  }

  /** Reports one of several failures; the command goes on. */
  async reportFailure(failure: Failure, id: string): Promise<void> {
    const { stderr } = this.#context.host;
    const named = failure.reworded({ message: `${id}: ${failure.message}`, id });
    const text = renderError(named, {
      format: formatOf(this.flags),
      color: stderr.color,
      debug: this.flags.debug ?? false,
      redactor: this.#context.redactor,
    });
    await stderr.write(text);
  }

  async #watch(call: Promise<Reply>): Promise<Reply> {
    const reply = await call;
    await this.#sayWhatIsOdd(reply);
    return reply;
  }

  async #sayWhatIsOdd({
    envelope: { test },
    oddFields,
    operation,
    unrecorded,
  }: Reply): Promise<void> {
    if (unrecorded) {
      await this.notice(
        `Note: the journal does not know of this answer. ${unrecorded.message} ${unrecorded.next}`,
      );
    }
    const { name, environment } = this.profile;
    if (test !== undefined && test === (environment === 'live')) {
      const answered = test ? 'in TEST mode' : 'LIVE';
      await this.notice(
        `WARNING: the profile ${name} is ${environment}, and the gateway answered ${answered}. ` +
          'Check the base address and the credentials with `gw whoami` before you go on.',
      );
    }
    if (oddFields.length > 0) {
      await this.notice(
        `Note: ${oddFields.join(', ')} of the answer to ${operation.name} is not of the usual form; shown as it came.`,
      );
    }
  }

  async #printRaw(body: string): Promise<void> {
    const text = renderRaw(body, this.#context.redactor);
    await this.#context.host.stdout.write(text.endsWith('\n') ? text : `${text}\n`);
  }
}
