/**
 * The table: requests in the forms in which users of clients send them, one thing a row, with what the
 * deployed dialect answers and why the strict one refuses them. A row without a refusal is answered
 * alike in both.
 */
import { TEST_CARDS } from '../../src/contract/cards/test-cards.ts';
import * as bodies from './bodies.ts';
import type { Case, Expected } from './case.ts';
import type { ClientRequest } from './client.ts';
import { TODAY } from './gateways.ts';
import { RECORDED } from './recorded.ts';

const { customer, plan, purchase, put, refund, subscription, tokenize, tokenPurchase } = bodies;
const { CARD } = bodies;
const { card_number } = CARD;

const row = (
  title: string,
  request: ClientRequest,
  answer: Expected,
  ...refusal: readonly string[]
): Case => ({
  title,
  steps: [
    refusal.length === 0
      ? { request, answer }
      : { request, answer, strict: { status: 400, errors: refusal } },
  ],
});

const refused = (...errors: string[]): Expected => ({ status: 400, errors });
/** The deployed gateway refuses a card to store with this status, and a purchase with 400. */
const NO_CVV: Expected = { status: 422, errors: ['CVV is required'] };
const taken = (response: object = {}): Expected => ({ status: 200, response });
const made = (response: object = {}): Expected => ({ status: 201, response });
const approved = (response: object = {}) => taken({ successful: true, ...response });

const NOT_A_NUMBER = 'must be text, not a number';
const LEFT_OUT = 'must be left out where there is none';
const WHOLE = 'Amount must be a whole number, not text';
const DIGITS = 'Card number must be digits only';
const ONE_OR_THE_OTHER = 'Card token cannot be combined with card details: send one or the other';
const EXPIRY = 'Card expiry must be MM/YYYY';
const ACTIVE = 'Is active must be true or false';

const NO_CARD = ['Card number', 'Card holder', 'Card expiry'].map((f) => `${f} can't be blank`);
const NOTHING = refused("Amount can't be blank", ...NO_CARD);

