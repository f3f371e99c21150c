/** Turns a record of the gateway, as last seen, into a document. */
import type { JsonObject } from '../base/json.ts';
import { textOrNull } from '../base/text.ts';
import { outcomeOf } from '../contract/normal.ts';
import { dateOf } from '../contract/record-date.ts';
import type { RecordKind } from '../contract/record-id.ts';
import { customerDelete } from '../contract/resources/customer.ts';
import { decimalsOf } from './decimals.ts';
import type { IndexedDocument } from './document.ts';

/** A record that gw remembers. */
export interface SeenRecord {
  kind: RecordKind;
  id: string;
  account: string;
  profile: string;
  environment: string;
  host: string;
  reference: string | null;
  name: string | null;
  lastFour: string | null;
  /** ISO 8601, UTC. */
  firstSeenAt: string;
  lastSeenAt: string;
  /** The command that showed it last: `customer get`. */
  seenBy: string;
  /** The record in normal form. */
  record: JsonObject;
}

/** Facts that a refund's record does not state (section 2.4), from the request that made it. */
export interface RefundTie {
  purchase?: string | undefined;
  currency?: string | undefined;
}

/** @returns the origin of a record, which is unique in the index */
export function originOfRecord({
  kind,
  account,
  id,
}: Pick<SeenRecord, 'kind' | 'account' | 'id'>): string {
  return `record ${kind} ${account} ${id}`;
}

export function documentOfRecord(seen: SeenRecord, tie: RefundTie = {}): IndexedDocument {
  const { kind, id, account, profile, environment, host, reference, name, lastFour } = seen;
  const { record } = seen;
  const links = linksOf(seen, tie);
  const currency = textOrNull(record.currency) ?? tie.currency ?? null;
  const amount = Number.isSafeInteger(record.amount) ? (record.amount as number) : null;
  const email = textOrNull(record.email);
  const alias = textOrNull(record.alias);
  const token = kind === 'card' ? id : textOrNull(record.card_token);
  return {
    ...{
      kind,
      id,
      account,
      profile,
      environment,
      host,
      reference,
      lastFour,
      amount,
      currency,
      email,
    },
    at: dateOf(seen),
    seenAt: seen.lastSeenAt,
    who: name,
    outcome: outcomeIn(seen),
    message: messageIn(kind, record),
    label: textOrNull(kind === 'subscription' ? record.frequency : record.source),
    ...links,
    operator: null,
    keys: [id, reference, email, token, alias, name, ...Object.values(links)],
    words: [token, alias, textOrNull(record.authorization), decimalsOf(amount, currency)],
    names: kind === 'plan' ? [] : [name],
  };
}

function linksOf({ kind, id, record, reference }: SeenRecord, { purchase }: RefundTie) {
  return {
    purchase: kind === 'purchase' ? id : (purchase ?? null),
    customer: kind === 'customer' ? id : textOrNull(record.customer),
    subscription: kind === 'subscription' ? (reference ?? id) : null,
    plan: kind === 'plan' ? id : textOrNull(record.plan),
  };
}

function outcomeIn({ kind, record, seenBy }: SeenRecord): string | null {
  if (seenBy === customerDelete.name) return 'deleted';
  if (kind === 'purchase' || kind === 'refund' || kind === 'card') return outcomeOf(kind, record);
  if (kind !== 'subscription' || typeof record.is_active !== 'boolean') return null;
  return record.is_active ? 'active' : 'stopped';
}

function messageIn(kind: RecordKind, record: JsonObject): string | null {
  if (kind === 'subscription') return textOrNull(record.last_status);
  return kind === 'plan' ? textOrNull(record.description) : textOrNull(record.message);
}
