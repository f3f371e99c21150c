import { commandOptions } from '../../cli/flags/command-options.ts';
import { PROPOSAL_VIEW } from '../../view/records/proposal.ts';
import create from './create.command.ts';

export default {
  ...create,
  summary: 'Propose a purchase with a stored card, which another person approves',
  description: `Does all that \`gw purchase create\` does but send, and writes the purchase down. The code
    that it prints is for the person who approves it with \`gw approve\`, within a day. The
    journal keeps no card data, so the card has to be a stored one.`,
  prints: PROPOSAL_VIEW,
  examples: [
    'gw purchase propose --card-token hqy7mj2obxa3 --amount 2500 --currency AUD --reference INV-1005 --profile local',
    'gw purchase propose --customer ada@example.com --decimal-amount 25.00 --reference INV-1004 --profile local',
  ],
  async run(context, { flags }) {
    const { runPurchase } = await import('./run-purchase.ts');
    const { customer } = flags;
    const { request, ...options } = commandOptions(context.host, flags);
    await runPurchase(context, typeof customer === 'string' ? customer : undefined, {
      ...options,
      prints: PROPOSAL_VIEW,
      request: { ...request, isProposal: true },
    });
  },
} satisfies typeof create;