const PURCHASES: readonly Case[] = [
  row('a purchase as the text has it', purchase(), approved({ currency: 'AUD', amount: 1000 })),
  row(
    'a purchase with no more than it needs',
    purchase({ customer_ip: undefined, currency: undefined }),
    approved({ currency: 'AUD' }),
  ),
  row('a CVV as a number', purchase({ cvv: 123 }), approved(), `Cvv ${NOT_A_NUMBER}`),
  {
    title: 'a purchase by card without a CVV',
    steps: [
      {
        request: purchase({ cvv: undefined }),
        answer: refused('CVV is required'),
        strict: approved(),
      },
    ],
  },
  ...[null, ''].map((cvv) =>
    row(
      `the CVV ${JSON.stringify(cvv)}`,
      purchase({ cvv }),
      refused('CVV is required'),
      `Cvv ${LEFT_OUT}`,
    ),
  ),
  ...[
    ...[true, 'true', 1].map((is_billing) => ({ is_billing })),
    ...['22', 32].map((ecm) => ({ extra: { ecm } })),
  ].map((billing) =>
    row(
      `a purchase by card without a CVV, with ${JSON.stringify(billing)}`,
      purchase({ cvv: undefined, ...billing }),
      approved(),
      `${Object.keys(billing)[0]} is no field of this request`,
    ),
  ),
  ...[{ is_billing: false }, { extra: {} }, { extra: { ecm: '' } }].map((billing) =>
    row(
      `a purchase by card without a CVV, with ${JSON.stringify(billing)}`,
      purchase({ cvv: undefined, ...billing }),
      refused('CVV is required'),
      `${Object.keys(billing)[0]} is no field of this request`,
    ),
  ),
  row(
    'a reference as a number',
    purchase({ reference: 1045 }),
    approved({ reference: '1045' }),
    `Reference ${NOT_A_NUMBER}`,
  ),
  row(
    'a reference as a number of twenty digits, all of which count',
    {
      ...purchase(),
      text: JSON.stringify(purchase().body).replace('"{new}"', '12345678901234567890'),
    },
    approved({ reference: '12345678901234567890' }),
    `Reference ${NOT_A_NUMBER}`,
  ),
  row(
    'a reference that is null',
    purchase({ reference: null }),
    approved({ reference: null }),
    `Reference ${LEFT_OUT}`,
  ),
  row(
    'a card number as a number',
    purchase({ card_number: Number(card_number) }),
    approved({ card_number: '512345XXXXXX2346' }),
    `Card number ${NOT_A_NUMBER}`,
  ),
  row(
    'a card number with spaces',
    purchase({ card_number: card_number.replaceAll(/(?<=^(?:\d{4})+)(?=\d)/g, ' ') }),
    approved({ card_number: '512345XXXXXX2346' }),
    DIGITS,
  ),
  row(
    'a card number with dashes',
    purchase({ card_number: card_number.replaceAll(/(?<=^(?:\d{4})+)(?=\d)/g, '-') }),
    approved({ card_number: '512345XXXXXX2346' }),
    DIGITS,
  ),
  row(
    'a month without a zero',
    purchase({ card_expiry: '9/2030' }),
    approved({ card_expiry: '2030-09-30' }),
    EXPIRY,
  ),
  row(
    'a year of two digits',
    purchase({ card_expiry: '09/30' }),
    approved({ card_expiry: '2030-09-30' }),
    EXPIRY,
  ),
  row(
    'a month without a zero and a year of two digits',
    purchase({ card_expiry: '9/30' }),
    approved({ card_expiry: '2030-09-30' }),
    EXPIRY,
  ),
  ...['2030/09', '0930', '09 / 30', '09.2030'].map((card_expiry) =>
    row(
      `the expiry ${card_expiry}`,
      purchase({ card_expiry }),
      approved({ card_expiry: '2030-09-30' }),
      EXPIRY,
    ),
  ),
  row(
    'an expiry as answers have it',
    purchase({ card_expiry: '2030-09-30' }),
    approved({ card_expiry: '2030-09-30' }),
    EXPIRY,
  ),
  row(
    'an amount as text',
    purchase({ amount: '100' }),
    approved({ amount: 100, decimal_amount: 1 }),
    WHOLE,
  ),
  row(
    'an amount that is there twice',
    {
      ...purchase(),
      text: JSON.stringify(purchase({ amount: undefined }).body).replace(
        '{',
        '{"amount":1,"amount":1000,',
      ),
    },
    approved({ amount: 1000 }),
    'Request body has the field amount twice, the second time at character 13',
  ),
  row('an amount whose decimal no double holds', purchase({ amount: 9007199254740991 }), {
    ...refused('Amount is above 999999999999999'),
    response: { amount: 9007199254740991, decimal_amount: 90071992547409.91 },
  }),
  row(
    'an amount that was computed in floats',
    purchase({ amount: 1998.9999999999998 }),
    refused('Amount is invalid'),
  ),
  row(
    'an amount as a decimal number in text, which is never multiplied',
    purchase({ amount: '10.00' }),
    approved({ amount: 10, decimal_amount: 0.1 }),
    WHOLE,
  ),
  row(
    'an amount with a point and nothing behind it',
    { ...purchase(), text: JSON.stringify(purchase().body).replace('1000', '1000.00') },
    approved({ amount: 1000 }),
  ),
  row(
    'an address that is null',
    purchase({ customer_ip: null }),
    approved(),
    `Customer ip ${LEFT_OUT}`,
  ),
  row('an empty address', purchase({ customer_ip: '' }), approved(), `Customer ip ${LEFT_OUT}`),
  row(
    'an address that is not known',
    purchase({ customer_ip: 'UNKNOWN' }),
    approved(),
    'Customer ip must be left out where it is not known',
  ),
  row(
    'a currency that is null',
    purchase({ currency: null }),
    approved({ currency: 'AUD' }),
    `Currency ${LEFT_OUT}`,
  ),
  row(
    'an empty currency',
    purchase({ currency: '' }),
    approved({ currency: 'AUD' }),
    `Currency ${LEFT_OUT}`,
  ),
  row(
    'a currency in lower case',
    purchase({ currency: 'aud' }),
    approved({ currency: 'AUD' }),
    'Currency must be in capitals',
  ),
  row(
    'a token that is null beside a card',
    purchase({ card_token: null }),
    approved(),
    `Card token ${LEFT_OUT}`,
  ),
  row(
    'an empty token beside a card',
    purchase({ card_token: '' }),
    approved(),
    `Card token ${LEFT_OUT}`,
  ),
  ...[
    CARD,
    { card_number },
    { card_holder: 'Ann Example' },
    { card_expiry: CARD.card_expiry, cvv: '123' },
  ].map((details) =>
    row(
      `a purchase with a token and ${Object.keys(details).join(', ')}`,
      tokenPurchase(details),
      refused(ONE_OR_THE_OTHER),
    ),
  ),
  row('a purchase by token', tokenPurchase(), approved()),
  row('a purchase by token with a CVV', tokenPurchase({ cvv: '123' }), approved()),
  row('a purchase by alias', tokenPurchase({ card_token: 'ann' }), approved()),
  row(
    'nulls for the card beside a token',
    tokenPurchase({ card_number: null, card_holder: null, card_expiry: null, cvv: null }),
    approved(),
    ...['Card number', 'Card holder', 'Card expiry', 'Cvv'].map((field) => `${field} ${LEFT_OUT}`),
  ),
  row(
    'fields that the text does not have',
    purchase({ test: true, capture: true, metadata: { order: 7 }, extra: { ecm: '22' } }),
    approved({ captured: true, captured_amount: 1000, metadata: { order: 7 } }),
    ...['test', 'capture', 'metadata', 'extra'].map(
      (field) => `${field} is no field of this request`,
    ),
  ),
  ...[false, 'false', 0].flatMap((capture) =>
    [purchase, tokenPurchase].map((make) =>
      row(
        `a purchase with ${make === purchase ? 'a card' : 'a token'}, only authorised: ${JSON.stringify(capture)}`,
        make({ capture }),
        approved({ message: 'Approved', ...RECORDED['not captured'] }),
        'capture is no field of this request',
      ),
    ),
  ),
  row(
    'a capture that is neither yes nor no',
    purchase({ capture: 'later' }),
    refused('Capture is invalid'),
    'capture is no field of this request',
  ),
  row(
    'a currency that is none',
    purchase({ currency: 'xxz' }),
    {
      status: 200,
      response: { ...RECORDED['rejected purchase'], decimal_amount: 10 },
      errors: ['Currency XXZ is not valid for this merchant'],
    },
    ...['Currency must be in capitals', 'Currency is invalid'],
  ),
  row(
    'several things that are forgiven',
    purchase({ cvv: 123, currency: 'usd', card_expiry: '9/2030', amount: '250' }),
    approved({ currency: 'USD', amount: 250, card_expiry: '2030-09-30' }),
    `Cvv ${NOT_A_NUMBER}`,
    'Currency must be in capitals',
    EXPIRY,
    WHOLE,
  ),
  row(
    'a card that is declined',
    purchase({ card_number: TEST_CARDS['declined-visa'].card_number }),
    taken({ successful: false }),
  ),
  row(
    'an amount that is declined',
    purchase({ card_number: TEST_CARDS['by-amount'].card_number, amount: 151 }),
    taken({ successful: false }),
  ),
  row('an amount that is null', purchase({ amount: null }), refused("Amount can't be blank")),
  row('an empty amount', purchase({ amount: '' }), refused("Amount can't be blank")),
  ...[
    'ten',
    '10,00',
    '19.99',
    '10.0.0',
    '1e3',
    '$5',
    '-5',
    '0x10',
    [100],
    { value: 100 },
    true,
    10.5,
  ].map((amount) =>
    row(
      `an amount of ${JSON.stringify(amount)}`,
      purchase({ amount }),
      refused('Amount is invalid'),
    ),
  ),
  row('an amount of zero', purchase({ amount: 0 }), refused('Amount must be 1 or more')),
  row('an empty card number', purchase({ card_number: '' }), refused("Card number can't be blank")),
  row(
    'a card number with a wrong digit',
    purchase({ card_number: `${card_number.slice(0, -1)}0` }),
    refused('Invalid Card Number'),
  ),
  row(
    'a card number with letters in it',
    purchase({ card_number: `x${card_number}` }),
    refused('Invalid Card Number'),
  ),
  row(
    'a card holder that is null',
    purchase({ card_holder: null }),
    refused("Card holder can't be blank"),
  ),
  row(
    'an expiry that cannot be',
    purchase({ card_expiry: '13/2030' }),
    refused('Card expiry is invalid'),
  ),
  row(
    'a token that nobody has',
    tokenPurchase({ card_token: 'tok123' }),
    refused('Card tok123 could not be found'),
  ),
  row('a purchase of nothing, all of which is named', { ...purchase(), text: '{}' }, NOTHING),
  row('a purchase without a body', { ...purchase(), text: '' }, NOTHING),
  ...['[]', 'null'].map((text) =>
    row(
      `a purchase that is ${text}`,
      { ...purchase(), text },
      NOTHING,
      'Request body is not a JSON object',
    ),
  ),
  ...['"purchase"', '[1]', '{"amount":', 'amount=1000'].map((text) =>
    row(`a purchase that is ${text}`, { ...purchase(), text }, { status: 400 }),
  ),
];

