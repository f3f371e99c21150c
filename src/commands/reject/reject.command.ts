import { command } from '../../cli/dispatch/command.ts';
import { commandOptions } from '../../cli/flags/command-options.ts';
import { interactionFlags, noteFlag, profileFlag } from '../../cli/flags/global-flags.ts';
import { refundCreate } from '../../contract/resources/refund.ts';
import { usage } from '../../failure.ts';
import { proposalOf } from '../../requests/known/open-proposal.ts';
import { withSession } from '../../requests/session.ts';

export default command({
  summary: 'Reject what another person proposed, or withdraw it',
  description: `Nobody can approve the proposal afterwards. Its note stays in the journal.`,
  examples: [
    'gw reject 7K3M-Q9XB --profile local',
    "gw reject 7K3M-Q9XB --note 'refunded in cash' --profile local",
  ],
  args: { code: { description: 'Code of the proposal, as `gw proposals` lists it.' } },
  flags: { ...noteFlag, ...profileFlag, ...interactionFlags },

  async run(context, { args, flags }) {
    const { request, output } = commandOptions(context.host, flags);
    const { code } = args;
    if (code === undefined)
      throw usage('argument-missing', 'The code is missing.', '`gw proposals` lists the codes.');
    const settings = { operation: refundCreate, request, output };
    await withSession(context, settings, async (session) => {
      const proposal = await proposalOf(session, code);
      const ledger = await session.gateway.ledger.open();
      const isDone = await ledger.withdraw(proposal.id, request.note ?? null);
      await session.notice(
        isDone
          ? `Rejected: nobody can approve ${code} any more.`
          : 'Somebody else was faster: it is not open any more.',
      );
    });
  },
});
