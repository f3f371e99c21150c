/**
 * The words by which banks, processors and shops name the columns of their files, in English, German, French, Spanish,
 * Italian, Dutch and the languages of Scandinavia; and the words of lines that are no payments. Accents do not count.
 *
 * Tests: test/unit/commands/reconcile/read-table.test.ts
 */

/** The meaning of a name. The cells still have to fit. */
export type NamedRole =
  | 'mark'
  | 'value_date'
  | 'date'
  | 'balance'
  | 'fee'
  | 'net'
  | 'part'
  | 'refunded'
  | 'debit'
  | 'credit'
  | 'amount'
  | 'currency'
  | 'own_reference'
  | 'reference'
  | 'words';

/** The words of each meaning. Those above win: a `Value Date` is no value, and a `Net Amount` no amount. */
const WORDS: readonly (readonly [NamedRole, string])[] = [
  [
    'mark',
    'dr cr|cr dr|debit credit|credit debit|soll haben|s h|c d|d c|af bij|debit credit indicator|indicator|sign|kennzeichen|sens',
  ],
  [
    'value_date',
    'value dat|value date|val date|valuta|valutadatum|valutadag|valutering|wertstellung|=wert|date de valeur|date valeur|fecha valor|f valor|data valuta|rentedatum|settlement date|available on|interest date|arrival date',
  ],
  [
    'date',
    'date|datum|fecha|data|dag|dato|buchungstag|bokforingsdag|bokforingsdatum|buchungsdatum|transaktionsdag|transaktionsdatum|abschlussdatum|valutadato|created|completed|posted|booked|=at',
  ],
  ['balance', 'balance|bal|saldo|solde|kontostand|=stand|running bal|bokfort saldo'],
  [
    'fee',
    'fee|fees|gebuhr|gebuhren|entgelt|entgelte|spesen|frais|commission|commissions|comision|comisiones|commissioni|avgift|kosten|charge|charges',
  ],
  ['net', 'net|netto|nett'],
  [
    'part',
    'tax|taxes|vat|gst|mwst|ust|tva|iva|btw|moms|shipping|handling|insurance|tip|tips|discount|discounts|rate|kurs|cours|cambio|koers|quantity|qty|menge|percent|einzelbetrag|ursprungsbetrag|auslagenersatz',
  ],
  [
    'refunded',
    'refunds|refunded|refund amount|refund total|erstattet|erstatteter betrag|erstattungsbetrag|montant rembourse|importe reembolsado|importo rimborsato|terugbetaald bedrag',
  ],
  [
    'debit',
    'debit|debits|debited|debet|withdrawal|withdrawals|withdrawn|money out|paid out|payment out|payments out|=out|soll|belastung|belastungen|lastschrift|ausgang|ausgabe|ausgaben|auszahlung|cargo|cargos|adeudo|salida|salidas|dare|addebiti|addebito|uscite|uttag|=uit|retrait|retraits|spent|depense|depenses',
  ],
  [
    'credit',
    'credit|credits|credited|deposit|deposits|lodgement|lodgements|money in|paid in|payment in|payments in|=in|haben|gutschrift|gutschriften|eingang|eingange|einnahme|einnahmen|einzahlung|abono|abonos|ingreso|ingresos|entrada|entradas|avere|accrediti|accredito|entrate|insattning|inkomst|recette|recettes|versement|received',
  ],
  [
    'amount',
    'amount|amt|amounts|gross|brutto|betrag|umsatz|montant|importe|importo|monto|belopp|belob|belop|bedrag|valor|value|total|sum|summe|paid',
  ],
  [
    'currency',
    'currency|curr|cur|ccy|wahrung|waehrung|devise|monnaie|moneda|divisa|munt|valutakod',
  ],
  [
    'own_reference',
    'chq|cheque|check|slip|bank reference|transaction reference|reference txn|mandat|mandate|mandatsreferenz|sammlerreferenz|end to end|verifikationsnummer|glaubiger|glaeubiger|creditor|txn',
  ],
  [
    'reference',
    'ref|reference|references|referenz|kundenreferenz|referencia|riferimento|referens|referentie|kenmerk|betalingskenmerk|invoice|rechnung|rechnungsnummer|facture|factura|fattura|faktura|order|bestellung|bestellnummer|commande|pedido|ordine',
  ],
  [
    'words',
    'description|descriptions|narrative|narration|details|detail|memo|particulars|remarks|remark|payee|payer|name|names|verwendungszweck|buchungstext|text|empfanger|auftraggeber|beguenstigter|zahlungspflichtiger|zahlungsempfanger|beschreibung|avisierungstext|mottagare|libelle|nature|concepto|descripcion|beskrivning|meddelande|causale|descrizione|omschrijving|naam|mededelingen|type|typ|status|state|category|subcategory|categories|kategorie|account|konto|kontonummer|auftragskonto|compte|cuenta|iban|bic|blz|number|email|=id|time|timezone|produkt|label|code|serial|what|info|bewegungstyp',
  ],
];

const ROLES = WORDS.map(([role, words]) => [role, words.split('|')] as const);

/** @returns the words of a name: `Reference_No` and `paidAmount` have two each, `Débit (€)` has `debit` */
export function plainWords(name: string): string {
  return name
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\d]+/gu, ' ')
    .trim();
}

/** @returns the meaning of a column's name; undefined if gw does not know it */
export function roleOfName(name: string): NamedRole | undefined {
  const words = ` ${plainWords(name)} `;
  // A short word that stands in many names, such as the `in` of `Saldo in CHF`, has to be the whole name.
  const isIn = (word: string) =>
    word.startsWith('=') ? words === ` ${word.slice(1)} ` : words.includes(` ${word} `);
  return ROLES.find(([, all]) => all.some(isIn))?.[0];
}

const SUMS = new Set(
  'total|totals|grand total|sub total|subtotal|summe|gesamt|gesamtsumme|zwischensumme|totaux|totale|totaal|summa|suma|sum'.split(
    '|',
  ),
);
const BALANCES = new Set(
  'closing balance|opening balance|ending balance|beginning balance|starting balance|balance brought forward|balance carried forward|brought forward|carried forward|saldo|endsaldo|anfangssaldo|neuer saldo|alter saldo|kontostand|abschlusssaldo|solde|nouveau solde|ancien solde|saldo final|saldo inicial|saldo finale|saldo iniziale|utgaende saldo|ingaende saldo'.split(
    '|',
  ),
);

/** Nearly every cell is something else, which this tells at once. */
const MAY_BE_TOTAL = /tot|sum|sald|sold|bal|gesam|konto|forward/i;

/** @returns what a cell alone says that its line has, instead of a payment: a sum, or a balance of the account */
export function totalIn(cell: string): 'sum' | 'balance' | undefined {
  if (!MAY_BE_TOTAL.test(cell)) return undefined;
  const [begin = ''] = plainWords(cell).split(/ (?:as of|as at|on|at|vom|am|per|au|al|for) /);
  const parts = begin.split(' ');
  while (/^\d+$/.test(parts.at(-1) ?? '')) parts.pop();
  const words = parts.join(' ');
  const names = [words, words.replace(/ (?:in )?[a-z]{3}$/, '')];
  if (names.some((name) => SUMS.has(name))) return 'sum';
  return names.some((name) => BALANCES.has(name)) ? 'balance' : undefined;
}
