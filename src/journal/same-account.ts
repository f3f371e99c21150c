/**
 * Rows of the same account as `:account`, `:profile` and `:host`: by the account where both are
 * known; an older gw, which did not know it, went by profile and host.
 */
export const SAME_ACCOUNT = `
  (account = :account
    OR (account IS NULL OR :account IS NULL) AND profile = :profile AND host = :host)`;
