/**
 * Files after the exports of banks, processors and shops, with other names in them, and the payments that they have:
 * `amount` in minor units with its sign, or on a side; `day` of the transaction; `name` as far as it has one.
 */
export interface BankFile {
  text: string;
  currency: string;
  rows: readonly BankRow[];
  /** The flags that gw needs if it cannot tell the columns of a twin, or that the rows are deposits. */
  flags?: readonly string[];
}

/** `debit 2000` and `credit 2000` are on a side; `-2000` has a sign. The currency is that of the file if none is given. */
export type BankRow = readonly [
  day: string | undefined,
  amount: string,
  name: string,
  currency?: string,
];

const SALE = 'INV-1042';

export const BANK_FILES: Readonly<Record<string, BankFile>> = {
  'Commonwealth Bank, without names': {
    currency: 'AUD',
    flags: ['--map', 'decimal_amount=column 2'],
    text: `31/03/2026,"+79.00","CARD PMT INV-1042 REF 8871","+1145.50"
30/03/2026,"-20.00","REFUND RET-7","+1066.50"
29/03/2026,"+1,045.00","Direct Credit INV-1041","+1086.50"`,
    rows: [
      ['2026-03-31', '7900', SALE],
      ['2026-03-30', '-2000', 'RET-7'],
      ['2026-03-29', '104500', 'INV-1041'],
    ],
  },
  'ANZ, without names and balance': {
    currency: 'AUD',
    text: `31/03/2026,79.00,CARD PMT INV-1042
30/03/2026,-20.00,REFUND RET-7
`,
    rows: [
      ['2026-03-31', '7900', SALE],
      ['2026-03-30', '-2000', 'RET-7'],
    ],
  },
  Westpac: {
    currency: 'AUD',
    text: `Bank Account,Date,Narrative,Debit Amount,Credit Amount,Balance,Categories,Serial
732000123456,31/03/2026,"DEPOSIT INV-1042",,79.00,1145.50,DEP,
732000123456,30/03/2026,"WITHDRAWAL RET-7",20.00,,1066.50,PAYMENT,`,
    rows: [
      ['2026-03-31', 'credit 7900', SALE],
      ['2026-03-30', 'debit 2000', 'RET-7'],
    ],
  },
  Barclays: {
    currency: 'GBP',
    text: `Number,Date,Account,Amount,Subcategory,Memo
 ,31/03/2026,20-00-00 12345678,79.00,Counter Credit,"INV-1042        BGC"
 ,30/03/2026,20-00-00 12345678,-20.00,PAYMENT,"RET-7       BBP"`,
    rows: [
      ['2026-03-31', '7900', SALE],
      ['2026-03-30', '-2000', 'RET-7'],
    ],
  },
  Lloyds: {
    currency: 'GBP',
    text: `Transaction Date,Transaction Type,Sort Code,Account Number,Transaction Description,Debit Amount,Credit Amount,Balance,
31/03/2026,FPI,'30-00-00,12345678,INV-1042,,79.00,1145.50,
30/03/2026,FPO,'30-00-00,12345678,RET-7,20.00,,1066.50,`,
    rows: [
      ['2026-03-31', 'credit 7900', SALE],
      ['2026-03-30', 'debit 2000', 'RET-7'],
    ],
  },
  'HSBC UK': {
    currency: 'GBP',
    text: `Date,Type,Description,Paid out,Paid in,Balance
31 Mar 2026,CR,INV-1042,,79.00,"1,145.50"
30 Mar 2026,)))),RET-7,20.00,,"1,066.50"`,
    rows: [
      ['2026-03-31', 'credit 7900', SALE],
      ['2026-03-30', 'debit 2000', 'RET-7'],
    ],
  },
  'Monzo, money out and in': {
    currency: 'GBP',
    text: `Transaction ID,Date,Time,Type,Name,Emoji,Category,Amount,Currency,Local amount,Local currency,Notes and #tags,Address,Receipt,Description,Category split,Money Out,Money In
tx_0001,31/03/2026,10:15:00,Faster payment,A Customer,,Income,79.00,GBP,79.00,GBP,INV-1042,,,INV-1042,,,79.00
tx_0002,30/03/2026,11:15:00,Faster payment,A Customer,,Transfers,-20.00,GBP,-20.00,GBP,RET-7,,,RET-7,,-20.00,`,
    rows: [
      ['2026-03-31', 'credit 7900', SALE],
      ['2026-03-30', 'debit 2000', 'RET-7'],
    ],
  },
  'Sparkasse, CSV-CAMT': {
    currency: 'EUR',
    text: `"Auftragskonto";"Buchungstag";"Valutadatum";"Buchungstext";"Verwendungszweck";"Glaeubiger ID";"Mandatsreferenz";"Kundenreferenz (End-to-End)";"Sammlerreferenz";"Lastschrift Ursprungsbetrag";"Auslagenersatz Ruecklastschrift";"Beguenstigter/Zahlungspflichtiger";"Kontonummer/IBAN";"BIC (SWIFT-Code)";"Betrag";"Waehrung";"Info"
"DE00123456780000000001";"31.03.26";"31.03.26";"GUTSCHR. UEBERWEISUNG";"INV-1042 Danke";"";"";"NOTPROVIDED";"";"";"";"A Kunde";"DE00000000000000000002";"ABCDDEFFXXX";"1.079,00";"EUR";"Umsatz gebucht"
"DE00123456780000000001";"30.03.26";"30.03.26";"ONLINE-UEBERWEISUNG";"RET-7";"";"";"";"";"";"";"A Kunde";"DE00000000000000000002";"ABCDDEFFXXX";"-20,00";"EUR";"Umsatz gebucht"`,
    rows: [
      ['2026-03-31', '107900', SALE],
      ['2026-03-30', '-2000', 'RET-7'],
    ],
  },
  DKB: {
    currency: 'EUR',
    text: `"Girokonto";"DE00123456780000000001"
"Zeitraum:";"01.03.2026 - 31.03.2026"
"Kontostand vom 31.03.2026:";"1.145,50 €"
""
"Buchungsdatum";"Wertstellung";"Status";"Zahlungspflichtige*r";"Zahlungsempfänger*in";"Verwendungszweck";"Umsatztyp";"IBAN";"Betrag (€)";"Gläubiger-ID";"Mandatsreferenz";"Kundenreferenz"
"31.03.26";"31.03.26";"Gebucht";"A Kunde";"Laden";"INV-1042";"Eingang";"DE00000000000000000002";"79";"";"";""
"30.03.26";"30.03.26";"Gebucht";"Laden";"A Kunde";"RET-7";"Ausgang";"DE00000000000000000002";"-20,50";"";"";""`,
    rows: [
      ['2026-03-31', '7900', SALE],
      ['2026-03-30', '-2050', 'RET-7'],
    ],
  },
  'Deutsche Bank, Soll and Haben': {
    currency: 'EUR',
    text: `Umsätze Girokonto;;;;;;;;;;;;;;;;;
01.03.2026 - 31.03.2026
Letzter Kontostand;;;;1.066,50;EUR
Buchungstag;Wert;Umsatzart;Begünstigter / Auftraggeber;Verwendungszweck;IBAN / Kontonummer;BIC;Kundenreferenz;Mandatsreferenz;Gläubiger ID;Fremde Gebühren;Betrag;Abweichender Empfänger;Anzahl der Aufträge;Anzahl der Schecks;Soll;Haben;Währung
31.03.2026;31.03.2026;SEPA Überweisung von;A Kunde;INV-1042;DE00;ABCDDEFF;;;;;;;;;;79,00;EUR
30.03.2026;30.03.2026;SEPA Überweisung an;A Kunde;RET-7;DE00;ABCDDEFF;;;;;;;;;-20,00;;EUR
Kontostand;31.03.2026;;;1.145,50;EUR`,
    rows: [
      ['2026-03-31', 'credit 7900', SALE],
      ['2026-03-30', 'debit 2000', 'RET-7'],
    ],
  },
  'a sum at the end in German': {
    currency: 'EUR',
    text: `Datum;Rechnung;Betrag\n31.03.2026;INV-1042;1.234,50\n30.03.2026;RET-7;-20,00\n;;\n;Summe;1.214,50\n`,
    rows: [
      ['2026-03-31', '123450', SALE],
      ['2026-03-30', '-2000', 'RET-7'],
    ],
  },
  'BNP Paribas': {
    currency: 'EUR',
    text: `Compte de chèques;**** 1234;31/03/2026;;1 145,50
Date operation;Date valeur;Libelle operation;Montant
31/03/2026;01/04/2026;VIR SEPA RECU INV-1042;1 079,00
30/03/2026;30/03/2026;VIR SEPA EMIS RET-7;-20,00`,
    rows: [
      ['2026-03-31', '107900', SALE],
      ['2026-03-30', '-2000', 'RET-7'],
    ],
  },
  'Crédit Agricole': {
    currency: 'EUR',
    text: `Téléchargement du 01/04/2026;

Compte Courant carte n° 1234;
Solde au 31/03/2026 1 145,50 €

Liste des opérations du compte entre le 01/03/2026 et le 31/03/2026;
Date;Libellé;Débit euros;Crédit euros;
31/03/2026;"VIREMENT EN VOTRE FAVEUR
INV-1042";;1\u00a0079,00;
30/03/2026;"VIREMENT EMIS
RET-7";20,00;;`,
    rows: [
      ['2026-03-31', 'credit 107900', SALE],
      ['2026-03-30', 'debit 2000', 'RET-7'],
    ],
  },
  UBS: {
    currency: 'CHF',
    text: `Kontonummer:;0200 00123456.01;
IBAN:;CH00 0020 0200 1234 5601 J;
Von:;2026-03-01;
Bis:;2026-03-31;
Anfangssaldo:;1000.00;
Schlusssaldo:;2145.50;
Bewertet in:;CHF;
Anzahl Transaktionen in diesem Zeitraum:;2;

Abschlussdatum;Abschlusszeit;Buchungsdatum;Valutadatum;Währung;Belastung;Gutschrift;Einzelbetrag;Saldo;Transaktions-Nr.;Beschreibung1;Beschreibung2;Beschreibung3;Fussnoten;
2026-03-31;10:15:00;2026-03-31;2026-03-31;CHF;;1'079.00;;2145.50;9930000AB1;"A Kunde";"Gutschrift";"Zahlungsgrund: INV-1042";;
2026-03-30;11:15:00;2026-03-30;2026-03-30;CHF;-20.00;;;1066.50;9930000AB2;"A Kunde";"Zahlung";"RET-7";;`,
    rows: [
      ['2026-03-31', 'credit 107900', SALE],
      ['2026-03-30', 'debit 2000', 'RET-7'],
    ],
  },
  PostFinance: {
    currency: 'CHF',
    text: `Datum von:;="01.03.2026"
Datum bis:;="31.03.2026"
Buchungsart:;="Alle Buchungen"
Konto:;="CH0009000000123456789"
Währung:;="CHF"

Datum;Bewegungstyp;Avisierungstext;Gutschrift in CHF;Lastschrift in CHF;Label;Kategorie;Valuta;Saldo in CHF
31.03.2026;Gutschrift;"GIRO INV-1042";79.00;;;Einnahmen;31.03.2026;1145.50
30.03.2026;Lastschrift;"GIRO RET-7";;-20.00;;Ausgaben;30.03.2026;

Disclaimer:
Der Dokumentinhalt wurde durch Filtereinstellungen der Kundinnen und Kunden generiert.`,
    rows: [
      ['2026-03-31', 'credit 7900', SALE],
      ['2026-03-30', 'debit 2000', 'RET-7'],
    ],
  },
  Swedbank: {
    currency: 'SEK',
    text: `* Transaktioner Period 2026-03-01-2026-03-31 Skapad 2026-04-01 09:00 CEST
Radnummer,Clearingnummer,Kontonummer,Produkt,Valuta,Bokföringsdag,Transaktionsdag,Valutadag,Referens,Beskrivning,Belopp,Bokfört saldo
1,80000,123456789,"Företagskonto","SEK",2026-03-31,2026-03-30,2026-03-31,"INV-1042","Bg-inbetalning",790.00,11450.50
2,80000,123456789,"Företagskonto","SEK",2026-03-30,2026-03-30,2026-03-30,"RET-7","Överföring",-200.00,10660.50`,
    rows: [
      ['2026-03-31', '79000', SALE],
      ['2026-03-30', '-20000', 'RET-7'],
    ],
  },
  SEB: {
    currency: 'SEK',
    text: `Bokföringsdatum;Valutadatum;Verifikationsnummer;Text/mottagare;Belopp;Saldo
2026-03-31;2026-03-31;5490990001;INV-1042;1 790,00;11 450,50
2026-03-30;2026-03-30;5490990002;RET-7;-200,00;9 660,50`,
    rows: [
      ['2026-03-31', '179000', SALE],
      ['2026-03-30', '-20000', 'RET-7'],
    ],
  },
  HDFC: {
    currency: 'INR',
    text: `Date     ,Narration                ,Value Dat,Debit Amount       ,Credit Amount      ,Chq/Ref Number   ,Closing Balance
  31/03/26  ,UPI-A CUSTOMER-INV-1042,31/03/26,           0.00    ,      1,00,079.00    ,0000608012345678  ,     2,11,145.50
  30/03/26  ,NEFT DR-A CUSTOMER-RET-7,30/03/26,          20.00    ,             0.00    ,0000608012345679  ,     1,11,066.50
`
      .replaceAll('1,00,079.00', '"1,00,079.00"')
      .replaceAll('2,11,145.50', '"2,11,145.50"')
      .replaceAll('1,11,066.50', '"1,11,066.50"'),
    rows: [
      ['2026-03-31', 'credit 10007900', SALE],
      ['2026-03-30', 'debit 2000', 'RET-7'],
    ],
  },
  ICICI: {
    currency: 'INR',
    text: `,,DETAILED STATEMENT,,,,,,
,,,,,,,,
,Account Number,,000012345678 ( INR ),,,,,
,Transaction Period,,From 01/03/2026 To 31/03/2026,,,,,
,,,,,,,,
,S No.,Value Date,Transaction Date,Cheque Number,Transaction Remarks,Withdrawal Amount (INR ),Deposit Amount (INR ),Balance (INR )
,1,31/03/2026,31/03/2026,-,UPI/INV-1042/A Customer,0,79.00,1145.50
,2,30/03/2026,30/03/2026,-,NEFT-RET-7,20.00,0,1066.50`,
    rows: [
      ['2026-03-31', 'credit 7900', SALE],
      ['2026-03-30', 'debit 2000', 'RET-7'],
    ],
  },
  'State Bank of India, DR and CR': {
    currency: 'INR',
    text: `Txn Date,Description,Ref No./Cheque No.,Amount,Dr/Cr,Balance
31 Mar 2026,BY TRANSFER INV-1042,UTR123,"1,079.00",CR,"1,145.50 CR"
30 Mar 2026,TO TRANSFER RET-7,UTR124,20.00,DR,"1,066.50 CR"`,
    rows: [
      ['2026-03-31', 'credit 107900', SALE],
      ['2026-03-30', 'debit 2000', 'RET-7'],
    ],
  },
  Chase: {
    currency: 'USD',
    text: `Details,Posting Date,Description,Amount,Type,Balance,Check or Slip #
CREDIT,03/31/2026,"ORIG CO NAME:SHOP INV-1042",79.00,ACH_CREDIT,1145.50,,
DEBIT,03/30/2026,"REFUND RET-7",-20.00,ACH_DEBIT,1066.50,,`,
    rows: [
      ['2026-03-31', '7900', SALE],
      ['2026-03-30', '-2000', 'RET-7'],
    ],
  },
  'Bank of America': {
    currency: 'USD',
    text: `Description,,Summary Amt.
Beginning balance as of 03/01/2026,,"1,086.50"
Total credits,,"79.00"
Total debits,,"-20.00"
Ending balance as of 03/31/2026,,"1,145.50"

Date,Description,Amount,Running Bal.
03/01/2026,Beginning balance as of 03/01/2026,,"1,086.50"
03/30/2026,"REFUND RET-7","-20.00","1,066.50"
03/31/2026,"DES:INV-1042","79.00","1,145.50"`,
    rows: [
      ['2026-03-30', '-2000', 'RET-7'],
      ['2026-03-31', '7900', SALE],
    ],
  },
  'Wells Fargo, without names': {
    currency: 'USD',
    text: `"03/31/2026","79.00","*","","DEPOSIT INV-1042"
"03/30/2026","-20.00","*","","REFUND RET-7"`,
    rows: [
      ['2026-03-31', '7900', SALE],
      ['2026-03-30', '-2000', 'RET-7'],
    ],
  },
  BBVA: {
    currency: 'EUR',
    text: `Fecha;F. Valor;Concepto;Cargo;Abono;Divisa;Saldo
31/03/2026;31/03/2026;Transferencia INV-1042;;79,00;EUR;1.145,50
30/03/2026;30/03/2026;Transferencia RET-7;20,00;;EUR;1.066,50`,
    rows: [
      ['2026-03-31', 'credit 7900', SALE],
      ['2026-03-30', 'debit 2000', 'RET-7'],
    ],
  },
  'ING in Dutch': {
    currency: 'EUR',
    text: `"Datum";"Naam / Omschrijving";"Rekening";"Tegenrekening";"Code";"Af Bij";"Bedrag (EUR)";"Mutatiesoort";"Mededelingen";"Saldo na mutatie";"Tag"
"20260331";"A Klant";"NL00INGB0000000001";"NL00INGB0000000002";"OV";"Bij";"79,00";"Overschrijving";"INV-1042";"1145,50";""
"20260330";"A Klant";"NL00INGB0000000001";"NL00INGB0000000002";"OV";"Af";"20,00";"Overschrijving";"RET-7";"1066,50";""`,
    rows: [
      ['2026-03-31', 'credit 7900', SALE],
      ['2026-03-30', 'debit 2000', 'RET-7'],
    ],
  },
  'Intesa Sanpaolo': {
    currency: 'EUR',
    text: `Data contabile;Data valuta;Descrizione;Addebiti;Accrediti
31.03.2026;31.03.2026;Bonifico INV-1042;;1.079,00
30.03.2026;30.03.2026;Bonifico RET-7;-20,00;
;;Totale;-20,00;1.079,00`,
    rows: [
      ['2026-03-31', 'credit 107900', SALE],
      ['2026-03-30', 'debit 2000', 'RET-7'],
    ],
  },
  'PayPal, in two currencies': {
    currency: 'AUD',
    text: `\ufeff"Date","Time","TimeZone","Name","Type","Status","Currency","Gross","Fee","Net","From Email Address","To Email Address","Transaction ID","Item Title","Invoice Number","Custom Number","Quantity","Receipt ID","Balance"
"31/03/2026","10:15:00","AEDT","A Customer","Express Checkout Payment","Completed","AUD","1,079.00","-2.35","1,076.65","a@example.com","shop@example.com","1AB23456CD789012E","Shoes","INV-1042","","1","","2,222.15"
"30/03/2026","11:15:00","AEDT","A Customer","Payment Refund","Completed","AUD","-20.00","0.30","-19.70","shop@example.com","a@example.com","1AB23456CD789013E","Shoes","RET-7","","1","","1,145.50"
"29/03/2026","11:15:00","AEDT","A Customer","Express Checkout Payment","Completed","JPY","1,500","-60","1,440","a@example.com","shop@example.com","1AB23456CD789014E","Shoes","INV-9","","1","","1,440"`.slice(
      1,
    ),
    rows: [
      ['2026-03-31', '107900', SALE],
      ['2026-03-30', '-2000', 'RET-7'],
      ['2026-03-29', '1500', 'INV-9', 'JPY'],
    ],
  },
  'Stripe, balance': {
    currency: 'USD',
    text: `id,Type,Source,Amount,Fee,Destination Platform Fee,Net,Currency,Created (UTC),Available On (UTC),Description,Transfer,Transfer Date (UTC),Transfer Group,order_id (metadata)
txn_1Aaaaaaaaaaaaaaaaaaaaaaa,charge,ch_1Aaaaaaaaaaaaaaaaaaaaaaa,79.00,2.59,,76.41,usd,2026-03-31 10:15,2026-04-02 00:00,Shoes,po_1Aaaaaaaaaaaaaaaaaaaaaaa,2026-04-02 00:00,,INV-1042
txn_1Bbbbbbbbbbbbbbbbbbbbbbb,refund,re_1Bbbbbbbbbbbbbbbbbbbbbbb,-20.00,0.00,,-20.00,usd,2026-03-30 11:15,2026-03-30 11:15,REFUND FOR CHARGE,po_1Aaaaaaaaaaaaaaaaaaaaaaa,2026-04-02 00:00,,RET-7`,
    rows: [
      ['2026-03-31', '7900', SALE],
      ['2026-03-30', '-2000', 'RET-7'],
    ],
  },
  'Stripe, payouts': {
    currency: 'USD',
    flags: ['--by', 'settlement-day'],
    text: `id,Amount,Created (UTC),Arrival Date (UTC),Balance Transaction - Amount,Balance Transaction - Currency,Balance Transaction - Fee,Currency,Destination,Description,Status,Type
po_1Aaaaaaaaaaaaaaaaaaaaaaa,1076.41,2026-03-31 10:15,2026-04-02 00:00,-1076.41,usd,0.00,usd,ba_1A,STRIPE PAYOUT,paid,bank_account
po_1Bbbbbbbbbbbbbbbbbbbbbbb,500.00,2026-03-30 11:15,2026-04-01 00:00,-500.00,usd,0.00,usd,ba_1A,STRIPE PAYOUT,paid,bank_account
po_1Ccccccccccccccccccccccc,250.50,2026-03-29 11:15,2026-03-31 00:00,-250.50,usd,0.00,usd,ba_1A,STRIPE PAYOUT,paid,bank_account`,
    rows: [
      ['2026-03-31', '107641', ''],
      ['2026-03-30', '50000', ''],
      ['2026-03-29', '25050', ''],
    ],
  },
  Revolut: {
    currency: 'EUR',
    text: `Type,Product,Started Date,Completed Date,Description,Amount,Fee,Currency,State,Balance
TOPUP,Current,2026-03-31 10:15:00,2026-03-31 10:16:00,Payment INV-1042,79.00,0.00,EUR,COMPLETED,1145.50
TRANSFER,Current,2026-03-30 11:15:00,2026-03-30 11:16:00,To A Customer RET-7,-20.00,0.00,EUR,COMPLETED,1066.50`,
    rows: [
      ['2026-03-31', '7900', SALE],
      ['2026-03-30', '-2000', 'RET-7'],
    ],
  },
  'Shopify, a shop': {
    currency: 'USD',
    text: `Transaction Date,Type,Order,Card Brand,Card Source,Payout Status,Payout Date,Available On,Amount,Fee,Net,Checkout,Payment Method Name,Presentment Amount,Presentment Currency,Currency
2026-03-31 10:15:00 -0400,charge,INV-1042,visa,online,paid,2026-04-02,2026-04-02,79.00,2.59,76.41,#1,card,79.00,USD,USD
2026-03-30 11:15:00 -0400,refund,RET-7,visa,online,paid,2026-04-02,2026-04-02,-20.00,0.00,-20.00,#2,card,-20.00,USD,USD`,
    rows: [
      ['2026-03-31', '7900', SALE],
      ['2026-03-30', '-2000', 'RET-7'],
    ],
  },
  'a sheet of a person, with days as numbers': {
    currency: 'AUD',
    text: `Date, Invoice No., "Amount"\n46112, INV-1042, "$1,079.00"\n46111, RET-7, "($20.00)"\nTotal,, "$1,059.00"\n`,
    rows: [
      ['2026-03-31', '107900', SALE],
      ['2026-03-30', '-2000', 'RET-7'],
    ],
  },
  'pages with the names again': {
    currency: 'AUD',
    text: `Date\tReference\tWithdrawals\tDeposits\n31/03/2026\tINV-1042\t\tA$79.00\nDate\tReference\tWithdrawals\tDeposits\n30/03/2026\tRET-7\tA$20.00\t\nClosing balance\t\t\tA$1,145.50\n`,
    rows: [
      ['2026-03-31', 'credit 7900', SALE],
      ['2026-03-30', 'debit 2000', 'RET-7'],
    ],
  },
};
