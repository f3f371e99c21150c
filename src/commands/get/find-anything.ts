/**
 * Finds the record that a text names if the text is no id, or no id that the gateway knows. This machine's records come
 * first, then look-ups at the gateway. gw says on stderr how it found a record. It never guesses: if several have the
 * name, it lists them.
 *
 * Tests: test/scripts/commands/get-anything.script, test/unit/requests/known/proven.test.ts
 */

import { alikeTexts } from '../../base/alike.ts';
import type { JsonObject } from '../../base/json.ts';
import { listedPlans } from '../../client/guards/plans.ts';
import type { Operation } from '../../contract/operation.ts';
import { lookUpOf } from '../../contract/operations.ts';
import { entryRecord } from '../../desk/query/entry-record.ts';
import { type NearDesk, pickNamed, pickNear } from '../../desk/query/near-record.ts';
import { Failure } from '../../failure.ts';
import { commandWord, neutralise } from '../../host/redaction/safe.ts';
import type { Ledger } from '../../journal/ledger.ts';
import { ambiguous, listOf } from '../../requests/known/candidates.ts';
import { rememberedOf } from '../../requests/known/known-record.ts';
import type { LazyLedger } from '../../requests/known/lazy-ledger.ts';
import { BY_REFERENCE, sayDetour } from '../../requests/known/named-record.ts';
import {
  type NameMatch,
  ownersNamed,
  resolveName,
  TO_LOOK_UP,
} from '../../requests/known/resolve-name.ts';
import { callSeen, type FoundReply, isAbsent } from '../../requests/look-up/get-many.ts';
import type { Session } from '../../requests/session.ts';
import { fold } from '../../things/normalise.ts';
import { isOwnedBy, type Owner } from '../../things/owner.ts';
import type { OutputOptions } from '../../view/print-records.ts';
import { PAID_ENTRY_VIEW } from '../../view/records/journal-entry.ts';

/** The most ids that are looked for in the place of one that the gateway does not know. */
const MOST_ALIKE = 100;

export interface Search {
  host: NearDesk['host'];
  session: Session;
  memory: LazyLedger;
  /** Set for a person who reads: the only record that is near the text is shown. */
  tells?: OutputOptions | undefined;
}

/**
 * @param failure of the gateway, if the text looks like an id that it does not know
 * @throws Failure notFound if nothing else has that name, usage if several have it
 */
export async function findAnything(
  { host, session, memory, tells }: Search,
  text: string,
  failure?: Failure,
): Promise<FoundReply> {
  const ledger = await memory.open();
  const named = ledger
    ? await namedBy(ledger, text, await session.gateway.ledger.destination())
    : [];
  const candidates = failure ? named.filter(({ id }) => id !== text) : named;
  if (failure && candidates.length > 1) {
    const next = `It also names other records here: ${listOf(candidates)}. Ask for one by its id.`;
    throw failure.with({ next });
  }
  const mayAsk = session.options.mayAsk && session.isSingle;
  const [only] = await pickNamed({ host, mayAsk }, text, candidates, TO_LOOK_UP);
  if (ledger && only) {
    await sayDetour(session, text, only);
    await sayHeard(session, ledger, text, only);
    return { ...(await known(session, ledger, only)), foundBy: 'name' };
  }
  const found = failure ?? (await askGateway(session, text));
  if (!(found instanceof Failure)) return found;
  // An id that the gateway does not know is no part of another one, but may have an O for a 0.
  const isNear = async ({ things }: Ledger) =>
    !failure || (await things.known(alikeTexts(fold(text), MOST_ALIKE))).length > 0;
  const asksNear = session.isSingle && ledger && (await isNear(ledger));
  const near =
    ledger && asksNear ? await nearIn({ host, session, ledger, tells }, text) : undefined;
  if (ledger && near) return { ...(await known(session, ledger, near)), foundBy: 'near' };
  throw ledger ? await withOtherProfile(session, ledger, text, found) : found;
}

async function nearIn(
  { host, session, ledger, tells }: Omit<Search, 'memory'> & { ledger: Ledger },
  text: string,
): Promise<NameMatch | undefined> {
  const { profile, gateway, options } = session;
  const scope = await gateway.ledger.destination();
  const us = { profile: profile.name, of: profile };
  return pickNear({ host, ledger, us, scope, mayAsk: options.mayAsk, words: ['get'], tells }, text);
}

/** Resolves a name, or the eight characters of an entry's id that tables show. */
async function namedBy(ledger: Ledger, text: string, owner: Owner): Promise<NameMatch[]> {
  const named = await resolveName(ledger, text, owner, TO_LOOK_UP);
  if (named.length > 0 || !/^[\da-f]{8,31}$/.test(text)) return named;
  const [entry, second] = await ledger.find(text);
  return entry && !second ? resolveName(ledger, entry.id, owner, { hearsay: 'counts' }) : [];
}

