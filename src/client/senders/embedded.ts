/** Calls the test gateway in this process. It has the same state as over HTTP, without a socket. */

import { createGateway } from '../../emulator/gateway.ts';
import { openState } from '../../emulator/state.ts';
import type { Clock } from '../../host/host.ts';
import { noteLeaving } from '../../host/http/left.ts';
import { transportReason } from '../../host/http/transport-reason.ts';
import { HeldBack, type Sender, TransportError } from './sender.ts';

/** @param path file of the test gateway's state */
export function createEmbeddedSender(path: string, clock: Pick<Clock, 'now'>): Sender {
  const store = openState({ path, clock });
  const gateway = createGateway({ store });
  return {
    async send({ url, method, headers, body }, { interrupted, mayLeave = () => true }) {
      const { aborted, reason } = interrupted;
      if (aborted) throw new TransportError(transportReason(reason), false, reason);
      if (!mayLeave()) throw new HeldBack();
      noteLeaving(method);
      return gateway.answer({
        method,
        target: url.pathname + url.search,
        authorization: headers.authorization,
        body,
      });
    },
    close: async () => store.close(),
  };
}
