/** Preloaded into gw: its clocks are as many milliseconds off as the file GW_TEST_CLOCKS says, whenever it says so. */
const os = /** @type {any} */ (require('node:os'));
const { readFileSync } = require('node:fs');

const RealDate = Date;
const realUptime = os.uptime;
const off = () => JSON.parse(readFileSync(String(process.env.GW_TEST_CLOCKS), 'utf8'));
const now = () => RealDate.now() + off().wallMs;

globalThis.Date = /** @type {any} */ (
  class extends RealDate {
    constructor(/** @type {any[]} */ ...args) {
      // @ts-expect-error: whatever a date is made of
      super(...(args.length === 0 ? [now()] : args));
    }
    /** @override */
    static now() {
      return now();
    }
  }
);
os.uptime = () => realUptime() + off().uptimeMs / 1000;
