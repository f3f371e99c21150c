/** Writes the index documents of entries and records when they are due (src/index/deferred.ts). */
import type { JsonObject } from '../base/json.ts';
import type { RecordKind } from '../contract/record-id.ts';
import {
  documentOfRecord,
  originOfRecord,
  type RefundTie,
  type SeenRecord,
} from '../index/document-of-record.ts';
import {
  documentOfRequest,
  type KnownOwner,
  originOfRequest,
} from '../index/document-of-request.ts';
import { fold } from '../index/normalise.ts';
import { dropDocument, putDocuments } from '../index/write.ts';
import { all, get, type Work } from '../store/sql.ts';

type SentRequest = Parameters<typeof documentOfRequest>[0];
type EntryRow = Omit<SentRequest, 'body'> & { body: string };
type RecordRow = Omit<SeenRecord, 'record'> & { record: string };

/** Writes the current document of an entry. Deletes the document if the entry is gone. */
export function* indexEntry(id: string): Work<void> {
  const row = yield* get<EntryRow>(
    `SELECT id, created_at AS "createdAt", account, profile, environment, host, operation, target,
            refund_of AS "refundOf", amount, currency, reference, body, state,
            settled_at AS "settledAt", record_id AS "recordId", message, operator
       FROM gw.money_requests WHERE id = :id`,
    { id },
  );
  const origin = originOfRequest(id);
  if (!row) {
    yield* dropDocument(origin);
    return;
  }
  const { target } = row;
  const body = JSON.parse(row.body) as JsonObject;
  // If the request itself carries a card, that card says who the customer is.
  const name = target !== null && body.card_number === undefined ? target : undefined;
  const owners = yield* ownersNamedBy(name === undefined ? [] : [name]);
  const document = documentOfRequest({ ...row, body }, owners.get(name ?? ''));
  yield* putDocuments([{ origin, document }]);
}

/** Writes the current document of a record. Deletes the document if the record is gone. */
export function* indexRecord(kind: RecordKind, account: string, id: string): Work<void> {
  const row = yield* get<RecordRow>(
    `SELECT account, profile, environment, host, kind, id, reference, name, last_four AS "lastFour",
            seen_by AS "seenBy", record, first_seen_at AS "firstSeenAt", last_seen_at AS "lastSeenAt"
       FROM gw.records WHERE account = :account AND kind = :kind AND id = :id`,
    { account, kind, id },
  );
  const origin = originOfRecord({ kind, account, id });
  if (!row) {
    yield* dropDocument(origin);
    return;
  }
  const tie = kind === 'refund' ? yield* tieOfRefund(account, id) : {};
  const seen = { ...row, record: JSON.parse(row.record) as JsonObject };
  yield* putDocuments([{ origin, document: documentOfRecord(seen, tie) }]);
}

/**
 * Finds what a refund's record does not say (section 2.4): its purchase and its currency.
 * @returns the purchase if this ledger made the refund, with the currency if known
 */
function* tieOfRefund(account: string, refund: string): Work<RefundTie> {
  const made = yield* get<{ purchase: string }>(
    `SELECT refund_of AS purchase FROM gw.money_requests
      WHERE record_id = :refund AND account = :account AND refund_of IS NOT NULL`,
    { refund, account },
  );
  if (!made) return {};
  const { purchase } = made;
  const seen = yield* get<{ record: string }>(
    `SELECT record FROM gw.records
      WHERE account = :account AND kind = 'purchase' AND id = :purchase`,
    { account, purchase },
  );
  const { currency } = seen ? (JSON.parse(seen.record) as JsonObject) : {};
  if (typeof currency === 'string') return { purchase, currency };
  const asked = yield* get<{ currency: string }>(
    `SELECT currency FROM gw.money_requests
      WHERE record_id = :purchase AND account = :account AND currency IS NOT NULL
        AND refund_of IS NULL`,
    { purchase, account },
  );
  return { purchase, currency: asked?.currency };
}

/**
 * Finds the customers behind purchases and tokens. A declined request makes no record, so without this a search for the
 * customer's name would miss it.
 * @param names ids of purchases, or tokens
 * @returns name and last four digits by the given name, from the newest document that has both the key and a customer
 */
export function* ownersNamedBy(names: readonly string[]): Work<Map<string, KnownOwner>> {
  if (names.length === 0) return new Map();
  const rows = yield* all<KnownOwner & { key: string }>(
    `SELECT named.value AS key, who, last_four AS "lastFour"
       FROM json_array_elements_text(:keys::json) AS named (value)
       JOIN gw.documents ON documents.doc = (
         SELECT known.doc FROM gw.document_keys /*sqlite CROSS */ JOIN gw.documents AS known USING (doc)
          WHERE key = named.value AND known.who IS NOT NULL AND known.kind <> 'request'
          ORDER BY known.doc DESC LIMIT 1)`,
    { keys: JSON.stringify([...new Set(names.map(fold))]) },
  );
  const owners = new Map(rows.map(({ key, ...owner }) => [key, owner]));
  return new Map(
    names.flatMap((name) => {
      const owner = owners.get(fold(name));
      return owner ? [[name, owner]] : [];
    }),
  );
}
