import { capitalised } from '../../base/text.ts';
import { command } from '../../cli/dispatch/command.ts';
import { outputOptions } from '../../cli/flags/command-options.ts';
import { printFlags } from '../../cli/flags/global-flags.ts';
import { isTable, printRecords } from '../../view/print-records.ts';
import { TEST_CARD_VIEW } from '../../view/records/embedded-gateway.ts';

export default command({
  summary: 'List the test cards of the built-in test gateway',
  description: `Shows each test card by its name for --test-card, with its number and the result of a
    charge. Any future expiry and any CVV will do.

    JSON formats list the answers one by one. -o id prints the names.

    The numbers are public. No other command shows card numbers in full.`,
  prints: 'test-card',
  examples: [
    'gw emulator cards',
    'gw emulator cards -o csv --fields name,card_number',
    "gw emulator cards --jq '.[0].answers'",
  ],
  flags: printFlags,

  async run({ host, redactor }, { flags }) {
    const output = outputOptions(flags);
    const { listTestCards } = await import('../../emulator/resources/cards.ts');
    const cards = listTestCards();
    redactor.publish(cards.map(({ card_number }) => card_number));
    const records = cards.map(TEST_CARD_VIEW.record);
    await printRecords(host, output, records, { kind: TEST_CARD_VIEW });
    if (isTable(host, output) && output.fields === undefined)
      await host.stderr.write(legendOf(cards.map(({ description }) => description)));
  },
});

/** @returns the descriptions that a table cuts, without repeats: `By the amount: if it ends in …` */
function legendOf(descriptions: readonly string[]): string {
  return [...new Set(descriptions)]
    .filter((text) => text.includes(':'))
    .map((text) => `${capitalised(text)}.\n`)
    .join('');
}
