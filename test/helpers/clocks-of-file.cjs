/** Preloaded into gw: its clocks are as many milliseconds off as the file GW_TEST_CLOCKS says, whenever it says so. */
const os = /** @type {any} */ (require('node:os'));
const { readFileSync } = require('node:fs');
const tellDateBy = require('./told-date.cjs');

const realUptime = os.uptime;
const off = () => JSON.parse(readFileSync(String(process.env.GW_TEST_CLOCKS), 'utf8'));

tellDateBy((RealDate) => () => RealDate.now() + off().wallMs);
os.uptime = () => realUptime() + off().uptimeMs / 1000;
