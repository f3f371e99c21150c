import { refundGet } from '../../contract/operations.ts';
import { GetCommand } from '../../dispatch/operation-command.ts';
import { idsArg } from '../../flags/args.ts';
import { operationFlags } from '../../flags/operation-flags.ts';

export default class RefundGet extends GetCommand {
  static override summary = refundGet.summary;
  static override description =
    'The gateway answers with the refund; its amount is negative. For a refund that does not exist it ' +
    'says that the purchase was not found.';
  static override examples = [
    '<%= config.bin %> refund get 071-R-SHIKOFCV --profile local',
    '<%= config.bin %> refund get 071-R-SHIKOFCV --profile local -o json --fields id,amount,message',
  ];
  static override args = idsArg('Id of a refund.');
  static override flags = operationFlags(refundGet);
  readonly program = 'refund get';
}
