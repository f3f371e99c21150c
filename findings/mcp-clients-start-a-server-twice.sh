#!/usr/bin/env bash
# @modelcontextprotocol/client 2.4.0 over stdio, with @modelcontextprotocol/server 2.4.0.
#
# Guess: a client that connects once starts the program of the server once, so that a start may open a session, take a
# lock or write a line to a log.
# Seen: a client that asks which revision the server speaks starts a process to ask, and another one to talk to. That holds
# for `auto`, and also where the newer revision is pinned.
# Output seen: legacy: 1, auto: 2, pinned: 2
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
npm init -y >/dev/null
npm install --silent --no-audit --no-fund @modelcontextprotocol/server@2.4.0 @modelcontextprotocol/client@2.4.0
cat >server.mjs <<'END'
import { appendFileSync } from 'node:fs';
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
appendFileSync(process.argv[2], `${process.pid}\n`);
serveStdio(() => new McpServer({ name: 'some', version: '1.0.0' }, { capabilities: { tools: {} } }));
END
cat >client.mjs <<'END'
import { readFileSync } from 'node:fs';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
const startsOf = async (name, mode) => {
  const client = new Client({ name: 'any', version: '1.0.0' }, { versionNegotiation: { mode } });
  await client.connect(new StdioClientTransport({ command: 'node', args: ['server.mjs', name] }));
  await client.ping().catch(() => undefined);
  await client.close();
  return `${name}: ${readFileSync(name, 'utf8').trim().split('\n').length}`;
};
const seen = [
  await startsOf('legacy', 'legacy'),
  await startsOf('auto', 'auto'),
  await startsOf('pinned', { pin: '2026-07-28' }),
];
console.log(seen.join(', '));
END
seen=$(node client.mjs)
echo "$seen"
[[ $seen == 'legacy: 1, auto: 2, pinned: 2' ]] || { echo "it has changed"; exit 1; }
