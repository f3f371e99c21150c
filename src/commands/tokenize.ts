import { tokenize } from '../contract/operations.ts';
import { ProgramCommand } from '../dispatch/operation-command.ts';
import { operationFlags } from '../flags/operation-flags.ts';

export default class Tokenize extends ProgramCommand {
  static override summary = tokenize.summary;
  static override description =
    'The gateway keeps the card and answers with a token, which is worth nothing to another account. ' +
    'Use the token as --card-token in place of the card from then on. The CVV is not kept.';
  static override examples = [
    '<%= config.bin %> tokenize --profile local --test-card approved',
    '<%= config.bin %> tokenize --profile local --card-file card.json -o id',
  ];
  static override flags = operationFlags(tokenize);
  readonly program = 'tokenize';
}