const REFUNDS: readonly Case[] = [
  row('a refund as the text has it', refund(), approved({ amount: -100, refunded: 'Approved' })),
  row(
    'a refund of an amount as text',
    refund({ amount: '100' }),
    approved({ amount: -100 }),
    WHOLE,
  ),
  row(
    'a refund of a decimal number in text',
    refund({ amount: '5.00' }),
    approved({ amount: -5 }),
    WHOLE,
  ),
  row(
    'a refund with a number as its reference',
    refund({ reference: 77 }),
    approved(),
    `Reference ${NOT_A_NUMBER}`,
  ),
  row(
    'a refund without a reference',
    refund({ reference: null }),
    refused("Reference can't be blank"),
  ),
  row(
    'a refund by the reference of a purchase, which is never guessed',
    refund({ transaction_id: 'ORDER-1' }),
    refused('Original transaction could not be found'),
  ),
  row(
    'a refund of what is null, all of which is named',
    refund({ transaction_id: null, amount: null, reference: '' }),
    refused(...['Transaction id', 'Amount', 'Reference'].map((field) => `${field} can't be blank`)),
  ),
  row(
    'a refund with fields that the text does not have',
    refund({ test: true, metadata: { why: 'broken' } }),
    approved({ metadata: { why: 'broken' }, currency: 'AUD', reference: '{new}' }),
    ...['test', 'metadata'].map((field) => `${field} is no field of this request`),
  ),
];

