/** How a test card of the embedded gateway is shown: whole, since its number is published. */
import type { ListedTestCard } from '../../emulator/test-card-list.ts';
import { cuttable, fieldColumn, firstOf, ownView } from '../columns.ts';

export const TEST_CARD_VIEW = ownView<ListedTestCard>({
  name: 'test card',
  plural: 'test cards',
  id: firstOf(['name']),
  isPublished: true,
  columns: [
    fieldColumn('name'),
    fieldColumn('card_number'),
    fieldColumn('card_type'),
    // What follows the colon is the same for half of them; the command says it below a table.
    fieldColumn('description', {
      header: 'behaviour',
      shorten: (text) => text.replace(/:[\s\S]*$/, ''),
      ...cuttable,
    }),
  ],
  record: ({ answers, ...card }) => ({
    ...card,
    answers: answers.map(({ codes, successful, message }) => ({
      codes: codes.length > 0 ? [...codes] : null,
      successful,
      message,
    })),
  }),
});
