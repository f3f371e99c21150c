import { readText } from '../../body/read-input.ts';
import { command } from '../../dispatch/command.ts';
import { dbFlag } from '../../flags/db-flag.ts';
import { option, toggle } from '../../flags/flag.ts';
import { parsePort } from '../../flags/parse-port.ts';
import { startOver } from '../../operations/start-over.ts';
import { emulatorPath } from '../../session/paths.ts';
import { renderError } from '../../view/errors.ts';

const DEFAULT_PORT = 4010;

export default command({
  summary: 'Serve the embedded gateway over HTTP',
  description: `Serves all endpoints on this machine, for any HTTP client, with the same state that --profile
    local uses. Accounts out of the box: TEST with the token TEST, and OTHER with OTHER. Bills and
    delivers web hooks as its clock moves. Requests that a web page makes a browser send are refused,
    and so is any name of this machine that another has made up, unless --allow-remote is given. Runs
    until Ctrl-C.`,
  examples: [
    'gw emulator start',
    'gw emulator start --port 4011 --db ./shop.db --seed shop.json',
    'gw emulator start --fresh',
  ],
  flags: {
    port: option({
      description: 'Port to listen on; 0 for any free one.',
      helpValue: '<port>',
      default: String(DEFAULT_PORT),
    }),
    host: option({
      description: 'Address to listen on.',
      helpValue: '<address>',
      default: '127.0.0.1',
    }),
    'allow-remote': toggle({ description: 'Permit an address that other machines reach.' }),
    ...dbFlag,
    fresh: toggle({ description: 'Forget the state in the file first.' }),
    seed: option({
      description: 'JSON file of merchants and records that a new file starts with.',
      helpValue: '<file>',
    }),
    faults: toggle({
      description: 'Honour the header X-Gw-Fault: latency, resets, broken answers.',
    }),
  },

  async run(context, { flags }) {
    const [{ serve }, { Refusals }, { runInBackground }, { openState }, { readSeed }] =
      await Promise.all([
        import('../../emulator/http/server.ts'),
        import('../../webhooks/refusals.ts'),
        import('../../emulator/background.ts'),
        import('../../emulator/state.ts'),
        import('../../emulator/seed.ts'),
      ]);
    const { clock, files, stdout, stderr, interrupted } = context.host;
    const path = flags.db ?? emulatorPath(files);
    const seed =
      flags.seed === undefined
        ? undefined
        : readSeed(await readText(context.host, flags.seed, '--seed'), flags.seed);
    if (flags.fresh) await startOver(context.host, path, seed);
    const store = openState({ path, clock, seed: flags.fresh ? undefined : seed });
    const onDefect = (error: unknown) =>
      void stderr.write(renderError(error, { color: stderr.color, debug: true }));
    const refusals = new Refusals((text) => void stderr.write(`${text}\n`));
    const server = await serve({
      store,
      clock,
      host: flags.host,
      port: parsePort(flags.port, DEFAULT_PORT),
      allowRemote: flags['allow-remote'] ?? false,
      faults: flags.faults ?? false,
      onDefect,
      onRefused: (status, reason) => refusals.add(status, reason),
    });
    await stdout.write(`${server.url}\n`);
    await stderr.write(
      `The embedded gateway listens on ${server.url}, with its state in ${path}.\n` +
        `Try: GW_USERNAME=TEST GW_API_TOKEN=TEST GW_ENVIRONMENT=sandbox GW_BASE_URL=${server.url} gw plan list\n` +
        'Ctrl-C ends it.\n',
    );
    await runInBackground({ store, clock, signal: interrupted, onDefect });
    await server.close();
    refusals.end();
    store.close();
  },
});
