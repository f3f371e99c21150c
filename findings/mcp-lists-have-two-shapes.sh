#!/usr/bin/env bash
# @modelcontextprotocol/server 2.4.0 with zod 4.6.7, and @modelcontextprotocol/client 2.4.0.
#
# Guess: a tool whose structured result is a list gives every client that list, as its code says.
# Seen: a client of the revision of 2026-07-28 gets the list, one of 2025-11-25 an object with the list in `result`, and
# another output schema. A program that reads the result by its shape breaks with the client, not with the server.
# Output seen: legacy: {"result":[1,2]}, auto: [1,2]
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
npm init -y >/dev/null
npm install --silent --no-audit --no-fund @modelcontextprotocol/server@2.4.0 @modelcontextprotocol/client@2.4.0 zod@4.6.7
cat >server.mjs <<'END'
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import * as z from 'zod/v4';
serveStdio(() => {
  const server = new McpServer({ name: 'some', version: '1.0.0' });
  const schemas = { inputSchema: z.object({}), outputSchema: z.array(z.number()) };
  server.registerTool('list', schemas, async () => ({
    content: [{ type: 'text', text: '[1,2]' }],
    structuredContent: [1, 2],
  }));
  return server;
});
END
cat >client.mjs <<'END'
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
const resultOf = async (mode) => {
  const client = new Client({ name: 'any', version: '1.0.0' }, { versionNegotiation: { mode } });
  await client.connect(new StdioClientTransport({ command: 'node', args: ['server.mjs'] }));
  const { structuredContent } = await client.callTool({ name: 'list', arguments: {} });
  await client.close();
  return `${mode}: ${JSON.stringify(structuredContent)}`;
};
console.log([await resultOf('legacy'), await resultOf('auto')].join(', '));
END
seen=$(node client.mjs)
echo "$seen"
[[ $seen == 'legacy: {"result":[1,2]}, auto: [1,2]' ]] || { echo "it has changed"; exit 1; }
