/**
 * The programs of assistants that start `gw mcp`, each with its file of settings. gw adds its own entry to such a file, and
 * leaves every other byte as it is.
 *
 * Places and names are those of the programs' own pages in November 2026: code.visualstudio.com
 * docs/agents/reference/mcp-configuration, modelcontextprotocol.io docs/develop/connect-local-servers (Claude Desktop),
 * code.claude.com docs/en/mcp, cursor.com docs/context/mcp, geminicli.com docs/tools/mcp-server, docs.windsurf.com
 * windsurf/cascade/mcp, developers.openai.com codex/mcp.
 *
 * Tests: test/unit/setup/assistants.test.ts
 */
import { join } from 'node:path';
import { findNodeAtLocation, type Node, type ParseError, parse, parseTree } from 'jsonc-parser';
import { isObject, type Json, valueAt } from '../base/json.ts';
import { usage } from '../failure.ts';
import type { Files } from '../host/host.ts';
import type { UserFolders } from '../host/user-folders.ts';

export interface Assistant {
  /** Its name, as people call it. */
  title: string;
  /** Its file, by the names of folders. */
  path: readonly [keyof UserFolders, ...string[]];
  /** The object with the servers: a name in JSON, or the name of tables in TOML. */
  servers: 'mcpServers' | 'servers' | 'mcp_servers';
  /** true if each server says how it is spoken to. */
  hasType?: true;
}

export const ASSISTANTS: Readonly<Record<string, Assistant>> = {
  'claude-desktop': {
    title: 'Claude Desktop',
    path: ['settings', 'Claude', 'claude_desktop_config.json'],
    servers: 'mcpServers',
  },
  'claude-code': {
    title: 'Claude Code',
    path: ['home', '.claude.json'],
    servers: 'mcpServers',
    hasType: true,
  },
  cursor: { title: 'Cursor', path: ['home', '.cursor', 'mcp.json'], servers: 'mcpServers' },
  vscode: {
    title: 'VS Code',
    path: ['settings', 'Code', 'User', 'mcp.json'],
    servers: 'servers',
    hasType: true,
  },
  copilot: {
    title: 'GitHub Copilot CLI',
    path: ['home', '.copilot', 'mcp-config.json'],
    servers: 'mcpServers',
  },
  gemini: {
    title: 'Gemini CLI',
    path: ['home', '.gemini', 'settings.json'],
    servers: 'mcpServers',
  },
  windsurf: {
    title: 'Windsurf',
    path: ['home', '.codeium', 'windsurf', 'mcp_config.json'],
    servers: 'mcpServers',
  },
  codex: { title: 'Codex', path: ['home', '.codex', 'config.toml'], servers: 'mcp_servers' },
};

/** The name of gw among the servers of a program. */
const NAME = 'gw';

export interface ServerEntry {
  command: string;
  args: readonly string[];
}

/** @returns the path of the assistant's file */
export function fileOf({ path: [folder, ...names] }: Assistant, folders: UserFolders): string {
  return join(folders[folder], ...names);
}

/** @returns a file with nothing but the entry, as a person would paste it */
export function snippet(assistant: Assistant, entry: ServerEntry): string {
  return withEntry(assistant, entry, undefined, '');
}

/**
 * @param text of the assistant's file; undefined if there is none
 * @param file its path, for messages
 * @returns the text with gw's entry in it
 * @throws Failure usage if gw cannot add to it without changing anything else
 */
export function withEntry(
  assistant: Assistant,
  entry: ServerEntry,
  text: string | undefined,
  file: string,
): string {
  const { servers, hasType } = assistant;
  if (servers === 'mcp_servers') return withTable(entry, text ?? '', file);
  const before = text === undefined || text.trim() === '' ? '{}\n' : text;
  const root = readSettings(before, file);
  const value = { ...(hasType && { type: 'stdio' }), ...entry };
  const own = findNodeAtLocation(root, [servers, NAME]);
  if (own) return spliced(before, own.offset, own.length, indented(value, before, 2));
  const inside = findNodeAtLocation(root, [servers]);
  if (!inside) return withFirst(before, root, [servers, { [NAME]: value }]);
  if (inside.type !== 'object') throw unreadable(file, `has another ${servers} than gw knows`);
  return withFirst(before, inside, [NAME, value]);
}

