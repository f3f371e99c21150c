import { command } from '../../cli/dispatch/command.ts';
import { commandOptions } from '../../cli/flags/command-options.ts';
import { inGroup, toggle } from '../../cli/flags/flag.ts';
import {
  confirmFlag,
  dryRunFlag,
  interactionFlags,
  journalFlags,
  noteFlag,
  printFlags,
  profileFlag,
  requestFlags,
} from '../../cli/flags/global-flags.ts';
import { printOpenApi, sendRawRequest } from './run-api.ts';

const input = inGroup('INPUT');

export default command({
  summary: 'Send an authenticated request of your own',
  description: `Sends your request with the credentials of the profile, and prints the answer as it
    came. gw does not check the body. A path alone means GET.

    If a write has a command of its own, gw sends nothing and names that command. The command's
    --input takes fields that gw does not know.

    Any other write counts as money: gw records it and never repeats it. You confirm it on a
    live profile.`,
  examples: [
    'gw api GET /v1.0/plans.json --query limit=10 --profile local',
    'gw api POST /v1.0/purchases/071-P-IE49OSAF/receipts --field email=ada@example.com --profile local',
    'gw api --openapi > openapi.json',
  ],
  args: {
    method: {
      description: 'GET, POST, PUT or DELETE.',
      choices: ['GET', 'POST', 'PUT', 'DELETE'],
    },
    path: {
      description: 'Path below the base address, such as /v1.0/plans.json.',
    },
  },
  flags: {
    openapi: toggle({
      description: 'Print the interface as an OpenAPI 3.1 document, then exit.',
      exclusive: ['input', 'field', 'query', 'jq', 'dry-run', 'note'],
    }),
    input: input.option({
      description: 'File with the JSON body, or - for stdin.',
      helpValue: '<file|->',
    }),
    field: input.option({
      description:
        'Field of the body, with dots for nested fields. Write numbers, true, false and null as in JSON.',
      helpValue: '<name=value>',
      multiple: true,
    }),
    query: input.option({
      description: 'Query parameter.',
      helpValue: '<name=value>',
      multiple: true,
    }),
    jq: printFlags.jq,
    ...dryRunFlag,
    ...noteFlag,
    ...confirmFlag,
    ...journalFlags,
    ...profileFlag,
    ...requestFlags,
    ...interactionFlags,
  },
  async run(context, { args, flags }) {
    if (flags.openapi) return printOpenApi(context.host);
    const { input, field: fields = [], query = [] } = flags;
    const options = { ...commandOptions(context.host, flags), input, fields, query };
    await sendRawRequest(context, args, options);
  },
});
