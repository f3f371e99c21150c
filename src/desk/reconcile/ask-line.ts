/** One row on the engine of batches: looked up at the gateway of the profile, and what became of that. */

import { isOf } from '../../base/account.ts';
import type { GatewayConnection } from '../../client/connection/call.ts';
import { CHECK_MODE, wrongMode } from '../../client/connection/wrong-mode.ts';
import type { Reply } from '../../client/exchange/classify.ts';
import { isLedgerKept } from '../../client/ledger/place.ts';
import type { RecordKind } from '../../contract/record-id.ts';
import { Failure } from '../../failure.ts';
import type { Context } from '../../host/context.ts';
import type { Attempt } from '../../requests/batch/engine/batch.ts';
import type { Stop } from '../../requests/batch/engine/stop.ts';
import { resultOfFailure } from '../../requests/batch/line-result.ts';
import { ask, type LookUpContext, lookUpRow } from './ask.ts';
import { type BookRow, RECONCILED_KINDS } from './book-row.ts';
import type { FoundRecord } from './compare.ts';

/** More records of one name than anybody means. */
const MAX_KNOWN = 100;

interface Parts {
  context: Context;
  gateway: GatewayConnection;
  stop: Stop;
}

/** A row that is being asked about. */
export interface RowLookUp {
  row: BookRow;
  /** Once its attempt is done: the record, where there is one. */
  found?: FoundRecord | undefined;
}

/** @returns an attempt that is done when it is known whether there is a record */
export async function askLine(parts: Parts, asked: RowLookUp): Promise<Attempt> {
  try {
    asked.found = await ask(deskOf(parts), asked.row);
    return { outcome: 'done', isEarlier: false };
  } catch (error) {
    if (error instanceof Failure) return resultOfFailure(error);
    throw error;
  }
}

function deskOf({ context, gateway, stop }: Parts): LookUpContext {
  return {
    lookUp: (kind, name) => lookUp(gateway, stop, kind, name),
    async known(name) {
      // Where there is no memory yet, asking would make one.
      if (!(await isLedgerKept(context.host, { profile: gateway.profile }))) return [];
      const { documents } = await gateway.ledger.open();
      const tied = await documents.tied([name], { kinds: RECONCILED_KINDS, limit: MAX_KNOWN });
      const destination = await gateway.ledger.destination();
      return tied.filter(
        (document) =>
          (document.id === name || document.reference === name) && isOf(document, destination),
      );
    },
    refundCurrency: (refund) => gateway.ledger.currencyKnown({ refund }),
  };
}

/** @throws Failure guard, which ends the run, when the answer is of the wrong mode */
async function lookUp(
  gateway: GatewayConnection,
  stop: Stop,
  kind: RecordKind,
  name: string,
): Promise<Reply> {
  const refuseWrongMode = (test: boolean | undefined) => {
    const why = wrongMode(gateway.profile, test);
    if (why === undefined) return;
    stop.because({ why, code: 'wrong-mode', next: CHECK_MODE });
    throw new Failure('guard', `Not compared: ${why}.`, { code: 'wrong-mode', next: CHECK_MODE });
  };
  try {
    const reply = await gateway.call(lookUpRow(kind), { id: name });
    refuseWrongMode(reply.envelope.test);
    return reply;
  } catch (error) {
    if (error instanceof Failure) refuseWrongMode(error.test);
    throw error;
  }
}
