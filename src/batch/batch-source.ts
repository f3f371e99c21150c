/**
 * What a row of a batch is as a request of one operation: column names are the interface's field
 * names, text becomes numbers where the field is one, and everything is checked as for a single
 * request.
 */
import { createHash } from 'node:crypto';
import type { JsonObject } from '../base/json.ts';
import { setAt } from '../base/json.ts';
import { readDecimalAmount } from '../body/decimal-amount.ts';
import { withoutNulls } from '../body/read-input.ts';
import { problemsOf } from '../client/check.ts';
import { isCardNumber } from '../contract/card-number.ts';
import { MAX_AMOUNT } from '../contract/money.ts';
import type { Operation } from '../contract/operations.ts';
import { type Field, fieldsOf, type RequestBody } from '../contract/request.ts';
import { Failure } from '../failure.ts';
import type { Replay } from '../host/host.ts';
import type { Destination } from '../journal/ledger.ts';
import { describe } from '../journal/recorder.ts';
import type { Profile } from '../profiles/profile.ts';
import type { BatchSource } from './engine/preflight.ts';
import { MAX_ROW_BYTES, type Row } from './engine/rows.ts';

const DECIMAL_AMOUNT = 'decimal_amount';
const CARD_FIELDS = ['card_number', 'card_holder', 'card_expiry', 'cvv'];

export interface SourceOptions {
  operation: Operation;
  /** Its body. */
  request: RequestBody;
  profile: Profile;
  destination: Destination;
  replay: Replay;
  /** Columns of a CSV that are not sent. */
  ignoredColumns: readonly string[];
  allowsDuplicates: boolean;
}

export function batchSource(options: SourceOptions): BatchSource {
  const { operation, request, profile, destination } = options;
  const fields = new Map(fieldsOf(request).map((field) => [field.path.join('.'), field] as const));
  const ignored = new Set(options.ignoredColumns.map((name) => name.toLowerCase()));
  const hasAmount = fields.has('amount');
  return {
    allowsDuplicates: options.allowsDuplicates,
    lines: () => options.replay.lines(MAX_ROW_BYTES),
    checkHeader({ columns }) {
      const twice = columns.filter((name, i) => columns.indexOf(name) !== i);
      const strange = columns.filter(
        (name) =>
          !fields.has(name) && !ignored.has(name) && !(hasAmount && name === DECIMAL_AMOUNT),
      );
      return [
        ...twice.map((name) => `has the column ${JSON.stringify(name)} twice`),
        ...strange.map(
          (name) =>
            `has a column ${JSON.stringify(name)}, which is no field of ${operation.name} (fields: ${[...fields.keys()].join(', ')}); --ignore-columns ${name} leaves it out`,
        ),
      ];
    },
    read(row) {
      const { body, faults } = row.isText ? fromText(row, fields, ignored) : fromJson(row);
      const amountFault =
        hasAmount && !faults.has('amount') ? applyDecimal(body, profile) : undefined;
      if (amountFault !== undefined) {
        faults.set('amount', amountFault);
        // Then it may be the currency that is at fault, and is named already.
        faults.set('currency', amountFault);
      }
      const known = new Set(faults.values());
      return { body, problems: [...known, ...check(request, profile, body, faults)] };
    },
    identify(body) {
      const { target, amount, reference } = describe(destination, operation, { body });
      // What makes two requests duplicates; made of what may be kept, so it gives nothing away.
      return createHash('sha256')
        .update(JSON.stringify([operation.name, target, amount, reference]))
        .digest('hex')
        .slice(0, 32);
    },
  };
}

interface Converted {
  body: JsonObject;
  /** What is wrong with values that are not in the body, by the name of their field. */
  faults: Map<string, string>;
}

function fromJson({ fields }: Row): Converted {
  return { body: withoutNulls(fields), faults: new Map() };
}

function fromText(
  row: Row,
  known: ReadonlyMap<string, Field>,
  ignored: ReadonlySet<string>,
): Converted {
  const body: JsonObject = {};
  const faults = new Map<string, string>();
  for (const [name, value] of Object.entries(row.fields)) {
    if (ignored.has(name) || typeof value !== 'string') continue;
    const field = known.get(name);
    if (!field) {
      body[name] = value;
    } else if (field.type === 'integer') {
      const number = /^\d{1,16}$/.test(value) ? Number(value) : Number.NaN;
      if (number <= MAX_AMOUNT) setAt(body, field.path, number);
      else
        faults.set(
          name,
          `${name} is ${JSON.stringify(value)}, not a whole number${decimalHint(name, value)}`,
        );
    } else if (field.type === 'boolean') {
      if (/^(true|false)$/i.test(value)) setAt(body, field.path, value.toLowerCase() === 'true');
      else faults.set(name, `${name} is ${JSON.stringify(value)}, not true or false`);
    } else {
      setAt(body, field.path, value);
    }
  }
  return { body, faults };
}

function decimalHint(name: string, value: string): string {
  return name === 'amount' && /^\d+\.\d+$/.test(value)
    ? ' of minor units; a column decimal_amount takes decimals'
    : '';
}

/** @returns what is wrong with the decimal amount of a body, which is replaced by minor units */
function applyDecimal(body: JsonObject, profile: Profile): string | undefined {
  const decimal = body[DECIMAL_AMOUNT];
  if (decimal === undefined) return undefined;
  if (body.amount !== undefined) return 'has both amount and decimal_amount';
  if (typeof decimal !== 'string') return 'decimal_amount is not text, such as "25.00"';
  const currency = body.currency ?? profile.currency;
  try {
    body.amount = readDecimalAmount(decimal, typeof currency === 'string' ? currency : undefined);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return error.message.replace('--decimal-amount', DECIMAL_AMOUNT).replace(/\.$/, '');
  }
  delete body[DECIMAL_AMOUNT];
  return undefined;
}

/** @param faults of fields that are missing in the body for a better reason */
function check(
  request: RequestBody,
  profile: Profile,
  body: JsonObject,
  faults: ReadonlyMap<string, string>,
): string[] {
  const { card_token: token, amount } = body;
  if (profile.environment === 'live' && CARD_FIELDS.some((name) => body[name] !== undefined)) {
    return ['has card details, which a batch on a live profile does not take: use card_token'];
  }
  if (typeof token === 'string' && isCardNumber(token)) {
    return ['card_token looks like a card number'];
  }
  const problems = problemsOf(request, body)
    .filter(({ field }) => !faults.has(field))
    .map(({ field, problem }) => `${field} ${problem}`);
  if (profile.maxAmount !== undefined && typeof amount === 'number' && amount > profile.maxAmount) {
    problems.push(
      `amount ${amount} is above the limit of the profile ${profile.name}, ${profile.maxAmount}`,
    );
  }
  return problems;
}
