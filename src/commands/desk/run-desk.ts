/** Runs `gw desk`: serves the pages, and leads the browser to them. */
import { join } from 'node:path';
import { programOf } from '../../cli/dispatch/program.ts';
import { resolveProfile } from '../../client/profiles/resolve.ts';
import type { Context } from '../../host/context.ts';
import { openFile } from '../../host/programs/browser.ts';
import { html } from '../../view/html/html.ts';
import { liveWarning, namedProfile } from '../../view/text/environment.ts';
import { DeskServer } from './desk-server.ts';

export interface RunDeskOptions {
  /** The profile that the user named, if any. */
  profile: string | undefined;
  /** The text to search for first; empty for the newest records. */
  text: string;
  /** undefined for the usual one. */
  port: number | undefined;
  /** Whether to open a browser. */
  opens: boolean;
  idleMs: number;
}

/** @throws Failure usage if the port cannot be listened on; auth if no profile can be used */
export async function runDesk(context: Context, options: RunDeskOptions): Promise<void> {
  const { host } = context;
  const { env, files, stderr, stdout } = host;
  const { profile } = await resolveProfile({ flag: options.profile, env, files });
  const us = { profile, of: profile };
  const { port, idleMs } = options;
  const program = programOf(context);
  const server = new DeskServer(context, { profile, us, program, port, idleMs });
  const door = await server.open();
  const address = door.address(pathOf(options.text));
  const redirect = join(files.stateDirectory, `desk-${door.instance}.html`);
  try {
    const isOpening = options.opens && (await openBrowser(context, redirect, address));
    await stdout.write(`${address}\n`);
    await stderr.write(
      `${isOpening ? 'gw opens this address in your browser' : 'Open this address in a browser of this machine'}. It works once, for you alone.\n` +
        `The desk shows the profile ${namedProfile(profile)}.${liveWarning(profile)} Press Ctrl-C to stop.\n`,
    );
    const end = await server.untilEnd();
    await stderr.write(end === 'idle' ? 'Nobody asked for an hour, so gw desk ended.\n' : '\n');
  } finally {
    await server.close();
    files.remove(redirect);
  }
}

/** @returns the path of what was asked for: a record, if the text is one word; else a search */
function pathOf(text: string): string {
  if (text === '') return '/';
  return `/?q=${encodeURIComponent(text)}`;
}

/** The file is readable by this user alone. */
async function openBrowser({ host }: Context, redirect: string, address: string): Promise<boolean> {
  const page = html`<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url=${address}">
<title>gw desk</title>
<p><a href="${address}">Open gw desk</a></p>
`;
  host.files.writePrivate(redirect, page.text);
  return openFile(redirect);
}
