/**
 * The server of the Model Context Protocol: what it offers, and which calls it takes. The package speaks both generations
 * of the protocol, and makes a server for a connection, or one more for a client that only asks what there is. So making one
 * does nothing. Only a call reads the ledger, the keychain or the gateway.
 *
 * gw asks nothing through a client. A client may answer for its user, so its answer is nobody's consent.
 *
 * Tests: test/system/mcp.test.ts, test/system/mcp-faults.test.ts
 */

import type { JsonObject } from '../../base/json.ts';
import { quantity } from '../../base/text.ts';
import { helpSource } from '../../cli/dispatch/program.ts';
import { cancellation } from '../../failure.ts';
import { cut } from '../../host/redaction/safe.ts';
import { toolOf } from './describe-tool.ts';
import { GUIDE, PROMPTS, promptOf, RESOURCES } from './guide.ts';
import {
  CLIENT_INFO_META_KEY,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from './protocol.ts';
import { runTool } from './run-tool.ts';
import type { Serving } from './serving.ts';
import type { Progress, ToolAnswer } from './tool-call.ts';
import { type ToolRow, toolRows } from './tools.ts';

/** Lists change only with gw itself; an hour is as long as anybody keeps a connection open unattended. */
const LISTS = { ttlMs: 60 * 60 * 1000, cacheScope: 'private' } as const;

/** @returns a server for one connection, or for the question what there is */
export function createServer(serving: Serving): Server {
  const rows = toolRows(serving.mayPropose);
  const server = new Server(
    { name: 'gw', title: 'gw: card payments', version: serving.context.host.version },
    {
      capabilities: { tools: {}, resources: {}, prompts: {} },
      instructions: GUIDE,
      cacheHints: {
        'tools/list': LISTS,
        'prompts/list': LISTS,
        'resources/list': LISTS,
        'resources/templates/list': LISTS,
      },
    },
  );
  const run = (row: ToolRow, given: JsonObject, { mcpReq }: ServerContext) => {
    const { signal: interrupted, envelope } = mcpReq;
    const began = serving.context.host.clock.now();
    const said = envelope as Readonly<Record<string, object | undefined>> | undefined;
    const client = clientOf(said?.[CLIENT_INFO_META_KEY] ?? server.getClientVersion());
    const call = { row, given, client, began, interrupted: endOf(interrupted) };
    return runTool(serving, call, progressOf(mcpReq));
  };
  server.setRequestHandler('tools/list', async () => {
    const help = helpSource(serving.program);
    return { tools: rows.map((row) => toolOf(row, help.command)) };
  });
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const row = rows.find(({ name }) => name === params.name);
    if (!row) throw noSuch('tool', params.name, rows);
    return resultOf(await run(row, (params.arguments ?? {}) as JsonObject, context));
  });
  server.setRequestHandler('resources/list', async () => ({ resources: [...RESOURCES] }));
  server.setRequestHandler('resources/templates/list', async () => ({ resourceTemplates: [] }));
  server.setRequestHandler('resources/read', async ({ params: { uri } }, context) => {
    if (uri === RESOURCES[0].uri) return contents(uri, 'text/markdown', GUIDE);
    if (uri !== RESOURCES[1].uri) throw noSuch('resource', uri, RESOURCES);
    return contents(uri, 'application/json', JSON.stringify(await run(PROFILE, {}, context)));
  });
  server.setRequestHandler('prompts/list', async () => ({
    prompts: PROMPTS.map(({ text: _, ...prompt }) => prompt),
  }));
  server.setRequestHandler('prompts/get', async ({ params }) => {
    const prompt = PROMPTS.find(({ name }) => name === params.name);
    if (!prompt) throw noSuch('prompt', params.name, PROMPTS);
    const text = promptOf(prompt, params.arguments ?? {});
    if (text === undefined)
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `The prompt ${prompt.name} needs ${prompt.arguments.map(({ name }) => name).join(', ')}.`,
      );
    return { messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }] };
  });
  return server;
}

const contents = (uri: string, mimeType: string, text: string) => ({
  contents: [{ uri, mimeType, text }],
});

const RULES = [
  ...['profile', 'environment', 'merchant_name', 'currency', 'read_only', 'max_amount', 'operator'],
  ...['max_per_hour', 'max_per_day', 'require_note', 'two_persons_above', 'allowed_commands'],
];

/** The rules of the profile are what an assistant has to know, and no more of `gw whoami`. */
const PROFILE: ToolRow = {
  name: 'profile',
  title: 'The profile and its rules',
  description: '',
  commands: { whoami: 'whoami' },
  words: {},
  flags: [],
  fixed: [`--fields=${RULES.join(',')}`],
  required: [],
  own: ['max_per_hour', 'max_per_day', 'two_persons_above'],
  annotations: {},
};

/** @returns a signal whose reason gw reports as its own */
function endOf(signal: AbortSignal): AbortSignal {
  const ended = new AbortController();
  const end = () => ended.abort(cancellation());
  if (signal.aborted) end();
  else signal.addEventListener('abort', end, { once: true });
  return ended.signal;
}

function progressOf({ _meta, notify }: ServerContext['mcpReq']): Progress {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return () => undefined;
  return (progress) => {
    const params = {
      progressToken,
      progress,
      message: `${quantity(progress, 'row', 'rows')} read`,
    };
    // Whoever does not hear of it gets the answer all the same.
    notify({ method: 'notifications/progress', params }).catch(() => undefined);
  };
}

/**
 * Its name stands in notes and in the log, where it may not pass for anything else.
 * @param said of the newer generation, each request names its client; of the older one, the first does
 */
function clientOf(said: { name?: unknown; version?: unknown } | undefined): string {
  const called = [said?.name, said?.version].filter((word) => typeof word === 'string').join(' ');
  const plain = called.replace(/[^\w .+/-]/g, '').trim();
  return plain === '' ? 'unknown' : cut(plain, 60);
}

/** Older clients read the text, newer ones the object. */
function resultOf(answer: ToolAnswer) {
  return {
    content: [{ type: 'text' as const, text: JSON.stringify(answer) }],
    structuredContent: { ...answer },
    ...(answer.error && { isError: true }),
  };
}

function noSuch(
  what: string,
  name: string,
  known: readonly { name: string; uri?: string }[],
): ProtocolError {
  const names = known.map((one) => one.uri ?? one.name).join(', ');
  return new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `gw has no ${what} ${JSON.stringify(cut(name, 60))}. It has ${names}.`,
  );
}
