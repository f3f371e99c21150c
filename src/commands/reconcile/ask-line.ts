/** One row in the run of a batch: its look-up at the gateway, and its result. */

import type { GatewayConnection } from '../../client/connection/call.ts';
import type { Reply } from '../../client/exchange/classify.ts';
import { CHECK_MODE, wrongMode } from '../../client/guards/guard.ts';
import type { RecordKind } from '../../contract/record.ts';
import { Failure, orFailure } from '../../failure.ts';
import type { Line, LineResult } from '../../requests/batch/engine/batch.ts';
import type { LineSender } from '../../requests/batch/engine/batch-run.ts';
import { resultOfFailure } from '../../requests/batch/line-result.ts';
import { ask, type LookUpContext, lookUpOperation } from './ask.ts';
import type { Book } from './book.ts';
import type { DebitIs, FoundRecord } from './compare.ts';
import type { KnownAccount } from './known-account.ts';
import { signedBy } from './side.ts';

/** Looks rows up. The answer of a row that is done is its record, if there is one. */
export class RowSender implements LineSender<FoundRecord | undefined> {
  readonly #book: Book;
  readonly #gateway: GatewayConnection;
  readonly #desk: LookUpContext;
  /** The direction of a debit of the file; undefined until it is known. */
  debitIs: DebitIs | undefined;

  constructor(
    book: Book,
    gateway: GatewayConnection,
    account: KnownAccount,
    rules: LookUpContext['rules'],
  ) {
    this.#book = book;
    this.#gateway = gateway;
    this.#desk = {
      rules,
      lookUp: (kind, name) => lookUp(gateway, kind, name),
      called: (name) => account.called(name),
      named: (texts) => account.named(texts),
      refundsOf: (purchase) => account.refundsOf(purchase),
      refundCurrency: (refund) => gateway.ledger.currencyKnown({ refund }),
    };
  }

  async lookUp(): Promise<never[]> {
    return [];
  }

  async send(line: Line): Promise<LineResult<FoundRecord | undefined>> {
    const answer = await orFailure(
      ask(this.#desk, signedBy(this.#book.written(line.row), this.debitIs)),
    );
    if (!(answer instanceof Failure)) return { line, outcome: 'done', isEarlier: false, answer };
    const why = wrongMode(this.#gateway.profile, answer.test);
    const endsAll = why && { endsAll: { why, code: 'wrong-mode' as const, next: CHECK_MODE } };
    const result = resultOfFailure(line, answer);
    // The code tells a name of several records from a gateway that could not be asked.
    return { ...result, error: { ...result.error, code: answer.code }, ...endsAll };
  }

  async settle(
    result: LineResult<FoundRecord | undefined>,
  ): Promise<LineResult<FoundRecord | undefined>> {
    return result;
  }
}

/** @throws Failure guard if the answer is of the wrong mode; this ends the run */
async function lookUp(gateway: GatewayConnection, kind: RecordKind, name: string): Promise<Reply> {
  const refuseWrongMode = (test: boolean | undefined) => {
    const why = wrongMode(gateway.profile, test);
    if (why === undefined) return;
    throw new Failure('wrong-mode', `Not compared: ${why}.`, CHECK_MODE, { test });
  };
  try {
    const reply = await gateway.call(lookUpOperation(kind), { id: name });
    refuseWrongMode(reply.envelope.test);
    return reply;
  } catch (error) {
    if (error instanceof Failure) refuseWrongMode(error.test);
    throw error;
  }
}
