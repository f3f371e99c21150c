/**
 * Puts a clock in the place of the process's own: `new Date()` and `Date.now()` ask it. Timers go on.
 * @param {(RealDate: DateConstructor) => () => number} clockOf makes what tells the milliseconds since 1970
 */
module.exports = function tellDateBy(clockOf) {
  const RealDate = Date;
  const now = clockOf(RealDate);
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
};
