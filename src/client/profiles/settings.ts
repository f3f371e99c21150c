/**
 * The form of `profiles.json`. The whole file is checked, and unknown fields are errors. If gw ignored a misspelt
 * limit, there would be no limit.
 *
 * Tests: test/unit/client/profiles/store.test.ts, test/unit/commands/profile/ask-settings.test.ts
 */
import * as z from 'zod/mini';
import { currencyExponent } from '../../contract/currency.ts';
import { parseAmount, parseCaps } from '../../journal/caps.ts';
import { faultOfLedgerAddress } from '../../store/postgres/address.ts';
import { faultOf } from './base-url.ts';
import { faultOfOwnName, promisedEnvironment } from './profile.ts';

const must = (be: string) => ({ error: `must be ${be}` });

const line = (what: string) =>
  z
    .string(must(what))
    .check(z.refine((value) => /^\P{Cc}+$/u.test(value) && /\S/.test(value), must(what)));

/** It has three decimals. The profile's own currency is checked with the whole profile. */
const ANY_CURRENCY = 'BHD';
const CAP = 'a number of requests or an amount, such as 20, 50 refunds or 500.00 AUD by operator';
const caps = (per: 'hour' | 'day') =>
  z.array(
    z
      .string(must(CAP))
      .check(z.refine((text) => parseCaps(text, per, ANY_CURRENCY) !== undefined, must(CAP))),
    must('a list'),
  );

const AMOUNT = 'an amount, such as 500.00 or 500.00 AUD';
const amounts = z.array(
  z
    .string(must(AMOUNT))
    .check(z.refine((text) => parseAmount(text, ANY_CURRENCY) !== undefined, must(AMOUNT))),
  must('a list'),
);

const object = {
  error: (issue: z.core.$ZodRawIssue) =>
    issue.code === 'unrecognized_keys'
      ? `has fields that gw does not know: ${issue.keys.join(', ')}`
      : 'must be an object',
};

const settingsSchema = z.strictObject(
  {
    environment: z.enum(['live', 'sandbox'], must('live or sandbox')),
    baseUrl: z.string(must('an address')).check(
      z.superRefine((value, context) => {
        const fault = faultOf(value);
        if (fault !== undefined) context.addIssue({ code: 'custom', message: fault });
      }),
    ),
    merchantName: z.optional(line('a name on one line')),
    currency: z.optional(
      z
        .string(must('an ISO 4217 currency code, such as AUD'))
        .check(
          z.refine(
            (code) => currencyExponent(code) !== undefined,
            must('an ISO 4217 currency code, such as AUD'),
          ),
        ),
    ),
    readOnly: z.optional(z.boolean(must('true or false'))),
    maxAmount: z.optional(
      z.int(must('a whole number of minor units')).check(z.positive(must('above zero'))),
    ),
    allowedCommands: z.optional(
      z.array(line('the name of a command, such as purchase get'), must('a list of commands')),
    ),
    requireNote: z.optional(z.boolean(must('true or false'))),
    maxPerHour: z.optional(caps('hour')),
    maxPerDay: z.optional(caps('day')),
    twoPersonsAbove: z.optional(amounts),
    remember: z.optional(z.boolean(must('true or false'))),
    keepDays: z.optional(
      z.int(must('a whole number of days')).check(z.positive(must('above zero'))),
    ),
    credentialCommand: z.optional(line('a command on one line')),
    ledger: z.optional(
      z.string(must('the address of a ledger, such as postgres://ledger.example/gw')).check(
        z.superRefine((value, context) => {
          const fault = faultOfLedgerAddress(value);
          if (fault !== undefined) context.addIssue({ code: 'custom', message: fault });
        }),
      ),
    ),
    ledgerCommand: z.optional(line('a command on one line')),
  },
  object,
);

/** @returns the first fault of some settings: `must be above zero`; undefined if they may be stored. null removes one */
export function faultOfSettings(changes: Readonly<Record<string, unknown>>): string | undefined {
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value != null));
  return z.partial(settingsSchema).safeParse(given).error?.issues[0]?.message;
}

export type ProfileSettings = z.infer<typeof settingsSchema>;

export const profilesSchema = z.record(z.string(), settingsSchema, must('an object')).check(
  z.superRefine((profiles, context) => {
    for (const [name, { environment, currency, ...settings }] of Object.entries(profiles)) {
      const fault = faultOfOwnName(name);
      if (fault !== undefined) {
        context.addIssue({ code: 'custom', path: [name], message: fault });
      }
      const promised = promisedEnvironment(name);
      if (promised !== undefined && environment !== promised) {
        const message = `must be ${promised}, to match its name`;
        context.addIssue({ code: 'custom', path: [name, 'environment'], message });
      }
      for (const field of ['maxPerHour', 'maxPerDay', 'twoPersonsAbove'] as const) {
        const parse = (text: string, own = currency) =>
          field === 'twoPersonsAbove' ? parseAmount(text, own) : parseCaps(text, 'day', own);
        const wrong = settings[field]?.find((text) => parse(text, ANY_CURRENCY) && !parse(text));
        if (wrong === undefined) continue;
        const message = `has ${wrong}, which is no amount of ${currency ?? 'a known currency'}: write the currency behind it, such as 500.00 AUD`;
        context.addIssue({ code: 'custom', path: [name, field], message });
      }
    }
  }),
);

export const fileSchema = z.strictObject(
  { default: z.optional(z.string(must('the name of a profile'))), profiles: profilesSchema },
  object,
);

/** @returns the place and the fault: `profiles.live.maxAmount must be above zero` */
export function describeIssue({ path, message }: z.core.$ZodIssue): string {
  return `${path.length === 0 ? 'it' : path.join('.')} ${message}`;
}
