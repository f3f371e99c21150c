/** What is asked of a person, and what is said when there is none. */
import { describe, expect, test } from 'vitest';
import { mayAsk } from '../../../src/flags/may-ask.ts';
import { createTestHost, runCommand, type TestHostOptions } from '../../helpers/cli.ts';

const GATEWAY = {
  GW_USERNAME: 'shop',
  GW_API_TOKEN: 'secret-token',
  GW_BASE_URL: 'https://gateway.example',
  GW_ENVIRONMENT: 'sandbox',
};

/** @returns what was asked, and the body that would have been sent */
async function dryRun(command: string, options: TestHostOptions = {}) {
  const argv = [...command.split(' '), '--dry-run'];
  const result = await runCommand('fast path', argv, { env: GATEWAY, ...options });
  const shown = result.stdout === '' ? {} : (JSON.parse(result.stdout) as { body?: unknown });
  return { ...result, asked: result.host.asked, body: shown.body };
}

const CARD_QUESTIONS = [
  'Card number (not shown):',
  'Name on the card:',
  'Expiry (MM/YYYY):',
  'CVV (not shown; empty when there is none):',
];
const CARD_ANSWERS = ['5123 4567-8901 2346', 'Ada', '05/2031', ''];
const masked = { card_number: '512345XXXXXX2346', card_holder: 'Ada', card_expiry: '05/2031' };

describe('a person at a terminal', () => {
  test('a person at a terminal is asked for the card and for what is required, and for nothing else', async () => {
    const answers = [...CARD_ANSWERS, '2500'];
    const { asked, body } = await dryRun('purchase create --reference INV-1', { answers });
    expect(asked).toEqual([...CARD_QUESTIONS, 'Amount (minor units: 2500 is 25.00):']);
    expect(body).toEqual({ ...masked, amount: 2500, reference: 'INV-1' });
  });

  test('a person at a terminal is told what is wrong with an answer, and asked again', async () => {
    const answers = [
      ...['5123456789012345', '5123456789012346'],
      ...['  ', 'Ada'],
      ...['5/31', '13/2031', '05/2031'],
      ...['12', '123'],
      ...['25.00', '0', '-1', '1e3', '99999999999999999', '2500'],
    ];
    const { asked, body } = await dryRun('purchase create', { answers });
    expect(asked.filter((text) => !/[:]$/.test(text))).toEqual([
      'Not a valid card number: check the digits',
      "Can't be blank",
      ...Array(2).fill('Write it as MM/YYYY, for example 05/2031'),
      'Three or four digits',
      ...Array(5).fill('A whole number from 1 to 999999999999999'),
    ]);
    expect(body).toEqual({ ...masked, amount: 2500, cvv: '***' });
  });

  test('a person at a terminal is asked for no card when there is a token', async () => {
    const { asked } = await dryRun('purchase create --card-token tok', { answers: ['1'] });
    expect(asked).toEqual(['Amount (minor units: 2500 is 25.00):']);
  });

  test('a person at a terminal is asked for the CVV of a customer until there is one', async () => {
    const command = 'customer create --first-name A --last-name B --reference C --email e';
    const answers = ['5123456789012346', 'Ada', '05/2031', '', '123'];
    const { asked, body } = await dryRun(command, { answers });
    expect(asked.slice(-2)).toEqual(['CVV (not shown):', 'Three or four digits']);
    expect(body).toMatchObject({ card: { expiry_date: '05/2031', cvv: '***' } });
  });

  test('a person at a terminal who gives the number of a new card is asked for what it needs', async () => {
    const command = 'customer update 071-C-1 --card-number 5123456789012346';
    const { asked, body } = await dryRun(command, { answers: ['05/2031', '', '123'] });
    expect(asked).toEqual(['Expiry (MM/YYYY):', 'CVV (not shown):', 'Three or four digits']);
    expect(body).toEqual({
      card: { card_number: '512345XXXXXX2346', expiry_date: '05/2031', cvv: '***' },
    });
  });

  test.each(['--expiry-date 09/2035', '--card-holder Ada', '--city Perth'])(
    'a person at a terminal, on a live profile too, is asked for no card beside %s',
    async (flags) => {
      const env = { ...GATEWAY, GW_ENVIRONMENT: 'live' };
      const { asked } = await dryRun(`customer update 071-C-1 ${flags}`, { answers: [], env });
      expect(asked).toEqual([]);
    },
  );

  test('a person at a terminal is asked for every required field of a plan, in the order of the interface', async () => {
    const { asked, body } = await dryRun('plan create', { answers: ['G', 'R', 'D', '1'] });
    expect(asked).toEqual([
      'Name:',
      'Reference:',
      'Description:',
      'Amount (minor units: 2500 is 25.00):',
    ]);
    expect(body).toEqual({ name: 'G', reference: 'R', description: 'D', amount: 1 });
  });

  test('a person at a terminal is asked for nothing when an update leaves things as they are', async () => {
    const { asked } = await dryRun('customer update 071-C-1 --city Perth', { answers: [] });
    expect(asked).toEqual([]);
  });
});

describe('nobody', () => {
  test.each<[command: string, message: string]>([
    ['plan create', 'Missing: --name, --reference, --description, --amount (or --decimal-amount).'],
    ['purchase create --card-token tok', 'Missing: --amount (or --decimal-amount).'],
    ['refund create --amount 1', 'Missing: --transaction-id, --reference.'],
    ['subscription update 071-S-1', 'Missing: --is-active (or --no-is-active).'],
    ['subscription create', 'Missing: --customer, --plan, --frequency, --reference.'],
    ['purchase create --amount 1', 'There is no card.'],
    ['tokenize', 'There is no card.'],
    ['customer create --first-name A', 'There is no card.'],
  ])('nobody is asked by gw %s, which says what is missing', async (command, message) => {
    const { failure, asked } = await dryRun(command);
    expect(failure).toMatchObject({ kind: 'usage', exitCode: 2, message });
    expect(failure?.next).toContain('Nothing was sent.');
    expect(asked).toEqual([]);
  });

  test('nobody is asked with --no-input, terminal or not', async () => {
    const { failure, asked } = await dryRun('plan create --no-input', { answers: [] });
    expect(failure?.message).toContain('Missing: --name');
    expect(asked).toEqual([]);
  });

  test('nobody is asked when stdin is not a terminal', () => {
    expect(mayAsk(createTestHost({ stdin: 'x' }), {})).toBe(false);
    expect(mayAsk(createTestHost({ answers: [] }), {})).toBe(true);
    expect(mayAsk(createTestHost({ answers: [] }), { 'no-input': true })).toBe(false);
  });
});
