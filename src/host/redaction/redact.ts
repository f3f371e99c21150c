/**
 * Removes card data and secrets from text that gw did not write, before gw shows or stores it. `redactText` takes any
 * text. `redactJson` takes a JSON value: it redacts each name and text in the same way, and also uses the names of
 * fields.
 *
 * gw combines three signs, because none is enough. The first is the shape: a card number has an issuer, a length and a
 * check digit; a cloud key has its prefix. The second is the name of a field, because a CVV is only three digits. The third is the
 * value (redactor.ts): the secrets of this run, in every text that leaves the program.
 *
 * An identifier (a reference, an id) may look like a card number, and is stored and shown unchanged. If it were masked,
 * nobody could find the record again. A card number typed to gw is hidden there too, by its value (redactor.ts).
 */
import type { Json, JsonObject } from '../../base/json.ts';
import { hasIssuer, maskCardNumber } from '../../contract/cards/card-number.ts';
import { holdsCardNumber, maskCardNumbers } from '../../contract/cards/find-card-numbers.ts';

export const HIDDEN = '***';

/**
 * Kinds of text. In a `record` that is shown, a token is data. In a `kept` text, only card tokens are, because they are
 * used to charge cards. Any other token may be the key to something. Anything that is no record of the interface is
 * `foreign`, and whatever looks like a token is hidden.
 */
export type Origin = 'record' | 'kept' | 'foreign';

/** Kinds of names whose values are always hidden. */
const HIDES: Readonly<Record<Origin, ReadonlySet<NameKind>>> = {
  record: new Set(['secret']),
  kept: new Set(['secret', 'token']),
  foreign: new Set(['secret', 'token', 'card token']),
};

/** Deeper values are hidden, because walking them would exhaust the stack. */
const MAX_DEPTH = 100;

/** A number with fewer digits is not masked, whatever its name. */
const MIN_CARD_DIGITS = 12;

/** @returns the value without card data and secrets; the same object if there are none */
export function redactJson(value: Json, origin: Origin = 'record', depth = 0): Json {
  if (typeof value === 'string') return redactText(value, origin);
  if (typeof value === 'number') return redactNumber(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > MAX_DEPTH) return HIDDEN;
  if (Array.isArray(value)) {
    const items = value.map((item) => redactJson(item, origin, depth + 1));
    return items.every((item, i) => item === value[i]) ? value : items;
  }
  return redactFields(value, origin, depth);
}

function redactFields(value: JsonObject, origin: Origin, depth: number): JsonObject {
  let safe = value;
  let areNamesSafe = true;
  for (const name in value) {
    const written = value[name] as Json;
    const inner = redactField(name, written, origin, depth + 1);
    if (holdsCardNumber(name)) areNamesSafe = false;
    if (inner === written) continue;
    if (safe === value) safe = { ...value };
    safe[name] = inner;
  }
  if (areNamesSafe) return safe;
  return Object.fromEntries(
    Object.entries(safe).map(([name, inner]) => [maskCardNumbers(name), inner]),
  );
}

/** A bank's number. A credential is longer, or has its scheme before it. */
const AUTHORIZATION = /^[a-z\d]{1,12}$/i;

function redactField(name: string, value: Json, origin: Origin, depth: number): Json {
  const kind = kindOfName(name);
  const isSecret =
    HIDES[origin].has(kind) ||
    (kind === 'maybe secret' && /^\d{3,4}$/.test(plainOf(value))) ||
    (kind === 'authorization' && origin !== 'record' && !AUTHORIZATION.test(plainOf(value)));
  if (isSecret && value !== null && value !== '' && typeof value !== 'boolean') return HIDDEN;
  if (kind === 'identifier' && typeof value !== 'object')
    return typeof value === 'string' ? redactWords(value, origin) : value;
  const isNumber =
    kind === 'card number' &&
    (typeof value === 'string' || typeof value === 'number') &&
    String(value).replace(/\D/g, '').length >= MIN_CARD_DIGITS;
  return isNumber ? maskCardNumber(String(value)) : redactJson(value, origin, depth);
}

/** @returns the text of a simple value; '' for an object, whose `toString` may be data */
function plainOf(value: Json): string {
  return typeof value === 'object' ? '' : String(value);
}

const ROUND = /0{6}$/;

/** A number beyond a double's precision has lost its last digits, and with them the check digit. */
function redactNumber(value: number): Json {
  if (Math.abs(value) < 1e11) return value;
  const digits = String(value).replace('-', '');
  const isLossy = !Number.isSafeInteger(value) && /^\d{16,19}$/.test(digits) && !ROUND.test(digits);
  if (isLossy && hasIssuer(digits)) return maskCardNumber(digits);
  const masked = maskCardNumbers(digits);
  return masked === digits ? value : masked;
}

