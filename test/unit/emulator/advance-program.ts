/** Advances a store, as `gw emulator advance` does, and prints each day: argv is the file and the time. */
import { advance } from '../../../src/emulator/billing/advance.ts';
import { openState } from '../../../src/emulator/state.ts';
import { createClock } from '../../../src/host/create.ts';

const [path = '', to = ''] = process.argv.slice(2);
const clock = createClock();
const store = openState({ path, clock });
for await (const { day } of advance({ store, clock, to: new Date(to) }))
  process.stdout.write(`${day}\n`);
store.close();
