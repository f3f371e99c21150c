/**
 * Looks up, sends and settles a line of a batch, through the connection to the gateway.
 *
 * Tests: test/unit/requests/batch/run-batch.test.ts
 */
import { textOrNull } from '../../base/text.ts';
import type {
  AskedLine,
  GatewayConnection,
  UnsettledRequest,
} from '../../client/connection/call.ts';
import { CHECK_MODE, wrongMode } from '../../client/guards/guard.ts';
import { hasCaps } from '../../client/guards/rules.ts';
import type { Operation } from '../../contract/operation.ts';
import { Failure, invariant, orFailure } from '../../failure.ts';
import type { IntentRefusal, MoneyRequest } from '../../journal/ledger.ts';
import type { KnownHost } from '../known/open-ledger.ts';
import { secondsIn } from '../known/second-subscription.ts';
import type { BatchOptions } from './batch-options.ts';
import type { OperationSource } from './batch-source.ts';
import { type Line, type LineResult, lineAmount, type StopReason } from './engine/batch.ts';
import type { LineSender } from './engine/batch-run.ts';
import type { Plan } from './engine/preflight.ts';
import {
  LEDGER_LOST,
  resultOfConflict,
  resultOfEntry,
  resultOfFailure,
  resultOfReply,
  stopOfLedger,
} from './line-result.ts';

/** A batch whose whole input has been checked. */
export interface CheckedBatch {
  operation: Operation;
  options: BatchOptions;
  source: OperationSource;
  plan: Plan;
  /** The batch's id in the ledger. */
  id: string;
}

/** Lines that are looked up at once before the run. */
const LOOKED_UP = 256;

/** The most lines of unknown outcome that one run sends again, the newest first; the next run takes the others. */
const MAX_RETRIED = 100_000;

type LineResults = (LineResult<UnsettledRequest> | undefined)[];

export class BatchSender implements LineSender<UnsettledRequest> {
  readonly #batch: CheckedBatch;
  readonly #gateway: GatewayConnection;
  readonly #host: KnownHost;
  /**
   * Ids of the requests whose outcome was unknown when the run began, which may be sent again. Undefined if none may,
   * or if nothing is sent.
   */
  #unknownBefore: ReadonlySet<string> | undefined;
  #isUnrecordedSaid = false;
  /** Who approved the batch, if the profile wants that. */
  approvedBy: string | undefined;
  /** Why lines are not sent that bill a customer a second time, by their numbers. */
  #seconds: Promise<ReadonlyMap<number, Failure>> | undefined;

  constructor(batch: CheckedBatch, gateway: GatewayConnection, host: KnownHost) {
    this.#batch = batch;
    this.#gateway = gateway;
    this.#host = host;
  }

  /** @throws Failure guard if the ledger cannot be used: nothing has been sent */
  async begin(): Promise<void> {
    const { request, retriesUnknown } = this.#batch.options;
    if (!request.recordsMoney) return;
    const ledger = await this.#gateway.ledger.open();
    if (!retriesUnknown) return;
    const unresolved = await ledger.list({ unresolved: true, limit: MAX_RETRIED });
    const unknown = unresolved.filter(({ state }) => state === 'unknown');
    this.#unknownBefore = new Set(unknown.map(({ id }) => id));
  }

  /** @throws Failure guard if the lines that are left to send go beyond a cap of the profile */
  async checkRoom(): Promise<void> {
    const { plan, operation } = this.#batch;
    const { profile, ledger } = this.#gateway;
    if (!hasCaps(profile, operation)) return;
    const left: MoneyRequest[] = [];
    for (let at = 0; at < plan.lines.length; at += LOOKED_UP) {
      const lines = plan.lines.slice(at, at + LOOKED_UP);
      const known = await this.#foresee(lines, { leftToIntent: 'balance' });
      left.push(
        ...lines.flatMap(({ kept, currency = null }, i) =>
          kept && !known[i] ? [{ ...kept, currency: kept.currency ?? currency }] : [],
        ),
      );
    }
    await ledger.checkRoom(operation, left);
  }

