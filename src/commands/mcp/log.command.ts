import { command } from '../../cli/dispatch/command.ts';
import { outputOptions } from '../../cli/flags/command-options.ts';
import { printFlags } from '../../cli/flags/global-flags.ts';
import { parseInteger } from '../../cli/flags/parse-number.ts';
import { limitFlag, ofProfileFlags } from '../../cli/flags/search-flags.ts';
import { profileChoice, profileScope, scopePhrase } from '../../cli/flags/whose.ts';
import { AssistantCalls } from '../../events/store/assistant-calls.ts';
import { openPrinter } from '../../view/print-records.ts';
import { CALL_VIEW } from './call-view.ts';

export default command({
  summary: 'What assistants asked on this machine',
  description: `Lists the calls of assistants, the newest first: when, which program, which tool with which
    arguments, how it ended, and how many rows it got. What was answered is not kept.

    \`gw prune\` deletes old calls, and \`gw forget\` empties the arguments that name a person.`,
  prints: CALL_VIEW,
  examples: ['gw mcp log', 'gw mcp log --limit 100 -o csv'],
  flags: { ...limitFlag('20'), ...ofProfileFlags, ...printFlags },

  async run({ host }, { flags }) {
    const scope = await profileScope(host, profileChoice(flags));
    const printer = openPrinter(host, outputOptions(flags), {
      kind: CALL_VIEW,
      ifNone: `No assistant has asked anything${scopePhrase(scope)} yet. \`gw mcp install\` sets one up.`,
    });
    const limit = parseInteger('limit', flags.limit);
    for (const call of await new AssistantCalls(host).list(scope.of?.name, limit))
      await printer.add(CALL_VIEW.record(call));
    await printer.end();
  },
});
