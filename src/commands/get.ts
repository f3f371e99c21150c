import { purchaseGet } from '../contract/operations.ts';
import { GetCommand } from '../dispatch/operation-command.ts';
import { idsArg } from '../flags/args.ts';
import { operationFlags } from '../flags/operation-flags.ts';

export default class Get extends GetCommand {
  static override summary = 'Look up any records by id';
  static override description =
    'The kind of a record is read from its id: P for a purchase, R a refund, PL a plan, C a customer, S a ' +
    'subscription. Ids of different kinds may be mixed.';
  static override examples = [
    '<%= config.bin %> get 071-P-IE49OSAF --profile local',
    '<%= config.bin %> get 071-P-IE49OSAF 071-R-SHIKOFCV 071-PL-VOD0FSL7 --profile local -o jsonl',
  ];
  static override args = idsArg('Id of a record.');
  static override flags = operationFlags(purchaseGet);
  readonly program = 'get';
}
