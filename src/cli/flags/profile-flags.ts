/**
 * The settings of a profile as flags, for `profile set` and `login`.
 *
 * Tests: test/scripts/commands/profiles.script, test/scripts/bad-input/variables.script
 */

import type { ProfileChanges } from '../../client/profiles/store.ts';
import { findOperation, OPERATIONS } from '../../contract/operations.ts';
import { usage } from '../../failure.ts';
import { type FlagValuesOf, option, toggle } from './flag.ts';
import { currencyOfCharges, parseInteger } from './parse-number.ts';
import { parseDaysOfAge } from './parse-time.ts';

/** The gateway of a profile. */
export const targetFlags = {
  environment: option({
    options: ['live', 'sandbox'] as const,
    description:
      'Whether the gateway is live or sandbox. Not needed for profiles with those names.',
  }),
  'base-url': option({
    description: 'Base address of the gateway, such as https://gateway.example.com.',
    helpValue: '<url>',
  }),
};

/** The other settings; `none` removes a setting. */
const settingFlags = {
  'merchant-name': option({
    description: "The merchant's name, for the head of receipts and of the owner's page; or none.",
    helpValue: '<name>',
  }),
  currency: option({
    description: 'Default currency, an ISO 4217 code; or none.',
    helpValue: '<code>',
  }),
  'read-only': toggle({ description: 'Allow only look-ups.', allowNo: true }),
  'max-amount': option({
    description:
      "Largest amount of one request, in minor units of the profile's currency; or none.",
    helpValue: '<integer>',
  }),
  'max-per-hour': option({
    description:
      'The most within an hour, by number or amount: 20, "500.00 AUD refunds, 50 purchases by operator"; or none.',
    helpValue: '<cap,…>',
  }),
  'max-per-day': option({
    description: 'The same within 24 hours. Refunds and purchases count apart; or none.',
    helpValue: '<cap,…>',
  }),
  'require-note': toggle({
    description: 'Refuse refunds, stops and deletions without --note.',
    allowNo: true,
  }),
  'two-persons-above': option({
    description:
      'Send a larger refund or purchase only if another person approves it: 500.00, or "500.00 AUD, 300.00 EUR"; or none.',
    helpValue: '<amount,…>',
  }),
  'allowed-commands': option({
    description: 'The only requests allowed, separated by commas; or none for no limit.',
    helpValue: '<a,b>',
  }),
  remember: toggle({
    description:
      'Keep records and events, to find them again. --no-remember keeps only the journal.',
    allowNo: true,
  }),
  keep: option({
    description:
      'How long `gw prune` asks for a name before it deletes requests: 400d, 57w, 6m, 2y; or none for 400d.',
    helpValue: '<age>',
  }),
  'credential-command': option({
    description: 'Shell command that prints {"username", "apiToken"} as JSON; or none.',
    helpValue: '<command>',
  }),
  ledger: option({
    description:
      'Address of the ledger that a team shares (docs/team.md), without a password; or none for the file on this machine.',
    helpValue: '<postgres://…>',
  }),
  'ledger-command': option({
    description: "Shell command that prints the password of the ledger's server; or none.",
    helpValue: '<command>',
  }),
};

/** The flags of all settings. `none` as a value of the second group removes the setting. */
export const profileFlags = { ...targetFlags, ...settingFlags };

export type SettingFlags = Partial<FlagValuesOf<typeof profileFlags>>;

/** @throws Failure usage if a number is not valid, or no request has a name */
export function changesOf(flags: SettingFlags): ProfileChanges {
  const currency = orNone(flags.currency);
  const maxAmount = orNone(flags['max-amount']);
  const allowed = orNone(flags['allowed-commands']);
  const keep = orNone(flags.keep);
  return {
    environment: flags.environment,
    baseUrl: flags['base-url'],
    merchantName: orNone(flags['merchant-name']),
    currency: typeof currency === 'string' ? currencyOfCharges(currency) : currency,
    readOnly: flags['read-only'],
    maxAmount: typeof maxAmount === 'string' ? parseInteger('max-amount', maxAmount) : maxAmount,
    maxPerHour: listOf(flags['max-per-hour']),
    maxPerDay: listOf(flags['max-per-day']),
    requireNote: flags['require-note'],
    twoPersonsAbove: listOf(flags['two-persons-above']),
    allowedCommands: typeof allowed === 'string' ? requestsNamed(allowed) : allowed,
    remember: flags.remember,
    keepDays: typeof keep === 'string' ? parseDaysOfAge('keep', keep) : keep,
    credentialCommand: orNone(flags['credential-command']),
    ledger: orNone(flags.ledger),
    ledgerCommand: orNone(flags['ledger-command']),
  };
}

/** The guard compares the names of requests: `subscription resume` sends a `subscription update`. */
function requestsNamed(text: string): string[] {
  const names = listOf(text) ?? [];
  const unknown = names.find((name) => !findOperation(name) && !name.startsWith('api '));
  if (unknown === undefined) return names;
  const known = OPERATIONS.map(({ name }) => name);
  const alike = known.filter((name) => name.split(' ')[0] === unknown.split(' ')[0]);
  throw usage(
    'allowed-command-unknown',
    `No request is called ${JSON.stringify(unknown)}, and --allowed-commands names requests.`,
    `Use ${(alike.length > 0 ? alike : known).join(', ')}. They cover batches.`,
  );
}

/** @returns the texts between commas; null for none */
function listOf(text: string | undefined): string[] | null | undefined {
  const given = orNone(text);
  return typeof given === 'string' ? given.split(',').map((one) => one.trim()) : given;
}

function orNone(value: string | undefined): string | null | undefined {
  return value?.toLowerCase() === 'none' ? null : value;
}