/** Says what hearsay calls by the name of a record that is known otherwise. */
async function sayHeard(
  session: Session,
  ledger: Ledger,
  text: string,
  { thing }: NameMatch,
): Promise<void> {
  if (thing.told === 'heard') return;
  const owner = await session.gateway.ledger.destination();
  const all = await resolveName(ledger, text, owner, { hearsay: 'counts' });
  const heard = all.filter((one) => one.thing.told === 'heard');
  if (heard.length > 0)
    await session.notice(`Unverified webhooks call other records so: ${listOf(heard)}.`);
}

/**
 * Looks up a record that this machine knows by that name. If the gateway cannot look it up, the record is shown as last
 * seen.
 */
async function known(
  session: Session,
  ledger: Ledger,
  { kind, id, thing }: NameMatch,
): Promise<FoundReply> {
  if (kind === 'request') {
    const [entry] = await ledger.find(id);
    const { customer, who, lastFour } = thing;
    if (entry)
      return {
        record: { ...(await entryRecord(ledger, entry)), customer, who, last_four: lastFour },
        view: PAID_ENTRY_VIEW,
      };
  }
  const operation = kind === 'request' ? undefined : lookUpOf(kind);
  if (operation) return callSeen(session, operation, id, thing.told === 'heard');
  const owner = await session.gateway.ledger.destination();
  const seen = await rememberedOf(ledger, { kind: 'card', id }, owner);
  if (!seen) throw nothing(id, 'It has been erased in the meantime.');
  await session.notice(`Cards cannot be looked up: shown as last seen at ${seen.lastSeenAt}.`);
  return { record: seen.record, view: 'card' };
}

const FIND = '`gw find` also searches for parts of words.';

/** @returns the only record of that reference, or a failure if there is none */
async function askGateway(session: Session, text: string): Promise<FoundReply | Failure> {
  if (text.includes('@'))
    return nothing(
      text,
      `The gateway cannot look up an email, and nothing seen, sent or received here has it. ${FIND}`,
    );
  const replies = await Promise.all(BY_REFERENCE.map((operation) => ask(session, operation, text)));
  const found = replies.filter((reply) => reply !== undefined);
  const hasSubscription = found.some(({ operation }) => operation.kind === 'subscription');
  // A charge has the reference of its subscription.
  const fitting = found.filter(
    ({ operation, records }) =>
      !(hasSubscription && operation.kind === 'purchase' && records[0]?.source === 'Recurring'),
  );
  const [only] = fitting;
  if (fitting.length > 1) {
    const all = fitting.map(
      ({ operation, records: [record = {}] }) =>
        `${operation.kind} ${neutralise(String(record.id))}`,
    );
    throw ambiguous(text, all.join(', '), 'notFound');
  }
  if (only) {
    await session.notice(
      `gw asked the gateway for ${neutralise(text)}: it is a ${only.operation.kind}.`,
    );
    return only;
  }
  const tried = `gw looked at what was seen, sent and received here, and asked the gateway for purchases, subscriptions, plans and customers. ${FIND}`;
  return (await inPlans(session, text)) ?? nothing(text, tried);
}

/** @returns undefined if the gateway has no record of that name, or none that you may see */
async function ask(session: Session, operation: Operation, text: string) {
  try {
    const reply = await session.call(operation, { id: text });
    return reply.records.length > 0 ? reply : undefined;
  } catch (error) {
    if (error instanceof Failure && isAbsent(error)) return undefined;
    throw error;
  }
}

/** The gateway can list plans only. */
async function inPlans(session: Session, text: string): Promise<FoundReply | undefined> {
  const name = text.toLowerCase();
  const isCalled = (one: unknown) => typeof one === 'string' && one.toLowerCase() === name;
  const plans: JsonObject[] = [];
  for await (const plan of listedPlans((operation, input) => session.call(operation, input)))
    if (isCalled(plan.reference) || isCalled(plan.name)) plans.push(plan);
  const [plan] = plans;
  if (plans.length > 1) {
    const all = plans.map(({ id }) => `plan ${neutralise(String(id))}`).join(', ');
    throw ambiguous(text, all, 'notFound');
  }
  if (!plan) return undefined;
  await session.notice(`Found ${neutralise(text)} in the gateway's list of plans.`);
  return { record: plan, view: 'plan' };
}

/** @returns the failure; if another profile knows the name, with that profile */
async function withOtherProfile(
  session: Session,
  ledger: Ledger,
  text: string,
  failure: Failure,
): Promise<Failure> {
  const own = await session.gateway.ledger.destination();
  const owners = await ownersNamed(ledger, text);
  const profile = owners.find((owner) => !isOwnedBy(owner, own, 'named') && owner.profile)?.profile;
  if (!profile) return failure;
  const command = `gw get ${commandWord(text)} --profile ${profile}`;
  return failure.with({ next: `It was seen with the profile ${profile}: try \`${command}\`.` });
}

function nothing(text: string, next: string): Failure {
  return new Failure('name-unknown', `Found nothing for ${JSON.stringify(text)}.`, next);
}
