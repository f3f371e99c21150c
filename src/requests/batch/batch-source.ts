/**
 * Turns a row of a batch into a request of one operation. Column names are the interface's field names, text becomes
 * numbers in number fields, and every check of a single request runs.
 */

import { withTrimmedTexts } from '../../base/clean-text.ts';
import { type Json, type JsonObject, setAt } from '../../base/json.ts';
import { quotedText, shellWord } from '../../base/shell.ts';
import { isOnlyOfSpreadsheets } from '../../base/spreadsheet-text.ts';
import { noteFault } from '../../cli/flags/command-options.ts';
import {
  currenciesIn,
  decimalsIn,
  otherCurrency,
  saidCurrency,
  targetOf,
} from '../../client/exchange/said-money.ts';
import { strayCardNumbers } from '../../client/exchange/stray-card-number.ts';
import { isLimited, limitFault } from '../../client/guards/guard.ts';
import type { Profile } from '../../client/profiles/profile.ts';
import { isCardNumber } from '../../contract/cards/card-number.ts';
import { problemsOf } from '../../contract/check.ts';
import { currencyCode, currencyExponent, faultOfWithdrawn } from '../../contract/currency.ts';
import { AMOUNTS, forgive } from '../../contract/forgiving.ts';
import { MAX_AMOUNT } from '../../contract/money.ts';
import type { DecimalMark } from '../../contract/number-column.ts';
import type { Operation } from '../../contract/operation.ts';
import { startsCharges } from '../../contract/operations.ts';
import type { RecordKind } from '../../contract/record.ts';
import { type Field, fieldsOf, type RequestBody } from '../../contract/request.ts';
import { Failure, orFailure } from '../../failure.ts';
import { sha256 } from '../../host/digest.ts';
import { commandWord } from '../../host/redaction/safe.ts';
import type { MoneyRequest } from '../../journal/ledger.ts';
import { flatten } from '../../view/values.ts';
import { withoutNulls } from '../body/read-input.ts';
import type { PlanCalled } from '../known/named-plan.ts';
import type { NamedOtherwise } from '../known/named-record.ts';
import type { CustomerCard } from './customer-cards.ts';
import {
  areBelow,
  isMoneyColumn,
  markOfColumn,
  readDecimalCell,
  withoutSign,
} from './decimal-cell.ts';
import { type ColumnOptions, FieldColumns } from './engine/columns.ts';
import type { BatchSource, LineIdentity, RowRequest } from './engine/preflight.ts';
import type { InputRow } from './engine/rows.ts';
import { type KnownPurchase, missingFault, payerFault } from './known-purchases.ts';
import { type KnownNames, provenColumns } from './proven-columns.ts';

const DECIMAL_AMOUNT = 'decimal_amount';
const CURRENCY = 'currency';
/** Why a line is sent, as `--note` says of all: it is kept here, and never sent. */
const NOTE = 'note';
/** The customer whose stored card is charged, or who paid: it is looked up, and never sent. */
const CUSTOMER = 'customer';
const CARD_FIELD = /^(?:card(?:\..+|_token)?|card_(?:number|holder|expiry)|cvv)$/;
/** The fields that `lacking` tells of. */
const LACKED = new RegExp(`${CARD_FIELD.source}|^transaction_id$|^amount$`);
const CARD_FIELDS = ['card_number', 'card_holder', 'card_expiry', 'cvv'];

const PURCHASE = 'transaction_id';

/** The kind of record that a field names by its id. */
const NAMED: Readonly<Record<string, RecordKind>> = {
  customer: 'customer',
  [PURCHASE]: 'purchase',
};

/** The flags that describe the columns of a file. */
export type ColumnFlags = Pick<ColumnOptions, 'ignored' | 'mapped'>;

