/** What people call the commands and flags of gw: in other tools, in the plural, in other words. */

/** Words for a whole command, and what they may mean here. A command that is not there is left out. */
export const OTHER_COMMANDS: Readonly<Record<string, readonly string[]>> = {
  ...named(
    ['charge', 'pay', 'payment', 'sale', 'sell', 'buy', 'order', 'transaction'],
    'purchase create',
    'purchase list',
  ),
  ...named(['void', 'reverse', 'reversal', 'chargeback', 'credit'], 'refund create'),
  ...named(['search', 'grep', 'query', 'lookup', 'look', 'locate', 'list', 'ls'], 'find'),
  ...named(
    ['show', 'view', 'inspect', 'describe', 'details', 'retrieve', 'fetch', 'open', 'read'],
    'get',
  ),
  ...named(['timeline', 'changes'], 'history'),
  ...named(['log', 'audit', 'activity', 'sent', 'requests'], 'journal list'),
  ...named(['webhook', 'hook', 'wh'], 'listen', 'events list', 'emulator hooks list'),
  ...named(['watch', 'tail', 'receive', 'stream', 'forward'], 'listen'),
  ...named(['replay', 'resend', 'redeliver'], 'events resend'),
  ...named(['fire', 'emit', 'send', 'sample'], 'trigger'),
  ...named(['auth', 'signin', 'sign-in', 'connect', 'credentials', 'authenticate'], 'login'),
  ...named(['signout', 'sign-out', 'disconnect'], 'logout'),
  ...named(['init', 'setup', 'set-up', 'start', 'quickstart', 'onboard'], 'login', 'profile list'),
  ...named(
    ['config', 'configure', 'settings', 'account', 'env', 'environment', 'set'],
    'profile list',
    'profile set',
  ),
  ...named(['switch', 'use'], 'profile use'),
  ...named(['user', 'who', 'me', 'whois'], 'whoami'),
  ...named(['check', 'diagnose', 'debug', 'test', 'status', 'health', 'ping'], 'doctor', 'whoami'),
  ...named(['tokenise', 'token', 'card', 'vault', 'store'], 'tokenize'),
  ...named(['testcard', 'test-card', 'testcards', 'test-cards'], 'emulator cards'),
  ...named(
    ['mock', 'simulator', 'simulate', 'sandbox', 'server', 'serve', 'local', 'gateway'],
    'emulator start',
  ),
  ...named(['advance', 'clock', 'time'], 'emulator advance'),
  ...named(['reset'], 'emulator reset'),
  ...named(['subscribe', 'recurring', 'bill'], 'subscription create'),
  ...named(['unsubscribe', 'stop', 'cancel'], 'subscription stop', 'refund create'),
  ...named(['move'], 'subscription move'),
  ...named(['create', 'new', 'add'], 'purchase create', 'refund create'),
  ...named(['bulk', 'import', 'upload'], 'purchase batch', 'refund batch', 'customer batch'),
  ...named(
    ['stats', 'summary', 'sales', 'revenue', 'today', 'balance', 'totals', 'settlement'],
    'report day',
    'report month',
  ),
  ...named(['match', 'compare', 'settle', 'books'], 'reconcile'),
  ...named(['erase', 'gdpr', 'privacy', 'anonymise', 'anonymize'], 'forget'),
  ...named(['clean', 'cleanup', 'purge', 'clear', 'gc'], 'prune'),
  ...named(['remove', 'delete', 'rm', 'destroy'], 'customer delete', 'profile remove', 'forget'),
  ...named(['database', 'db', 'postgres', 'backup'], 'ledger status', 'ledger backup'),
  ...named(['request', 'call', 'curl', 'http', 'raw', 'post', 'put'], 'api'),
  ...named(['autocomplete', 'complete', 'completions'], 'completion'),
  ...named(['man', 'manual', 'docs', 'doc', 'usage', 'commands', 'tutorial', 'examples'], 'help'),
  ...named(['upgrade', 'update', 'self-update', 'selfupdate', 'ver'], 'version'),
};

