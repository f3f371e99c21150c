/** Rows of the same account as `:account`, `:profile` and `:host` (base/account.ts). */
import { sameAccount } from '../base/account.ts';

export const SAME_ACCOUNT = sameAccount('', ':');
