/** The issuer's answer to a charge: whether it is authorized, and if not, why. */
import {
  type CardBehaviour,
  type IssuerBehaviour,
  TEST_CARDS,
} from '../../contract/cards/test-cards.ts';
import { isExpired } from '../../contract/expiry.ts';
import { invariant } from '../../failure.ts';

const EXPIRED = 'Expired Card';
const NO_FUNDS = 'Insufficient Funds';

/** An answer of the issuer, and the amounts that get it. */
export interface IssuerAnswer extends Pick<Authorization, 'successful' | 'message'> {
  /** The last two digits of the amount; empty for every other amount. */
  codes: readonly string[];
}

const APPROVED: IssuerAnswer = { codes: [], successful: true, message: 'Approved' };
const DECLINED: IssuerAnswer = { codes: [], successful: false, message: 'Declined' };

/** The answers of a test card: the first row with the amount's code applies, or the last, which has none. */
const ANSWERS: Readonly<Record<IssuerBehaviour, readonly IssuerAnswer[]>> = {
  approve: [APPROVED],
  decline: [DECLINED],
  'insufficient-funds': [{ ...DECLINED, message: NO_FUNDS }],
  'expired-card': [{ ...DECLINED, message: EXPIRED }],
  'by-amount': [
    { ...APPROVED, codes: ['00', '08', '10', '11', '16'] },
    { ...DECLINED, message: 'Refer to Card Issuer', codes: ['01', '02', '04', '05', '07'] },
    { ...DECLINED, message: 'Invalid Card Number', codes: ['14'] },
    { ...DECLINED, message: EXPIRED, codes: ['33', '54'] },
    { ...DECLINED, message: NO_FUNDS, codes: ['51'] },
    { ...DECLINED, message: 'Declined - Please Retry', codes: ['90'] },
    DECLINED,
  ],
};

export interface Authorization {
  successful: boolean;
  /** `Approved`, or the reason of the decline. */
  message: string;
  /** Two digits. */
  response_code: string;
}

/** The codes of answers that do not depend on the amount, by their messages. */
const CODES: Readonly<Record<string, string>> = {
  [APPROVED.message]: '00',
  [DECLINED.message]: '05',
  [NO_FUNDS]: '51',
  [EXPIRED]: '54',
};
const codeOf = (message: string) => CODES[message] ?? '05';

/** @returns the behaviour of the test card with this number; any other card approves */
export function behaviourOf(cardNumber: string): CardBehaviour {
  const card = Object.values(TEST_CARDS).find(({ card_number }) => card_number === cardNumber);
  return card?.behaviour ?? 'approve';
}

/** @returns the answers of a card that has not expired; the last row is for all other amounts */
export function answersTo(behaviour: CardBehaviour): readonly IssuerAnswer[] {
  return behaviour in ANSWERS ? ANSWERS[behaviour as IssuerBehaviour] : ANSWERS.approve;
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
  if (isExpired(card.expiry, day))
    return { successful: false, message: EXPIRED, response_code: codeOf(EXPIRED) };
  const code = String(amount % 100).padStart(2, '0');
  const answer = answersTo(card.behaviour).find(
    ({ codes }) => codes.length === 0 || codes.includes(code),
  );
  invariant(answer, `a card that behaves ${card.behaviour}`);
  const { successful, message } = answer;
  const response_code = card.behaviour === 'by-amount' ? code : codeOf(message);
  return { successful, message, response_code };
}
