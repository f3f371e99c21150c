import { createPooledSender } from '../../src/client/senders/pooled.ts';
import type { Sender, SendLimits } from '../../src/client/senders/sender.ts';
import { createSingleSender } from '../../src/client/senders/single.ts';

export type OpenSender = () => Sender | Promise<Sender>;

/** An exchange that nothing ends. */
export const unlimited = (): SendLimits => ({
  timeoutMs: 600_000,
  interrupted: new AbortController().signal,
});

/** Both ways to a gateway behave alike, so tests run over both. */
export const SENDERS: readonly [name: string, open: OpenSender][] = [
  ['single', createSingleSender],
  ['pooled', () => createPooledSender({ connections: 2, env: {} })],
];