const SECRET_HEADER = /^(?:proxy-)?authorization$|cookie2?$|(?:token|secret|key|password)$/i;

/** @returns the value of a header as it may be shown; for a credential, only its scheme */
export function redactHeader(name: string, value: string): string {
  if (!SECRET_HEADER.test(name)) return redactText(value, 'foreign');
  const scheme = /^(Basic|Bearer|Digest) /i.exec(value)?.[1];
  return scheme === undefined ? HIDDEN : `${scheme} ${HIDDEN}`;
}

/** Separates a name from its value in broken JSON, a form, a query, XML, HTML or a dump of variables. */
const BETWEEN = String.raw`(\\?["']?(?:\s*(?:=>|[:=>])|\s+value\s*=)\s*)`;
/** In quotes, or up to a character that may end a value. */
const VALUE = String.raw`(\\?"[^"\\]+|\\?'[^'\\]+|(?!null\b|true\b|false\b)[^\s"'\\&<>,;{}[\]]+)`;
const CVV = String.raw`cv[vcnd]2?|csc|cav2?|(?:security|verification)[\s_-]?(?:code|value|number)`;

const NAMED_SECRET = new RegExp(
  `(?<![a-z])(${CVV}|api[_-]?token|passw(?:or)?d|passphrase)${BETWEEN}${VALUE}`,
  'gi',
);
/** In a sentence: `CVV 123`, `the security code was 123`. */
const CVV_IN_SENTENCE = new RegExp(
  String.raw`(?<![a-z])((?:${CVV})\W{1,3}(?:(?:code|number|is|was) ){0,2})\d{3,4}(?!\d)`,
  'gi',
);
/** A word after the scheme counts only if it does not look like a normal word: `Basic authentication` stays. */
const CREDENTIAL = /\b([Bb]asic|[Bb]earer|BASIC|BEARER)(\s+)(?=[\w+/=.~-]+[A-Z\d=])[\w+/=.~-]{8,}/g;
const USER_OF_URL = /(:\/\/)[^\s/?#@"'<>]+@/g;

/** A value that is not a normal word: it has a digit, or is long. */
const NAMED_TOKEN = new RegExp(
  String.raw`(token|secret|[_-]key|(?:api|access|private|auth|session)key|session[_-]?id|jwt)${BETWEEN}(?=\S{0,64}\d|\S{16})${VALUE}`,
  'gi',
);
/** JWT and JWE. A match without its end is not a token, but is consumed whole so that no part is scanned twice. */
const JWT = /\beyJ[\w-]+((?:\.[\w-]*){2,4})?/g;
/** AWS; GitHub, GitLab, Slack, Stripe, Google; a private key. */
const TOKEN =
  /\b(?:AKIA|ASIA)[A-Z\d]{16}\b|\b(?:gh[opsur]_|github_pat_|glpat-|xox[abeprs]-|[srp]k_(?:live|test)_|AIza)[\w-]{10,}|-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g;

/**
 * @param text a text from outside: the network, a file, the command line
 * @returns the text without recognisable card data and secrets; the same string if there are none
 */
export function redactText(text: string, origin: Origin = 'record'): string {
  return redactWords(maskCardNumbers(text), origin);
}

/** Hides the same as `redactText`, except card numbers. */
function redactWords(text: string, origin: Origin): string {
  let safe = text;
  // Most texts of a record are ids, dates and single words, which cannot contain a named secret.
  if (/[\s:=>]/.test(safe) && /[a-z]{3}/i.test(safe)) {
    if (/[:=>]/.test(safe)) {
      safe = safe.replace(NAMED_SECRET, hideValue).replace(USER_OF_URL, `$1${HIDDEN}@`);
    }
    if (/\d{3}/.test(safe)) safe = safe.replace(CVV_IN_SENTENCE, `$1${HIDDEN}`);
    safe = safe.replace(CREDENTIAL, `$1$2${HIDDEN}`);
  }
  if (origin !== 'foreign') return safe;
  if (safe.includes('eyJ'))
    safe = safe.replace(JWT, (found, end?: string) => (end === undefined ? found : HIDDEN));
  safe = safe.replace(TOKEN, HIDDEN);
  return /[:=>]/.test(safe) ? safe.replace(NAMED_TOKEN, hideValue) : safe;
}

/** A value without a letter or a digit, such as `…`, is only a placeholder. */
function hideValue(found: string, name: string, between: string, value: string): string {
  if (!/[\p{L}\p{N}]/u.test(value)) return found;
  const quote = /^\\?["']/.exec(value)?.[0] ?? '';
  return `${name}${between}${quote}${HIDDEN}`;
}

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
const KEY = /(?:token|secret|jwt|.key|credentials?|cookie|session(?:id)?|signature)$/;

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
  return KEY.test(plain) ? 'token' : 'other';
}
