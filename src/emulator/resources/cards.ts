/**
 * Stored cards: endpoint 1, and the functions by which other resources use a card (section 2.2).
 *
 * A card is stored with its number masked. Storing the same number again creates another token: to recognise it, the
 * store would have to keep something from which the number could be computed. An alias is given with the card, or
 * later. It moves from the card that had it, and must not be a token: a token is looked up before an alias. The deployed
 * dialect wants a CVV, as for a purchase.
 */

import type * as z from 'zod/mini';
import { isObject, type JsonObject } from '../../base/json.ts';
import { maskCardNumber, schemeOf } from '../../contract/cards/card-number.ts';
import { type CardBehaviour, TEST_CARDS } from '../../contract/cards/test-cards.ts';
import { firstExpiringDay, lastValidDay } from '../../contract/expiry.ts';
import { FAULTS, type FaultName } from '../../contract/faults.ts';
import type { BodySchema } from '../../contract/field-schemas.ts';
import type { Dialect } from '../../contract/local-account.ts';
import { readFlag } from '../../contract/normal.ts';
import { cardUpdate, tokenize as row } from '../../contract/resources/card.ts';
import { firstRow, insert, runSql, update } from '../../store/sql.ts';
import { answersTo, behaviourOf, type IssuerAnswer } from '../rules/acquirer.ts';
import type { Transaction } from '../store.ts';
import { type Handler, Refusal, type Refuse } from './handler.ts';
import { newToken } from './ids.ts';
import type { Merchant } from './merchants.ts';
import { accept, refusing, takenMessage, tokenToShow } from './validation.ts';

export interface CardRow {
  token: string;
  alias: string | null;
  card_holder: string;
  /** The masked number. */
  card_number: string;
  /** The last valid month, `YYYY-MM`. */
  expiry: string;
  card_type: string;
  behaviour: CardBehaviour;
  transaction_count: number;
}

/** The CVV is checked and not kept. */
export type NewCard = Pick<
  z.infer<BodySchema<typeof row.body>>,
  'card_number' | 'card_holder' | 'card_expiry' | 'alias'
>;

const tokenize: Handler = (tx, call) => {
  const { merchant, body } = call;
  const noCvv = missingCvv(body, tx.dialect);
  const refuse: Refuse = (...errors) => {
    const refusal = refusing(row, body)(...errors);
    // It was recorded of deployments, which refuse a purchase with a 400.
    return noCvv.length === 0 ? refusal : new Refusal(422, errors, refusal.response);
  };
  const card = accept(row.body, call, refuse, (right) => [
    ...noCvv,
    ...tokenFaults(tx, merchant, right),
  ]);
  freeAlias(tx, merchant, card);
  return { response: cardRecord(storeCard(tx, merchant, card)) };
};

/** @returns a message of deployments for card details without a CVV, unless the merchant bills a stored agreement */
export function missingCvv(
  { card_number, card_token, cvv, is_billing, extra }: JsonObject,
  dialect: Dialect,
): string[] {
  const isByCard = typeof card_number === 'string' && card_token === undefined;
  if (dialect === 'strict' || !isByCard || cvv !== undefined) return [];
  const { ecm = null } = isObject(extra) ? extra : {};
  const isBilling = readFlag(is_billing) === true;
  return isBilling || (ecm !== null && ecm !== '') ? [] : ['CVV is required'];
}

/**
 * Stores a checked card under a new token. Its alias must be free.
 * @param transactions the number of its transactions so far
 */
export function storeCard(
  tx: Transaction,
  merchant: Merchant,
  card: NewCard,
  transactions = 0,
): CardRow {
  const row = {
    token: newToken(tx),
    alias: card.alias ?? null,
    card_holder: card.card_holder,
    card_number: maskCardNumber(card.card_number),
    expiry: storedExpiry(card.card_expiry),
    card_type: schemeOf(card.card_number),
    behaviour: behaviourOf(card.card_number),
    transaction_count: transactions,
    merchant: merchant.prefix,
  } satisfies CardRow & { merchant: string };
  tx.do(insert('cards', row));
  return row;
}

/**
 * Changes a stored card. Earlier purchases still show the card as it was. All customers with the card are told when its
 * new date comes near; an unchanged date is not announced again.
 * @param expiry `YYYY-MM`
 */
export function changeStoredCard(
  tx: Transaction,
  card: CardRow,
  {
    card_holder = card.card_holder,
    expiry = card.expiry,
  }: { card_holder?: string | undefined; expiry: string | undefined },
): void {
  const { token } = card;
  tx.do(
    runSql(
      `UPDATE purchases SET card_holder = coalesce(purchases.card_holder, k.card_holder),
       card_expiry = coalesce(purchases.card_expiry, k.expiry)
     FROM cards k WHERE k.token = purchases.card_token AND k.token = ?`,
      [token],
    ),
  );
  tx.do(update('cards', { card_holder, expiry }, { token }));
  if (expiry !== card.expiry)
    tx.do(update('customers', { card_watch: firstExpiringDay(expiry) }, { card_token: token }));
}

/** @param expiry `MM/YYYY` @returns `YYYY-MM` */
export function storedExpiry(expiry: string): string {
  return expiry.split('/').reverse().join('-');
}

