/**
 * `gw mcp` as the program of an assistant starts it: by the official client of the protocol, over a real pipe, and line by
 * line, for what no client would send.
 */
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { onTestFinished } from 'vitest';
import type { Json, JsonObject } from '../../src/base/json.ts';
import { PROGRAM } from './program.ts';
import { type Ended, type Running, start } from './run.ts';
import { scanOutput } from './scan.ts';

/** The newer generation, the older one, and whichever the server speaks. */
export type Mode = 'modern' | 'legacy' | 'auto';

export const MODES: readonly Mode[] = ['modern', 'legacy', 'auto'];

const MODERN = '2026-07-28';

export interface Answer {
  records: JsonObject[];
  total?: number;
  next_cursor?: string;
  notes: string[];
  error?: JsonObject;
}

export interface Assistant {
  client: Client;
  /** Calls a tool, and checks that the text says the same as the object. */
  call(name: string, given?: JsonObject): Promise<Answer>;
  /** All answers so far, as JSON. */
  heard(): string;
}

/** @param env all of the environment */
export async function openAssistant(
  args: readonly string[],
  env: Record<string, string>,
  mode: Mode = 'auto',
): Promise<Assistant> {
  const negotiation = { modern: { pin: MODERN }, legacy: 'legacy', auto: 'auto' } as const;
  const client = new Client(
    { name: 'desk-assistant', version: '1.0' },
    { versionNegotiation: { mode: negotiation[mode] } },
  );
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [PROGRAM, 'mcp', ...args],
    env: { XDG_CACHE_HOME: String(process.env.XDG_CACHE_HOME), ...env },
    stderr: 'inherit',
  });
  await client.connect(transport);
  onTestFinished(() => client.close());
  let heard = '';
  return {
    client,
    heard: () => heard,
    async call(name, given = {}) {
      const { content, structuredContent } = await client.callTool({ name, arguments: given });
      const [said] = content as unknown as [{ text: string }];
      if (JSON.stringify(JSON.parse(said.text)) !== JSON.stringify(structuredContent))
        throw new Error(`the text of ${name} differs from its object`);
      heard += `${said.text}\n`;
      scanOutput(said.text, `what the tool ${name} answered`);
      return structuredContent as unknown as Answer;
    },
  };
}

export interface Line {
  running: Running;
  send(message: Json): void;
  /** Resolves to the answer to a request. */
  answer(id: number): Promise<JsonObject>;
  /** Closes stdin, and resolves when the program has ended. */
  end(): Promise<Ended>;
}

/** Speaks the protocol line by line. */
export function openLine(args: readonly string[], env: NodeJS.ProcessEnv): Line {
  const running = start(process.execPath, [PROGRAM, 'mcp', ...args], { env });
  onTestFinished(() => void running.child.kill());
  const answers = () =>
    running
      .output()
      .split('\n')
      .flatMap((line) => (line.startsWith('{') && line.endsWith('}') ? [JSON.parse(line)] : []));
  return {
    running,
    send: (message) => running.child.stdin?.write(`${JSON.stringify(message)}\n`),
    async answer(id) {
      await running.printed(new RegExp(`"jsonrpc":"2.0","id":${id}[,}].*\\n`));
      return answers().find((one) => one.id === id);
    },
    end() {
      running.child.stdin?.end();
      return running.ended;
    },
  };
}

/** The first message of the older generation. */
export const INITIALIZE = {
  ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'line', version: '1' },
  },
};

/** A request of the newer generation, in which each says what the client is. */
export function modern(id: number, method: string, params: JsonObject = {}): JsonObject {
  return {
    ...{ jsonrpc: '2.0', id, method },
    params: {
      ...params,
      _meta: {
        'io.modelcontextprotocol/protocolVersion': MODERN,
        'io.modelcontextprotocol/clientInfo': { name: 'line', version: '1' },
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    },
  };
}

export function legacy(id: number, method: string, params: JsonObject = {}): JsonObject {
  return { jsonrpc: '2.0', id, method, params };
}

export const toolCall = (name: string, given: JsonObject = {}): JsonObject => ({
  name,
  arguments: given,
});
