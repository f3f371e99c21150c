import { createPooledSender } from '../../src/client/senders/pooled.ts';
import type { Sender } from '../../src/client/senders/sender.ts';
import { createSingleSender } from '../../src/client/senders/single.ts';

export type OpenSender = () => Sender | Promise<Sender>;

/** What is true of one way to a gateway is true of the other: tests run over both. */
export const SENDERS: readonly [name: string, open: OpenSender][] = [
  ['single', createSingleSender],
  ['pooled', () => createPooledSender({ connections: 2, env: {} })],
];
