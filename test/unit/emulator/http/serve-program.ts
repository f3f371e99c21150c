/** Serves a store over HTTP, as `gw emulator start` does, and prints the address: argv is the file. */
import { serve } from '../../../../src/emulator/http/server.ts';
import { openState } from '../../../../src/emulator/state.ts';
import { createClock } from '../../../../src/host/create.ts';

const [path = ''] = process.argv.slice(2);
const clock = createClock();
const store = openState({ path, clock });
const { url } = await serve({ store, clock, port: 0 });
process.stdout.write(`${url}\n`);
