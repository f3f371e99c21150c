import { Flags } from '@oclif/core';
import { readText } from '../../body/read-input.ts';
import { GwCommand } from '../../dispatch/command.ts';
import { dbFlag } from '../../dispatch/emulator-command.ts';
import { usage } from '../../failure.ts';
import { startOver } from '../../operations/start-over.ts';
import { emulatorPath } from '../../session/paths.ts';
import { renderError } from '../../view/errors.ts';

const MAX_PORT = 65_535;

export default class EmulatorStart extends GwCommand {
  static override summary = 'Serve the embedded gateway over HTTP';
  static override description =
    'Serves all endpoints on this machine, for any HTTP client, with the same state that --profile local ' +
    'uses. Accounts out of the box: TEST with the token TEST, and OTHER with OTHER. Bills and delivers web ' +
    'hooks as its clock moves. Runs until Ctrl-C.';
  static override examples = [
    '<%= config.bin %> emulator start',
    '<%= config.bin %> emulator start --port 4011 --db ./shop.db --seed shop.json',
    '<%= config.bin %> emulator start --fresh',
  ];
  static override flags = {
    port: Flags.string({
      description: 'Port to listen on; 0 for any free one.',
      helpValue: '<port>',
      default: '4010',
    }),
    host: Flags.string({
      description: 'Address to listen on.',
      helpValue: '<address>',
      default: '127.0.0.1',
    }),
    'allow-remote': Flags.boolean({ description: 'Permit an address that other machines reach.' }),
    ...dbFlag,
    fresh: Flags.boolean({ description: 'Forget the state in the file first.' }),
    seed: Flags.string({
      description: 'JSON file of merchants and records that a new file starts with.',
      helpValue: '<file>',
    }),
    faults: Flags.boolean({
      description: 'Honour the header X-Gw-Fault: latency, resets, broken answers.',
    }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(EmulatorStart);
    const [{ serve }, { runInBackground }, { openState }, { readSeed }] = await Promise.all([
      import('../../emulator/http/server.ts'),
      import('../../emulator/background.ts'),
      import('../../emulator/state.ts'),
      import('../../emulator/seed.ts'),
    ]);
    const { clock, files, stdout, stderr, interrupted } = this.host;
    const path = flags.db ?? emulatorPath(files);
    const seed =
      flags.seed === undefined
        ? undefined
        : readSeed(await readText(this.host, flags.seed, '--seed'), flags.seed);
    if (flags.fresh) await startOver(this.host, path, seed);
    const store = openState({ path, clock, seed: flags.fresh ? undefined : seed });
    const onDefect = (error: unknown) =>
      void stderr.write(renderError(error, { color: stderr.color, debug: true }));
    const server = await serve({
      store,
      clock,
      host: flags.host,
      port: portOf(flags.port),
      allowRemote: flags['allow-remote'],
      faults: flags.faults,
      onDefect,
    });
    await stdout.write(`${server.url}\n`);
    await stderr.write(
      `The embedded gateway listens on ${server.url}, with its state in ${path}.\n` +
        `Try: GW_USERNAME=TEST GW_API_TOKEN=TEST GW_ENVIRONMENT=sandbox GW_BASE_URL=${server.url} gw plan list\n` +
        'Ctrl-C ends it.\n',
    );
    await runInBackground({ store, clock, signal: interrupted, onDefect });
    await server.close();
    store.close();
  }
}

function portOf(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port <= MAX_PORT) return port;
  throw usage(
    `--port takes a number from 0 to ${MAX_PORT}, not ${JSON.stringify(text)}.`,
    'For example --port 4010.',
  );
}
