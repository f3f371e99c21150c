/**
 * Purchases (section 2.3): endpoints 2 and 3.
 *
 * A card given by its details is stored first, so every purchase has a token. A declined purchase by token has a null
 * id, and has `authorized` and `authorization_id` in addition to `successful`, as in the interface's example. It is not
 * stored, because nothing could look it up. A declined purchase with card details is stored and has an id.
 *
 * The deployed dialect rejects a purchase with a taken reference, or with a currency that is none, as deployments do:
 * with status 200, a failure envelope, and a record of its own that says that nothing was charged. It also takes
 * `capture`: false authorises the amount, and takes no money.
 */

import type * as z from 'zod/mini';
import type { JsonObject } from '../../base/json.ts';
import {
  currencyCode,
  currencyExponent,
  faultOfCurrency,
  USUAL_EXPONENT,
} from '../../contract/currency.ts';
import { lastValidDay } from '../../contract/expiry.ts';
import { parseFault } from '../../contract/faults.ts';
import type { BodySchema } from '../../contract/field-schemas.ts';
import type { Dialect } from '../../contract/local-account.ts';
import { formatDecimal, MAX_AMOUNT } from '../../contract/money.ts';
import { planList } from '../../contract/resources/plan.ts';
import {
  purchaseCreate,
  purchaseList,
  purchaseRecord as shown,
} from '../../contract/resources/purchase.ts';
import { invariant } from '../../failure.ts';
import { allRows, firstRow, insert, onlyRow } from '../../store/sql.ts';
import { Trouble } from '../faults.ts';
import { type Authorization, authorize } from '../rules/acquirer.ts';
import type { Transaction } from '../store.ts';
import {
  CARD_CATEGORY,
  type CardRow,
  countTransactions,
  findCard,
  missingCard,
  missingCvv,
  storeCard,
} from './cards.ts';
import type { Handler } from './handler.ts';
import { newAuthorization, newId } from './ids.ts';
import type { Merchant } from './merchants.ts';
import { pagingOf } from './plans.ts';
import { findRecord } from './record-lookup.ts';
import {
  accept,
  bodyOf,
  metadataOf,
  readQuery,
  refusing,
  shownMetadata,
  tokenToShow,
} from './validation.ts';

export interface PurchaseRow {
  id: string;
  /** The prefix of the merchant. */
  merchant: string;
  card_token: string;
  /** Minor units. */
  amount: number;
  currency: string;
  reference: string | null;
  /** 1 or 0 */
  successful: number;
  /** Empty if the purchase was rejected, and no issuer was asked. */
  message: string;
  authorization: string | null;
  /** The answer of the card's issuer, two digits. */
  response_code: string;
  /** 1, or 0 if an approved purchase was only authorised. */
  captured: number;
  /** JSON as it was sent. */
  metadata: string | null;
  /** A date-time with offset. */
  transaction_date: string;
  /** `Recurring` for a charge of a subscription. */
  source: string | null;
}

const createPurchase: Handler = (tx, call) => {
  const { merchant, body } = call;
  const { card_token: given } = body;
  const sent = typeof given === 'string' ? { ...body, card_token: tokenToShow(given) } : body;
  const refuse = refusing(purchaseCreate, sent, REFUSED_FIELDS, decimalOf(sent, merchant));
  const order = accept(
    bodyOf(purchaseCreate, tx.dialect),
    call,
    refuse,
    ({ card_token: token }) => [
      ...missingCvv(body, tx.dialect),
      ...missingCard(tx, merchant, token),
    ],
  );
  const { amount, currency = merchant.currency, reference = null } = order;
  const payment = {
    amount,
    currency: currencyCode(currency),
    reference,
    metadata: metadataOf(body),
  };
  const rejected = tx.dialect === 'deployed' ? rejection(tx, merchant, payment) : [];
  const isAsked = rejected.length === 0;
  const card = cardOfOrder(tx, merchant, order, isAsked ? 1 : 0);
  const authorization = isAsked ? authorize(card, amount, tx.today) : NOT_ASKED;
  const fault = isAsked ? parseFault(card.behaviour) : undefined;
  if (fault && !fault.isProcessed) throw new Trouble(fault);

  const purchase = {
    ...payment,
    ...authorization,
    merchant: merchant.prefix,
    card_token: card.token,
    captured: order.capture ?? true,
    transaction_date: tx.dateTime,
    source: null,
  };
  if (isAsked && !authorization.successful && order.card_token !== undefined)
    return { response: declinedByToken(purchase, card, tx.dialect), fault };
  const kept = keepPurchase(tx, purchase);
  return { response: purchaseAnswer(kept, card, tx.dialect), errors: rejected, fault };
};

