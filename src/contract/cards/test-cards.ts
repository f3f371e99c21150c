/**
 * The test cards of the test gateway, by their `--test-card` name. Their numbers are published, and no account is
 * behind them.
 *
 * `approve` and `decline` always do so, `insufficient-funds` and `expired-card` decline for that reason. With `by-amount`, the last two digits of the amount are the response code
 * (`emulator/rules/acquirer.ts` has the table). A purchase with the card of a fault is approved, and meets that fault.
 * The test gateway approves any other valid number.
 */
import type { FaultName } from '../faults.ts';

export type IssuerBehaviour =
  | 'approve'
  | 'decline'
  | 'insufficient-funds'
  | 'expired-card'
  | 'by-amount';
export type CardBehaviour = IssuerBehaviour | FaultName;

export interface TestCard {
  card_number: string;
  behaviour: CardBehaviour;
}

export const TEST_CARDS = {
  approved: { card_number: '5123456789012346', behaviour: 'approve' },
  'approved-visa': { card_number: '4005550000000001', behaviour: 'approve' },
  'approved-jcb': { card_number: '3530111333300000', behaviour: 'approve' },
  declined: { card_number: '5313581000123430', behaviour: 'decline' },
  'declined-visa': { card_number: '4557012345678902', behaviour: 'decline' },
  'declined-amex': { card_number: '371449635398431', behaviour: 'decline' },
  'insufficient-funds': { card_number: '4000100000000075', behaviour: 'insufficient-funds' },
  'expired-card': { card_number: '4000100000000083', behaviour: 'expired-card' },
  'by-amount': { card_number: '4242424242424242', behaviour: 'by-amount' },
  'by-amount-visa': { card_number: '4111111111111111', behaviour: 'by-amount' },
  'by-amount-mastercard': { card_number: '5555555555554444', behaviour: 'by-amount' },
  'by-amount-mastercard-2': { card_number: '2221001234567896', behaviour: 'by-amount' },
  'by-amount-amex': { card_number: '370000000000002', behaviour: 'by-amount' },
  'by-amount-discover': { card_number: '6011111111111117', behaviour: 'by-amount' },
  timeout: { card_number: '4000100000000018', behaviour: 'timeout' },
  'reset-before': { card_number: '4000100000000026', behaviour: 'reset-before' },
  'reset-after': { card_number: '4000100000000034', behaviour: 'reset-after' },
  html: { card_number: '4000100000000042', behaviour: 'html' },
  truncated: { card_number: '4000100000000059', behaviour: 'truncated' },
  slow: { card_number: '4000100000000067', behaviour: 'slow=3s' },
  'http-429': { card_number: '4000100000004291', behaviour: '429' },
  'http-500': { card_number: '4000100000005009', behaviour: '500' },
} as const satisfies Record<string, TestCard>;

export type TestCardName = keyof typeof TEST_CARDS;
