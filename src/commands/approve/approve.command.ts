import { command } from '../../cli/dispatch/command.ts';
import { commandOptions } from '../../cli/flags/command-options.ts';
import { lookUpFlags } from '../../cli/flags/global-flags.ts';

export default command({
  summary: 'Approve and send what another person proposed',
  description: `Shows a proposal with what is known now, and asks. Then it is sent like any request: what
    became too much meanwhile is refused. A proposal is sent once.

    Only a person at a terminal approves: no flag and no variable does. On a live profile you type
    its name. In a shared ledger only the login of an approver does, and never that of the
    proposer.

    A batch is approved as a whole. \`gw refund batch\` with the same file then sends it.`,
  examples: ['gw approve --profile local', 'gw approve 7K3M-Q9XB --profile local'],
  args: {
    code: { description: 'Code of the proposal. Without one: choose from those that are open.' },
  },
  flags: lookUpFlags,

  async run(context, { args, flags }) {
    const { runApprove } = await import('./run-approve.ts');
    await runApprove(context, args.code, commandOptions(context.host, flags));
  },
});
