#!/usr/bin/env bash
# @modelcontextprotocol/server 2.4.0 with @modelcontextprotocol/client 2.4.0, over stdio.
#
# Guess: the package of the revision of 2026-07-28 speaks it however a server is connected, so that the line of 1.x,
# `server.connect(new StdioServerTransport())`, is enough.
# Seen: connected so, the server knows the revision of 2025-11-25 alone. A client that may choose falls back without a
# word, and one that wants the newer revision does not connect. `serveStdio` serves both.
# Output seen: connect: 2025-11-25, serveStdio: 2026-07-28
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
npm init -y >/dev/null
npm install --silent --no-audit --no-fund @modelcontextprotocol/server@2.4.0 @modelcontextprotocol/client@2.4.0
cat >server.mjs <<'END'
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
const make = () => new McpServer({ name: 'some', version: '1.0.0' }, { capabilities: { tools: {} } });
if (process.argv[2] === 'connect') await make().connect(new StdioServerTransport());
else serveStdio(make);
END
cat >client.mjs <<'END'
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
const revisionOf = async (how) => {
  const client = new Client({ name: 'any', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
  await client.connect(new StdioClientTransport({ command: 'node', args: ['server.mjs', how] }));
  const revision = client.getNegotiatedProtocolVersion();
  await client.close();
  return `${how}: ${revision}`;
};
console.log([await revisionOf('connect'), await revisionOf('serveStdio')].join(', '));
END
seen=$(node client.mjs)
echo "$seen"
[[ $seen == 'connect: 2025-11-25, serveStdio: 2026-07-28' ]] || { echo "it has changed"; exit 1; }
