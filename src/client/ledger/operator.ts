/** Who is named in what is sent from here. */
import { usage } from '../../failure.ts';
import type { Host } from '../../host/host.ts';
import type { Author } from '../../journal/ledger.ts';

const MAX_LENGTH = 200;

/** @throws Failure usage when GW_OPERATOR is no name */
export function authorOf({ env, user }: Pick<Host, 'env' | 'user'>): Author {
  const { name, machine } = user;
  const named = env.GW_OPERATOR;
  if (!named) return { operator: `${name}@${machine}`, machine };
  if (named.length <= MAX_LENGTH && !/\p{Cc}/u.test(named) && named.trim() === named)
    return { operator: named, machine };
  throw usage(
    'operator-invalid',
    'GW_OPERATOR is not a valid operator name.',
    `Set it to one line of up to ${MAX_LENGTH} characters without a space at either end, such as ada@example.org.`,
  );
}
