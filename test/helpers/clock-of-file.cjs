/**
 * Preloaded into gw: the clock stands still at the instant that the file GW_TEST_CLOCK holds, until
 * somebody writes another one there. Timers go on; new ids are counted instead of drawn.
 */
const crypto = /** @type {any} */ (require('node:crypto'));
const { readFileSync } = require('node:fs');

const RealDate = Date;
const now = () => RealDate.parse(readFileSync(String(process.env.GW_TEST_CLOCK), 'utf8').trim());

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

let ids = 0;
crypto.randomUUID = () => `5d1c0f6e-8a3b-4c27-9e41-${String(++ids).padStart(12, '0')}`;
