/**
 * `gw mcp`: serves assistants on stdin and stdout until the client closes them. It starts with nothing but the profile's
 * settings: clients start a server twice for one connection, and many of those calls never come.
 */
import { programOf } from '../../cli/dispatch/program.ts';
import { usage } from '../../failure.ts';
import type { Context } from '../../host/context.ts';
import { cut, neutralise } from '../../host/redaction/safe.ts';
import { type McpOptions, servedProfile } from '../../setup/served-profile.ts';
import { createServer } from './create-server.ts';
import { StdioServerTransport, serveStdio } from './protocol.ts';
import { Turns } from './turns.ts';

/** Calls that run at once. Most of a look-up is waiting for the gateway, so a few share the time. */
const MOST_AT_ONCE = 4;

/** @throws Failure usage or guard if the profile cannot be served so */
export async function runMcp(context: Context, options: McpOptions): Promise<void> {
  const { host, root } = context;
  if (host.stdin.isTerminal)
    throw usage(
      'assistant-missing',
      'gw mcp speaks with the program of an assistant, on stdin and stdout.',
      '`gw mcp install` prints the configuration by which such a program starts it.',
    );
  const profile = await servedProfile(host, options);
  const serving = {
    ...{ context, profile, program: programOf(context), turns: new Turns(host, MOST_AT_ONCE) },
    mayPropose: options.mayPropose,
    folders: [root, host.files.stateDirectory, host.files.configDirectory, host.env.HOME ?? ''],
  };
  const transport = new ClosingTransport();
  const handle = serveStdio(() => createServer(serving), {
    transport,
    onerror: ({ message }) => void host.stderr.write(`gw mcp: ${cut(neutralise(message), 200)}\n`),
  });
  const stop = () => void handle.close();
  host.interrupted.addEventListener('abort', stop, { once: true });
  await transport.closed;
  host.interrupted.removeEventListener('abort', stop);
  await serving.turns.idle();
}

/** Says when the client is gone, or gw was asked to end. */
class ClosingTransport extends StdioServerTransport {
  readonly closed: Promise<void>;
  #close: () => void = () => undefined;

  constructor() {
    super();
    this.closed = new Promise((resolve) => {
      this.#close = resolve;
    });
  }

  override async close(): Promise<void> {
    await super.close();
    this.#close();
  }
}
