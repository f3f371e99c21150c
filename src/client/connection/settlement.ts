/** Decides the outcome that a journal entry gets from an answer, or from its absence: pure functions. */

import type { JsonObject } from '../../base/json.ts';
import { boundedText, dateOrNull } from '../../base/text.ts';
import { responseCodeOf } from '../../contract/declines.ts';
import { isSuccessful, isUnsuccessful, outcomeOf } from '../../contract/normal.ts';
import { Failure } from '../../failure.ts';
import { redactText } from '../../host/redaction/redact.ts';
import type { Scrub } from '../../host/redaction/redactor.ts';
import type { Settlement } from '../../journal/ledger.ts';
import type { Reply } from '../exchange/classify.ts';

/** UTF-16 units of one text of an answer that gw stores. */
export const MAX_KEPT_TEXT = 2_000;

/** @returns the value if it is a text that fits; null if it is not, because a truncated id identifies nothing */
export function keptId(value: unknown): string | null {
  return typeof value === 'string' && value.length <= MAX_KEPT_TEXT ? value : null;
}

/** @returns the outcome for the journal entry */
export function settlementOf(result: Reply | Failure, scrub: Scrub): Settlement {
  const told = (message: unknown) =>
    typeof message === 'string'
      ? // Scrub before cutting, because a part of a secret is not recognised.
        redactText(boundedText(scrub(message), MAX_KEPT_TEXT), 'foreign')
      : null;
  if (result instanceof Failure) {
    return {
      state: STATES[result.kind] ?? 'unknown',
      status: result.status ?? null,
      recordId: keptId(result.id),
      message: told(result.message),
    };
  }
  const [record = {}, ...others] = result.records;
  return {
    // Several records answer only a request of the user's own. None of them speaks for all.
    state: others.length > 0 ? 'done' : stateOf(result, record),
    status: result.status,
    recordId: keptId(result.operation.kind === 'card' ? record.token : record.id),
    message: told(record.message),
    transactionDate: dateOrNull(record.transaction_date),
    responseCode: responseCodeOf(record.response_code),
  };
}

function stateOf({ operation, outcome }: Reply, record: JsonObject): Settlement['state'] {
  // A custom request (`gw api`) may still say whether a card was charged.
  const said = outcome ?? outcomeOf(operation.kind, record);
  if (isSuccessful(said)) return 'done';
  if (isUnsuccessful(said)) return said;
  return operation.authorizes ? 'unknown' : 'done';
}

/** A Failure of any other kind says nothing certain about the money, so it counts as unknown. */
const STATES: Partial<Record<Failure['kind'], Settlement['state']>> = {
  auth: 'rejected',
  notFound: 'rejected',
  rejected: 'rejected',
  notReached: 'not-sent',
  interrupted: 'not-sent',
};

/**
 * One record cannot be the answer to two requests. If a gateway, or something before it, answers twice on an open
 * connection, all later answers shift. Each then belongs to another request.
 *
 * The journal compares across runs: another request of the same account is known to have made the record, and asked for
 * something else. Without a reference, nothing shows that two requests ask for the same. The test gateway reuses its ids
 * when it starts over, so its answers are not compared with earlier runs. A custom request (`gw api`) may concern an
 * existing record.
 * @returns the id of the record that the request made, if another may have made it; null otherwise
 */
export function recordMadeIn(result: Reply | Failure): string | null {
  if (result instanceof Failure || result.operation.isForeign || result.isEmbedded) return null;
  return keptId(result.records[0]?.id);
}
