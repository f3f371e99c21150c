/** What a profile's gateway is, in words that are not overlooked where it is live. */

interface Named {
  name: string;
  environment: 'live' | 'sandbox' | 'local';
}

/** @returns `live (LIVE)`, `shop-2 (sandbox)`; `sandbox` where the name says it already */
export function namedProfile({ name, environment }: Named): string {
  if (environment === 'live') return `${name} (LIVE)`;
  return name === environment ? name : `${name} (${environment})`;
}

/** @returns a sentence about what a live profile does, with a space before it; empty for any other */
export function liveWarning({ environment }: Pick<Named, 'environment'>): string {
  return environment === 'live' ? ' Its commands move real money.' : '';
}