/** @returns the messages of deployments, which differ from those of the text, if they would ask no issuer */
function rejection(
  tx: Transaction,
  { prefix }: Merchant,
  { reference, currency }: Pick<PurchaseRow, 'reference' | 'currency'>,
): string[] {
  const sql =
    'SELECT 1 FROM purchases WHERE merchant = ? AND reference = ? AND successful = 1 LIMIT 1';
  const isTaken = reference !== null && tx.do(firstRow(sql, [prefix, reference])) !== undefined;
  return [
    ...(isTaken ? ['Reference is already taken'] : []),
    ...(faultOfCurrency(currency) !== undefined
      ? [`Currency ${currency} is not valid for this merchant`]
      : []),
  ];
}

/** The authorization of a purchase for which no issuer was asked. */
const NOT_ASKED: Authorization = { successful: false, message: '', response_code: '99' };

/** @returns whether no issuer was asked */
export function isRejected({ message }: Pick<PurchaseRow, 'message'>): boolean {
  return message === NOT_ASKED.message;
}

const getPurchase: Handler = (tx, { merchant, key }) => {
  const purchase = findRecord<PurchaseRow>(tx, merchant, { table: 'purchases', key });
  return { response: purchaseAnswer(purchase, cardOfPurchase(tx, purchase), tx.dialect) };
};

/** Lists purchases, the latest first. One that was rejected has no reference, and is not listed. */
const listPurchases: Handler = (tx, { merchant, query }) => {
  const wanted = readQuery({ ...planList.query, ...purchaseList.query }, query, tx.dialect);
  const { limit, page } = pagingOf(wanted);
  const { reference = null, from = '', to = '9999-12-31' } = wanted;
  const chosen = `FROM purchases WHERE merchant = ? AND message <> ''
    AND substr(transaction_date, 1, 10) BETWEEN ? AND ? ${reference === null ? '' : 'AND reference = ?'}`;
  const values = [merchant.prefix, from, to, ...(reference === null ? [] : [reference])];
  const { total } = tx.do(onlyRow<{ total: number }>(`SELECT count(*) AS total ${chosen}`, values));
  const found = tx.do(
    allRows<PurchaseRow>(`SELECT * ${chosen} ORDER BY rowid DESC LIMIT ? OFFSET ?`, [
      ...values,
      limit,
      (page - 1) * limit,
    ]),
  );
  return {
    response: found.map((one) => purchaseAnswer(one, cardOfPurchase(tx, one), tx.dialect)),
    counts: {
      records: found.length,
      total_records: total,
      page,
      total_pages: Math.ceil(total / limit),
    },
  };
};

/** @returns the card of a stored purchase, as it was at the time of payment */
export function cardOfPurchase(tx: Transaction, { id }: PurchaseRow): PaidCard {
  return tx.do(
    onlyRow(
      `SELECT k.token, coalesce(p.card_holder, k.card_holder) AS card_holder, k.card_number,
       k.card_type, coalesce(p.card_expiry, k.expiry) AS expiry
     FROM purchases p JOIN cards k ON k.token = p.card_token WHERE p.id = ?`,
      [id],
    ),
  );
}

/**
 * Finds the card, or stores the one whose details were sent, and counts transactions with it.
 * @param count 1, or 0 if the card is not charged
 */
function cardOfOrder(
  tx: Transaction,
  merchant: Merchant,
  order: z.infer<BodySchema<typeof purchaseCreate.body>>,
  count: 0 | 1,
): CardRow {
  const { card_token, card_number, card_holder, card_expiry } = order;
  if (card_token !== undefined) {
    const card = findCard(tx, merchant, card_token);
    invariant(card, 'a purchase that is accepted has no card');
    countTransactions(tx, card.token, count);
    return card;
  }
  invariant(card_number && card_holder && card_expiry, 'a purchase that is accepted has no card');
  return storeCard(tx, merchant, { card_number, card_holder, card_expiry }, count);
}

/** A purchase whose number of authorization is still to be drawn. */
export interface NewPurchase
  extends Omit<PurchaseRow, 'id' | 'authorization' | 'successful' | 'captured'> {
  successful: boolean;
  /** false only authorises; by default the money is taken. */
  captured?: boolean;
}

