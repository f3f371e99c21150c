/** Makes faults happen (contract/faults.ts) to answers; the way on which an answer travels loses or delays it. */
import type { Fault } from '../contract/faults.ts';
import { Refusal } from './resources/handler.ts';

/** An answer of the test gateway, and what becomes of it on its way. */
export interface GatewayAnswer {
  status: number;
  /** Header names in lower case. */
  headers: Record<string, string>;
  body: string;
  /** It does not arrive: the connection is reset, or stays open without an answer. */
  lost?: 'reset' | 'silence';
  /** It arrives so much later. */
  lateMs?: number;
}

/** Thrown by a handler in place of its work, which is undone. */
export class Trouble extends Error {
  readonly fault: Fault;

  constructor(fault: Fault) {
    super('Fault on demand');
    this.fault = fault;
  }
}

/** @returns the answer to a request that is not processed; nobody reads it if the connection is reset */
export function onDemand({ status = 503 }: Fault): Refusal {
  const headers = status === 429 || status === 503 ? { 'retry-after': '1' } : {};
  return new Refusal(status, ['Fault on demand'], null, headers);
}

/** @returns what the fault leaves of an answer */
export function spoiled(answer: GatewayAnswer, fault: Fault | undefined): GatewayAnswer {
  switch (fault?.ending) {
    case 'silence':
      return { ...answer, lost: 'silence' };
    case 'reset':
    case 'unreachable':
      return { ...answer, lost: 'reset' };
    case 'late':
      return { ...answer, lateMs: fault.lateMs ?? 0 };
    case 'page':
      return {
        status: 500,
        headers: { ...answer.headers, 'content-type': 'text/html' },
        body: '<html><body><h1>500 Internal Server Error</h1></body></html>',
      };
    case 'half':
      return { ...answer, body: answer.body.slice(0, answer.body.length / 2) };
    default:
      return answer;
  }
}
