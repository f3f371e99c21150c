/** Words for the records that a person chooses from. */
import { Failure } from '../../failure.ts';
import type { NameMatch } from './resolve-name.ts';

/** The most records that a message names. */
const MAX_NAMED = 10;

/** @returns for example `customer 071-C-A1 (Ada Byron, ada@example.com); purchase 071-P-B2 (declined)` */
export function listOf(candidates: readonly NameMatch[]): string {
  const named = candidates.slice(0, MAX_NAMED).map(({ kind, id, thing }) => {
    const outcome = thing.kind === kind ? thing.outcome : null;
    const mark = thing.told === 'heard' ? 'unverified' : null;
    const more = [thing.who, thing.email, outcome, mark].filter((one) => one !== null);
    return `${wordOf(kind)} ${id}${more.length > 0 ? ` (${more.join(', ')})` : ''}`;
  });
  const left = candidates.length - named.length;
  return `${named.join('; ')}${left > 0 ? `; and ${left} more` : ''}`;
}

/** @returns the word for a kind in a sentence */
export function wordOf(kind: NameMatch['kind']): string {
  return kind === 'request' ? 'entry' : kind;
}

/**
 * @param named the records, or their list
 * @param kind usage if the gateway was asked nothing
 */
export function ambiguous(
  text: string,
  named: readonly NameMatch[] | string,
  kind: 'usage' | 'notFound' = 'usage',
): Failure {
  const list = typeof named === 'string' ? named : listOf(named);
  return new Failure(
    'name-ambiguous',
    `${JSON.stringify(text)} names several records: ${list}.`,
    'Give the id of one of them.',
    { kind },
  );
}
