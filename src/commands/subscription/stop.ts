import { subscriptionUpdateOperation } from '../../contract/operations.ts';
import { OperationCommand } from '../../dispatch/operation-command.ts';
import { idArg } from '../../flags/args.ts';
import { operationFlags } from '../../flags/operation-flags.ts';
import { findSubscription } from '../../operations/find-subscription.ts';
import { ONE, withSession } from '../../operations/run-operation.ts';
import { submit } from '../../operations/submit.ts';

const {
  'is-active': _set,
  'no-is-active': _unset,
  input: _input,
  skeleton: _skeleton,
  ...flags
} = operationFlags(subscriptionUpdateOperation);

export default class SubscriptionStop extends OperationCommand {
  static override summary = 'Stop a subscription';
  static override description =
    'The gateway bills a stopped subscription no more; `gw subscription update ID --is-active` resumes it. ' +
    'Takes the id, or the reference, which is then looked up. The recurring area is deprecated in the ' +
    'gateway and works as documented.';
  static override examples = [
    '<%= config.bin %> subscription stop 071-S-JZNVZEMJ --profile local',
    '<%= config.bin %> subscription stop SUB-1 --profile local -o json | jq .is_active',
  ];
  static override args = idArg('Id or reference of the subscription.');
  static override flags = flags;
  readonly operation = subscriptionUpdateOperation;

  async run(): Promise<void> {
    const { args, flags } = await this.input();
    await withSession(this.context, this.operation, flags, ONE, async (session) => {
      const id = await findSubscription(session, args.id ?? '');
      await submit(session, this.operation, { id, body: { is_active: false } });
    });
  }
}
