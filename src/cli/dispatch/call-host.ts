/**
 * A command that another one runs, for an assistant or a page, sees all of the world that the program sees, but neither
 * its streams nor a person. The rows of the command come here, and of its notes each line.
 */
import type { Host, Output } from '../../host/host.ts';

/** Takes a call's output. */
export interface Taken {
  /** Takes a text that the command prints: whole lines of JSON. */
  rows(text: string): void;
  /** Takes a text for a person. */
  notes(text: string): void;
}

/** @param interrupted ends the call */
export function callHost(host: Host, taken: Taken, interrupted: AbortSignal): Host {
  const stdout = output((text) => taken.rows(text));
  const stderr = output((text) => taken.notes(text));
  const own: Partial<Host> = {
    env: { ...host.env, GW_PROMPT: 'off' },
    stdin: NOTHING,
    stdout,
    stderr,
    paged: () => undefined,
    endPaged: async () => undefined,
    interrupted,
  };
  return Object.create(host, Object.getOwnPropertyDescriptors(own)) as Host;
}

const NOTHING: Host['stdin'] = {
  isTerminal: false,
  async *lines() {
    // Nobody types anything.
  },
  text: async () => '',
  bytes: async () => Buffer.alloc(0),
};

function output(take: (text: string) => void): Output {
  return {
    ...{ isTerminal: false, columns: 80, color: false, blocks: false, isPlain: true },
    write: async (text) => take(text),
  };
}
