import { purchaseGet } from '../../contract/operations.ts';
import { GetCommand } from '../../dispatch/operation-command.ts';
import { idsArg } from '../../flags/args.ts';
import { operationFlags } from '../../flags/operation-flags.ts';

export default class PurchaseGet extends GetCommand {
  static override summary = purchaseGet.summary;
  static override description =
    'The gateway answers with the purchase as it stands, its card number masked. A purchase of another ' +
    'account is not shown (exit code 3), one that does not exist is not found (4).';
  static override examples = [
    '<%= config.bin %> purchase get 071-P-IE49OSAF --profile local',
    '<%= config.bin %> purchase get 071-P-IE49OSAF --profile local -o json | jq -r .card_token',
    '<%= config.bin %> purchase get - --profile local -o csv --fields id,amount,message < ids.txt',
  ];
  static override args = idsArg('Id of a purchase.');
  static override flags = operationFlags(purchaseGet);
  readonly program = 'purchase get';
}
