import { capitalised } from '../../base/text.ts';
import { command } from '../../cli/dispatch/command.ts';
import { outputOptions } from '../../cli/flags/command-options.ts';
import { printFlags } from '../../cli/flags/global-flags.ts';
import type { ListedTestCard } from '../../emulator/resources/cards.ts';
import { cuttable, fieldColumn, idFromFields, ownView } from '../../view/columns.ts';
import { isTable, printRecords } from '../../view/print-records.ts';

/** The number is shown whole, because it is published. */
export const TEST_CARD_VIEW = ownView({
  name: 'test card',
  plural: 'test cards',
  mayHave: ['name', 'card_number', 'card_type', 'behaviour', 'description', 'answers'],
  id: idFromFields(['name']),
  isPublished: true,
  columns: [
    fieldColumn('name'),
    fieldColumn('card_number'),
    fieldColumn('card_type'),
    // Half of the cards share the text after the colon; the command prints it below the table.
    fieldColumn('description', {
      header: 'behaviour',
      shorten: (text) => text.replace(/:[\s\S]*$/, ''),
      ...cuttable,
    }),
  ],
  computed: ({ answers }: ListedTestCard) => ({
    answers: answers.map(({ codes, successful, message }) => ({
      codes: codes.length > 0 ? [...codes] : null,
      successful,
      message,
    })),
  }),
});

export default command({
  summary: 'List the test cards of the built-in test gateway',
  description: `Shows each test card by its name for --test-card, with its number and the result of a
    charge. Any future expiry and any CVV will do.

    JSON formats list the answers one by one. -o id prints the names.

    The numbers are public. No other command shows card numbers in full.`,
  prints: TEST_CARD_VIEW,
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