/** @returns the merchant's card with a token or alias (section 4, endpoint 2); undefined if there is none */
export function findCard(
  tx: Transaction,
  merchant: Merchant,
  tokenOrAlias: string,
): CardRow | undefined {
  const find = (column: 'token' | 'alias') => {
    const sql = `SELECT token, alias, card_holder, card_number, expiry, card_type, behaviour,
      transaction_count FROM cards WHERE merchant = ? AND ${column} = ?`;
    return tx.do(firstRow<CardRow>(sql, [merchant.prefix, tokenOrAlias]));
  };
  return find('token') ?? find('alias');
}

type Aliased = Pick<Partial<NewCard>, 'alias'>;

/** @returns a message if the alias is the token of another card than `own`, which would always be found first */
function tokenFaults(
  tx: Transaction,
  merchant: Merchant,
  { alias }: Aliased,
  own?: string,
): string[] {
  if (alias === undefined || alias === own) return [];
  return findCard(tx, merchant, alias)?.token === alias ? [takenMessage('alias')] : [];
}

/** Takes an alias from the card that has it. */
function freeAlias(tx: Transaction, { prefix }: Merchant, { alias = '' }: Aliased): void {
  tx.do(runSql('UPDATE cards SET alias = NULL WHERE merchant = ? AND alias = ?', [prefix, alias]));
}

/** @returns a message if the alias names a card, by its alias too */
export function aliasFaults(tx: Transaction, merchant: Merchant, { alias }: Aliased): string[] {
  return alias !== undefined && findCard(tx, merchant, alias) ? [takenMessage('alias')] : [];
}

/** @returns a message if a card is named by a token or alias that the merchant does not have */
export function missingCard(tx: Transaction, merchant: Merchant, token?: string): string[] {
  if (token === undefined || findCard(tx, merchant, token)) return [];
  return [`Card ${tokenToShow(token)} could not be found`];
}

/** @param count the number of new transactions with the card */
export function countTransactions(tx: Transaction, token: string, count: number): void {
  const sql = 'UPDATE cards SET transaction_count = transaction_count + ? WHERE token = ?';
  tx.do(runSql(sql, [count, token]));
}

export const CARD_CATEGORY = { card_category: 'Credit', card_subcategory: 'Standard' } as const;

/** Category, subcategory, issuer and country are the same for every card, because there is no real issuer. */
function cardRecord(card: CardRow): JsonObject {
  return {
    token: card.token,
    card_holder: card.card_holder,
    card_number: card.card_number,
    card_expiry: lastValidDay(card.expiry),
    card_type: card.card_type,
    ...CARD_CATEGORY,
    card_issuer: 'Embedded Gateway Bank',
    card_country: 'Australia',
    authorized: true,
    transaction_count: card.transaction_count,
    alias: card.alias,
  };
}

/** A test card for people: its name, and the outcome of a charge. */
export interface ListedTestCard {
  /** The name that `--test-card` takes. */
  name: string;
  card_number: string;
  card_type: string;
  behaviour: CardBehaviour;
  /** A description in words. */
  description: string;
  answers: readonly IssuerAnswer[];
}

export function listTestCards(): ListedTestCard[] {
  return Object.entries(TEST_CARDS).map(([name, { card_number, behaviour }]) => ({
    name,
    card_number,
    card_type: schemeOf(card_number),
    behaviour,
    description: describe(behaviour),
    answers: answersTo(behaviour),
  }));
}

/** @returns for example `always Approved`, or `by the amount: if it ends in 00, 08 Approved; …` */
function describe(behaviour: CardBehaviour): string {
  if (behaviour in FAULTS) return FAULTS[behaviour as FaultName].does;
  const [first, ...others] = answersTo(behaviour);
  if (others.length === 0) return `always ${first?.message}`;
  const rows = answersTo(behaviour).map(
    ({ codes, message }) => `${codes.join(', ') || 'anything else'} ${message}`,
  );
  return `by the amount: if it ends in ${rows.join('; ')}`;
}

const getCard: Handler = (tx, { merchant, key }) => ({
  response: cardRecord(cardAt(tx, merchant, key)),
});

/** Changes the expiry and the alias. */
const updateCard: Handler = (tx, call) => {
  const { merchant, key } = call;
  const card = cardAt(tx, merchant, key);
  const { token } = card;
  const refuse: Refuse = (...errors) => new Refusal(400, errors, cardRecord(card));
  const { card_expiry, alias = card.alias } = accept(cardUpdate.body, call, refuse, (right) =>
    tokenFaults(tx, merchant, right, token),
  );
  freeAlias(tx, merchant, { alias: alias ?? undefined });
  const expiry = card_expiry === undefined ? card.expiry : storedExpiry(card_expiry);
  changeStoredCard(tx, card, { expiry });
  tx.do(update('cards', { alias }, { token }));
  return { response: cardRecord({ ...card, expiry, alias }) };
};

/** @throws Refusal 404 */
function cardAt(tx: Transaction, merchant: Merchant, key: string): CardRow {
  const card = findCard(tx, merchant, key);
  if (!card) throw new Refusal(404, ['Record not found']);
  return card;
}

export const cardHandlers = { tokenize, 'card get': getCard, 'card update': updateCard };
