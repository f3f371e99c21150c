/** A record that one picks where it is known, and types else; and what somebody may not type into a field. */
import { holdsBareCardNumber } from '../../client/exchange/stray-card-number.ts';
import type { Candidates, Choice, Prompts } from '../../host/host.ts';

/** A record that is known. */
export interface KnownRecord extends Choice {
  /** Its other names: its id, its reference, its email. */
  aliases: readonly string[];
}

/** Records to pick from. */
export interface KnownRecords extends Candidates {
  listed: readonly KnownRecord[];
}

/** Records that are listed at once. */
const MOST_LISTED = 15;

/**
 * @param label what is named, such as `Plan`
 * @param known those that are known; none, or undefined, where it has to be typed
 * @param aside what the question says then, beside the label
 * @returns the value of the record that was named, or another text as it was typed
 */
export async function pickOrType(
  questions: Pick<Prompts, 'text'>,
  label: string,
  known: KnownRecords | undefined,
  aside = '',
): Promise<string> {
  if (!known?.listed.length) {
    const check = (value: string) => checkTyped(label, value);
    return (await questions.text(`${label}${aside}:`, { check })).trim();
  }
  const { title, listed, more } = known;
  const read = (typed: string) => recordsCalled(listed, typed)[0]?.value ?? typed.trim();
  const typed = await questions.text(`${label}:`, {
    check: (value) =>
      recordsCalled(listed, value).length > 1
        ? 'More than one is called so: type its id'
        : checkTyped(label, value),
    shown: read,
    candidates: {
      title,
      listed: listed.slice(0, MOST_LISTED),
      more: listed.length > MOST_LISTED ? more : undefined,
    },
  });
  return read(typed);
}

/** @returns those that a text names: by their value first, else by another name, else in any case */
function recordsCalled(records: readonly KnownRecord[], typed: string): KnownRecord[] {
  const text = typed.trim();
  const inAnyCase = text.toLowerCase();
  const names = ({ value, name, aliases }: KnownRecord) => [value, name, ...aliases];
  const ways: ((record: KnownRecord) => boolean)[] = [
    ({ value }) => value === text,
    (record) => names(record).includes(text),
    (record) => names(record).some((name) => name.toLowerCase() === inAnyCase),
  ];
  return ways.map((isCalled) => records.filter(isCalled)).find(({ length }) => length > 0) ?? [];
}

/**
 * @param name of the field, as it is asked for
 * @returns true, or what to say; a card number would be refused in the end, and everything asked for in vain
 */
export function checkTyped(name: string, value: string): true | string {
  if (value.trim() === '') return `${name} can't be blank`;
  return checkNoCard(value);
}

/** @returns as `checkTyped`, of what may be left blank */
export function checkNoCard(value: string): true | string {
  return (
    !holdsBareCardNumber(value) || 'This looks like a card number, which only the card may have'
  );
}
