/**
 * The requests that may have left this process. A sender notes each before the first byte, so that an error says
 * whether anything was sent (view/errors.ts), whoever throws it.
 */

export interface Departures {
  lookUp: boolean;
  /** Anything that may change something. */
  change: boolean;
}

export const departures: Departures = { lookUp: false, change: false };

/** @param method HTTP method of the request that is about to leave */
export function noteLeaving(method: string): void {
  departures[method === 'GET' ? 'lookUp' : 'change'] = true;
}
