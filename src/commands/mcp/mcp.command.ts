import { command } from '../../cli/dispatch/command.ts';
import { toggle } from '../../cli/flags/flag.ts';
import { profileFlag } from '../../cli/flags/global-flags.ts';

export default command({
  summary: 'Let an assistant look things up, and propose, but never pay',
  description: `Speaks the Model Context Protocol on stdin and stdout, for the program of an assistant (a language
    model) that starts it. \`gw mcp install\` prints the configuration for that program.

    The assistant gets six tools: find, get, history, report, explain and doctor. They read what
    the commands of that name read. With --allow-proposals it gets propose too, which writes a
    refund or a purchase down. Only another person sends that, with \`gw approve\` at a
    terminal.

    The words of customers, banks and webhooks are marked as data. No answer has card tokens,
    more of a card number than its last four digits, credentials, or paths of this machine.

    \`gw mcp log\` shows what was asked.`,
  examples: ['gw mcp --profile local </dev/null', 'gw mcp install claude-code --profile local'],
  flags: {
    'allow-proposals': toggle({
      description: 'Offer the tool propose. The profile needs --two-persons-above.',
    }),
    live: toggle({ description: 'Allow a live profile.' }),
    ...profileFlag,
  },

  async run(context, { flags }) {
    const { runMcp } = await import('./run-mcp.ts');
    await runMcp(context, {
      profile: flags.profile,
      isLive: flags.live ?? false,
      mayPropose: flags['allow-proposals'] ?? false,
    });
  },
});
