/** Refunds (section 2.4): endpoints 4 and 5. All refunds of a purchase together never exceed it. */

import type { JsonObject } from '../../base/json.ts';
import { lastValidDay } from '../../contract/expiry.ts';
import type { Dialect } from '../../contract/local-account.ts';
import { refundCreate } from '../../contract/resources/refund.ts';
import { invariant } from '../../failure.ts';
import { insert, onlyRow } from '../../store/sql.ts';
import type { Transaction } from '../store.ts';
import type { Handler } from './handler.ts';
import { newAuthorization, newId } from './ids.ts';
import {
  cardOfPurchase,
  isCaptured,
  isRejected,
  type PaidCard,
  type PurchaseRow,
  retrievalNumber,
} from './purchases.ts';
import { findRecord, lookUp } from './record-lookup.ts';
import { accept, metadataOf, refusing, shownMetadata, submittedText } from './validation.ts';

interface RefundRow {
  id: string;
  purchase: string;
  /** Minor units, positive. */
  amount: number;
  reference: string;
  authorization: string;
  transaction_date: string;
  /** JSON as it was sent. */
  metadata: string | null;
}

const createRefund: Handler = (tx, call) => {
  const { merchant, body } = call;
  const id = submittedText(body.transaction_id) ?? '';
  const purchase = lookUp<PurchaseRow>(tx, merchant, { table: 'purchases', key: id, by: ['id'] });
  const card = purchase && cardOfPurchase(tx, purchase);
  // Deployments answer for the purchase that they rejected like this, and they do not find it.
  if (tx.dialect === 'deployed' && purchase && isRejected(purchase))
    return { response: {}, errors: [NO_PURCHASE] };
  const refuse = refusing(refundCreate, {}, REFUSED_FIELDS, card && shownCard(card));
  const request = accept(refundCreate.body, call, refuse, (right) =>
    refundFaults(tx, purchase, right),
  );
  invariant(purchase && card, 'a refund that is accepted has no purchase');

  const refund = {
    id: newId(tx, 'refunds', merchant.prefix),
    purchase: purchase.id,
    amount: request.amount,
    authorization: newAuthorization(tx),
    transaction_date: tx.dateTime,
    merchant: merchant.prefix,
    reference: request.reference,
    metadata: metadataOf(body),
  } satisfies RefundRow & { merchant: string };
  tx.do(insert('refunds', refund));
  return { response: refundRecord(refund, { purchase, card, dialect: tx.dialect }) };
};

const NO_PURCHASE = 'Original transaction could not be found';

/**
 * @returns a message for each rule of the purchase that the refund breaks. @param purchase undefined if there is none
 */
function refundFaults(
  tx: Transaction,
  purchase: PurchaseRow | undefined,
  { transaction_id, amount = 0 }: { transaction_id?: string; amount?: number },
): string[] {
  if (transaction_id === undefined) return [];
  if (!purchase) return [NO_PURCHASE];
  if (!isCaptured(purchase)) {
    const declined = isRejected(purchase) ? 'rejected' : 'declined';
    const outcome = purchase.successful === 1 ? 'only authorised' : declined;
    return [`Purchase ${purchase.id} was ${outcome} and cannot be refunded`];
  }
  const left = purchase.amount - refundedSoFar(tx, purchase);
  return amount > left ? [`Amount is more than the ${left} that can still be refunded`] : [];
}

const getRefund: Handler = (tx, { merchant, key }) => {
  const refund = findRecord<RefundRow>(tx, merchant, { table: 'refunds', key });
  const purchase = tx.do(
    onlyRow<PurchaseRow>('SELECT * FROM purchases WHERE id = ?', [refund.purchase]),
  );
  const card = cardOfPurchase(tx, purchase);
  return { response: refundRecord(refund, { purchase, card, dialect: tx.dialect }) };
};

function refundedSoFar(tx: Transaction, purchase: PurchaseRow): number {
  return tx.do(
    onlyRow<{ total: number }>(
      'SELECT coalesce(sum(amount), 0) AS total FROM refunds WHERE purchase = ?',
      [purchase.id],
    ),
  ).total;
}

/** The fields that a refund shows besides its own row. */
interface Refunded {
  purchase: PurchaseRow;
  card: PaidCard;
  dialect: Dialect;
}

function refundRecord(refund: RefundRow, { purchase, card, dialect }: Refunded): JsonObject {
  return {
    id: refund.id,
    authorization: refund.authorization,
    amount: -refund.amount,
    refunded: 'Approved',
    message: 'Approved',
    ...shownCard(card),
    successful: true,
    transaction_date: refund.transaction_date,
    response_code: '00',
    ...(dialect === 'deployed' && deployedFields(refund, purchase)),
  };
}

/**
 * @returns the fields that deployments send in addition to section 2.4, and that clients read. Their `transaction_id` is
 *   the refund's own id
 */
function deployedFields(refund: RefundRow, { currency }: PurchaseRow): JsonObject {
  return {
    reference: refund.reference,
    transaction_id: refund.id,
    currency,
    settlement_date: refund.transaction_date.slice(0, 10),
    standalone: false,
    rrn: retrievalNumber(refund.authorization),
    metadata: shownMetadata(refund.metadata),
  };
}

function shownCard({ card_holder, card_number, expiry, card_type }: PaidCard): JsonObject {
  return { card_holder, card_number, card_expiry: lastValidDay(expiry), card_type };
}

/** Nothing that was sent is shown. */
const { response_code: _, ...REFUSED } = refundCreate.response;
const REFUSED_FIELDS = Object.keys(REFUSED);

export const refundHandlers = {
  'refund create': createRefund,
  'refund get': getRefund,
};
