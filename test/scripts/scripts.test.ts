/**
 * Runs every `*.script` below this folder (see ../helpers/script.ts for their form) once: over HTTP where it
 * has two doors, which also sees whether anything was sent. `other-doors.test.ts` has the other runs.
 *
 *     npx vitest run test/scripts -t purchase           some of them, at every door
 *     UPDATE=1 npx vitest run test/scripts -t purchase  writes what comes out; read it before you keep it
 */
import { testScripts } from '../helpers/scripts.ts';

testScripts((_name, { doors }) => [{ door: doors.at(-1) ?? 'none', way: 'fast path' }]);
