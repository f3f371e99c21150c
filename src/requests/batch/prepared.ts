/** A batch on its way: what its lines are sent with, and what is known once all of it has been checked. */

import type { GatewayConnection } from '../../client/connection/call.ts';
import type { Operation } from '../../contract/operation.ts';
import type { Context } from '../../host/context.ts';
import type { Replay } from '../../host/host.ts';
import type { BatchOptions } from './batch-options.ts';
import type { OperationSource } from './batch-source.ts';
import type { Pace } from './engine/pace.ts';
import type { Plan } from './engine/preflight.ts';
import type { RecordSet } from './engine/record-set.ts';
import type { Stop } from './engine/stop.ts';

/** What lines are sent with. */
export interface Batch {
  context: Context;
  operation: Operation;
  options: BatchOptions;
  gateway: GatewayConnection;
  pace: Pace;
  stop: Stop;
}

/** A batch all of which has been checked. */
export interface Prepared extends Batch {
  replay: Replay;
  source: OperationSource;
  plan: Plan;
  /** What the ledger calls the batch. */
  id: string;
  /** When it is begun, by the ledger's time; undefined while nothing is sent. */
  since: string | undefined;
  /** Ids of what was unknown then, and may be sent again; undefined where nothing may, or nothing is sent. */
  unknownBefore: ReadonlySet<string> | undefined;
  /** Whether it has been said that an outcome could not be written down. */
  isUnrecordedSaid: boolean;
  /** Lines without a reference that are done by another batch, as far as they have been looked up. */
  doneElsewhere: number;
  /** Records that lines were answered with. */
  made: RecordSet;
}
