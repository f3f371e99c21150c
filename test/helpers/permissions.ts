/** Who may import whom in `src`: `test/unit/tidy.test.ts` holds it to that. */
import type { Permission } from './tidy.ts';

/** What everybody may import. */
export const GROUND = ['base', 'failure'];

/**
 * What each folder of `src`, and each file at the top of it, is for, and who may import whom, beside
 * the ground. `types` vanish when the program is built; everything else is loaded.
 *
 * The table in ARCHITECTURE.md is made of it: `npm run docs` writes it.
 */
export const PERMISSIONS: Readonly<Record<string, Permission & { purpose: string }>> = {
  failure: {
    purpose: 'the one error class, exit codes, and what cannot be',
  },
  base: {
    purpose:
      'small rules that several need: loopback, backoff, days and time zones, the Basic header, paths in JSON, what a server of gw refuses',
    packages: ['node:http', 'node:net', 'node:stream'],
  },
  contract: {
    purpose:
      'the interface as data: a row per endpoint, records, schemas of requests, envelope, money, cards, events',
    packages: ['zod/mini'],
  },
  host: {
    purpose: 'every side effect: terminal, clock, files, keychain, prompts, signals',
    parts: ['package.json'],
    packages: [
      'inquirer',
      'node:child_process',
      'node:crypto',
      'node:events',
      'node:fs',
      'node:module',
      'node:net',
      'node:os',
      'node:path',
      'node:readline',
      'node:util',
    ],
  },
  redaction: {
    purpose: 'what may be shown: secrets hidden, control characters neutralised',
    parts: ['contract'],
  },
  view: {
    purpose: 'records to text: formats, tables, one view for each kind of record',
    parts: ['contract', 'redaction'],
    types: [
      'doctor',
      'emulator',
      'facts',
      'find',
      'host',
      'journal',
      'privacy',
      'profiles',
      'reconcile',
      'webhooks',
    ],
    packages: ['cli-table3', 'cli-table3/src/utils.js', 'csv-stringify/sync'],
  },
  profiles: {
    purpose: 'profiles, and where credentials come from',
    parts: ['contract', 'postgres'],
    types: ['host'],
    packages: ['node:crypto', 'node:path', 'node:util', 'zod/mini'],
  },
  storage: {
    purpose: 'SQLite files that several processes share: opened, migrated, read, written',
    parts: ['host'],
    packages: ['@photostructure/sqlite', 'node:crypto', 'node:fs', 'node:path'],
  },
  postgres: {
    purpose:
      'a PostgreSQL server that a team shares: its address, connection, tables, and what can go wrong',
    parts: ['storage'],
    packages: ['node:net', 'pg', 'pg/lib/client.js', 'pgpass'],
  },
  emulator: {
    purpose: 'the embedded gateway: resources, billing, deliveries, its HTTP door',
    parts: ['contract', 'storage', 'webhooks'],
    packages: [
      '@hono/node-server',
      '@hono/node-server/utils/response',
      'hono',
      'node:crypto',
      'node:events',
      'node:fs',
      'node:net',
      'p-map',
      'zod/mini',
    ],
  },
  senders: {
    purpose: 'how bytes travel: one request, many, or into the embedded gateway',
    parts: ['emulator'],
    types: ['host'],
    packages: ['node:http', 'node:https', 'node:net', 'node:tls', 'undici'],
  },
  client: {
    purpose: 'a request from its check to the meaning of its answer',
    parts: ['contract', 'redaction', 'senders'],
    types: ['host'],
    packages: ['zod/mini'],
  },
  facts: {
    purpose: 'the index of what gw knows: records seen, money requests, events; written and asked',
    parts: ['contract', 'storage'],
    types: ['postgres'],
  },
  find: {
    purpose:
      'what people ask the index: what a text names, ties, timelines; reports of money, of what is at risk and due',
    parts: ['contract', 'emulator', 'facts', 'webhooks'],
    types: ['journal'],
  },
  journal: {
    purpose: 'the memory of money requests: intent, outcome, claims, and records seen',
    parts: ['client', 'contract', 'facts', 'postgres', 'redaction', 'storage'],
    types: ['host'],
    packages: ['node:crypto', 'node:path'],
  },
  events: {
    purpose: 'the memory of web hook events received',
    parts: ['facts', 'postgres', 'storage', 'webhooks'],
    packages: ['node:crypto', 'node:worker_threads'],
  },
  webhooks: {
    purpose: 'receiving, showing, verifying and passing on events; samples',
    parts: ['contract', 'redaction', 'view'],
    types: ['events', 'host'],
    packages: ['node:crypto', 'node:events', 'node:http', 'node:net', 'undici'],
  },
  flags: {
    purpose: 'flags that several commands share, and those that follow from a schema',
    parts: ['contract', 'facts'],
    types: ['host', 'profiles', 'redaction', 'webhooks'],
  },
  body: {
    purpose: "a request's body: from --input, flags, an amount, a card, prompts",
    parts: ['contract', 'flags'],
    types: ['host', 'profiles'],
  },
  session: {
    purpose: 'one run of a command: its profile, credentials, guards, gateway and printer',
    parts: [
      'client',
      'contract',
      'events',
      'facts',
      'journal',
      'postgres',
      'profiles',
      'redaction',
      'senders',
      'storage',
      'view',
    ],
    types: ['flags', 'host'],
    packages: ['node:path'],
  },
  operations: {
    purpose: 'what ordinary commands do once argv is parsed: look up, submit, list, send',
    parts: [
      'body',
      'client',
      'contract',
      'emulator',
      'events',
      'find',
      'flags',
      'journal',
      'postgres',
      'profiles',
      'redaction',
      'session',
      'view',
      'webhooks',
    ],
    types: ['facts', 'host'],
    packages: ['node:crypto', 'node:path', 'p-map'],
  },
  batch: {
    purpose: 'many requests from a file: the engine, which knows lines only, and what it is given',
    parts: [
      'body',
      'client',
      'contract',
      'flags',
      'journal',
      'operations',
      'redaction',
      'session',
      'view',
    ],
    types: ['host', 'profiles'],
    packages: ['csv-stringify/sync', 'csv-parse/sync', 'node:crypto'],
  },
  doctor: {
    purpose: 'what `gw doctor` looks at: a function a check, their order, and what can be mended',
    parts: [
      'client',
      'completion',
      'emulator',
      'postgres',
      'profiles',
      'redaction',
      'senders',
      'session',
      'storage',
      'view',
    ],
    types: ['flags', 'host', 'journal'],
    packages: ['node:path'],
  },
  privacy: {
    purpose: 'whose data it is: who a person is, and erasing what is kept of them',
    parts: [
      'contract',
      'events',
      'facts',
      'flags',
      'journal',
      'redaction',
      'session',
      'storage',
      'view',
    ],
    types: ['host', 'postgres'],
    packages: ['node:crypto'],
  },
  team: {
    purpose: 'looking after a ledger that a team shares: made, looked at, copied, backed up',
    parts: ['events', 'journal', 'postgres', 'session', 'storage', 'view'],
    types: ['host'],
    packages: ['node:crypto'],
  },
  reconcile: {
    purpose: "a merchant's books against the gateway: rows read, looked up, compared and summed up",
    parts: ['batch', 'client', 'contract', 'facts', 'flags', 'journal', 'session', 'view'],
    types: ['host'],
    packages: ['node:crypto'],
  },
  help: {
    purpose: 'pages of help, made of what the definitions of the commands say',
    types: ['flags', 'view'],
  },
  completion: {
    purpose: 'completing command lines for shells: what may stand at the cursor, and their scripts',
    parts: ['contract', 'facts', 'help', 'journal', 'profiles', 'storage'],
    types: ['host'],
    packages: ['node:path'],
  },
  dispatch: {
    purpose: 'from argv to a command: the fast path, the slow one, help, what was probably meant',
    parts: ['batch', 'contract', 'flags', 'help', 'operations', 'view'],
    types: ['host', 'session'],
    packages: [
      '@oclif/core',
      '@oclif/core/parser',
      'fastest-levenshtein',
      'gw:commands',
      'node:util',
    ],
  },
  commands: {
    purpose: 'one file a command; the path is what a user types',
    parts: [
      'body',
      'completion',
      'contract',
      'dispatch',
      'doctor',
      'emulator',
      'events',
      'flags',
      'journal',
      'operations',
      'postgres',
      'privacy',
      'profiles',
      'reconcile',
      'redaction',
      'session',
      'team',
      'view',
      'webhooks',
    ],
  },
  start: {
    purpose: 'the one place that prints an error and chooses the exit code',
    parts: ['completion', 'dispatch', 'host', 'redaction', 'view'],
    types: ['help', 'session'],
    packages: ['node:fs', 'node:module', 'node:path'],
  },
  main: {
    purpose: 'the first file',
    parts: ['host', 'start'],
  },
};
