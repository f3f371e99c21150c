/** What happens when the first lines of a run have failed alike. */
import { capitalised } from '../../base/capitalised.ts';
import { cancelledSaying } from '../../failure.ts';
import { neutralise } from '../../host/redaction/safe.ts';
import { FIRST_LINES } from './engine/alike.ts';
import type { LineResult } from './engine/batch.ts';
import type { Batch } from './prepared.ts';

/**
 * Asks whoever is there whether to go on; where nobody is, the run stops.
 * @param last result of the lines that failed alike
 */
export async function askToGoOn(
  { context, options, stop }: Pick<Batch, 'context' | 'options' | 'stop'>,
  { error }: LineResult,
): Promise<boolean> {
  const { host } = context;
  const said = `the first ${FIRST_LINES} lines sent all failed for the same reason`;
  if (options.request.mayAsk) {
    await host.stderr.write(`${capitalised(said)}: ${neutralise(String(error?.message))}\n`);
    const ask = () => host.prompts.confirm('Go on with the others?', false);
    if (await cancelledSaying('The lines that were sent stay sent.', ask)) return true;
  }
  const accept = 'to go on anyway, set --stop-after-failures to the number you accept';
  const next = `Find out why before you run it again; ${accept}.`;
  stop.because({ why: said, code: 'lines-fail-alike', next });
  return false;
}
