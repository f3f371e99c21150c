/** `gw mcp install`: the entry by which the program of an assistant starts gw. */
import { ENVIRONMENT_PROFILE } from '../../client/profiles/profile.ts';
import { usage } from '../../failure.ts';
import type { Context } from '../../host/context.ts';
import type { Host } from '../../host/host.ts';
import { ownCommand, userFolders } from '../../host/user-folders.ts';
import {
  ASSISTANTS,
  type Assistant,
  fileOf,
  type ServerEntry,
  snippet,
  withEntry,
} from '../../setup/assistants.ts';
import { type McpOptions, servedProfile } from '../../setup/served-profile.ts';

const MOST_BYTES = 20_000_000;

/** @param client its name; undefined for a program that gw does not know */
export async function runInstall(
  { host, root }: Context,
  client: string | undefined,
  { writes, ...options }: McpOptions & { writes: boolean },
): Promise<void> {
  const assistant = client === undefined ? undefined : ASSISTANTS[client];
  if (!assistant && (client !== undefined || writes)) throw unknown(client);
  const { name } = await servedProfile(host, options);
  if (name === ENVIRONMENT_PROFILE)
    throw usage(
      'profile-missing',
      'The profile comes from variables, which the program of an assistant does not have.',
      'Store it with `gw login NAME`, and give that name: `gw mcp install --profile NAME`.',
    );
  const entry = entryOf(root, name, options);
  const folders = userFolders(host);
  const file = assistant && folders && fileOf(assistant, folders);
  if (!assistant || file === undefined) {
    const known = Object.keys(ASSISTANTS).join(', ');
    await host.stdout.write(snippet(OTHER, entry));
    return host.stderr.write(
      `Add it to the settings of your assistant. gw knows the places of ${known}: \`gw mcp install cursor\`.\n`,
    );
  }
  if (writes) return write(host, { assistant, file, entry });
  await host.stdout.write(snippet(assistant, entry));
  await host.stderr.write(
    `Add it to ${file}, or let gw do that: the same command with --write. Then start ${assistant.title} anew.\n`,
  );
}

function entryOf(root: string, profile: string, { isLive, mayPropose }: McpOptions): ServerEntry {
  const [node, program] = ownCommand(root);
  const allowed = [...(isLive ? ['--live'] : []), ...(mayPropose ? ['--allow-proposals'] : [])];
  return { command: node, args: [program, 'mcp', '--profile', profile, ...allowed] };
}

async function write(
  { files, stderr }: Pick<Host, 'files' | 'stderr'>,
  { assistant, file, entry }: { assistant: Assistant; file: string; entry: ServerEntry },
): Promise<void> {
  const text = files.read(file, MOST_BYTES);
  const after = withEntry(assistant, entry, text, file);
  if (after !== text) files.writePrivate(file, after);
  const what = after === text ? 'has it already' : 'has it now';
  await stderr.write(`${file} ${what}. Start ${assistant.title} anew.\n`);
}

/** The form that most programs read. */
const OTHER = { title: '', path: ['home'], servers: 'mcpServers' } as const;

function unknown(client = '') {
  const known = Object.keys(ASSISTANTS).join(', ');
  return usage(
    'assistant-unknown',
    client === ''
      ? '--write needs the name of a program.'
      : `gw does not know the program ${JSON.stringify(client)}.`,
    `It knows ${known}. For another one, \`gw mcp install\` prints what to add to its settings.`,
  );
}
