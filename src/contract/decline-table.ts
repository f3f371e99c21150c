/**
 * Why cards are declined, whether another try makes sense, and what support reads out to the customer. Loaded only when
 * a decline is shown.
 *
 * The interface names no codes. Those of two digits are of field 39 of ISO 8583:1987, those of three are action codes of
 * ISO 8583:1993, and those with a letter are of the card schemes. Where these differ, the row follows the codes that
 * gateways of this interface publish: 82 is the CVV, 90 asks for another try, 99 is a failure of a system. Codes of which
 * banks mean different things are left out: 17, 64, 70, 79, 83. Visa forbids another try after 03, 12, 57, 62, 78, 93 and
 * FINAL_DECLINES, and limits all others to 15 in 30 days; the advice is within that.
 */
import { type DeclineRow, FINAL_DECLINES, hasCode } from './declines.ts';

// biome-ignore format: a table reads best with a row in a line
const OTHER_DECLINES = [
  ['01 02 107 108', 'ask-bank', 'the bank wants the cardholder to call it', 'refer to card issuer|refer to issuer|call issuer|call your bank|contact issuer|contact card issuer|contact your bank'],
  ['05 100', 'unsaid', 'the bank does not say why', 'do not honour|do not honor|not honoured|not honored|general decline|generic decline'],
  ['51 116', 'funds', 'there was not enough money on the account', 'insufficient funds|not sufficient funds|insufficient balance|not enough money|nsf'],
  ['33 54 101 201', 'expired', 'the card has expired, or the expiry date is not the one on the card', 'expired card|card expired|card has expired|card is expired|invalid expiry|invalid expiration|expired'],
  ['82 N7', 'cvv', 'the security code (CVV) is not the one on the card', 'cvv|cvv2|cvc|cvc2|cvn|security code'],
  ['38 55 75 106 117 206', 'ask-bank', 'the PIN was wrong', 'incorrect pin|wrong pin|invalid pin|pin tries|pin retries|pin entry tries'],
  ['61 121', 'limit', 'the payment is above a limit of the card', 'exceeds withdrawal limit|exceeds withdrawal amount|withdrawal amount limit|exceeds approval amount|exceeds amount limit|limit exceeded|exceeds limit|over limit|over credit limit'],
  ['65 123', 'often', 'the card was used more often than the bank allows in a short time', 'withdrawal frequency|frequency limit|activity limit|exceeds frequency'],
  ['57 119', 'permit', 'the bank does not allow this kind of payment with the card', 'not permitted to card|not permitted to cardholder|not allowed to cardholder|transaction not permitted|function not permitted'],
  ['62 104', 'permit', 'the card may not be used in this country, or not for such payments', 'restricted card|card restricted|restricted'],
  ['1A', 'confirm', 'the bank wants the customer to confirm the payment', 'additional customer authentication|authentication required|strong customer authentication|3d secure|3ds'],
  ['59 63 102 122 129 210', 'hidden-bank', 'the bank suspects fraud, or stopped the payment for its security', 'suspected fraud|suspicion of fraud|suspected counterfeit|security violation|fraud'],
  ['93 124', 'hidden-bank', 'the bank says that a law forbids it', 'violation of law|violation of the law'],
  ['39 42 44 52 53 56 78 114 118 125', 'ask-bank', 'the bank has no such account for the card, or the card is not active yet', 'no credit account|no account|no checking account|no cheque account|no savings account|no card record|card not active|not activated|blocked first used'],
  ['06 09 20 21 22 25 68 88 95 96 98 99 909', 'later', 'something failed between the gateway and the bank', 'system error|system malfunction|suspected malfunction|general error|acquirer busy|acquirer error|response received too late|host error'],
  ['31 91 92 907 908 910 911 912', 'later', 'the bank could not be reached', 'issuer unavailable|issuer or switch|switch unavailable|bank not supported|unable to route|issuer timed out|timed out|timeout|inoperative'],
  ['19 90 906', 'later', 'the bank asks to try again', 'please retry|please try again|try again|re enter transaction|cut off in progress|cutoff in progress'],
  ['13 110', 'amount', 'the bank does not take this amount', 'invalid amount|amount error'],
  ['94 913', 'duplicate', 'the bank has had the same payment already', 'duplicate'],
  ['03 58 60 66 103 105 109 120', 'merchant', 'the bank does not take such payments from your account', 'invalid merchant|no merchant|transaction not permitted to terminal|function not permitted to terminal|not permitted to terminal|not allowed at terminal|contact acquirer|call acquirer'],
  ['12 30 40 115 902 904', 'merchant', 'the bank could not process this kind of request', 'invalid transaction|format error|function not supported'],
] as const satisfies readonly DeclineRow[];

