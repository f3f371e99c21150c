/**
 * Seed files: JSON with the contents of a new store, besides the built-in merchants.
 *
 *     { "seed": "demo", "start": "2026-01-01T00:00:00Z",
 *       "merchants": [{ "username": "TEST",
 *                       "cards": [{ "card_number": "…", "card_holder": "…", "card_expiry": "05/2031", "alias": "ann"
 * }],
 *                       "plans": [{ "reference": "gold", … }],
 *                       "customers": [{ "reference": "cust-1", …, "card": { … } }],
 *                       "subscriptions": [{ "customer": "cust-1", "plan": "gold", … }] },
 *                     { "username": "SHOP", "api_token": "…", "prefix": "101", "currency": "EUR" }] }
 *
 * Records have the fields of their creation request. A customer's CVV may be left out. `seed` determines the sequence
 * of ids. `start` is the instant at which the gateway's time stands still; with `--clock`, time runs from there. With
 * `"environment": "live"` the gateway plays the live environment: `test` is false in its answers, and `X-Service-Mode`
 * is Live in its webhooks.
 */
import * as z from 'zod/mini';
import { type Json, valueAt } from '../base/json.ts';
import { parseJson } from '../base/json-text.ts';
import { bodySchema, currency, filled } from '../contract/field-schemas.ts';
import { tokenize } from '../contract/resources/card.ts';
import { customerCreate } from '../contract/resources/customer.ts';
import { planCreate } from '../contract/resources/plan.ts';
import { subscriptionCreate } from '../contract/resources/subscription.ts';
import { type Failure, invariant, usage } from '../failure.ts';

const username = z
  .string()
  .check(z.refine((value) => /^[^:\s]+$/.test(value), 'must not contain spaces or colons'));
const prefix = z.string().check(z.refine((value) => /^\d{3}$/.test(value), 'must be three digits'));

const customer = bodySchema(customerCreate.body);

const seedMerchant = z.strictObject({
  username,
  api_token: z.optional(filled()),
  prefix: z.optional(prefix),
  currency: z.optional(currency()),
  cards: z.optional(z.array(bodySchema(tokenize.body))),
  plans: z.optional(z.array(bodySchema(planCreate.body))),
  customers: z.optional(
    z.array(z.extend(customer, { card: z.partial(customer.shape.card, { cvv: true }) })),
  ),
  subscriptions: z.optional(z.array(bodySchema(subscriptionCreate.body))),
});

const seedFile = z.strictObject({
  seed: z.optional(filled()),
  start: z.optional(z.iso.datetime({ offset: true })),
  environment: z.optional(z.enum(['sandbox', 'live'])),
  merchants: z.optional(z.array(seedMerchant)),
});

export type SeedMerchant = z.infer<typeof seedMerchant>;

/** A checked seed file. */
export interface Seed extends z.infer<typeof seedFile> {
  /**
   * @param path a place in the JSON, for example `['merchants', 0, 'username']`
   * @param problem the fault there, as the rest of a sentence
   */
  problem(path: readonly PropertyKey[], problem: string): Failure;
}

/**
 * @param text content of the file
 * @param source its name, for messages
 * @throws Failure usage that names the place in the JSON and the fault
 */
export function readSeed(text: string, source: string): Seed {
  const value = parseJson(text, `Seed file ${source}`);
  const problem: Seed['problem'] = (path, text) =>
    usage(
      'seed-invalid',
      `Seed file ${source}: ${placeOf(path)} ${text}.`,
      'Correct the file. Its records have the same fields as the requests that create them.',
    );
  const result = seedFile.safeParse(value);
  if (result.success) return { ...result.data, problem };
  const [issue] = result.error.issues;
  invariant(issue, 'a schema refuses without saying why');
  throw problem(issue.path, problemOf(issue, value));
}

/** @returns for example `merchants[0].username` */
function placeOf(path: readonly PropertyKey[]): string {
  if (path.length === 0) return 'the file';
  return path
    .map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`))
    .join('')
    .replace(/^\./, '');
}

function problemOf(issue: z.core.$ZodIssue, seed: Json): string {
  if (issue.code === 'unrecognized_keys')
    return `has an unknown field "${issue.keys.join('", "')}"`;
  if (valueAt(seed, issue.path) === undefined) return 'is missing';
  if (issue.code === 'custom') return issue.message;
  if (issue.code === 'too_big') return `is above ${issue.maximum}`;
  if (issue.code === 'too_small') return `is not above ${issue.minimum}`;
  if (issue.code === 'invalid_type')
    return `must be of type ${issue.expected === 'int' ? 'integer' : issue.expected}`;
  return 'is invalid';
}
