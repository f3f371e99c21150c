/** The embedded gateway's newest subscription, for samples of events that look like its own. */
import { existsSync } from 'node:fs';
import type { JsonObject } from '../base/json.ts';
import { lastValidDay } from './billing/schedule.ts';
import type { Clock } from './gateway-clock.ts';
import { openState } from './state.ts';

export interface NewestSubscription {
  subscription: JsonObject;
  customer: JsonObject;
  /** card_number (masked), card_holder, card_expiry, card_token. */
  card: JsonObject;
  /** Minor units. */
  amount: number;
  currency: string;
}

interface Row {
  id: string;
  frequency: string;
  start_date: string;
  end_date: string | null;
  reference: string;
  customer_id: string;
  email: string;
  first_name: string;
  last_name: string;
  customer_reference: string;
  token: string;
  card_number: string;
  card_holder: string;
  expiry: string;
  amount: number;
  currency: string;
}

const NEWEST = `
  SELECT s.id, s.frequency, s.start_date, s.end_date, s.reference,
    c.id AS customer_id, c.email, c.first_name, c.last_name, c.reference AS customer_reference,
    cards.token, cards.card_number, cards.card_holder, cards.expiry, p.amount, p.currency
  FROM subscriptions s
    JOIN customers c ON c.id = s.customer
    JOIN cards ON cards.token = c.card_token
    JOIN plans p ON p.id = s.plan
  WHERE s.merchant = (SELECT prefix FROM merchants ORDER BY rowid LIMIT 1)
  ORDER BY s.is_active DESC, s.rowid DESC LIMIT 1`;

/**
 * @param path file of the embedded gateway, which is not made when there is none
 * @returns the newest subscription of the first account, an active one where there is one
 * @throws Failure usage when the file cannot be used
 */
export function newestSubscription(
  path: string,
  clock: Pick<Clock, 'now'>,
): NewestSubscription | undefined {
  if (!existsSync(path)) return undefined;
  const store = openState({ path, clock });
  try {
    const row = store.read((tx) => tx.get<Row>(NEWEST));
    return row && recordsOf(row);
  } finally {
    store.close();
  }
}

function recordsOf(row: Row): NewestSubscription {
  return {
    subscription: {
      id: row.id,
      frequency: row.frequency,
      start_date: row.start_date,
      end_date: row.end_date,
      reference: row.reference,
    },
    customer: {
      email: row.email,
      first_name: row.first_name,
      last_name: row.last_name,
      reference: row.customer_reference,
      id: row.customer_id,
    },
    card: {
      card_number: row.card_number,
      card_holder: row.card_holder,
      card_expiry: lastValidDay(row.expiry),
      card_token: row.token,
    },
    amount: row.amount,
    currency: row.currency,
  };
}
