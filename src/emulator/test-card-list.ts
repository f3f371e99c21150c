/** The test cards as they are told to people: what each is called, and what becomes of a charge. */
import { type CardBehaviour, TEST_CARDS } from '../contract/cards/test-cards.ts';
import { cardType } from './resources/cards.ts';
import { answersTo, type IssuerAnswer } from './rules/acquirer.ts';

export interface ListedTestCard {
  /** As `--test-card` takes it. */
  name: string;
  card_number: string;
  card_type: string;
  behaviour: CardBehaviour;
  /** In words. */
  description: string;
  answers: readonly IssuerAnswer[];
}

export function listTestCards(): ListedTestCard[] {
  return Object.entries(TEST_CARDS).map(([name, { card_number, behaviour }]) => ({
    name,
    card_number,
    card_type: cardType(card_number),
    behaviour,
    description: describe(behaviour),
    answers: answersTo(behaviour),
  }));
}

/** @returns for example `always Approved`, or `by the amount: if it ends in 00, 08 Approved; …` */
function describe(behaviour: CardBehaviour): string {
  const [first, ...others] = answersTo(behaviour);
  if (others.length === 0) return `always ${first?.message}`;
  const rows = answersTo(behaviour).map(
    ({ codes, message }) => `${codes.join(', ') || 'anything else'} ${message}`,
  );
  return `by the amount: if it ends in ${rows.join('; ')}`;
}
