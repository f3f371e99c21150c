/** jq as the program has it: the real thread, bundled of its source. */
import type { Jq } from '../../src/host/host.ts';
import { createJq } from '../../src/host/jq/jq-thread.ts';
import { bundle } from './bundle.ts';

export async function testJq(maxGrowthBytes?: number): Promise<Jq> {
  return createJq(await bundle('src/host/jq/jq-worker.ts'), maxGrowthBytes);
}
