/**
 * `gw receipt`: a purchase, for the payer. The gateway has the purchase, and this ledger the refunds.
 *
 * Tests: test/scripts/commands/receipt.script, test/unit/requests/known/proven.test.ts
 */

import type { JsonObject } from '../../base/json.ts';
import { periodBehind } from '../../base/periods.ts';
import { capitalised, quantity, textOrNull } from '../../base/text.ts';
import type { CommandOptions } from '../../cli/flags/command-options.ts';
import { wrongMode } from '../../client/guards/guard.ts';
import { dataSourceOf } from '../../client/ledger/place.ts';
import { brandOf, lastFourOf } from '../../contract/cards/card-number.ts';
import { amountOf, outcomeOf, saysVoid } from '../../contract/normal.ts';
import { kindOfId, plainId } from '../../contract/record.ts';
import { purchaseGet } from '../../contract/resources/purchase.ts';
import { unknownName } from '../../desk/history/owners-of-name.ts';
import { relatedRecords } from '../../desk/history/related.ts';
import { merchantNameOf } from '../../desk/merchant-name.ts';
import { Failure, orFailure } from '../../failure.ts';
import type { Context } from '../../host/context.ts';
import { timeZoneOf } from '../../host/machine-zone.ts';
import { redactJson } from '../../host/redaction/redact.ts';
import { type NamedThings, withKnown } from '../../requests/known/lazy-ledger.ts';
import type { CommandSession } from '../../requests/known/meant-record.ts';
import { idToChange } from '../../requests/known/named-record.ts';
import type { KnownHost } from '../../requests/known/open-ledger.ts';
import { call } from '../../requests/look-up/get-many.ts';
import { Questions } from '../../requests/questions.ts';
import { type Session, withSession } from '../../requests/session.ts';
import type { Counts } from '../../things/what-counts.ts';
import { formatOf, printRecords } from '../../view/print-records.ts';
import { type AskedPayment, paymentMeant } from './payment-meant.ts';
import { RECEIPT_VIEW, type Receipt, type ReceiptRefund } from './receipt.ts';
import { receiptHtml, receiptText } from './receipt-page.ts';

export interface ReceiptOptions extends CommandOptions {
  /** Path of the file to write; undefined for stdout. */
  html: string | undefined;
}

/**
 * @param words id or reference of one purchase; or its customer, and perhaps a time behind the name
 * @throws Failure usage if it names none, or several; notFound if the gateway has none
 */
export async function runReceipt(
  context: Context,
  words: readonly string[],
  { request, output, typed, html }: ReceiptOptions,
): Promise<void> {
  const { host } = context;
  const zone = timeZoneOf(host, output.timeZone);
  // The fields are those of the receipt, not of a purchase.
  const plain = { ...output, fields: undefined, jq: undefined };
  const settings = { operation: purchaseGet, request, output: plain };
  await withSession(context, settings, async (session) => {
    // The name must be exact, as for a refund: nobody gets the receipt of another purchase.
    const { name, period } = periodBehind(words);
    const questions = new Questions(host.prompts);
    const asking = { host, session, words: ['receipt', name], typed, questions };
    const receipt = await receiptOf(asking, { name: name.trim(), period, zone, output });
    const isForPeople = formatOf(output) === undefined && output.fields === undefined;
    if (isForPeople) receipt.merchant = await merchantNameOf(host, session.profile, request);
    if (html !== undefined) {
      host.files.writeNew(html, receiptHtml(receipt, zone));
      await session.notice(`Wrote the receipt of ${receipt.id} to ${html}.`);
    } else if (isForPeople) await host.stdout.write(receiptText(receipt, zone));
    else
      await printRecords(host, output, [RECEIPT_VIEW.record(receipt)], {
        kind: RECEIPT_VIEW,
        isSingle: true,
      });
    if (receipt.outcome !== 'approved') return;
    const { unknown } = await dataSourceOf(host, { profile: session.profile });
    await session.notice(`Refunds that ${unknown} are not on it.`);
  });
}

