/** A fact as it is selected from the index. */

export const FACT_COLUMNS = `
  facts.doc AS doc, kind, id, at, seen_at AS seenAt, account, profile, environment, host, outcome,
  amount, currency, reference, who, email, last_four AS lastFour, message, label,
  purchase, customer, subscription, plan, operator`;