export type Decline = (typeof OTHER_DECLINES)[number] | (typeof FINAL_DECLINES)[number];

/**
 * `never`: with this card. `after-customer`: when the customer has done something. `later`: when time has passed.
 * `corrected`: now, with another value. `after-merchant`: when something on the merchant's side was put right.
 * `if-unpaid`: when it is certain that nothing was paid. `perhaps`: nobody here can say.
 */
export type TryAgain = keyof typeof IN_SHORT;

/** Each is the end of a sentence. */
const IN_SHORT = {
  never: 'ask for another card',
  'after-customer': 'the customer has to talk to the bank first',
  later: 'try again later',
  corrected: 'ask for the right details',
  'after-merchant': 'ask whoever runs the gateway',
  'if-unpaid': 'look first whether it was paid',
  perhaps: 'another try may pass on another day',
} as const;

/**
 * When to try again, and what support reads out. That is true whatever the reason is, and no customer learns from a
 * merchant that a card counts as lost, stolen or suspect (`hidden`): whoever is on the phone may not be its holder.
 */
export type Advice = readonly [tryAgain: TryAgain, when: string, say: string];

const OTHER_CARD =
  'Your bank did not approve this payment. Please use another card, or ask your bank about this one.';
const CALL_BANK =
  'Your bank did not approve this payment. Please call the number on the back of your card, or use another card.';
const NOT_BEFORE = 'Before that, the answer is the same, and card schemes charge for such tries.';

// biome-ignore format: a table reads best with the parts of a row in lines of their own
const ADVICE: Readonly<Record<Decline[1], Advice>> = {
  'other-card': ['never', 'Never with this card.', OTHER_CARD],
  hidden: ['never', 'Never with this card.', OTHER_CARD],
  number: ['never', 'Never with this number. If it was mistyped, try now with the right one.',
    'Your bank does not know this card number. Please check it, or use another card.'],
  stopped: ['never', 'Never with this card, unless the customer takes that back at the bank.',
    'Your bank tells us that you have stopped these payments. If you did not mean to, please talk to your bank, or use another card.'],
  'ask-bank': ['after-customer', `When the customer has called the bank. ${NOT_BEFORE}`, CALL_BANK],
  'hidden-bank': ['after-customer', `When the customer has called the bank. ${NOT_BEFORE}`, CALL_BANK],
  permit: ['after-customer', `When the bank has allowed such payments with the card. ${NOT_BEFORE}`,
    'Your bank does not allow this payment with this card. Please ask your bank to allow it, or use another card.'],
  confirm: ['after-customer', 'When the customer has confirmed it (3-D Secure) on the page where your customers pay: the interface that gw uses cannot ask for that.',
    'Your bank wants you to confirm this payment. Please pay on our page, where your bank can ask you, or use another card.'],
  unsaid: ['perhaps', 'Nobody but the bank can say. It may pass on another day. If it does not, ask for another card.',
    'Your bank did not approve this payment and does not tell us why. Please ask your bank, or use another card.'],
  duplicate: ['if-unpaid', 'Only if it was not paid: look for the first payment before you try again.',
    'Your bank has had this payment before. Please do not pay again: we look whether it was paid, and come back to you.'],
  funds: ['later', 'When there is money on the account, which is mostly after pay day. Agree on a day with the customer.',
    'Your bank says that there is not enough money for this payment at the moment. Please tell us on which day to try again, or use another card.'],
  limit: ['later', 'Tomorrow, because most limits are for a day, or when the bank has raised the limit. A smaller amount may pass now.',
    'This payment is above a limit of your card. Your bank can raise it, or you can use another card.'],
  often: ['later', 'Tomorrow, and not today: each try counts. In Europe, 65 may also ask the customer to confirm the payment.',
    'Your card was used more often than your bank allows in a short time. Please let us try again tomorrow, or use another card.'],
  later: ['later', 'In an hour, and tomorrow if that fails. It says nothing about the card.',
    'Your bank could not answer just now, which says nothing about your card. Please let us try again in an hour.'],
  expired: ['corrected', 'Now, with the expiry date of the new card.',
    'Your bank says that the expiry date of the card has passed, or is another one. Please look at your newest card and tell us its date, or use another card.'],
  cvv: ['corrected', 'Now, with the security code that is on the card.',
    'The security code does not fit the card. Please check the three digits on its back, or four on the front of American Express, or use another card.'],
  amount: ['corrected', 'Now, with another amount: look for a digit too many, and at the currency.',
    'Something is wrong with the amount. We check it and come back to you.'],
  merchant: ['after-merchant', 'When your bank, or whoever runs the gateway, has put it right: it concerns your account with them.',
    'The payment could not be processed. We look into it and come back to you. You may also use another card.'],
};