const CARDS: readonly Case[] = [
  row('a card as the text has it', tokenize(), taken({ card_number: '512345XXXXXX2346' })),
  row('a card whose CVV is a number', tokenize({ cvv: 123 }), taken(), `Cvv ${NOT_A_NUMBER}`),
  row('a card whose CVV is null', tokenize({ cvv: null }), NO_CVV, `Cvv ${LEFT_OUT}`),
  row(
    'a card as it is written on plastic',
    tokenize({ card_number: '5123 4567 8901 2346', card_expiry: '5/31' }),
    taken({ card_number: '512345XXXXXX2346', card_expiry: '2031-05-31' }),
    DIGITS,
    EXPIRY,
  ),
  row('a card whose alias is null', tokenize({ alias: null }), taken(), `Alias ${LEFT_OUT}`),
  row(
    'an alias of another card',
    tokenize({ alias: 'ann' }),
    taken({ alias: 'ann', card_number: '512345XXXXXX2346' }),
  ),
  row(
    'an alias that is the token of another card',
    tokenize({ alias: '{token}' }),
    refused('Alias has already been taken'),
  ),
  {
    title: 'a card without a CVV',
    steps: [{ request: tokenize({ cvv: undefined }), answer: NO_CVV, strict: taken() }],
  },
  row('a card whose CVV is blank', tokenize({ cvv: ' ' }), NO_CVV, `Cvv ${LEFT_OUT}`),
  ...[
    ...[true, 'true', 1].map((is_billing) => ({ is_billing })),
    ...['22', 32].map((ecm) => ({ extra: { ecm } })),
  ].map((billing) =>
    row(
      `a card without a CVV, with ${JSON.stringify(billing)}`,
      tokenize({ cvv: undefined, ...billing }),
      taken({ authorized: true }),
      `${Object.keys(billing)[0]} is no field of this request`,
    ),
  ),
  row(
    'a card without a CVV, with {"is_billing":false}',
    tokenize({ cvv: undefined, is_billing: false }),
    NO_CVV,
    'is_billing is no field of this request',
  ),
  {
    title: 'a card of which nothing is known, all of which is named',
    steps: [
      {
        request: tokenize({ card_holder: '', card_number: '', card_expiry: null, cvv: undefined }),
        answer: { status: 422, errors: ['CVV is required', ...NO_CARD] },
        strict: refused(...NO_CARD),
      },
    ],
  },
];

