/** Calls the test gateway in this process. It has the same state as over HTTP, without a socket. */

import { FAULT_HEADER, parseFault } from '../../contract/faults.ts';
import type { GatewayAnswer } from '../../emulator/faults.ts';
import { createGateway } from '../../emulator/gateway.ts';
import { openState } from '../../emulator/state.ts';
import type { Clock } from '../../host/host.ts';
import { noteLeaving } from '../../host/http/left.ts';
import { transportReason } from '../../host/http/transport-reason.ts';
import {
  HeldBack,
  type Sender,
  type SendLimits,
  TransportError,
  type WireReply,
} from './sender.ts';

/** @param path file of the test gateway's state */
export function createEmbeddedSender(path: string, clock: Pick<Clock, 'now' | 'sleep'>): Sender {
  const store = openState({ path, clock });
  const gateway = createGateway({ store });
  return {
    async send({ url, method, headers, body }, limits) {
      const { interrupted, mayLeave = () => true } = limits;
      const { aborted, reason } = interrupted;
      if (aborted) throw new TransportError(transportReason(reason), false, reason);
      const fault = headers[FAULT_HEADER];
      if (fault !== undefined && parseFault(fault)?.ending === 'unreachable')
        throw lossBy('ECONNREFUSED', false);
      if (!mayLeave()) throw new HeldBack();
      noteLeaving(method);
      const answer = await gateway.answer({
        method,
        target: url.pathname + url.search,
        authorization: headers.authorization,
        body,
        fault,
      });
      return arrived(answer, limits, clock);
    },
    close: async () => store.close(),
  };
}

/**
 * Makes the fault of an answer happen. Nobody waits for an answer that certainly never comes: it is as if the time limit
 * was over.
 */
async function arrived(
  { lost, lateMs = 0, ...reply }: GatewayAnswer,
  { timeoutMs, interrupted }: SendLimits,
  clock: Pick<Clock, 'sleep'>,
): Promise<WireReply> {
  if (lateMs > 0)
    await clock.sleep(Math.min(lateMs, timeoutMs), interrupted).catch(() => undefined);
  const { aborted, reason } = interrupted;
  if (aborted) throw new TransportError(transportReason(reason), true, reason);
  if (lost === 'reset') throw lossBy('ECONNRESET');
  if (lost !== undefined || lateMs > timeoutMs) throw lossBy('TimeoutError');
  return reply;
}

/** @param why code or name of the error that a connection would have */
function lossBy(why: string, isSent = true): TransportError {
  const cause = Object.assign(new Error(why), { name: why, code: why });
  return new TransportError(transportReason(cause), isSent, cause);
}
