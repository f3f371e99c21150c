/** A fact as it is selected from the index. */

/** The state of an entry is where the entry is. */
export const OUTCOME = `
  CASE kind WHEN 'request' THEN
    coalesce((SELECT state FROM money_requests WHERE money_requests.id = facts.id), outcome)
  ELSE outcome END`;

export const FACT_COLUMNS = `
  doc, kind, id, at, seen_at AS seenAt, account, profile, environment, host, ${OUTCOME} AS outcome,
  amount, currency, reference, who, email, last_four AS lastFour, message, label,
  purchase, customer, subscription, plan`;