/** Words for the last part of a command's name, in groups that mean the same. */
const SAME_VERBS: readonly (readonly string[])[] = [
  ['list', 'ls', 'all', 'index', 'browse'],
  [
    'get',
    'show',
    'view',
    'read',
    'retrieve',
    'fetch',
    'info',
    'lookup',
    'look',
    'inspect',
    'describe',
    'details',
    'check',
    'status',
    'open',
  ],
  [
    'create',
    'new',
    'add',
    'make',
    'charge',
    'pay',
    'post',
    'send',
    'start',
    'init',
    'register',
    'sign-up',
    'signup',
    'store',
    'save',
  ],
  ['delete', 'remove', 'del', 'rm', 'destroy', 'erase', 'drop', 'forget'],
  [
    'update',
    'edit',
    'modify',
    'change',
    'set',
    'patch',
    'put',
    'rename',
    'add',
    'new',
    'config',
    'resume',
    'restart',
    'reactivate',
    'activate',
    'unpause',
  ],
  [
    'stop',
    'cancel',
    'pause',
    'end',
    'unsubscribe',
    'delete',
    'remove',
    'suspend',
    'deactivate',
    'terminate',
  ],
  ['move', 'switch', 'upgrade', 'downgrade', 'migrate', 'plan'],
  ['batch', 'import', 'bulk', 'upload', 'csv', 'file', 'many', 'load'],
  ['use', 'switch', 'select', 'default', 'choose', 'activate'],
  ['resolve', 'settle', 'fix', 'close', 'mark', 'confirm'],
  ['resend', 'replay', 'redeliver', 'retry', 'repeat', 'forward'],
  ['prune', 'clean', 'purge', 'clear', 'delete', 'remove', 'rm', 'empty'],
  ['reset', 'clear', 'wipe', 'clean', 'restart', 'empty'],
  ['advance', 'forward', 'skip', 'clock', 'time', 'tick', 'wait', 'travel'],
  ['start', 'run', 'serve', 'up', 'listen', 'server', 'begin', 'launch', 'boot'],
  ['cards', 'card', 'test-cards', 'testcards'],
  ['day', 'today', 'daily', 'now'],
  ['week', 'weekly'],
  ['month', 'monthly'],
  ['at-risk', 'risk', 'churn', 'expiring'],
  ['forecast', 'upcoming', 'due', 'future', 'next', 'schedule', 'scheduled'],
  ['declines', 'declined', 'decline', 'failures', 'failed'],
  ['backup', 'dump', 'export', 'save', 'snapshot'],
  ['copy', 'move', 'migrate', 'sync', 'import', 'clone'],
  ['init', 'create', 'setup', 'new', 'make'],
];

/** Verbs that mean a command elsewhere, whatever topic they follow. */
export const OTHER_VERBS: Readonly<Record<string, string>> = {
  ...one(['search', 'find', 'query', 'grep', 'filter', 'locate'], 'find'),
  ...one(['refund', 'void', 'reverse', 'chargeback', 'credit', 'cancel'], 'refund create'),
  ...one(['history', 'timeline', 'log', 'logs', 'events'], 'history'),
  ...one(['subscribe', 'bill'], 'subscription create'),
  ...one(['tail', 'watch', 'listen', 'receive', 'stream'], 'listen'),
  ...one(['trigger', 'fire', 'emit', 'simulate', 'test'], 'trigger'),
  ...one(['tokenize', 'tokenise'], 'tokenize'),
  ...one(['login', 'auth'], 'login'),
  ...one(['logout'], 'logout'),
  ...one(['reconcile', 'match'], 'reconcile'),
  ...one(['help'], 'help'),
  ...one(['whoami', 'current', 'active'], 'whoami'),
};

/** @returns the verbs that may be meant by one, nearest meaning first; itself is not among them */
export function sameVerbs(verb: string): string[] {
  const groups = SAME_VERBS.filter((group) => group.includes(verb));
  return [...new Set(groups.flat())].filter((other) => other !== verb);
}

