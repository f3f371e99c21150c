import { textOrNull } from '../../base/text.ts';
import { command } from '../../cli/dispatch/command.ts';
import { commandOptions } from '../../cli/flags/command-options.ts';
import { printFlags, profileFlag } from '../../cli/flags/global-flags.ts';
import { refundCreate } from '../../contract/resources/refund.ts';
import { withSession } from '../../requests/session.ts';
import { PROPOSAL_VIEW } from '../../view/records/proposal.ts';

export default command({
  summary: 'List what waits for the approval of another person',
  description: `Lists the proposals of the profile's account that can still be approved, the oldest first.
    In a shared ledger these are the proposals of everybody.

    \`gw refund propose ID\` and \`gw purchase propose\` propose something, \`gw approve CODE\` sends
    it, and \`gw reject CODE\` withdraws it.`,
  prints: PROPOSAL_VIEW,
  examples: ['gw proposals --profile local', 'gw proposals --profile local -o json'],
  flags: { ...printFlags, ...profileFlag },

  async run(context, { flags }) {
    const { request, output } = commandOptions(context.host, flags);
    const ifNone = 'Nothing waits for an approval. `gw refund propose` proposes a refund.';
    const settings = {
      operation: refundCreate,
      request,
      output,
      isSingle: false,
      prints: PROPOSAL_VIEW,
      ifNone,
    };
    await withSession(context, settings, async (session) => {
      const { ledger } = session.gateway;
      for (const proposal of await ledger.openProposals()) {
        const { refundOf } = proposal;
        const paid =
          refundOf === null ? undefined : await ledger.rememberedOf('purchase', refundOf);
        const shown = {
          ...proposal,
          customer: paid?.name ?? undefined,
          purchaseReference: textOrNull(paid?.record.reference) ?? undefined,
        };
        await session.printRecord(PROPOSAL_VIEW.record(shown), PROPOSAL_VIEW);
      }
      await session.endOutput();
    });
  },
});