/** @returns the gateway's answer about the purchase that is meant */
async function paidBy(asking: CommandSession & Pick<Context, 'host'>, asked: AskedPayment) {
  const { session } = asking;
  const { name, period } = asked;
  // Somebody may be called May.
  const whole = period === undefined ? name : `${name} ${period}`;
  const isKnown = ({ things }: NamedThings) => things.tied([whole], { limit: 1 });
  const isWhole =
    period === undefined || (await withKnown(asking.host, session.gateway, isKnown))?.length === 1;
  if (isWhole) {
    const id = await idToChange(asking, purchaseGet, 'purchase', whole);
    const found = await orFailure(call(session, purchaseGet, id));
    if (!(found instanceof Failure)) return found;
    if (found.kind !== 'notFound' || kindOfId(plainId(id)) !== undefined) throw found;
    const near = await paymentMeant(asking, { ...asked, name: whole, period: undefined });
    if (near === undefined) throw found;
    return call(session, purchaseGet, near);
  }
  const id = await paymentMeant(asking, asked);
  if (id === undefined) throw unknownName(name);
  return call(session, purchaseGet, id);
}

async function receiptOf(
  asking: CommandSession & Pick<Context, 'host'>,
  asked: AskedPayment,
): Promise<Receipt> {
  const { host, session } = asking;
  const { records, envelope } = await paidBy(asking, asked);
  const record = redactJson(records[0] ?? {}) as JsonObject;
  const outcome = saysVoid(record.message) ? 'voided' : outcomeOf('purchase', record);
  const { profile } = session;
  const wrong = wrongMode(profile, envelope.test);
  const amount = amountOf(record);
  const { refunds, isCertain } = await refundsOf(host, session, record);
  const refunded = refunds.reduce((sum, one) => sum + one.amount, 0);
  const hasLeft = outcome === 'approved' && isCertain && amount !== null;
  return {
    merchant: profile.merchantName ?? null,
    id: textOrNull(record.id) ?? asked.name,
    reference: withoutSecrets(textOrNull(record.reference), record),
    date: textOrNull(record.transaction_date),
    outcome,
    amount,
    currency: textOrNull(record.currency),
    payer: withoutSecrets(textOrNull(record.card_holder), record),
    ...cardOfRecord(record),
    refunds,
    left: hasLeft ? amount - refunded : null,
    isTest: envelope.test ?? profile.environment !== 'live',
    warning: wrong ? `${capitalised(wrong)}.` : null,
  };
}

function cardOfRecord({ card_number: said }: JsonObject): Pick<Receipt, 'cardBrand' | 'lastFour'> {
  return { cardBrand: brandOf(textOrNull(said) ?? '') ?? null, lastFour: lastFourOf(said) };
}

const MAY_HAVE_HAPPENED: readonly Counts[] = ['unknown', 'unclear', 'heard'];

/** Known refunds that were not rejected. */
async function refundsOf(
  host: KnownHost,
  session: Session,
  record: JsonObject,
): Promise<{ refunds: ReceiptRefund[]; isCertain: boolean }> {
  const today = host.clock.now().toISOString().slice(0, 'YYYY-MM-DD'.length);
  const root = { kind: 'purchase', record } as const;
  const related = await withKnown(host, session.gateway, (known, owner) =>
    relatedRecords(known, root, { owner, today }),
  );
  if (!related) return { refunds: [], isCertain: false };
  const { items, isCut } = related;
  const all = items.filter(({ isRefund, purchase }) => isRefund && purchase === record.id);
  const unknown = all.filter(({ counts }) => counts && MAY_HAVE_HAPPENED.includes(counts));
  if (unknown.length > 0)
    await session.notice(
      `WARNING: ${quantity(unknown.length, 'more refund', 'more refunds')} may have happened, so the receipt does not say what is left. \`gw journal list --unresolved\` shows the requests.`,
    );
  const refunds = all
    .filter(({ counts }) => counts === 'refunds')
    .map(({ id, reference, at, amount }) => ({
      id,
      reference: withoutSecrets(reference, record),
      date: at,
      amount: Math.abs(amount ?? 0),
    }));
  return { refunds, isCertain: unknown.length === 0 && !isCut };
}

/** @returns a reference; null if it contains the card's token or last four digits */
function withoutSecrets(
  reference: string | null,
  { card_token: token }: JsonObject,
): string | null {
  if (reference === null) return null;
  if (typeof token === 'string' && token !== '' && reference.includes(token)) return null;
  return String(redactJson(reference)).replace(/\d{1,6}X+(\d{4})/g, 'XXXX$1');
}
