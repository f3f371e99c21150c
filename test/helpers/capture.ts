/** An output that keeps what it was given, and the records that the tests print. */
import type { JsonObject } from '../../src/base/json.ts';
import { createPrinter, type PrinterOptions } from '../../src/view/printer.ts';

export class Capture {
  readonly isTerminal: boolean;
  readonly columns: number;
  readonly color: boolean;
  readonly blocks: boolean;
  readonly isPlain: boolean;
  readonly writes: string[] = [];

  constructor(
    options: Partial<Pick<Capture, 'isTerminal' | 'columns' | 'color' | 'blocks' | 'isPlain'>> = {},
  ) {
    this.isTerminal = options.isTerminal ?? false;
    this.columns = options.columns ?? 80;
    this.color = options.color ?? false;
    this.blocks = options.blocks ?? true;
    this.isPlain = options.isPlain ?? false;
  }

  async write(text: string): Promise<void> {
    this.writes.push(text);
  }

  get text(): string {
    return this.writes.join('');
  }
}

/** @returns what the records give on stdout and stderr; a pipe unless a terminal is given. */
export async function print(
  records: readonly JsonObject[],
  options: Omit<PrinterOptions, 'output' | 'notes'> & { output?: Capture } = {},
): Promise<{ stdout: string; stderr: string }> {
  const output = options.output ?? new Capture();
  const notes = new Capture();
  const printer = createPrinter({ ...options, output, notes });
  for (const record of records) await printer.add(record);
  await printer.end();
  return { stdout: output.text, stderr: notes.text };
}

export const terminal = (columns = 80, color = false) =>
  new Capture({ isTerminal: true, columns, color });

export const approved: JsonObject = {
  id: '001-P-KLT9J8W7',
  authorization: '582',
  card_number: '512345XXXXXX2346',
  card_holder: 'Ada Lovelace',
  card_expiry: '05/2031',
  card_token: 'k6bq2mfd',
  amount: 2500,
  decimal_amount: 25,
  successful: true,
  message: 'Approved',
  reference: 'INV-1001',
  currency: 'AUD',
  settlement_date: '2026-07-30',
  transaction_date: '2026-07-29T10:24:11+10:00',
};

export const declined: JsonObject = {
  ...approved,
  id: null,
  authorization: null,
  successful: false,
  message: 'Insufficient Funds',
  reference: 'INV-1002',
  settlement_date: null,
};

export const plan: JsonObject = {
  id: '001-PL-GOLD0001',
  name: 'Gold',
  reference: 'gold',
  description: 'Everything',
  amount: 990,
  currency: 'JPY',
  subscription_count: 3,
};

export const customer: JsonObject = {
  id: '001-C-LOVELACE',
  email: 'ada@example.com',
  reference: 'ADA',
  first_name: 'Ada',
  last_name: 'Lovelace',
  created_at: '2026-07-29T10:24:11+10:00',
  card_token: 'k6bq2mfd',
  address: {
    address: '12 St James Square',
    city: 'London',
    state: '',
    postcode: 'SW1Y 4JH',
    country: null,
  },
  loyalty: { points: 12, tiers: ['a', 'b'] },
};

export const subscription: JsonObject = {
  customer: '001-C-LOVELACE',
  plan: '001-PL-GOLD0001',
  frequency: 'Weekly',
  start_date: '2026-08-01',
  end_date: null,
  next_billing_date: '2026-08-01',
  reference: 'SUB-1',
  last_status: 'Failed (3), Aborted',
  is_active: false,
};

export const refund: JsonObject = {
  id: '001-R-REFUND01',
  authorization: '1234',
  amount: -2500,
  refunded: 'Approved',
  message: 'Approved',
  card_holder: 'Ada Lovelace',
  card_number: '512345XXXXXX2346',
  card_expiry: '05/2031',
  card_type: 'MasterCard',
  successful: true,
  transaction_date: '2026-07-29T10:24:11+10:00',
  response_code: '00',
};

export const card: JsonObject = {
  token: 'k6bq2mfd',
  card_holder: 'Ada Lovelace',
  card_number: '512345XXXXXX2346',
  card_expiry: '05/2031',
  card_type: 'MasterCard',
  authorized: true,
  transaction_count: 0,
  alias: null,
};
