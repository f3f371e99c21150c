/** Classifies a field's value by the field's name. */

/**
 * `maybe secret` is a short name with other meanings; the value decides. The same holds for `authorization`, which in a
 * record is the bank's number of a purchase (section 2.3). `card token` is the interface's own token. Any other `token`
 * may be the key to something. An `identifier` finds a record again, so it must stay unchanged.
 */
export type NameKind =
  | 'card number'
  | 'secret'
  | 'maybe secret'
  | 'card token'
  | 'token'
  | 'authorization'
  | 'identifier'
  | 'other';

/** Names are compared without case and punctuation. */
const CARD_NUMBER =
  /^(?:number|pan|(?:(?:credit|debit|payment)?card|cc)(?:number|num|no|pan))$|cardnumber$/;
const SECRET = new RegExp(
  [
    '(?:cvv|cvc|cvd|cvn)2?(?:code|number|value)?$',
    '(?:security|verification)(?:code|value|number)$',
    '^(?:card)?(?:csc|cav|cv2)2?(?:code|number|value)?$',
    '^(?:track[123]?(?:data)?|magstripe(?:data)?|magneticstripe|pinblock|cardpin)$',
    'apitoken$',
    'passw(?:or)?d$',
    'passphrase$',
  ].join('|'),
);
const MAYBE = /^(?:card)?cid$/;
const CARD_TOKEN = /^(?:card)?token$/;
const IDENTIFIER =
  /^(?:(?:record|transaction|purchase|refund|customer|plan|subscription|merchant|order)?id|customer|plan|subscription|alias)$|reference$/;
const TOKEN = /(?:token|secret|jwt|.key|credentials?|cookie|session(?:id)?|signature)$/;

/** Records repeat the same few names. */
const KNOWN = new Map<string, NameKind>();
const MAX_KNOWN = 1_000;

/** @param name name of a field, in any spelling: `card_number`, `cardNumber`, `Card-Number` */
export function kindOfName(name: string): NameKind {
  const known = KNOWN.get(name);
  if (known) return known;
  const kind = kindOfPlain(name.toLowerCase().replace(/[^a-z\d]/g, ''));
  if (KNOWN.size < MAX_KNOWN) KNOWN.set(name, kind);
  return kind;
}

function kindOfPlain(plain: string): NameKind {
  if (CARD_NUMBER.test(plain)) return 'card number';
  if (SECRET.test(plain)) return 'secret';
  if (MAYBE.test(plain)) return 'maybe secret';
  if (CARD_TOKEN.test(plain)) return 'card token';
  if (plain === 'authorization') return 'authorization';
  if (IDENTIFIER.test(plain)) return 'identifier';
  return TOKEN.test(plain) ? 'token' : 'other';
}
