/** What the card's issuer says: whether a charge is authorized, and why not. */
import { isExpired, parseExpiry } from '../../contract/expiry.ts';
import { type CardBehaviour, TEST_CARDS } from '../../contract/test-cards.ts';

const APPROVED = 'Approved';
const DECLINED = 'Declined';
const EXPIRED = 'Expired Card';
const REFER = 'Refer to Card Issuer';

const APPROVING_CODES: ReadonlySet<string> = new Set(['00', '08', '10', '11', '16']);

const DECLINE_REASONS: ReadonlyMap<string, string> = new Map([
  ['01', REFER],
  ['02', REFER],
  ['04', REFER],
  ['05', REFER],
  ['07', REFER],
  ['14', 'Invalid Card Number'],
  ['33', EXPIRED],
  ['51', 'Insufficient Funds'],
  ['54', EXPIRED],
  ['90', 'Declined - Please Retry'],
]);

const BEHAVIOURS: ReadonlyMap<string, CardBehaviour> = new Map(
  Object.values(TEST_CARDS).map((card) => [card.card_number, card.behaviour]),
);

export interface Authorization {
  successful: boolean;
  /** `Approved`, or the reason of the decline. */
  message: string;
}

/** @returns how a card will behave: as its test card, or approving */
export function behaviourOf(cardNumber: string): CardBehaviour {
  return BEHAVIOURS.get(cardNumber) ?? 'approve';
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
  const expiry = parseExpiry(card.expiry);
  if (!expiry || isExpired(expiry, day)) return { successful: false, message: EXPIRED };
  if (card.behaviour === 'approve') return { successful: true, message: APPROVED };
  if (card.behaviour === 'decline') return { successful: false, message: DECLINED };
  const code = String(amount % 100).padStart(2, '0');
  return APPROVING_CODES.has(code)
    ? { successful: true, message: APPROVED }
    : { successful: false, message: DECLINE_REASONS.get(code) ?? DECLINED };
}