const PLANS: readonly Case[] = [
  row('a plan as the text has it', plan(), made({ amount: 1250, reference: '{new}' })),
  row('a plan whose amount is text', plan({ amount: '1200' }), made({ amount: 1200 }), WHOLE),
  row(
    'a plan whose amount is a decimal number in text',
    plan({ amount: '10.00' }),
    made({ amount: 10 }),
    WHOLE,
  ),
  row(
    'a plan whose reference is a number',
    plan({ reference: 4001 }),
    made({ reference: '4001' }),
    `Reference ${NOT_A_NUMBER}`,
  ),
  row(
    'a plan of blanks, all of which are named',
    plan({ name: '', reference: null, description: ' ', amount: null }),
    refused(
      ...['Name', 'Reference', 'Description', 'Amount'].map((field) => `${field} can't be blank`),
    ),
  ),
  row(
    'a change of a plan',
    put('plans/{plan}', { description: 'Everything' }),
    taken({ description: 'Everything', currency: 'AUD' }),
  ),
  row('a blank name for a plan', put('plans/{plan}', { name: '' }), {
    ...{ status: 501, errors: ["Name can't be blank"] },
  }),
];

const CUSTOMERS: readonly Case[] = [
  row(
    'a customer as the text has it',
    customer({ address: { address: '1 Example Street', city: 'Perth', postcode: '6000' } }),
    made({ first_name: 'Ann', address: { city: 'Perth', postcode: '6000', state: null } }),
  ),
  row(
    'a customer whose card is an empty list',
    put('customers/{customer}', { first_name: 'Ann', card: [] }),
    taken({ first_name: 'Ann' }),
    `Card ${LEFT_OUT}`,
  ),
  row(
    'a customer with a card and a token',
    customer({ card_token: '{token}' }),
    refused(ONE_OR_THE_OTHER),
    'card_token is no field of this request',
  ),
  row(
    "a customer whose card's CVV is a number",
    customer({ card: { cvv: 123 } }),
    made(),
    `Cvv ${NOT_A_NUMBER}`,
  ),
  row(
    'a customer whose card has spaces, and a month without a zero',
    customer({ card: { card_number: '5123 4567 8901 2346', expiry_date: '9/2030' } }),
    made(),
    DIGITS,
    'Expiry date must be MM/YYYY',
  ),
  row(
    'a customer whose card has no holder',
    customer({ card: { card_holder: null } }),
    made(),
    `Card holder ${LEFT_OUT}`,
  ),
  row(
    'a postcode as a number',
    customer({ address: { postcode: 6000 } }),
    made({ address: { postcode: '6000' } }),
    `Postcode ${NOT_A_NUMBER}`,
  ),
  row(
    'an address of nulls',
    customer({ address: { address: null, city: null, state: '', postcode: null, country: 'AU' } }),
    made({ address: { city: null, state: null, country: 'AU' } }),
    ...['Address', 'City', 'State', 'Postcode'].map((field) => `${field} ${LEFT_OUT}`),
  ),
  row(
    'a customer whose address is null',
    customer({ address: null }),
    made(),
    `Address ${LEFT_OUT}`,
  ),
  row('an address that is an empty list', customer({ address: [] }), made(), `Address ${LEFT_OUT}`),
  row(
    'a customer whose IP address is null',
    customer({ ip_address: null }),
    made(),
    `Ip address ${LEFT_OUT}`,
  ),
  row(
    'a customer whose reference is a number',
    customer({ reference: 5001 }),
    made({ reference: '5001' }),
    `Reference ${NOT_A_NUMBER}`,
  ),
  row(
    'a customer whose name is not ASCII',
    customer({ first_name: 'José', last_name: '李 “O’Ñandú” 👩‍👩‍👧' }),
    made({ first_name: 'José', last_name: '李 “O’Ñandú” 👩‍👩‍👧' }),
  ),
  row(
    'a customer whose reference is taken',
    customer({ reference: 'ANN' }),
    refused('Reference has already been taken'),
  ),
  row(
    'a customer of blanks, all of which are named',
    customer({ first_name: '', last_name: null, email: ' ', reference: undefined }),
    refused(
      ...['First name', 'Last name', 'Reference', 'Email'].map(
        (field) => `${field} can't be blank`,
      ),
    ),
  ),
  row(
    'a change of a customer',
    put('customers/{customer}.json', { first_name: 'Anna' }),
    taken({ first_name: 'Anna', reference: 'ANN' }),
  ),
  row(
    "a change of a customer's card, in forms that are forgiven",
    put('customers/{customer}', {
      card: { card_number: '4005-5500-0000-0001', expiry_date: '9/30', cvv: 123 },
    }),
    taken({ reference: 'ANN' }),
    DIGITS,
    'Expiry date must be MM/YYYY',
    `Cvv ${NOT_A_NUMBER}`,
  ),
  row(
    "a change of the expiry of a customer's card",
    put('customers/{customer}', { card: { expiry_date: '9/35' } }),
    taken({ reference: 'ANN' }),
    'Expiry date must be MM/YYYY',
  ),
  row(
    'a change of that expiry with nulls for the rest',
    put('customers/{customer}', {
      card: { expiry_date: '09/2035', card_number: null, card_holder: '', cvv: null },
    }),
    taken({ reference: 'ANN' }),
    ...['Card number', 'Card holder', 'Cvv'].map((field) => `${field} ${LEFT_OUT}`),
  ),
  row('a blank first name for a customer', put('customers/{customer}', { first_name: '' }), {
    ...{ status: 400, errors: ["First name can't be blank"], response: { first_name: '' } },
  }),
];

