/** The wings of `src`: what each is for, its rooms, and who may import whom. `test/unit/tidy.test.ts` holds it to that. */
import type { Permission } from './tidy.ts';

/** What everybody may import. */
export const GROUND = ['failure', 'base'];

/** What `src` may not grow beyond. */
export const LIMITS = { wings: 15, arrows: 115, filesInAFolder: 25 };

interface Wing extends Permission {
  purpose: string;
  /** What each folder in it is for, by its path below the wing. */
  rooms?: Readonly<Record<string, string>>;
}

/**
 * The wings, and the files at the top of `src`, ground first: each imports only what stands above it
 * here, and of that only what it lists, beside the ground. `types` vanish when the program is built;
 * everything else is loaded. To ask for another import, add it where the order allows it.
 *
 * The tables in ARCHITECTURE.md are made of this: `npm run docs` writes them.
 */
export const PERMISSIONS: Readonly<Record<string, Wing>> = {
  failure: {
    purpose: 'the one error class, exit codes, and what cannot be',
  },
  base: {
    purpose: 'a small rule that knows nothing of gw: JSON, days, time zones, words, shell quoting',
    packages: ['fastest-levenshtein', 'jsonc-parser'],
  },
  contract: {
    purpose:
      'what the gateway takes and says, as data: a row per operation, and the rules of values',
    rooms: {
      cards: 'card numbers: what one is, where one stands in a text, and those for tests',
      resources: 'one file for each resource: its operations, its record, its bodies',
      webhooks: 'web hooks, whoever sends them: names, patterns of names, payloads',
    },
    packages: ['zod/mini'],
  },
  host: {
    purpose:
      'every side effect, and what may leave: only here are `process`, timers and files touched',
    rooms: {
      files: 'files and pipes: read, replayed, written whole, and kept from others',
      http: 'HTTP for several: servers and what they refuse, time limits, one POST',
      jq: 'filters of jq, on a thread that can be ended',
      keychain: 'the keychain of this user, and what to do without one',
      programs: 'other programs, those of the user',
      prompts: 'questions on a terminal, drawn or plain',
      redaction: 'what may be shown or kept of a text, and in which form',
      terminal: 'keys, the output with its guards, and the pager',
    },
    parts: ['contract', 'package.json'],
    packages: [
      'inquirer',
      'jq-wasm/inline',
      'node:child_process',
      'node:crypto',
      'node:events',
      'node:fs',
      'node:http',
      'node:module',
      'node:net',
      'node:os',
      'node:path',
      'node:readline/promises',
      'node:stream',
      'node:util',
      'node:worker_threads',
      'undici',
    ],
  },
  store: {
    purpose: 'SQL: its engines, and the tables of the ledger',
    rooms: {
      ledger: 'the tables of the ledger in each engine, who may do what in them, their form',
      postgres: 'a PostgreSQL server that a team shares: address, connection, what can go wrong',
      sqlite: 'SQLite files that several processes share: made, opened, read, written',
    },
    parts: ['host'],
    packages: [
      '@photostructure/sqlite',
      'node:crypto',
      'node:fs',
      'node:net',
      'node:path',
      'pg',
      'pg/lib/client.js',
      'pg-connection-string',
      'pgpass',
    ],
  },
  emulator: {
    purpose: 'the embedded gateway: what it remembers, and how it begins',
    rooms: {
      billing: 'days that pass: the accounts that are due, and the clock that is moved',
      deliveries: 'web hooks as it sends them: who wants them, what waits, who may deliver',
      http: 'its door: a server, what is read of a request, faults for those who ask for them',
      resources: 'handlers, in a file for each kind of record, and what they share',
      rules: 'pure rules: what a day bills, when a subscription is due, what an issuer says',
    },
    parts: ['contract', 'host', 'store'],
    packages: [
      'node:crypto',
      'node:events',
      'node:fs',
      'node:http',
      'node:net',
      'p-map',
      'zod/mini',
    ],
  },
  index: {
    purpose: 'what can be searched: documents of records, requests and events, written and asked',
    parts: ['contract', 'store'],
  },
  journal: {
    purpose: 'money requests, and records as last seen; `ledger.ts` is all that others know of it',
    rooms: {
      postgres: 'the journal on a server',
      sqlite: 'the journal in a file',
    },
    parts: ['index', 'store'],
    types: ['contract', 'host'],
    packages: ['node:crypto', 'node:path'],
  },
  view: {
    purpose:
      'how it looks: records and errors to text; the shape of what is shown is declared here',
    rooms: {
      cards: 'one record at length, for whoever has a customer on the phone',
      formats: 'tables, CSV, YAML, jq, charts',
      records: 'what each kind of record looks like in a list: its columns and fields',
      text: 'colour, width, wrapping, messages, what is live',
    },
    parts: ['contract', 'host'],
    types: ['emulator', 'index', 'journal'],
    packages: ['cli-table3/src/utils.js', 'csv-stringify/sync', 'yaml'],
  },
  client: {
    purpose: 'the way to the gateway',
    rooms: {
      connection: 'one run of a command: its guards, its money request from intent to outcome',
      exchange: 'one request on the wire: its check, its form, its repeats, what its answer means',
      ledger: 'which ledger a profile has, who works with it, and opening it',
      profiles: 'profiles of this machine, and where their credentials come from',
      senders: 'how bytes travel: one request, many, or into the embedded gateway',
    },
    parts: ['contract', 'emulator', 'host', 'journal', 'store', 'view'],
    packages: [
      'node:crypto',
      'node:http',
      'node:https',
      'node:net',
      'node:path',
      'node:tls',
      'node:util',
      'undici',
      'zod/mini',
    ],
  },
  cli: {
    purpose: 'from argv to a command and a body',
    rooms: {
      body: 'a body, in the ways in which a user gives one: --input, flags, amounts, cards, prompts',
      completion: 'command lines for shells: what is at the cursor, and what may stand there',
      dispatch: 'from argv to a command: the fast path, the slow one, what was probably meant',
      flags: 'flags that several commands share, how values are read, whose rows are meant',
      help: 'pages of help, made of what the definitions of the commands say',
    },
    parts: ['client', 'contract', 'emulator', 'index', 'journal', 'store', 'view'],
    types: ['host'],
    packages: ['@oclif/core', '@oclif/core/parser', 'gw:commands', 'node:util'],
  },
  events: {
    purpose: 'web hooks received',
    rooms: {
      forward: 'what was received is passed on, in order',
      listen: '`gw listen`: its options, its server, its lines and its summary',
      read: 'what a delivery says, masked, and what is wrong with it',
      receive: 'a request of a sender: taken, kept before it is answered, asked about',
      send: 'samples, and events that are sent again',
      show: 'an event as a line, a record and a card',
      store: 'the memory of events',
    },
    parts: ['cli', 'client', 'contract', 'emulator', 'host', 'index', 'store', 'view'],
    packages: ['node:crypto', 'node:events', 'node:http', 'node:net'],
  },
  requests: {
    purpose: 'sending for a person: one request or many',
    rooms: {
      batch: 'a file of requests: what a line is, how it is sent, progress and results',
      'batch/engine': 'the engine, which knows lines only: it reads, paces, orders and counts them',
      known: 'what a text names, by what this machine knows, and the ledger with its index',
      'look-up': '`get` and `list` of the gateway',
      submit: 'what changes or moves something, raw requests too',
    },
    parts: ['cli', 'client', 'contract', 'events', 'host', 'index', 'journal', 'store', 'view'],
    packages: ['csv-stringify/sync', 'node:crypto', 'p-map', 'papaparse'],
  },
  desk: {
    purpose: 'finding and explaining what gw knows',
    rooms: {
      find: '`gw find`, and lists of what is known',
      forget: 'whose data it is: who is meant, and erasing what is kept of them',
      get: '`gw get`: a record wherever it is known, with what belongs to it',
      history: 'what happened to a record and to what belongs to it, in order',
      lists: 'lists of the journal, of events and of batches',
      query: 'what is searched for, and in what',
      reconcile: "a merchant's books against the gateway",
      reports: 'money over a time, and subscriptions that are at risk or due',
      resolve: 'settling a money request whose outcome is unknown',
    },
    parts: [
      'cli',
      'client',
      'contract',
      'emulator',
      'events',
      'host',
      'index',
      'journal',
      'requests',
      'store',
      'view',
    ],
    packages: ['node:crypto', 'p-map'],
  },
  setup: {
    purpose: 'gw itself',
    rooms: {
      doctor: '`gw doctor`: a function for each check, their order, and what can be mended',
      emulator: 'serving the embedded gateway, and starting it over',
      ledger: "a team's ledger: made, looked at; files taken along, and backed up",
      login: 'logging in, and changing a profile',
    },
    parts: ['cli', 'client', 'emulator', 'events', 'host', 'journal', 'requests', 'store', 'view'],
    packages: ['node:path'],
  },
  commands: {
    purpose: 'one file a command; the path is what a user types',
    parts: [
      'cli',
      'client',
      'contract',
      'desk',
      'emulator',
      'events',
      'host',
      'journal',
      'requests',
      'setup',
      'store',
      'view',
    ],
  },
  start: {
    purpose: 'the one place that prints an error and chooses the exit code',
    parts: ['cli', 'host', 'view'],
    packages: ['node:fs', 'node:module', 'node:path'],
  },
  main: {
    purpose: 'the first file',
    parts: ['host', 'start'],
  },
};
