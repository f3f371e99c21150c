import { commandOptions } from '../../cli/flags/command-options.ts';
import { PROPOSAL_VIEW } from '../../view/records/proposal.ts';
import create from './create.command.ts';

export default {
  ...create,
  summary: 'Propose a refund, which another person approves',
  description: `Does all that \`gw refund create\` does but send: it finds the purchase, asks every
    guard, and writes the refund down. The code that it prints is for the person who approves
    it with \`gw approve\`, within a day.`,
  prints: PROPOSAL_VIEW,
  examples: [
    'gw refund propose 071-P-IE49OSAF --amount 1000 --reference RET-1001 --profile local',
    "gw refund propose 071-P-IE49OSAF --full --reference RET-1003 --note 'parcel lost' --profile local",
  ],
  async run(context, { argv: [purchase], flags }) {
    const { runRefund } = await import('./run-refund.ts');
    const { request, ...options } = commandOptions(context.host, flags);
    await runRefund(context, purchase, {
      ...options,
      prints: PROPOSAL_VIEW,
      request: { ...request, isProposal: true },
      isFull: flags.full === true,
      lastOf: typeof flags['last-of'] === 'string' ? flags['last-of'] : undefined,
    });
  },
} satisfies typeof create;
