/**
 * An entry of the journal: what it keeps of a request, and the outcome that it gets from the answer, or from its absence.
 * Pure functions, the same for a single request and for the lines of a batch.
 */
import type { Json, JsonObject } from '../../base/json.ts';
import { boundedText, dateOrNull } from '../../base/text.ts';
import { isSuccessful, isUnsuccessful, outcomeOf, responseCodeOf } from '../../contract/normal.ts';
import type { Operation } from '../../contract/operation.ts';
import { Failure } from '../../failure.ts';
import { sha256 } from '../../host/digest.ts';
import { redactJson, redactText } from '../../host/redaction/redact.ts';
import { type Scrub, scrubJson, withoutHidden } from '../../host/redaction/redactor.ts';
import { counts } from '../../journal/caps.ts';
import type {
  IntentConditions,
  LineClaim,
  MoneyRequest,
  Settlement,
} from '../../journal/ledger.ts';
import type { Approval } from '../../journal/rules.ts';
import type { Owner } from '../../things/owner.ts';
import type { Reply } from '../exchange/classify.ts';
import { moneyOf } from '../exchange/said-money.ts';
import { type CallInput, pairsOf } from '../exchange/wire-request.ts';
import { appliedCaps } from '../guards/rules.ts';
import type { Profile } from '../profiles/profile.ts';
import type { RequestOptions } from './request-options.ts';

/** A request as `moneyRequestOf` returned it, and the batch line that it claims. */
export interface KeptRequest {
  request: MoneyRequest;
  line?: LineClaim | undefined;
  /** A person's word that releases its proposal. */
  approval?: Approval | undefined;
}

/** The rules of the options and of the profile by which requests are judged. */
export interface JudgingRules
  extends Pick<RequestOptions, 'refusesDuplicates' | 'refusesOverRefunds'> {
  profile: Profile;
  /** The sender, as the journal names people. */
  operator: string;
}

/** @returns the rules by which the ledger judges the intent of a request */
export function conditionsOf(
  operation: Operation,
  { request, line, approval }: KeptRequest,
  { refusesDuplicates, refusesOverRefunds, profile, operator }: JudgingRules,
): IntentConditions {
  const own = profile.currency ?? null;
  const caps = appliedCaps(profile, operation, approval?.proposer ?? operator).filter((cap) =>
    counts(cap, request, own),
  );
  return {
    noDuplicate: refusesDuplicates,
    noOverRefund: refusesOverRefunds && operation.money?.givesBack !== undefined,
    ...(line && { line }),
    ...(caps.length > 0 && { caps }),
    ...(approval && { approval }),
  };
}

/**
 * Builds the ledger's form of a request, the same for every caller. A custom request (`gw api`) is identified by all of
 * its content, because nobody knows what it moves.
 * @returns the request with card numbers masked and the CVV removed
 */
export function moneyRequestOf(
  { account, profile, environment, host }: Owner<string>,
  operation: Operation,
  { query = {}, body = {}, currency: read }: CallInput,
  { scrub = (text) => text, note = null }: { scrub?: Scrub; note?: string | null } = {},
): MoneyRequest {
  const keep = (given: JsonObject) => scrubJson(keepable(given), scrub) as JsonObject;
  const kept = keep(body);
  const { target, amount, currency, reference } = moneyOf(operation, {
    body: kept,
    currency: read,
  });
  const refundOf = operation.money?.givesBack === undefined ? null : target;
  const request = {
    account,
    profile,
    environment,
    host,
    operation: operation.name,
    target,
    refundOf,
    amount,
    currency,
    reference,
    body: kept,
    note,
  };
  if (!operation.isForeign) return request;
  const keptQuery = pairsOf(query).flatMap(([name, value]) =>
    Object.entries(keep({ [name]: value })).map(([as, text]) => `${as}=${String(text)}`),
  );
  const asked = keptQuery.length === 0 ? '' : `?${keptQuery.join('&')}`;
  const name = scrub(redactText(operation.name, 'kept')) + asked;
  const digest = `sha256:${digestOf([name, kept])}`;
  return { ...request, operation: name, target: digest, refundOf: null };
}

/** @returns the body with card numbers masked, and without what is hidden */
export function keepable(body: JsonObject): Json {
  const safe = redactJson(body, 'kept');
  return safe === body ? body : withoutHidden(safe);
}

/**
 * Digests only masked content. From a digest, somebody could guess three digits of a CVV, or the middle of a card
 * number.
 */
function digestOf(content: Json): string {
  return sha256(JSON.stringify(content)).slice(0, 32);
}

/** UTF-16 units of one text of an answer that gw stores. */
export const MAX_KEPT_TEXT = 2_000;

/** @returns the value if it is a text that fits; null if it is not, because a truncated id identifies nothing */
export function keptId(value: unknown): string | null {
  return typeof value === 'string' && value.length <= MAX_KEPT_TEXT ? value : null;
}

/** @returns the outcome for the journal entry */
export function settlementOf(result: Reply | Failure, scrub: Scrub): Settlement {
  const told = (message: unknown) =>
    typeof message === 'string'
      ? // Scrub before cutting, because a part of a secret is not recognised.
        redactText(boundedText(scrub(message), MAX_KEPT_TEXT), 'foreign')
      : null;
  if (result instanceof Failure) {
    return {
      state: STATES[result.kind] ?? 'unknown',
      status: result.status ?? null,
      recordId: keptId(result.id),
      message: told(result.message),
    };
  }
  const [record = {}, ...others] = result.records;
  return {
    // Several records answer only a request of the user's own. None of them speaks for all.
    state: others.length > 0 ? 'done' : stateOf(result, record),
    status: result.status,
    recordId: keptId(result.operation.kind === 'card' ? record.token : record.id),
    message: told(record.message),
    transactionDate: dateOrNull(record.transaction_date),
    responseCode: responseCodeOf(record.response_code),
  };
}

function stateOf({ operation, outcome }: Reply, record: JsonObject): Settlement['state'] {
  // A custom request (`gw api`) may still say whether a card was charged.
  const said = outcome ?? outcomeOf(operation.kind, record);
  if (isSuccessful(said)) return 'done';
  if (isUnsuccessful(said)) return said;
  return operation.authorizes ? 'unknown' : 'done';
}

/** A Failure of any other kind says nothing certain about the money, so it counts as unknown. */
const STATES: Partial<Record<Failure['kind'], Settlement['state']>> = {
  auth: 'rejected',
  notFound: 'rejected',
  rejected: 'rejected',
  notReached: 'not-sent',
  interrupted: 'not-sent',
};

/**
 * One record cannot be the answer to two requests. If a gateway, or something before it, answers twice on an open
 * connection, all later answers shift. Each then belongs to another request.
 *
 * The journal compares across runs: another request of the same account is known to have made the record, and asked for
 * something else. Without a reference, nothing shows that two requests ask for the same. The test gateway reuses its ids
 * when it starts over, so its answers are not compared with earlier runs. A custom request (`gw api`) may concern an
 * existing record.
 * @returns the id of the record that the request made, if another may have made it; null otherwise
 */
export function recordMadeIn(result: Reply | Failure): string | null {
  if (result instanceof Failure || result.operation.isForeign || result.isEmbedded) return null;
  return keptId(result.records[0]?.id);
}