/** Words for a flag, by what is probably meant; those that a command does not have are left out. */
export const OTHER_FLAGS: Readonly<Record<string, readonly string[]>> = merged(
  named(['price', 'value', 'total', 'sum', 'money', 'cents', 'minor'], 'amount'),
  named(['decimal', 'dollars', 'major'], 'decimal-amount'),
  named(
    [
      'order',
      'order-id',
      'invoice',
      'invoice-id',
      'idempotency-key',
      'merchant-reference',
      'memo',
      'id',
    ],
    'reference',
  ),
  named(
    ['token', 'card', 'source', 'alias', 'payment-method'],
    'card-token',
    'card-file',
    'test-card',
  ),
  named(
    ['purchase', 'purchase-id', 'charge', 'charge-id', 'id', 'payment', 'tx', 'txn'],
    'transaction-id',
  ),
  named(['number', 'pan', 'cc', 'card-no'], 'card-number'),
  named(
    ['expiry', 'exp', 'expires', 'expiration', 'exp-date', 'expiry-date', 'card-expiry'],
    'card-expiry',
    'expiry-date',
  ),
  named(['cvc', 'cvv2', 'csc', 'security-code', 'cvn'], 'cvv', 'card-cvv'),
  named(['holder', 'name', 'cardholder', 'card-name'], 'card-holder'),
  named(['ip', 'client-ip'], 'customer-ip', 'ip-address'),
  named(
    ['file', 'data', 'body', 'json-file', 'json-body', 'request', 'from-file', 'payload', 'd'],
    'input',
    'card-file',
  ),
  named(['template', 'sample', 'generate'], 'skeleton'),
  named(
    ['format', 'fmt', 'out', 'as', 'yaml', 'xml', 'csv', 'tsv', 'table', 'jsonl', 'ndjson'],
    'output',
  ),
  named(['columns', 'column', 'select', 'only', 'show', 'field', 'query', 'jq'], 'fields'),
  named(['yes', 'y', 'force', 'f', 'assume-yes', 'confirmed', 'live'], 'confirm'),
  named(
    ['env', 'environment', 'account', 'user', 'sandbox', 'local', 'use', 'context', 'merchant'],
    'profile',
  ),
  named(['verbose', 'v', 'trace', 'log', 'log-level', 'vv'], 'debug'),
  named(
    ['dry', 'simulate', 'preview', 'check', 'test', 'noop', 'n', 'pretend', 'validate', 'what-if'],
    'dry-run',
  ),
  named(
    [
      'batch',
      'non-interactive',
      'noninteractive',
      'no-prompt',
      'no-interactive',
      'quiet',
      'q',
      'no-ask',
    ],
    'no-input',
  ),
  named(['force-duplicate', 'duplicate', 'resend', 'retry'], 'allow-duplicate'),
  named(['from', 'after', 'start', 'since-date', 'newer-than', 'begin'], 'since'),
  named(['to', 'before', 'end', 'older'], 'until', 'older-than'),
  named(['tz', 'timezone', 'zone'], 'time-zone'),
  named(['count', 'max', 'n', 'first', 'last', 'top', 'per-page', 'page-size', 'size'], 'limit'),
  named(['type', 'resource', 'record'], 'kind'),
  named(['status', 'state', 'result'], 'outcome', 'state'),
  named(['j'], 'json'),
  named(['parallel', 'parallelism', 'jobs', 'j', 'workers', 'threads', 'in-flight'], 'concurrency'),
  named(
    ['url', 'host', 'endpoint', 'server', 'api-url', 'base', 'address'],
    'base-url',
    'forward-to',
  ),
  named(['forward', 'target', 'to', 'destination'], 'forward-to'),
  named(['event', 'filter', 'types', 'only'], 'events'),
  named(['readonly', 'read', 'writable'], 'read-only'),
  named(['limit', 'max', 'cap', 'ceiling'], 'max-amount'),
  named(['commands', 'allow', 'allowed'], 'allowed-commands'),
  named(['active', 'enabled', 'enable', 'paused'], 'is-active'),
  named(['start', 'from', 'begin', 'starting'], 'start-date'),
  named(['interval', 'every', 'period', 'schedule', 'cycle'], 'frequency'),
  named(['first', 'firstname', 'given-name'], 'first-name'),
  named(['last', 'lastname', 'surname', 'family-name'], 'last-name'),
  named(['mail', 'e-mail', 'email-address'], 'email'),
  named(['zip', 'zipcode', 'zip-code', 'postal-code', 'postcode'], 'address-postcode'),
  named(['street', 'line1'], 'address-address', 'address'),
  named(['all', 'full', 'everything', 'complete', 'whole'], 'full', 'all'),
  named(
    ['token-stdin', 'password-stdin', 'stdin', 'api-token', 'password', 'key', 'api-key', 'token'],
    'with-token',
  ),
);

/** A word that stands in several tables has the meanings of all, in their order. */
function merged(...tables: Record<string, readonly string[]>[]): Record<string, string[]> {
  const all: Record<string, string[]> = {};
  for (const [word, meant] of tables.flatMap((table) => Object.entries(table))) {
    all[word] = [...(all[word] ?? []), ...meant];
  }
  return all;
}

function named(words: readonly string[], ...meant: string[]): Record<string, readonly string[]> {
  return Object.fromEntries(words.map((word) => [word, meant]));
}

function one(words: readonly string[], meant: string): Record<string, string> {
  return Object.fromEntries(words.map((word) => [word, meant]));
}
