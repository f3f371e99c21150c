import { createPoolSender } from '../../src/senders/pooled.ts';
import type { Sender } from '../../src/senders/sender.ts';
import { createOnceSender } from '../../src/senders/single.ts';

export type OpenSender = () => Sender | Promise<Sender>;

/** What is true of one way to a gateway is true of the other: tests run over both. */
export const SENDERS: readonly [name: string, open: OpenSender][] = [
  ['once', createOnceSender],
  ['pool', () => createPoolSender({ connections: 2, env: {} })],
];
