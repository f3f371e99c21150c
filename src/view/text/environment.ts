/** Names a profile's environment so that a live one stands out. */

interface ProfileName {
  name: string;
  environment: 'live' | 'sandbox' | 'local';
}

/** @returns `live (LIVE)`, `shop-2 (sandbox)`; `sandbox` alone if the name already says it */
export function namedProfile({ name, environment }: ProfileName): string {
  if (environment === 'live') return `${name} (LIVE)`;
  return name === environment ? name : `${name} (${environment})`;
}

/** @returns a sentence about the effect of a live profile, after a space; empty for any other */
export function liveWarning({ environment }: Pick<ProfileName, 'environment'>): string {
  return environment === 'live' ? ' Its commands move real money.' : '';
}
