/** gw's own environment variables, as a shell, a service or a file of variables sets them. */
import { hiddenFault, hidesSomething, oddPartOf } from '../../base/clean-text.ts';
import type { Host } from '../../host/host.ts';

/** Credentials are checked where they are used, and GW_PAGER is a command, which may begin with a quote. */
const CHECKED = ['PROFILE', 'ENVIRONMENT', 'BASE_URL', 'LEDGER_URL', 'OPERATOR', 'PLAIN', 'PROMPT'];

/**
 * The host has trimmed the values (host/create.ts).
 * @throws Failure usage that names a variable with quotes around its value, a quote at one end, or a hidden character
 */
export function checkVariables(env: Host['env']): void {
  for (const name of CHECKED.map((one) => `GW_${one}`)) {
    const value = env[name] ?? '';
    const fault = hiddenFault(value) ?? oddPartOf(value) ?? loneQuote(value);
    if (fault !== undefined) throw hidesSomething(`${name} ${fault}`);
  }
}

/** @returns a quote at one end that no other one closes, as the rest of a sentence */
function loneQuote(value: string): string | undefined {
  const quote = /^["'`]|["'`]$/.exec(value)?.[0] ?? '';
  if (quote === '' || value.split(quote).length > 2) return undefined;
  return `${value.startsWith(quote) ? 'begins' : 'ends'} with ${quote}`;
}
