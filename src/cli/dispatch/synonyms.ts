/** What people call the commands and flags of gw who come from git, gh, kubectl, aws, stripe, or from the field. */

/** Words to the left, what they may mean to the right, the nearest first; both are lists. */
type Table = Readonly<Record<string, string>>;

/** Words for a whole command. A command that is not there is left out. */
const COMMANDS: Table = {
  'charge, pay, payment, sale, order, transaction': 'purchase create, purchase list',
  'void, reverse, reversal, chargeback, credit': 'refund create',
  'search, query, list, ls': 'find',
  'show, view, describe, retrieve, open': 'get',
  'log, audit, requests': 'journal list',
  'webhook, hook': 'listen, events list, emulator hooks list',
  'watch, tail, forward': 'listen',
  'replay, resend': 'events resend',
  'send, sample': 'trigger',
  'auth, signin, connect, credentials': 'login',
  signout: 'logout',
  'init, setup, start': 'login, profile list',
  'config, configure, settings, account, env': 'profile list, profile set',
  'switch, use': 'profile use',
  'user, who': 'whoami',
  'check, debug, test, status, ping': 'doctor, whoami',
  'token, card, vault': 'tokenize',
  'test-card, testcard': 'emulator cards',
  'mock, sandbox, server, serve, local, gateway': 'emulator start',
  'clock, time': 'emulator advance',
  reset: 'emulator reset',
  'sub, subscribe, recurring': 'subscription create',
  'unsubscribe, stop, cancel': 'subscription stop, refund create',
  move: 'subscription move',
  'create, new, add': 'purchase create, refund create',
  'bulk, import': 'purchase batch, refund batch, customer batch',
  'stats, balance, settlement, today': 'report day, report month',
  'match, settle': 'reconcile',
  'erase, gdpr': 'forget',
  'clean, purge, gc': 'prune',
  'remove, delete, rm': 'customer delete, profile remove, forget',
  'database, db, backup': 'ledger status, ledger backup',
  'request, call, curl, raw': 'api',
  'man, docs, examples': 'help',
  'upgrade, update': 'version',
};

/** Words for the last part of a command's name: each line means the same. */
const SAME_VERBS = [
  'list, ls, all, index',
  'get, show, view, retrieve, fetch, info, lookup, describe, status',
  'create, new, add, make, charge, start, register, store',
  'delete, remove, rm, destroy, forget',
  'update, edit, change, set, patch, rename, add, new, resume, activate',
  'stop, cancel, pause, end, delete, remove',
  'move, switch, upgrade, plan',
  'batch, import, bulk, upload, file',
  'use, switch, select, default',
  'resolve, settle, fix, close',
  'resend, replay, retry',
  'prune, clean, purge, delete, rm',
  'reset, clear, clean, restart',
  'advance, forward, clock, time',
  'start, run, serve, up, server',
  'cards, card, test-cards',
  'day, today, daily',
  'at-risk, risk, expiring',
  'forecast, upcoming, due, next, schedule',
  'declines, declined, failed',
  'backup, dump, export, save',
  'init, create, setup, new, copy, move, migrate, import',
].map(listOf);

/** Verbs that mean a command elsewhere, whatever topic they follow. */
const VERBS: Table = {
  'search, find, query, filter': 'find',
  'refund, void, reverse, cancel, chargeback': 'refund create',
  'history, timeline, log, events': 'history',
  subscribe: 'subscription create',
  'tail, watch, listen': 'listen',
  'trigger, simulate, test': 'trigger',
  tokenize: 'tokenize',
  'login, auth': 'login',
  logout: 'logout',
  reconcile: 'reconcile',
  help: 'help',
  'whoami, current': 'whoami',
};

/** Words for a flag; flags that a command does not have are left out. */
const FLAGS: Table = {
  'price, value, total, cents': 'amount',
  'decimal, dollars': 'decimal-amount',
  'order, order-id, invoice, idempotency-key, memo, id': 'reference',
  'token, card, source, alias, payment-method': 'card-token, card-file, test-card',
  'purchase, purchase-id, charge, payment, id': 'transaction-id',
  'number, pan': 'card-number',
  'expiry, exp, expires, card-expiry': 'card-expiry, expiry-date',
  'cvc, csc, security-code': 'cvv, card-cvv',
  'holder, cardholder, name': 'card-holder',
  ip: 'customer-ip, ip-address',
  'file, data, body, payload, d': 'input, card-file',
  'template, sample': 'skeleton',
  'format, yaml, csv, tsv, table, jsonl': 'output',
  'columns, select, only, field, query, jq': 'fields',
  'yes, y, force, f, live': 'confirm',
  'env, account, user, context, merchant': 'profile',
  'verbose, v, log-level': 'debug',
  'dry, simulate, preview, check, test, n': 'dry-run',
  'batch, non-interactive, no-prompt, quiet, q': 'no-input',
  'force-duplicate, duplicate, retry': 'allow-duplicate',
  'from, after, start': 'since',
  'to, before, end': 'until, older-than',
  'tz, timezone': 'time-zone',
  'count, max, n, first, last, per-page': 'limit',
  'type, resource': 'kind',
  'status, state, result': 'outcome, state',
  'parallel, jobs, workers': 'concurrency',
  j: 'json, concurrency',
  'url, host, endpoint, server, api-url': 'base-url, forward-to',
  'event, types': 'events',
  readonly: 'read-only',
  'limit, cap': 'max-amount',
  'allow, commands': 'allowed-commands',
  'active, enabled, paused': 'is-active',
  'interval, every, period': 'frequency',
  'firstname, given-name': 'first-name',
  'lastname, surname, family-name': 'last-name',
  mail: 'email',
  'zip, zip-code, postal-code, postcode': 'address-postcode',
  'street, line1': 'address-address, address',
  'all, full': 'full, all',
  'password-stdin, stdin, api-token, password, key, api-key': 'with-token',
  'start, from, begin': 'start-date',
  'first, given': 'first-name',
  'last, family': 'last-name',
  'token, secret': 'with-token',
  'forward, target, to': 'forward-to',
  'max, ceiling': 'max-amount',
  'only, filter': 'events',
};

export const OTHER_COMMANDS = meaningsOf(COMMANDS);
export const OTHER_VERBS = meaningsOf(VERBS);
export const OTHER_FLAGS = meaningsOf(FLAGS);

/** @returns the verbs that may be meant by one, nearest meaning first; itself is not among them */
export function sameVerbs(verb: string): string[] {
  const groups = SAME_VERBS.filter((group) => group.includes(verb));
  return [...new Set(groups.flat())].filter((other) => other !== verb);
}

/** @returns what each word may mean; one that stands in several lines has the meanings of all, in their order */
function meaningsOf(table: Table): ReadonlyMap<string, readonly string[]> {
  const all = new Map<string, string[]>();
  for (const [words, meant] of Object.entries(table)) {
    for (const word of listOf(words)) all.set(word, [...(all.get(word) ?? []), ...listOf(meant)]);
  }
  return all;
}

function listOf(text: string): string[] {
  return text.split(', ');
}
