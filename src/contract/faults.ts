/**
 * Trouble on demand: what a client meets on bad days, and what the test gateway does if it is asked to. A request asks
 * for a fault in the header `X-Gw-Fault`, which `--test-fault` sends, or by a test card (cards/test-cards.ts).
 */

export const FAULT_HEADER = 'x-gw-fault';

/** What becomes of the answer to a request. */
export interface Fault {
  /** false if the gateway does nothing. */
  isProcessed: boolean;
  ending: 'unreachable' | 'silence' | 'reset' | 'page' | 'half' | 'late' | 'refusal';
  /** The status of a refusal. */
  status?: number;
  lateMs?: number;
}

interface ListedFault extends Fault {
  /** What the gateway does, in a few words. */
  does: string;
}

/** Any status from 400 to 599 and any number of seconds can be given; the list has the usual ones. */
export const FAULTS = {
  429: refused(429, 'not processed, 429'),
  500: refused(500, 'not processed, 500'),
  unreachable: { isProcessed: false, ending: 'unreachable', does: 'not reached' },
  timeout: { isProcessed: true, ending: 'silence', does: 'processed, no answer' },
  'reset-before': { isProcessed: false, ending: 'reset', does: 'not processed, then reset' },
  'reset-after': { isProcessed: true, ending: 'reset', does: 'processed, then reset' },
  html: { isProcessed: true, ending: 'page', does: 'processed, HTML with 500' },
  truncated: { isProcessed: true, ending: 'half', does: 'processed, half an answer' },
  'slow=3s': { ...late(3), does: 'processed, 3 seconds late' },
} as const satisfies Record<string, ListedFault>;

export type FaultName = `${keyof typeof FAULTS}`;

function refused<const Status extends number>(status: Status, does: string) {
  return { isProcessed: false, ending: 'refusal', status, does } as const;
}

function late(seconds: number) {
  return { isProcessed: true, ending: 'late', lateMs: seconds * 1000 } as const;
}

/** @returns undefined for text that asks for no fault */
export function parseFault(text: string): Fault | undefined {
  const seconds = /^slow=(\d{1,3}(?:\.\d{1,3})?)s$/.exec(text)?.[1];
  if (seconds !== undefined) return late(Number(seconds));
  if (/^[45]\d\d$/.test(text)) return refused(Number(text), '');
  return Object.hasOwn(FAULTS, text) ? FAULTS[text as FaultName] : undefined;
}

/** @returns for an error: all kinds in their spelling */
export function faultNames(): string {
  return `${Object.keys(FAULTS).join(', ')}. Any status from 400 to 599 and any number of seconds will do`;
}