  /** A ledger that can no longer be asked ends the run, not the program: the requests in flight are completed. */
  async lookUp(lines: readonly Line[]): Promise<LineResults> {
    // The balance of a purchase is computed once, when the line is intended.
    const refused = await orFailure(this.#foresee(lines, { leftToIntent: 'balance' }));
    if (!(refused instanceof Failure))
      return this.#inCurrencies(await this.#resultsOf(lines, refused));
    const endsAll = stopOfLedger(refused);
    return lines.map((line) => ({ line, outcome: 'not-started', isEarlier: false, endsAll }));
  }

  /** A purchase that named no currency was done in that of the answer, which the ledger has seen. */
  async #inCurrencies(results: LineResults): Promise<LineResults> {
    const isOpen = (result: LineResults[number]) =>
      result?.outcome === 'done' && result.line.body.currency === undefined;
    const ids = results.filter(isOpen).flatMap((one) => textOrNull(one?.record?.id) ?? []);
    if (ids.length === 0) return results;
    const known = await orFailure(this.#gateway.ledger.currenciesOf(ids));
    if (known instanceof Failure) return results;
    return results.map(
      (one) => one && { ...one, currency: known.get(String(one.record?.id)) ?? null },
    );
  }

  /**
   * @param planned for each line what those before it would refund of the same purchase, in minor units
   * @returns for each line its result if it must not be sent
   * @throws Failure if the ledger cannot be asked
   */
  async known(lines: readonly Line[], planned: readonly number[]): Promise<LineResults> {
    return this.#resultsOf(lines, await this.#foresee(lines, { planned }));
  }

  #resultsOf(
    lines: readonly Line[],
    refused: readonly (IntentRefusal | Failure | undefined)[],
  ): Promise<LineResults> {
    return Promise.all(lines.map((line, i) => refused[i] && this.#refusedOf(line, refused[i])));
  }

  async #foresee(
    lines: readonly Line[],
    { planned, leftToIntent }: { planned?: readonly number[]; leftToIntent?: 'balance' },
  ): Promise<readonly (IntentRefusal | Failure | undefined)[]> {
    const asked = lines.map((line, i) => this.#askedOf(line, planned?.[i]));
    const refused = await this.#gateway.foresee(this.#batch.operation, asked, leftToIntent);
    if (!this.#batch.operation.recurring || this.#batch.options.request.allowsSecond)
      return refused;
    this.#seconds ??= secondsIn(this.#host, this.#gateway, this.#batch.plan.lines);
    const seconds = await this.#seconds;
    return lines.map(({ number }, i) => refused[i] ?? seconds.get(number));
  }

  async #refusedOf(
    line: Line,
    refused: IntentRefusal | Failure,
  ): Promise<LineResult<UnsettledRequest>> {
    const { operation, id } = this.#batch;
    const input = { body: line.body };
    if (refused instanceof Failure) return resultOfFailure(line, refused);
    const now = this.#host.clock.now();
    if (refused.kind === 'held')
      return resultOfEntry(line, refused.by, { id, unknownBefore: this.#unknownBefore, now });
    if (refused.kind === 'conflict') return resultOfConflict(line, refused.with, now);
    return resultOfFailure(line, await this.#gateway.ledger.refusal(refused, operation, input));
  }

  async send(line: Line): Promise<LineResult<UnsettledRequest>> {
    const asked = this.#askedOf(line);
    const answer = await orFailure(this.#gateway.sendLine(this.#batch.operation, asked));
    if (answer instanceof Failure) return this.#notSent(line, answer);
    const { result } = answer;
    const sent: LineResult<UnsettledRequest> =
      result instanceof Failure ? resultOfFailure(line, result) : resultOfReply(line, result);
    sent.answer = answer;
    sent.endsAll = this.#wrongMode(answer) ?? sent.endsAll;
    return sent;
  }

  async settle(result: LineResult<UnsettledRequest>): Promise<LineResult<UnsettledRequest>> {
    const { answer, line } = result;
    if (!answer) return result;
    const settled = await orFailure(this.#gateway.settle(answer));
    // Thousands of results may wait for an earlier one, and an answer is large.
    result.answer = undefined;
    if (settled instanceof Failure) {
      const failed = resultOfFailure(line, settled);
      return { ...failed, endsAll: result.endsAll ?? failed.endsAll };
    }
    const { unrecorded } = settled;
    if (unrecorded) await this.#sayUnrecorded(unrecorded);
    if (unrecorded && LEDGER_LOST.has(unrecorded.code)) result.endsAll = stopOfLedger(unrecorded);
    return result;
  }

  /** If another gw has sent the line since the look-up, the next look-up says what became of it. */
  #notSent(line: Line, failure: Failure): LineResult<UnsettledRequest> {
    const { code, entry } = failure;
    if (code !== 'line-held' && code !== 'line-conflict') return resultOfFailure(line, failure);
    return { line, outcome: 'elsewhere', isEarlier: true, entry, error: { message: null } };
  }

  #wrongMode({ result }: UnsettledRequest): StopReason | undefined {
    const { test } = result instanceof Failure ? result : result.envelope;
    const why = wrongMode(this.#gateway.profile, test);
    return why === undefined ? undefined : { why, code: 'wrong-mode', next: CHECK_MODE };
  }

  /** Printed once: the cause usually affects many outcomes at a time. */
  async #sayUnrecorded({ message, next }: Failure): Promise<void> {
    if (this.#isUnrecordedSaid) return;
    this.#isUnrecordedSaid = true;
    await this.#host.stderr.write(
      `\nNote: the journal does not have every answer. ${message} ${next}\n`,
    );
  }

  #askedOf(line: Line, planned = 0): AskedLine {
    const { source, options, id, operation } = this.#batch;
    const { name, retriesUnknown, retriesDeclined, isAsWritten, request } = options;
    const again = request.refusesDuplicates ? 'named' : 'own';
    const among = name === undefined ? 'all' : again;
    const { key, occurrence, body, currency, kept, siblings, row } = line;
    const claim = {
      batch: id,
      line: key,
      occurrence,
      siblings: siblings ?? [{ amount: lineAmount(line), lines: 1 }],
      among: source.isKnownByContent ? 'own' : among,
      // Before anything is sent, every unknown outcome is from before the run.
      retries: retriesUnknown ? (this.#unknownBefore ?? 'any') : 'none',
      retriesDeclined,
      planned,
      isAsWritten: isAsWritten || row.isAsWritten === true,
      approvedBy: this.approvedBy,
    } as const;
    invariant(kept, `line ${line.number} has no request`);
    // Of a purchase, only what the body says was asked for.
    const isSure = operation.money?.givesBack !== undefined;
    return { body, currency: isSure ? currency : undefined, request: kept, line: claim };
  }
}
