/** Asks for a record that a person picks from a list or types, and checks texts that are typed into fields. */
import { holdsBareCardNumber } from '../../client/exchange/stray-card-number.ts';
import type { Candidates, Choice, Prompts } from '../../host/host.ts';

/** A known record. */
export interface NamedChoice extends Choice {
  /** Its other names: its id, its reference, its email, the name of its customer. */
  aliases: readonly string[];
}

/** Records to pick from. */
export interface KnownRecords extends Candidates {
  listed: readonly NamedChoice[];
}

/** The most records in a list. */
const MOST_LISTED = 15;

/**
 * @param label the name of the field, such as `Plan`
 * @param known the records to pick from; empty or undefined if the text must be typed
 * @param aside an addition to the question if it must be typed
 * @returns the value of the record that was named, or the typed text
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
        ? 'Several have this name: type the id'
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

/** @returns the records that a text names: by value first, then by another name, ignoring case, by one of its words */
function recordsCalled(records: readonly NamedChoice[], typed: string): NamedChoice[] {
  const text = typed.trim();
  const inAnyCase = text.toLowerCase();
  const names = ({ value, name, aliases }: NamedChoice) => [value, name, ...aliases];
  const ways: ((record: NamedChoice) => boolean)[] = [
    ({ value }) => value === text,
    (record) => names(record).includes(text),
    (record) => names(record).some((name) => name.toLowerCase() === inAnyCase),
    (record) => names(record).some((name) => name.toLowerCase().split(/\s+/).includes(inAnyCase)),
  ];
  return ways.map((isCalled) => records.filter(isCalled)).find(({ length }) => length > 0) ?? [];
}

/**
 * @param name of the field in the question
 * @returns true, or the problem. A card number would be refused in the end, so it is refused before further questions
 */
export function checkTyped(name: string, value: string): true | string {
  if (value.trim() === '') return `${name} can't be blank`;
  return checkNoCard(value);
}

/** Like `checkTyped`, for a field that may stay blank. */
export function checkNoCard(value: string): true | string {
  return (
    !holdsBareCardNumber(value) ||
    'This looks like a card number. Type it only where gw asks for one'
  );
}
