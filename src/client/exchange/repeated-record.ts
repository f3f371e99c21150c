/**
 * One record cannot be the answer to two requests: a gateway, or something before it, that answers twice on a
 * connection which is kept open shifts all answers after it, and then each one tells of another request.
 */
import type { Failure } from '../../failure.ts';
import { cut } from '../../host/redaction/safe.ts';
import { failureOf, type Reply } from './classify.ts';

/** Of an id, in a message. */
const MAX_LENGTH = 60;

/**
 * @param reply to a request that makes a record
 * @param isKnown told its id, once; whether an earlier request was answered with the same
 * @returns the failure that the reply is, if it is none to this request
 */
export function refuseRepeated(
  reply: Reply,
  baseUrl: URL,
  isKnown: (id: string) => boolean,
): Failure | undefined {
  const { operation, input, status, envelope, raw, records } = reply;
  const id = records[0]?.id;
  if (typeof id !== 'string' || !isKnown(id)) return undefined;
  const doubt = `its ${operation.kind} ${cut(id, MAX_LENGTH)} is what it answered an earlier request with`;
  return failureOf('outcome-unknown', {
    ...{ operation, input, baseUrl },
    reply: { status, headers: {}, body: raw },
    evidence: { said: 'contradiction', envelope, doubt },
  });
}
