import { command } from '../../cli/dispatch/command.ts';
import { parsePort } from '../../cli/flags/delivery-flags.ts';
import { option, toggle } from '../../cli/flags/flag.ts';
import { dbFlag } from '../../cli/flags/global-flags.ts';
import { FAULTS } from '../../contract/faults.ts';
import { DIALECTS } from '../../contract/local-account.ts';
import { emulatorPath } from '../../store/paths.ts';
import { readBeginning } from './read-beginning.ts';
import { serveGateway } from './serve-gateway.ts';

const DEFAULT_PORT = 4010;

export default command({
  summary: 'Serve the built-in test gateway over HTTP',
  description: `Serves all endpoints on this machine for any HTTP client, with the same state as
    --profile local. It bills and delivers webhooks as its clock moves. It runs until
    Ctrl-C.

    It prints its address on stdout once it answers. A script waits for that:
    \`gw emulator start >url & until test -s url; do sleep 0.1; done\`.

    There are two accounts: TEST with the token TEST, and OTHER with the token OTHER.

    It refuses requests that a web page makes a browser send. Without --allow-remote it also
    refuses foreign host names.`,
  examples: [
    'gw emulator start',
    'gw emulator start --port 4011 --db ./shop.db --seed shop.json',
    'gw emulator start --fresh --dialect strict --clock 2012-06-01',
  ],
  flags: {
    port: option({
      description: 'Port to listen on; 0 picks a free one.',
      helpValue: '<port>',
      default: String(DEFAULT_PORT),
    }),
    host: option({
      description: 'Address to listen on.',
      helpValue: '<address>',
      default: '127.0.0.1',
    }),
    'allow-remote': toggle({ description: 'Allow an address that other machines can reach.' }),
    ...dbFlag,
    fresh: toggle({ description: 'Delete the state in the file first.' }),
    seed: option({
      description: 'JSON file of merchants and records that a new file starts with.',
      helpValue: '<file>',
    }),
    dialect: option({
      description:
        'Dialect that the gateway uses, in process and over HTTP. Default: the dialect of the existing state; deployed for a new one.',
      options: DIALECTS,
    }),
    clock: option({
      description:
        "Time at which a new state's clock starts: YYYY-MM-DD (UTC) or a time with its zone. Existing state advances there day by day, as with `gw emulator advance`, and never goes back.",
      helpValue: '<date>',
    }),
    faults: toggle({
      description: `Obey the header X-Gw-Fault: ${Object.keys(FAULTS).join(', ')}. Test cards make trouble without it.`,
    }),
  },

  async run({ host }, { flags }) {
    await serveGateway(host, {
      path: flags.db ?? emulatorPath(host.files),
      isFresh: flags.fresh ?? false,
      beginning: await readBeginning(host, flags),
      address: flags.host,
      port: parsePort(flags.port, DEFAULT_PORT),
      allowRemote: flags['allow-remote'] ?? false,
      faults: flags.faults ?? false,
    });
  },
});