/**
 * The library's own editor would lay the neighbours of a new member out anew, and part them from their comments.
 * @returns the text with a new first member in an object of it
 */
function withFirst(text: string, object: Node, [name, value]: [string, object]): string {
  const depth = object.parent ? 2 : 1;
  const member = `${JSON.stringify(name)}: ${indented(value, text, depth)}`;
  const line = `\n${unitOf(text).repeat(depth)}`;
  const isEmpty = text.slice(object.offset + 1, object.offset + object.length - 1).trim() === '';
  if (!isEmpty) {
    const isFull = (object.children ?? []).length > 0;
    return spliced(text, object.offset + 1, 0, `${line}${member}${isFull ? ',' : ''}`);
  }
  const close = `\n${unitOf(text).repeat(depth - 1)}`;
  return spliced(text, object.offset, object.length, `{${line}${member}${close}}`);
}

const unitOf = (text: string) => (/^\t/m.test(text) ? '\t' : '  ');

/** @returns a value as it stands at a depth of a file */
function indented(value: object, text: string, depth: number): string {
  const unit = unitOf(text);
  return JSON.stringify(value, null, unit).replaceAll('\n', `\n${unit.repeat(depth)}`);
}

function spliced(text: string, offset: number, length: number, replacement: string): string {
  return text.slice(0, offset) + replacement + text.slice(offset + length);
}

/** A new table may stand at the end of any TOML file. Its texts are written as JSON writes them. */
function withTable({ command, args }: ServerEntry, text: string, file: string): string {
  const lines = text.split('\n').map((line) => line.replace(/[\s"']/g, ''));
  if (lines.some((line) => OWN_TABLES.some((begin) => line.startsWith(begin))))
    throw unreadable(file, 'has an entry that gw does not change');
  const table = [
    `[mcp_servers.${NAME}]`,
    `command = ${JSON.stringify(command)}`,
    `args = ${JSON.stringify(args)}`,
  ];
  const before = text === '' || text.endsWith('\n') ? text : `${text}\n`;
  return `${before}${text === '' ? '' : '\n'}${table.join('\n')}\n`;
}

/** Lines, without blanks and quotes, that already say something of gw, or of all servers at once. */
const OWN_TABLES = [`[mcp_servers.${NAME}]`, `[mcp_servers.${NAME}.`, 'mcp_servers='];

/** @returns the settings; comments and commas at the end are allowed, as these programs allow them */
function readSettings(text: string, file: string): Node {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  if (errors.length > 0 || root?.type !== 'object') throw unreadable(file, 'is no JSON object');
  return root;
}

function unreadable(file: string, what: string) {
  return usage(
    'json-invalid',
    `${file} ${what}.`,
    'Nothing was changed. Without --write, gw prints what to add to it by hand.',
  );
}

/** An entry of gw that stands in a file. */
export interface FoundEntry {
  title: string;
  command: string;
  args: readonly string[];
  /** Names of the variables that it sets. */
  variables: readonly string[];
}

const MOST_BYTES = 20_000_000;

/** @returns gw's entries in the files of this user, as far as they can be read; of TOML, only that there is one */
export function findEntries(files: Pick<Files, 'read'>, folders: UserFolders): FoundEntry[] {
  return Object.values(ASSISTANTS).flatMap((assistant) => {
    const text = readQuietly(files, fileOf(assistant, folders));
    if (text === undefined || assistant.servers === 'mcp_servers') return [];
    const found = valueAt((parse(text) as Json | undefined) ?? null, [assistant.servers, NAME]);
    if (!isObject(found)) return [];
    const { command, args, env } = found;
    return {
      title: assistant.title,
      command: String(command ?? ''),
      args: Array.isArray(args) ? args.map(String) : [],
      variables: isObject(env) ? Object.keys(env) : [],
    };
  });
}

/** Somebody else's file may be anything. */
function readQuietly(files: Pick<Files, 'read'>, file: string): string | undefined {
  try {
    return files.read(file, MOST_BYTES);
  } catch {
    return undefined;
  }
}