/** For a decline of which nothing is known. */
export const NO_ADVICE = [
  'gw does not know. Ask whoever runs the gateway what it means.',
  CALL_BANK,
] as const;

/** So many declines in a row for one reason are no chance. */
export const OFTEN = 3;
const REPEATED: Advice = [
  'after-customer',
  'Not with this card before the customer has called the bank, which gave the same answer each time. Or ask for another card.',
  CALL_BANK,
];
/** Advice that names an hour or a day. */
const OF_A_TIME: readonly Decline[1][] = ['limit', 'often', 'later'];
const TIME_HAS_PASSED: Advice = [
  'later',
  'Now, because enough time has passed. If that fails, ask for another card.',
  'Your bank did not approve the payment at that time. Please let us try again now, or use another card.',
];

/** The repetition and the age of a decline: advice depends on them. */
export interface SinceDecline {
  /** The number of times in a row that the card was declined for the same reason. */
  times: number;
  /** Whole days since the decline. */
  days: number;
}

const JUST_NOW: SinceDecline = { times: 1, days: 0 };

/** @param since of a payment */
export function adviceOn([, advice]: Decline, { times, days }: SinceDecline = JUST_NOW): Advice {
  const said = ADVICE[advice];
  const isToWait = said[0] === 'later' || said[0] === 'perhaps';
  if (isToWait && times >= OFTEN) return REPEATED;
  return days > 0 && OF_A_TIME.includes(advice) ? TIME_HAS_PASSED : said;
}

/** @returns whether the reason is the bank's alone to tell */
export function isHidden([, advice]: Decline): boolean {
  return advice.startsWith('hidden');
}

/** @returns why a card was declined, and what to do, in a sentence */
export function declineInShort(decline: Decline, since?: SinceDecline): string {
  const advice = adviceOn(decline, since);
  const short = advice === TIME_HAS_PASSED ? 'try again now' : IN_SHORT[advice[0]];
  const why = decline[2];
  return `${why.replace(/^./, (letter) => letter.toUpperCase())}: ${short}.`;
}

export const DECLINES: readonly Decline[] = [...FINAL_DECLINES, ...OTHER_DECLINES];

/** Codes of approvals, which people ask about too. */
const APPROVALS: readonly (readonly [codes: string, meaning: string])[] = [
  ['00 11 16 85 000 003 004 005 007', 'The bank approved it.'],
  ['08 001', 'The bank approved it. In a shop, the name on the card is to be checked.'],
  ['10 002 006', 'The bank approved a part of the amount: compare it before you deliver.'],
];

/** @param code as `responseCodeOf` of normal.ts returns it @returns its meaning if it approves; otherwise undefined */
export function approvalOf(code: string | null): string | undefined {
  return APPROVALS.find((row) => hasCode(row, code))?.[1];
}

/** @param code as `responseCodeOf` returns it @returns undefined if it is no code of a decline that gw knows */
export function declineOfCode(code: string | null | undefined): Decline | undefined {
  return DECLINES.find((row) => hasCode(row, code));
}

/** A code that a message names as one: `(51)`, `[51]`, `code 51`, `05 Do not honour`, `N7: …`. */
const NAMED_CODE = /[([](\w{2,3})[)\]]|\bcode:? ?(\w{2,3})\b|^(\d\w{1,2}|[a-z]\d)(?=[:\s])/i;
/** Words that a message may consist of, and that say nothing. */
const SAYS_NOTHING = /^(?:(?:the )?(?:card|transaction|payment)(?: was)? )?(?:declined?|refused)$/;

/** @param message as a gateway sends it, or as a person types it @returns undefined if gw knows nothing in it */
export function declineOfMessage(message: string): Decline | undefined {
  const code = NAMED_CODE.exec(message)?.slice(1).find(Boolean);
  const named = declineOfCode(code?.toUpperCase());
  if (named) return named;
  const words = (message.toLowerCase().match(/[\p{L}\d]+/gu) ?? []).join(' ');
  if (SAYS_NOTHING.test(words)) return declineOfCode('05');
  const found = DECLINES.flatMap((row) =>
    row[3].split('|').map((phrase) => ({ row, phrase, at: ` ${words} `.indexOf(` ${phrase} `) })),
  ).filter(({ at }) => at !== -1);
  // The first words of a message say the reason, and longer ones say more than shorter ones.
  found.sort((one, other) => one.at - other.at || other.phrase.length - one.phrase.length);
  return found[0]?.row;
}

/** @returns what is known by the code; otherwise by the message, which gateways share between codes */
export function declineOf(code: string | null, message: string | null): Decline | undefined {
  return declineOfCode(code) ?? (message === null ? undefined : declineOfMessage(message));
}
