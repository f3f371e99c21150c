import { command } from '../../cli/dispatch/command.ts';
import { outputOptions } from '../../cli/flags/command-options.ts';
import { printFlags } from '../../cli/flags/global-flags.ts';
import { ofProfileFlags } from '../../cli/flags/search-flags.ts';
import { profileChoice } from '../../cli/flags/whose.ts';
import { EXPLANATION_VIEW } from '../../desk/explain/explanation.ts';

export default command({
  summary: 'Say what a decline means, and whether another try makes sense',
  description: `Takes a purchase, refund, customer, subscription or card, by id, reference, email, name or
    token; or a response code, or the message of a gateway. Needs no quotes.

    Says what the bank means, when to try again, what to tell the customer, what you do next,
    and what the card paid before. Of a customer, a subscription and a card, it explains the last decline.

    The customer hears what is after "say", and nothing else: a bank does not want merchants to tell
    that a card counts as lost, stolen or suspect. Where \`may_tell\` is false, keep the reason to yourself.

    Codes are those of ISO 8583, of two digits or three, and of the card schemes. Also explains
    gw's own exit codes (\`exit 8\`) and error codes. gw does not ask the gateway.`,
  prints: EXPLANATION_VIEW,
  examples: [
    'gw explain INV-1002 --profile local',
    'gw explain 51',
    'gw explain declined - do not honour -o json',
  ],
  args: {
    what: {
      description: 'Id, reference, email, name or token; response code; message.',
      required: true,
    },
  },
  takesMany: true,
  flags: { ...ofProfileFlags, ...printFlags },

  async run(context, { argv, flags }) {
    const { runExplain } = await import('./run-explain.ts');
    await runExplain(context, argv.join(' '), {
      ...profileChoice(flags),
      output: outputOptions(flags),
    });
  },
});