export interface SourceOptions extends KnownNames {
  operation: Operation;
  /** The body of the operation. */
  request: RequestBody;
  profile: Profile;
  /**
   * @param currency the same as in `CallInput`
   * @returns a request as the ledger keeps it
   */
  keep(body: JsonObject, currency: string | undefined): MoneyRequest;
  /**
   * @param needed the purchases to ask the gateway for, unless they were seen here
   * @returns the ISO 4217 codes of purchases by id, for those that are known
   */
  currenciesOf(
    purchases: readonly string[],
    needed: ReadonlySet<string>,
  ): Promise<ReadonlyMap<string, string>>;
  /** @returns for texts that name no purchase which a line could give back, what they name instead */
  noPurchases?(texts: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** The same as in `TargetLookUp`. */
  unseen?: ReadonlyMap<string, Failure>;
  /** @returns the cards of customers by their names in the file */
  cardsOf(
    names: readonly string[],
    known: ReadonlyMap<string, NamedOtherwise>,
  ): Promise<ReadonlyMap<string, CustomerCard>>;
  /** Takes a reference in the place of an id, if it names one record. */
  isByReference?: boolean;
  /** Makes the reference of a line without one: this, and what the line names. */
  referencePrefix?: string | undefined;
  /** @returns the plan as `planCalled` names it. @throws Failure notFound if no plan, or not only one, is so called */
  planCalled(text: string): Promise<PlanCalled>;
  /** @throws Failure guard if the amount that a request starts to charge is above a limit, or unknown */
  checkCharges(operation: Operation, input: { body: JsonObject }): Promise<void>;
  columns: ColumnFlags;
  allowsDuplicates: boolean;
  /** No spreadsheet changed the file. */
  isAsWritten?: boolean;
}

export class OperationSource implements BatchSource {
  readonly allowsDuplicates: boolean;
  readonly isAsWritten: boolean;
  readonly columns: FieldColumns;
  readonly #options: SourceOptions;
  readonly #fields: ReadonlyMap<string, Field>;
  /** ISO 4217 codes in which purchases were paid, by purchase id. A refund names no currency (section 2.4). */
  readonly #paidIn = new Map<string, string>();
  /** The records that lines do not name by id, by field and text. */
  readonly #named = new Map<string, NamedOtherwise>();
  /** The words for what lines name in the place of a purchase, by text. */
  #others: ReadonlyMap<string, string> = new Map();
  /** The references for which lines have ids. */
  readonly replaced = new Set<string>();
  /** The number of lines whose customer is who paid. */
  compared = 0;
  /** The plans that lines name, by text. */
  readonly plans = new Map<string, Failure | PlanCalled>();
  /** Plans whose price was checked against the limit. */
  readonly #checked = new Set<Json>();
  /** The first line for each purchase whose refunds get their references here, and what names it in these. */
  readonly #made = new Map<string, { line: number; name: string }>();
  /** Whether the column `amount` has decimals. */
  #areMoney = false;
  /** The mark before decimals in the whole input. */
  #mark: DecimalMark | undefined;
  /** Whether every amount of a file of refunds is below zero, as books have what is given back. */
  areBelow = false;
  #isByReference: boolean;
  #referencePrefix: string | undefined;

