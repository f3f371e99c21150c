/** Lists of the records that this machine knows; the gateway has no such lists. */

import { command } from '../../cli/dispatch/command.ts';
import { printFlags } from '../../cli/flags/global-flags.ts';
import { filterFlags, limitFlag, listOptions, textArg } from '../../cli/flags/search-flags.ts';
import { isRecurring, type RecordKind } from '../../contract/record.ts';

interface Words {
  /** For example `purchases`. */
  plural: string;
  examples: readonly string[];
}

/** @returns the command `gw KIND list` */
export function knownList(
  kind: Extract<RecordKind, 'purchase' | 'refund' | 'customer' | 'subscription'>,
  { plural, examples }: Words,
) {
  return command({
    summary: `List the ${plural} that were seen here`,
    description: `The gateway cannot list ${plural}. This list has those that were looked up, created or
    reported by webhooks here, as last seen. \`gw ${kind} get ID\` asks the gateway.

    \`seen_at\` and \`sources\` say when and from whom gw knows a record.

    Words and filters work as in \`gw find\`.`,
    prints: kind,
    isDeprecated: isRecurring(kind),
    examples,
    args: textArg,
    takesMany: true,
    flags: {
      ...filterFlags,
      ...limitFlag('50'),
      ...printFlags,
    },
    async run(context, { argv, flags }) {
      const { runKnownList } = await import('./run-known-list.ts');
      await runKnownList(context, { kind, plural }, argv, listOptions(flags));
    },
  });
}
