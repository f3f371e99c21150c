/** What the card's issuer says: whether a charge is authorized, and why not. */
import { type CardBehaviour, TEST_CARDS } from '../../contract/cards/test-cards.ts';
import { invariant } from '../../failure.ts';
import { lastValidDay } from './schedule.ts';

const EXPIRED = 'Expired Card';

/** What the issuer says, and to which amounts. */
export interface IssuerAnswer extends Pick<Authorization, 'successful' | 'message'> {
  /** The last two digits of the amount; none for every other amount. */
  codes: readonly string[];
}

const APPROVED: IssuerAnswer = { codes: [], successful: true, message: 'Approved' };
const DECLINED: IssuerAnswer = { codes: [], successful: false, message: 'Declined' };

const declined = (message: string, ...codes: string[]) => ({ codes, successful: false, message });

/** What a test card is answered: the first row that has the amount's code, or the last, which has none. */
const ANSWERS: Readonly<Record<CardBehaviour, readonly IssuerAnswer[]>> = {
  approve: [APPROVED],
  decline: [DECLINED],
  'by-amount': [
    { ...APPROVED, codes: ['00', '08', '10', '11', '16'] },
    declined('Refer to Card Issuer', '01', '02', '04', '05', '07'),
    declined('Invalid Card Number', '14'),
    declined(EXPIRED, '33', '54'),
    declined('Insufficient Funds', '51'),
    declined('Declined - Please Retry', '90'),
    DECLINED,
  ],
};

const BEHAVIOURS: ReadonlyMap<string, CardBehaviour> = new Map(
  Object.values(TEST_CARDS).map((card) => [card.card_number, card.behaviour]),
);

export interface Authorization {
  successful: boolean;
  /** `Approved`, or the reason of the decline. */
  message: string;
  /** Two digits. */
  response_code: string;
}

/** Of cards whose answer does not go by the amount. */
const RESPONSE_CODES = { approve: '00', decline: '05' } as const;
const EXPIRED_CODE = '54';

/** @returns how a card will behave: as its test card, or approving */
export function behaviourOf(cardNumber: string): CardBehaviour {
  return BEHAVIOURS.get(cardNumber) ?? 'approve';
}

/** @returns what a card that has not expired is answered; the last row is for amounts that no other has */
export function answersTo(behaviour: CardBehaviour): readonly IssuerAnswer[] {
  return ANSWERS[behaviour];
}

/**
 * @param card `expiry` is its last valid month, `YYYY-MM`
 * @param amount minor units; with `by-amount` its last two digits are the response code
 * @param day `YYYY-MM-DD`
 */
export function authorize(
  card: { behaviour: CardBehaviour; expiry: string },
  amount: number,
  day: string,
): Authorization {
  if (day > lastValidDay(card.expiry))
    return { successful: false, message: EXPIRED, response_code: EXPIRED_CODE };
  const code = String(amount % 100).padStart(2, '0');
  const answer = ANSWERS[card.behaviour].find(
    ({ codes }) => codes.length === 0 || codes.includes(code),
  );
  invariant(answer, `a card that behaves ${card.behaviour}`);
  const { successful, message } = answer;
  const { behaviour } = card;
  const response_code = behaviour === 'by-amount' ? code : RESPONSE_CODES[behaviour];
  return { successful, message, response_code };
}