  constructor(options: SourceOptions) {
    this.allowsDuplicates = options.allowsDuplicates;
    this.isAsWritten = options.isAsWritten ?? false;
    this.#options = options;
    this.#isByReference = options.isByReference ?? false;
    this.#referencePrefix = options.referencePrefix;
    this.#fields = new Map(
      fieldsOf(options.request).map((field) => [field.path.join('.'), field] as const),
    );
    const own = [
      ...(this.#givesBack ? [CURRENCY] : []),
      ...(this.#givesBack || this.#mayNameCustomer ? [CUSTOMER] : []),
      NOTE,
    ];
    const fields = [...new Set([...this.#fields.keys(), ...own])];
    this.columns = new FieldColumns({
      ...options.columns,
      fields: this.#hasAmount ? fields.flatMap(withDecimal) : fields,
      isNot: {
        one: `is not a field of ${options.operation.name}`,
        many: `are not fields of ${options.operation.name}`,
      },
      isCommandSaid: true,
    });
  }

  /**
   * Minor units are whole numbers, so a column `amount` of nothing but decimals is money as people write it. All amounts
   * that are money decide together how their separators are read.
   * @param rows of the whole input
   * @returns one of the amounts, which are all read as decimals then; undefined if the column stays what its name says
   */
  takeMoney(rows: Iterable<InputRow>): string | undefined {
    const first = this.#hasAmount ? firstOfMoney(rows) : undefined;
    this.#areMoney = first !== undefined;
    const isMarked = this.#areMoney || this.columns.names.includes(DECIMAL_AMOUNT);
    if (isMarked) this.#mark = markOfColumn(decimalsOf(rows, this.#areMoney));
    this.areBelow = this.#givesBack && isMarked && areBelow(decimalsOf(rows, this.#areMoney));
    return first;
  }

  /**
   * Says what the columns of refunds have, by their cells, and reads unknown columns as if that had been said. Nothing of
   * them is sent: they remain a problem.
   * @returns whether purchases are named by references
   */
  async meant(rows: Iterable<InputRow>): Promise<boolean> {
    if (!this.#givesBack) return false;
    const { columns } = this;
    const { isByReference, ...proof } = await provenColumns(columns, rows, this.#options);
    columns.prove(proof);
    if (columns.strange.length === 0) return isByReference;
    this.#isByReference ||= isByReference;
    if (!columns.names.includes('reference')) this.#referencePrefix ??= 'REFUND';
    return isByReference;
  }

  async read(rows: readonly InputRow[]): Promise<RowRequest[]> {
    const converted = rows.map((row) => this.#convert(row));
    const bodies = converted.map(({ body }) => body);
    if (this.#mayNameCustomer) await this.#findCards(converted);
    await this.#findNames(bodies);
    for (const one of converted) this.#nameById(one);
    if (this.#fields.has('plan')) await this.#namePlans(converted);
    if (this.#options.operation.recurring) await this.#checkPlans(bodies);
    if (this.#givesBack) await this.#findCurrencies(bodies);
    await this.#complete(converted);
    return converted.map((one) => this.#requestOf(one));
  }

  async #findNames(bodies: readonly JsonObject[]): Promise<void> {
    for (const [field, kind] of Object.entries(NAMED)) {
      if (!this.#fields.has(field)) continue;
      const given = bodies.map((body) => body[field]);
      const texts = new Set(given.filter((text) => typeof text === 'string'));
      for (const [text, id] of await this.#options.namedOtherwise(kind, [...texts]))
        this.#named.set(`${field} ${text}`, id);
      if (field !== PURCHASE || !this.#givesBack) continue;
      const open = [...texts].filter((text) => !this.#named.has(`${field} ${text}`));
      this.#others = (await this.#options.noPurchases?.(open)) ?? this.#others;
    }
  }

  /** Puts the card of a customer in the place of the customer. */
  async #findCards(lines: readonly Converted[]): Promise<void> {
    const { namedOtherwise, cardsOf } = this.#options;
    const given = lines.map(({ body }) => body[CUSTOMER]);
    const names = [...new Set(given.filter((name) => typeof name === 'string'))];
    if (names.length === 0) return;
    const cards = await cardsOf(names, await namedOtherwise('customer', names));
    for (const { body, faults } of lines) {
      const { [CUSTOMER]: name, ...rest } = body;
      if (name === undefined) continue;
      delete body[CUSTOMER];
      const card = cards.get(String(name)) ?? { problem: 'customer is not text' };
      const fault = faultBesideCustomer(rest) ?? ('problem' in card ? card.problem : undefined);
      if (fault) for (const field of ['card_token', ...CARD_FIELDS]) faults.set(field, fault);
      else if ('token' in card) body.card_token = card.token;
    }
  }

  /** Puts the id in the place of its reference, as far as the user wants it, and refuses what names no purchase. */
  #nameById(line: Converted): void {
    const { body, faults } = line;
    const purchase = String(body[PURCHASE]);
    const other = this.#others.get(purchase);
    if (other !== undefined)
      faults.set(
        PURCHASE,
        `${PURCHASE} ${quotedText(purchase)} ${other}: write the id of the purchase that you mean, which \`gw get ${commandWord(purchase)}\` shows`,
      );
    for (const field of this.#isByReference ? Object.keys(NAMED) : []) {
      const text = String(body[field]);
      const { ids: [id, other] = [], by, reference } = this.#named.get(`${field} ${text}`) ?? {};
      if (id === undefined || other !== undefined || by !== 'reference') continue;
      body[field] = id;
      line.called = reference ?? text;
      this.replaced.add(text);
    }
  }

  /** Compares the customers of refunds with who paid, and makes references, as far as the user wants it. */
  async #complete(lines: readonly Converted[]): Promise<void> {
    const { operation, knownPurchases, unseen } = this.#options;
    const isMade = this.#referencePrefix !== undefined && this.#fields.has('reference');
    const asked = lines.flatMap((line) => {
      const { body } = line;
      const target = targetOf(operation, { body });
      const makes = isMade && (body.reference ?? null) === null;
      const isCompared = this.#givesBack && !line.faults.has(PURCHASE);
      const customer = isCompared ? body[CUSTOMER] : undefined;
      if (this.#givesBack) delete body[CUSTOMER];
      if (target === null || (customer === undefined && !makes)) return [];
      return [{ line, target, customer, makes }];
    });
    if (asked.length === 0) return;
    const targets = new Set(asked.map(({ target }) => target));
    const known = this.#givesBack ? await knownPurchases([...targets]) : new Map();
    for (const { line, target, customer, makes } of asked) {
      const { body, faults, called = target } = line;
      const purchase = known.get(target);
      if (customer !== undefined) {
        const fault = payerFault(called, String(customer), purchase, unseen?.get(target));
        if (fault === undefined) this.compared++;
        else faults.set(CUSTOMER, fault);
      }
      if (makes) body.reference = this.#referenceOf(line, target, purchase);
    }
  }

  /**
   * Another run must make the same reference, also one in which the line names the purchase in another way.
   * @returns the reference that was made before for the purchase, or one of its reference in the file or its id
   */
  #referenceOf(line: Converted, target: string, known: KnownPurchase | undefined): string {
    const { called = target, faults, row } = line;
    const made = (name: string) => `${this.#referencePrefix}-${name}`;
    const usual = this.#givesBack ? called : target;
    const names = [usual, target, known?.reference ?? target];
    const name = names.find((one) => known?.requested.has(made(one))) ?? usual;
    const first = this.#made.get(target) ?? { line: row.line, name };
    this.#made.set(target, first);
    if (first.name !== name)
      faults.set(
        'reference',
        `names the purchase of line ${first.line} in another way, which would give the refund another reference: write both alike`,
      );
    return made(name);
  }

  /** Puts the reference or id of a plan in the place of what a line calls it. */
  async #namePlans(lines: readonly Converted[]): Promise<void> {
    for (const { body, faults } of lines) {
      const { plan: text } = body;
      if (typeof text !== 'string' || text === '') continue;
      const asked = this.plans.get(text) ?? (await orFailure(this.#options.planCalled(text)));
      this.plans.set(text, asked);
      if (!(asked instanceof Failure)) {
        body.plan = asked.plan;
        continue;
      }
      if (asked.kind !== 'notFound') throw asked;
      delete body.plan;
      faults.set('plan', `plan: ${asked.message} ${asked.next}`);
    }
  }

  /** One check for each plan is enough: the price does not depend on the customer. */
  async #checkPlans(bodies: readonly JsonObject[]): Promise<void> {
    const { operation, checkCharges } = this.#options;
    for (const body of bodies) {
      const { plan } = body;
      if (plan === undefined || this.#checked.has(plan) || !startsCharges(operation, { body }))
        continue;
      this.#checked.add(plan);
      await checkCharges(operation, { body: { plan } });
    }
  }

  /** A limit, decimals and a claim need the currency of the purchase; minor units alone do not. */
  async #findCurrencies(bodies: readonly JsonObject[]): Promise<void> {
    const { operation, profile, currenciesOf } = this.#options;
    const needed = new Set<string>();
    const purchases = new Set<string>();
    for (const body of bodies) {
      const purchase = targetOf(operation, { body });
      if (purchase === null || this.#paidIn.has(purchase) || this.#others.has(purchase)) continue;
      purchases.add(purchase);
      const isSaid =
        decimalsIn(body).length > 0 || currenciesIn({ body }).length > 0 || CUSTOMER in body;
      if (isLimited(profile) || isSaid) needed.add(purchase);
    }
    for (const [purchase, currency] of await currenciesOf([...purchases], needed))
      this.#paidIn.set(purchase, currency);
  }

  /** A purchase is in the currency that is sent with it. A decimal is never sent without the one it was read in. */
  #requestOf({ row, body, faults, asWritten }: Converted): RowRequest {
    const { profile, request } = this.#options;
    const note = this.#takeNote(body, faults);
    const said = this.#givesBack ? this.#takeCurrency(body, faults) : saidCurrency({ body });
    const currency = said ?? (this.#givesBack ? undefined : profile.currency);
    const isSent = decimalsIn(body).length > 0 || isLimited(profile);
    if (this.#hasAmount && !faults.has('amount')) {
      const fault = this.#faultOfDecimal(body, currency, faults);
      // The currency itself may be wrong, and then it already has its own fault.
      if (fault !== undefined)
        faults.set('amount', fault).set(CURRENCY, faults.get(CURRENCY) ?? fault);
    }
    if (CURRENCY in request.fields && isSent && currency !== undefined) body[CURRENCY] ??= currency;
    const problems =
      this.#hasAmount && isTotalRow(row, body)
        ? ['looks like a total: remove it']
        : [...new Set(faults.values()), ...this.#check(body, { faults, currency, asWritten })];
    return { body, problems, currency, note };
  }

  /** @returns the fault of the decimal amount of a body; the missing purchase is that of one which it leaves without currency */
  #faultOfDecimal(
    body: JsonObject,
    currency: string | undefined,
    faults: Map<string, string>,
  ): string | undefined {
    const purchase = targetOf(this.#options.operation, { body });
    const isUnknown = currency === undefined && decimalsIn(body).length > 0;
    // The first row tells of a column that is missing.
    if (isUnknown && this.#givesBack && purchase === null && this.lacking()) return undefined;
    if (isUnknown && this.#givesBack && (purchase === null || faults.has(PURCHASE))) {
      faults.set(PURCHASE, faults.get(PURCHASE) ?? `${PURCHASE} is missing`);
      return faults.get(PURCHASE);
    }
    const unseen = this.#options.unseen?.get(purchase ?? '');
    const isOther = faults.has(CURRENCY);
    return applyDecimal(body, currency, { isOther, unseen, mark: this.#mark });
  }

  /** Takes the note out of a body that has no such field. */
  #takeNote(body: JsonObject, faults: Map<string, string>): string | undefined {
    const { [NOTE]: note } = body;
    if (note === undefined || this.#fields.has(NOTE)) return undefined;
    delete body[NOTE];
    const fault = typeof note === 'string' ? noteFault(note)?.message : 'It is not text.';
    if (fault !== undefined) faults.set(NOTE, `${NOTE}: ${fault}`);
    return String(note);
  }

  #convert(row: InputRow): Converted {
    const { body: written, faults } = row.isText ? this.#fromText(row) : fromJson(row);
    const { body } = forgive(this.#options.request, written, AMOUNTS);
    const said = row.isText && this.#hasAmount ? this.columns.currency : undefined;
    if (said !== undefined && currenciesIn({ body }).length === 0) body[CURRENCY] = said;
    return {
      row,
      body,
      faults,
      asWritten: [...(row.safe ?? []), ...(row.isAsWritten ? ['reference'] : [])],
    };
  }

  /**
   * Takes the currency out of the body of a refund, which has none.
   * @returns the ISO 4217 code of its amount; undefined if neither the purchase nor the line says
   */
  #takeCurrency(body: JsonObject, faults: Map<string, string>): string | undefined {
    const { [CURRENCY]: said } = body;
    const purchase = targetOf(this.#options.operation, { body });
    const paidIn = purchase === null ? undefined : this.#paidIn.get(purchase);
    const code = said === undefined || typeof said === 'string' ? saidCurrency({ body }) : '';
    const currency = paidIn ?? code;
    const other = currency && otherCurrency({ body }, currency);
    delete body[CURRENCY];
    if (code !== undefined && currencyExponent(code) === undefined) {
      const what = 'which is not an ISO 4217 currency code such as AUD';
      faults.set(CURRENCY, `currency is ${quotedText(String(said ?? code))}, ${what}`);
      return paidIn;
    }
    if (other === undefined || other === '') return currency;
    const why =
      paidIn === undefined
        ? `another field says ${currency}: keep one of them`
        : `purchase ${quotedText(purchase ?? '')} was paid in ${paidIn}: leave the currency out, or check which purchase it is`;
    faults.set(CURRENCY, `currency is ${other}, and ${why}`);
    return currency;
  }

  identify(body: JsonObject, currency?: string): LineIdentity {
    const { operation, keep } = this.#options;
    const kept = keep(body, this.#givesBack ? currency : undefined);
    const { target, amount, reference } = kept;
    const asked = this.isKnownByContent
      ? Object.entries(withoutNulls(kept.body)).sort(([one], [other]) => (one < other ? -1 : 1))
      : [target, amount, reference];
    return {
      // Two requests with the same key are duplicates. It is made only of what may be kept, so it reveals nothing.
      key: sha256(JSON.stringify([operation.name, ...asked]), 'base64url').slice(0, 22),
      subject: JSON.stringify(this.isKnownByContent ? asked : [target, reference]),
      kept,
    };
  }

  /**
   * Whether a line, such as a card to store, has neither a reference nor an amount to identify it. Of a card, gw may
   * keep only the holder, the expiry and ten digits. A digest of the whole number could be broken by trying the million
   * numbers that fit these. Two cards of one company may agree in all of that. So such a line is only recognised within
   * its batch, and a file may not have two of them.
   */
  get isKnownByContent(): boolean {
    return !this.#fields.has('reference') && !this.#hasAmount;
  }

  repeats(first: number): string {
    if (!this.isKnownByContent)
      return `repeats line ${first}: remove it, give it a reference of its own, or send both with --allow-duplicate`;
    return `has the same holder, expiry, and first and last digits as the card of line ${first}. gw keeps no more of a card, so the two look the same. Remove one line, or put it in a file of its own`;
  }

  /** @returns what to do if the table has no column of purchases, amounts or cards, and each row needs one */
  lacking(): string | undefined {
    const names = this.columns.names;
    if (this.columns.isNameless) return undefined;
    if (this.#givesBack && !names.includes(PURCHASE) && this.columns.strange.length > 0)
      return 'has no column that names purchases known here: correct the references, or add a column transaction_id with ids';
    if (this.#hasAmount && !names.includes('amount') && !names.includes(DECIMAL_AMOUNT))
      return 'has no column of amounts that gw recognises: --map decimal_amount=COLUMN names it';
    const isOfCard = (name = '') =>
      CARD_FIELD.test(name) || (name === CUSTOMER && this.#mayNameCustomer);
    if (names.some(isOfCard) || !this.#needsCard) return undefined;
    return `has no column of a card: add ${this.#cardColumns()}`;
  }

  /** Whether a request has card details, or what stands for them. */
  get #needsCard(): boolean {
    return [...this.#fields.values()].some(({ isCard }) => isCard);
  }

  /** @returns the columns that say which card */
  #cardColumns(): string {
    const { environment } = this.#options.profile;
    const fields = [...this.#fields.values()].filter(({ isCard, required }) => isCard && required);
    const details = fields.map(({ path }) => path.at(-1)).join(', ');
    const stored = this.#mayNameCustomer ? 'card_token or customer' : undefined;
    const given = environment === 'live' && stored ? undefined : details || CARD_FIELDS.join(', ');
    const tests = environment === 'local' && given ? ' (`gw emulator cards` has test cards)' : '';
    return [stored, given].filter((one) => one !== undefined).join(', or ') + tests;
  }

  get #givesBack(): boolean {
    return this.#options.operation.money?.givesBack !== undefined;
  }

  /** Whether a line charges a card that is stored, which may be that of a customer. */
  get #mayNameCustomer(): boolean {
    return this.#hasAmount && this.#fields.has('card_token');
  }

  get #hasAmount(): boolean {
    return this.#fields.has('amount');
  }

  #fromText({ fields }: InputRow): Pick<Converted, 'body' | 'faults'> {
    const body: JsonObject = {};
    const faults = new Map<string, string>();
    for (const [given, text] of Object.entries(fields)) {
      if (typeof text !== 'string') continue;
      const name = given === 'amount' && this.#areMoney ? DECIMAL_AMOUNT : given;
      const field = this.#fields.get(name);
      const isSigned = this.areBelow && name === DECIMAL_AMOUNT;
      const value = isSigned ? withoutSign(text) : cellValue(field, text);
      if (value === undefined)
        faults.set(
          name,
          `${name} is ${quotedText(text)}, not ${whatItTakes(field, text, this.columns)}`,
        );
      else setAt(body, field?.path ?? [name], value);
    }
    return { body, faults };
  }

  /**
   * @param known the faults of fields that are missing in the body, the ISO 4217 code of the amount, and the fields that
   *   no spreadsheet changed
   */
  #check(
    body: JsonObject,
    {
      faults,
      currency,
      asWritten,
    }: Pick<Converted, 'faults' | 'asWritten'> & {
      currency: string | undefined;
    },
  ): string[] {
    const { profile, operation } = this.#options;
    const { environment } = profile;
    const { card_token: token } = body;
    const isByToken = this.#fields.has('card_token');
    if (
      isByToken &&
      environment === 'live' &&
      CARD_FIELDS.some((name) => body[name] !== undefined)
    ) {
      return ['has card details, which a batch on a live profile does not take: use card_token'];
    }
    if (typeof token === 'string' && isCardNumber(token)) {
      return ['card_token looks like a card number'];
    }
    const stray = strayCardNumbers(body, environment === 'live');
    if (stray.length > 0) return stray.map((field) => `${field} looks like a card number`);
    const named = this.#otherNames(body);
    const damaged = this.isAsWritten ? [] : damagedTexts(body, asWritten);
    if (damaged.length > 0) return damaged;
    const isLacking = this.columns.header !== undefined && this.lacking() !== undefined;
    const problems = problemsOf(this.#options.request, body)
      .filter(({ field }) => !faults.has(field) && !(isLacking && LACKED.test(field)))
      .map(({ field, problem }) => `${field} ${problem}${this.#howToMake(field, body)}`);
    problems.push(...named, ...this.#withdrawn(body, currency));
    if (faults.size + problems.length > 0) return problems;
    const above = limitFault(profile, { operation, input: { body, currency } });
    return above ? [above.what] : [];
  }

  /** @returns how a missing card or reference is given; empty for other fields, and where the line names no record */
  #howToMake(field: string, body: JsonObject): string {
    if (field === 'card' && body.card === undefined) return `: add ${this.#cardColumns()}`;
    const isMade = field === 'reference' && body.reference === undefined;
    if (!isMade || targetOf(this.#options.operation, { body }) === null) return '';
    return ': --reference-prefix REFUND makes one for each line';
  }

  /** @returns the problem of each text that names another record than the one with this id */
  #otherNames(body: JsonObject): string[] {
    return Object.entries(NAMED).flatMap(([field, kind]) => {
      const text = String(body[field]);
      const { ids = [], by } = this.#named.get(`${field} ${text}`) ?? {};
      if (ids.length === 0) return [];
      const what = `${field} ${quotedText(text)} names ${kind} ${ids.join(', ')}`;
      if (ids.length > 1) return [`${what}: write the id of the one that you mean`];
      const flag = by === 'reference' ? ', or add --by-reference, which takes it in all lines' : '';
      return [`${what}: write its id${flag}`];
    });
  }

  /** The profile's currency is that of a charge which names none. */
  #withdrawn(body: JsonObject, currency: string | undefined): string[] {
    if (this.#givesBack || !this.#hasAmount || saidCurrency({ body }) || !currency) return [];
    const fault = faultOfWithdrawn(currency);
    return fault === undefined ? [] : [`currency ${fault}`];
  }
}

/** @returns the first amount of a table whose amounts are all decimals, and no money otherwise; undefined for others */
function firstOfMoney(rows: Iterable<InputRow>): string | undefined {
  let first: string | undefined;
  for (const { isText, fields } of rows) {
    const { amount, [DECIMAL_AMOUNT]: decimal } = fields;
    if (amount === undefined) continue;
    if (!isText || decimal !== undefined || !/^\d+[.,]\d{1,2}$/.test(String(amount)))
      return undefined;
    first ??= String(amount);
  }
  return first;
}

/** @param areMoney whether amounts are decimals too */
function* decimalsOf(rows: Iterable<InputRow>, areMoney: boolean): Generator<string> {
  for (const { isText, fields } of rows) {
    const decimal = fields[DECIMAL_AMOUNT] ?? (areMoney ? fields.amount : undefined);
    if (isText && decimal !== undefined) yield String(decimal);
  }
}

/** @returns the problem of a line that names a customer with what else it has */
function faultBesideCustomer(body: JsonObject): string | undefined {
  if (['card_token', ...CARD_FIELDS].some((field) => body[field] !== undefined))
    return 'has a customer and a card: keep one of them';
  // Without one, another run could not know the line again once the customer has another card.
  return body.reference === undefined
    ? 'needs a reference of its own, because it names a customer'
    : undefined;
}

/** @returns the problem of each other text in place of which a spreadsheet wrote something else */
function damagedTexts(body: JsonObject, asWritten: readonly string[]): string[] {
  return flatten(body).flatMap(([name, value]) =>
    typeof value === 'string' && isOnlyOfSpreadsheets(value) && !asWritten.includes(name)
      ? `${name} is ${quotedText(value)}, which a spreadsheet writes in place of something else: write what was there, or send it with --as-written`
      : [],
  );
}

const TOTAL =
  /^(?:(?:grand|sub)[ -]?)?(?:total(?:e|s|aal)?|totaal|totaux|sum|summe|gesamt(?:summe)?|zwischensumme|suma|summa|razem)\s*:?$/i;

/** @returns whether a row of a table names nothing that it is for, and a cell says that it is the sum of others */
function isTotalRow({ cells = [] }: Converted['row'], body: JsonObject): boolean {
  const named = body[PURCHASE] ?? body.reference ?? '';
  return (named === '' || TOTAL.test(String(named))) && cells.some((cell) => TOTAL.test(cell));
}

/** An amount may be given in minor units or as a decimal. */
function withDecimal(field: string): string[] {
  return field === 'amount' ? [field, DECIMAL_AMOUNT] : [field];
}

interface Converted {
  row: Pick<InputRow, 'line' | 'cells'>;
  /** The reference of the record that the line names by it. */
  called?: string;
  body: JsonObject;
  /** The fault of each value that is not in the body, by field name. */
  faults: Map<string, string>;
  /** Fields that no spreadsheet changed. */
  asWritten: readonly string[];
}

function fromJson({ fields }: InputRow): Pick<Converted, 'body' | 'faults'> {
  return { body: withTrimmedTexts(withoutNulls(fields)), faults: new Map() };
}

/** @returns the value of a cell; undefined if the field does not accept it */
function cellValue(field: Field | undefined, text: string): Json | undefined {
  if (field?.type === 'integer')
    return /^\d{1,16}$/.test(text) && Number(text) <= MAX_AMOUNT ? Number(text) : undefined;
  if (field?.type !== 'boolean') return text;
  return /^(true|false)$/i.test(text) ? text.toLowerCase() === 'true' : undefined;
}

function whatItTakes(field: Field | undefined, text: string, columns: FieldColumns): string {
  if (field?.type === 'boolean') return 'true or false';
  if (/^-\d+$/.test(text)) return 'a number above 0';
  if (/^\d+$/.test(text)) return `a whole number up to ${MAX_AMOUNT}`;
  if (field?.path.join('.') !== 'amount') return 'a whole number';
  if (areBelow([text]))
    return 'a number above 0: write every amount without its sign, or every one with it';
  if (!isMoneyColumn([text])) return 'a whole number';
  const column = columns.header?.cells[columns.names.indexOf('amount')] ?? 'amount';
  return `a whole number of minor units; --map decimal_amount=${shellWord(column)} reads the column as money`;
}

/**
 * Replaces the decimal amount of a body by minor units.
 * @param currency ISO 4217 code that says how many decimals there are
 * @param known whether the line is known to name another currency too, why its purchase could not be seen, and the mark
 *   before the decimals of the column
 * @returns the fault of the decimal amount, if it has one
 */
function applyDecimal(
  body: JsonObject,
  currency: string | undefined,
  known: { isOther: boolean; unseen: Failure | undefined; mark: DecimalMark | undefined },
): string | undefined {
  const [name, again] = decimalsIn(body);
  if (name === undefined) return undefined;
  const first = body.amount === undefined ? again : 'amount';
  if (first !== undefined) return `has both ${first} and ${name}: keep one of them`;
  const { [name]: decimal } = body;
  if (typeof decimal !== 'string') return `${name} is not text, such as "25.00"`;
  const how = 'add a column currency, or give amount in minor units';
  if (currency === undefined && known.unseen)
    return missingFault(known.unseen) ?? `${known.unseen.message} To send it all the same, ${how}`;
  if (currency === undefined) return `${name} needs to know the currency: ${how}`;
  const other = known.isOther ? undefined : otherCurrency({ body }, currencyCode(currency));
  if (other !== undefined) return `${name} is in ${currency}, and another field says ${other}`;
  const minor = readDecimalCell(decimal, currency, known.mark);
  if (typeof minor !== 'number') return minor.what;
  body.amount = minor;
  delete body[name];
  return undefined;
}
