import path from 'node:path';

/** The built program. GW_PROGRAM judges another copy of gw, such as an installed package. */
export const PROGRAM = path.resolve(process.env.GW_PROGRAM ?? 'bin/gw.cjs');
