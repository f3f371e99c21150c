/** Lists of the records that this machine knows; the gateway has no such lists. */

import { command } from '../../cli/dispatch/command.ts';
import { printFlags } from '../../cli/flags/global-flags.ts';
import {
  amountFlags,
  expiresFlag,
  listLimitFlag,
  listOptions,
  ofProfileFlags,
  operatorFlag,
  outcomeFlagOf,
  planFlag,
  referenceFlag,
  textArg,
  whenFlags,
} from '../../cli/flags/search-flags.ts';
import { isRecurring, type RecordKind } from '../../contract/record.ts';

interface Words {
  /** For example `purchases`. */
  plural: string;
  examples: readonly string[];
}

const OF_MONEY = ['approved', 'declined', 'rejected', 'voided', 'unclear'] as const;
/** The outcomes that a record of each kind can have. */
const OUTCOMES = {
  purchase: [...OF_MONEY, 'authorised', 'abandoned'],
  refund: OF_MONEY,
  customer: ['deleted', 'expiring', 'expired'],
  subscription: ['active', 'ended', 'stopped'],
} as const;
/** A plan charges these. */
const OF_PLANS: readonly RecordKind[] = ['purchase', 'subscription'];
/** Who sent the request is known of these. */
const SENT: readonly RecordKind[] = ['purchase', 'refund'];

/** @returns the command `gw KIND list` */
export function knownList(
  kind: Extract<RecordKind, 'purchase' | 'refund' | 'customer' | 'subscription'>,
  { plural, examples }: Words,
) {
  return command({
    summary: `List the ${plural} that were seen here`,
    description: `The gateway cannot list ${plural}. This list has those that were looked up, created or
    reported by webhooks here, as last seen. \`gw ${kind} get\` asks the gateway.

    \`seen_at\` and \`sources\` say when and from whom gw knows a record.

    Words and filters work as in \`gw find\`.`,
    prints: kind,
    isDeprecated: isRecurring(kind),
    examples,
    args: textArg,
    takesMany: true,
    flags: {
      ...referenceFlag,
      ...outcomeFlagOf(OUTCOMES[kind], 'these outcomes'),
      ...(kind === 'customer' ? {} : amountFlags),
      ...whenFlags,
      ...ofProfileFlags,
      ...(kind === 'customer' ? expiresFlag : {}),
      ...(OF_PLANS.includes(kind) ? planFlag : {}),
      ...(SENT.includes(kind) ? operatorFlag : {}),
      ...listLimitFlag(),
      ...printFlags,
    },
    async run(context, { argv, flags }) {
      const { runKnownList } = await import('./run-known-list.ts');
      await runKnownList(context, { kind, plural }, argv, listOptions(flags, OUTCOMES[kind]));
    },
  });
}