/** The fields of a card that a purchase shows. */
export type PaidCard = Pick<
  CardRow,
  'token' | 'card_holder' | 'card_number' | 'card_type' | 'expiry'
>;

/** Stores a purchase under a new id, with an authorization if it was approved. */
export function keepPurchase(tx: Transaction, payment: NewPurchase): PurchaseRow {
  const id = newId(tx, 'purchases', payment.merchant);
  const authorization = payment.successful ? newAuthorization(tx) : null;
  const purchase = { ...rowOf(payment), id, authorization };
  tx.do(insert('purchases', purchase));
  return purchase;
}

function rowOf({ successful, captured = true, ...payment }: NewPurchase) {
  return { ...payment, successful: Number(successful), captured: Number(captured) };
}

/**
 * The record of a purchase. Only charges of subscriptions show `source`; money that was taken is settled on the same day.
 */
export function purchaseAnswer(
  purchase: ShownPurchase,
  card: PaidCard,
  dialect: Dialect,
): JsonObject {
  const successful = purchase.successful === 1;
  return {
    id: purchase.id,
    authorization: purchase.authorization,
    card_number: card.card_number,
    card_holder: card.card_holder,
    card_expiry: lastValidDay(card.expiry),
    card_token: card.token,
    amount: purchase.amount,
    decimal_amount: Number(decimalText(purchase.amount, purchase.currency)),
    successful,
    message: isRejected(purchase) ? null : purchase.message,
    reference: purchase.reference,
    currency: purchase.currency,
    settlement_date: isCaptured(purchase) ? purchase.transaction_date.slice(0, 10) : null,
    transaction_date: isRejected(purchase) ? null : purchase.transaction_date,
    ...(purchase.source !== null && { source: purchase.source }),
    ...(dialect === 'deployed' && deployedFields(purchase, card)),
  };
}

/** A purchase; without an id if it was not stored. */
type ShownPurchase = Omit<PurchaseRow, 'id'> & { id: string | null };

/** @returns whether money was taken */
export function isCaptured({
  successful,
  captured,
}: Pick<PurchaseRow, 'successful' | 'captured'>): boolean {
  return successful === 1 && captured === 1;
}

/** @returns the fields that deployments send in addition to section 2.3, and that clients read */
function deployedFields(purchase: ShownPurchase, { card_type }: PaidCard): JsonObject {
  const { id, response_code, amount, authorization, metadata } = purchase;
  const captured = isCaptured(purchase);
  return {
    response_code,
    captured,
    captured_amount: captured ? amount : 0,
    transaction_id: id,
    card_type,
    ...CARD_CATEGORY,
    rrn: retrievalNumber(authorization),
    // No issuer compares it here.
    cvv_match: 'U',
    metadata: shownMetadata(metadata),
    addendum_data: {},
  };
}

/** @returns the twelve digits by which banks find a transaction; null if no issuer approved it */
export function retrievalNumber(authorization: string | null): string | null {
  return authorization?.padStart(12, '0') ?? null;
}

function declinedByToken(payment: NewPurchase, card: CardRow, dialect: Dialect): JsonObject {
  const unkept = { ...rowOf(payment), id: null, authorization: null };
  const { authorization: _, ...record } = purchaseAnswer(unkept, card, dialect);
  return { ...record, authorization_id: null, authorized: false };
}

/** Deployments write a currency that is none with two decimals. */
function decimalText(amount: number, currency: string): string {
  return formatDecimal(amount, currencyExponent(currency) ?? USUAL_EXPONENT);
}

/** @returns the decimal of an amount that is refused; a text, if no double holds it (section 2.1) */
function decimalOf({ amount, currency }: JsonObject, merchant: Merchant): JsonObject {
  if (!Number.isSafeInteger(amount)) return {};
  const text = decimalText(
    Number(amount),
    currencyCode(typeof currency === 'string' ? currency : merchant.currency),
  );
  return { decimal_amount: Number(amount) > MAX_AMOUNT ? text : Number(text) };
}

/** Refusals lack these two fields, which only answers to purchases by token and charges of subscriptions have. */
const { authorized: _, source: __, ...REFUSED } = shown;
const REFUSED_FIELDS = Object.keys(REFUSED);

export const purchaseHandlers = {
  'purchase create': createPurchase,
  'purchase get': getPurchase,
  'purchase list': listPurchases,
};
