/** Patterns that fit no event of the interface are said, since a listener would wait for them for ever. */
import { shellWord } from '../../base/shell-word.ts';
import { EVENT_NAMES } from '../../contract/webhooks/names.ts';
import { matcher } from '../../contract/webhooks/patterns.ts';

/**
 * @param patterns of events that are shown or waited for
 * @returns a line; empty where each fits an event of section 6. Deployments send others too, so it is no error
 */
export function noteOfUnknown(patterns: readonly (string | undefined)[]): string {
  const unknown = patterns
    .filter((pattern) => pattern !== undefined)
    .filter((pattern) => !EVENT_NAMES.some(matcher([pattern])));
  if (unknown.length === 0) return '';
  const shown = [...new Set(unknown)].map(shellWord).join(', ');
  return `Note: none of the gateway's events matches ${shown}. They are ${EVENT_NAMES.join(', ')}.\n`;
}
