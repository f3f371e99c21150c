import { createOnceSender } from '../../src/senders/once.ts';
import { createPoolSender } from '../../src/senders/pool.ts';
import type { Sender } from '../../src/senders/sender.ts';

export type OpenSender = () => Sender | Promise<Sender>;

/** What is true of one way to a gateway is true of the other: tests run over both. */
export const SENDERS: readonly [name: string, open: OpenSender][] = [
  ['once', createOnceSender],
  ['pool', () => createPoolSender({ connections: 2, env: {} })],
];
