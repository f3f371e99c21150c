/**
 * One record cannot be the answer to two requests: a gateway, or something before it, that answers twice on a
 * connection which is kept open shifts all answers after it, and then each one tells of another request.
 *
 * Within a run that is known by the ids of the run, and across runs by the journal: a record is that of another
 * request where one of the same account is known to have made it, and asked for something else. Without a
 * reference nothing tells that two ask for the same. The embedded gateway gives its ids again when it starts over,
 * so what it answers is not held against earlier runs.
 */
import type { Failure } from '../../failure.ts';
import { cut } from '../../host/redaction/safe.ts';
import { keptId } from '../../journal/limits.ts';
import { failureOf, type Reply } from '../exchange/classify.ts';
import type { LedgerAccess } from './ledger-access.ts';

/** The longest id in a message, in characters. */
const MAX_LENGTH = 60;

/**
 * @param entry of the request, in the journal
 * @returns whether the journal knows the record of an answer as another request's; false where it cannot be asked
 */
export async function isOfAnother(
  ledger: Pick<LedgerAccess, 'open'>,
  entry: string,
  { operation, records, isEmbedded }: Reply,
): Promise<boolean> {
  const id = keptId(records[0]?.id);
  // One that is no row is about a record that there is.
  if (id === null || operation.isForeign || isEmbedded) return false;
  try {
    return await (await ledger.open()).isMadeByAnother(id, entry, 'alike');
  } catch {
    // The answer is told all the same. Its outcome is written there next, which says what is wrong.
    return false;
  }
}

/** @returns the failure that an answer with the record of another request is */
export function refuseRepeated(reply: Reply, baseUrl: URL): Failure {
  const { operation, input, status, envelope, raw, records } = reply;
  const id = cut(String(records[0]?.id), MAX_LENGTH);
  const doubt = `its ${operation.kind} ${id} is what it answered another request with`;
  return failureOf('outcome-unknown', {
    ...{ operation, input, baseUrl },
    reply: { status, headers: {}, body: raw },
    evidence: { said: 'contradiction', envelope, doubt },
  });
}