const SUBSCRIPTIONS: readonly Case[] = [
  row(
    'a subscription as the text has it',
    subscription(),
    made({ frequency: 'Weekly', start_date: '2026-04-01', is_active: true }),
  ),
  row(
    'a subscription by references',
    subscription({ customer: 'ANN', plan: 'GOLD' }),
    made({ customer: '{customer}', plan: '{plan}' }),
    // Section 2.7: the plan by reference or id, the customer by id.
    'Customer ANN could not be found',
    'ANN is a reference, and customers are looked up by id here',
  ),
  row(
    'a frequency in lower case',
    subscription({ frequency: 'weekly' }),
    made({ frequency: 'Weekly' }),
    'Frequency must be written as the interface writes it',
  ),
  row(
    'a frequency of two words in one',
    subscription({ frequency: 'BIANNUALLY' }),
    made({ frequency: 'Bi-Annually' }),
    'Frequency must be written as the interface writes it',
  ),
  row(
    'a date-time with an offset for a date',
    subscription({ start_date: '2027-01-01T00:00:00+10:00' }),
    made({ start_date: '2027-01-01' }),
    'Start date must be YYYY-MM-DD',
  ),
  row(
    'a date-time with fractions of a second for a date',
    subscription({ start_date: '2027-01-01T03:25:53.1234567+11:00' }),
    made({ start_date: '2027-01-01' }),
    'Start date must be YYYY-MM-DD',
  ),
  row(
    'a date with slashes',
    subscription({ start_date: '2027/1/1' }),
    made({ start_date: '2027-01-01' }),
    'Start date must be YYYY-MM-DD',
  ),
  row(
    'a date that cannot be',
    subscription({ start_date: '2027-02-30' }),
    refused('Start date is invalid'),
  ),
  row(
    'a subscription of which nothing is known but what it needs',
    subscription({ start_date: null, is_active: null }),
    made({ start_date: TODAY, is_active: true }),
    `Start date ${LEFT_OUT}`,
    `Is active ${LEFT_OUT}`,
  ),
  row(
    'an end that is null',
    subscription({ end_date: null }),
    made({ end_date: null }),
    `End date ${LEFT_OUT}`,
  ),
  row(
    'an end that is empty',
    subscription({ end_date: '' }),
    made({ end_date: null }),
    `End date ${LEFT_OUT}`,
  ),
  ...(
    [
      ['true', true],
      ['false', false],
      [1, true],
      [0, false],
      ['1', true],
    ] as const
  ).map(([is_active, meant]) =>
    row(
      `a subscription that is active: ${JSON.stringify(is_active)}`,
      subscription({ is_active }),
      made({ is_active: meant }),
      ACTIVE,
    ),
  ),
  row(
    'a subscription whose reference is a number',
    subscription({ reference: 6001 }),
    made({ reference: '6001' }),
    `Reference ${NOT_A_NUMBER}`,
  ),
  row(
    'a frequency that there is not',
    subscription({ frequency: 'Hourly' }),
    refused('Frequency is invalid'),
  ),
  row(
    'a subscription of blanks, all of which are named',
    subscription({ customer: '', plan: null, frequency: '', reference: undefined }),
    refused(
      ...['Customer', 'Plan', 'Frequency', 'Reference'].map((field) => `${field} can't be blank`),
    ),
  ),
  row(
    'a subscription that is stopped by text',
    put('subscriptions/{subscription}.json', { is_active: 'false' }),
    taken({ is_active: false }),
    ACTIVE,
  ),
  row(
    'a subscription that is resumed by a number',
    put('subscriptions/{subscription}', { is_active: 1 }),
    taken({ is_active: true }),
    ACTIVE,
  ),
];

const ANYWHERE: readonly Case[] = [
  ...[purchase, refund, tokenize, plan, customer, subscription].flatMap((make) =>
    ['.json', '?null', '.json?test=true'].map((ending) => {
      const { path, ...rest } = make();
      const status = [plan, customer, subscription].some((maker) => maker === make) ? 201 : 200;
      return row(`POST ${path}${ending}`, { ...rest, path: path + ending }, { status });
    }),
  ),
  row(
    'a password that is wrong',
    { ...purchase(), password: 'wrong' },
    {
      ...{ status: 401, errors: ['Username or API token is not valid'] },
    },
  ),
];

export const FORMS: readonly Case[] = [
  ...[...PURCHASES, ...REFUNDS, ...CARDS],
  ...[...PLANS, ...CUSTOMERS, ...SUBSCRIPTIONS, ...ANYWHERE],
];
