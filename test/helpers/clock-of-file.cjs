/**
 * Preloaded into gw: the clock stands still at the instant that the file GW_TEST_CLOCK holds, until
 * somebody writes another one there. Timers go on. New ids are counted instead of drawn, those of SQLite too.
 */
const crypto = /** @type {any} */ (require('node:crypto'));
const { readFileSync, writeFileSync } = require('node:fs');
const tellDateBy = require('./told-date.cjs');

tellDateBy(
  (RealDate) => () =>
    RealDate.parse(readFileSync(String(process.env.GW_TEST_CLOCK), 'utf8').trim()),
);

/** The place of this process among those of its home that made an id. */
let place = 0;
let ids = 0;
crypto.randomUUID = () => nextId().replace(/(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');

const load = process.dlopen;
process.dlopen = (/** @type {any} */ module, ...rest) => {
  load(module, ...rest);
  const { DatabaseSync } = module.exports;
  if (!DatabaseSync) return;
  module.exports.DatabaseSync = class extends DatabaseSync {
    /** @param {string} sql */
    prepare(sql) {
      const counted = sql.replace('lower(hex(randomblob(16)))', 'next_id()');
      if (counted !== sql) this.function('next_id', nextId);
      return super.prepare(counted);
    }
  };
};

function nextId() {
  if (ids === 0)
    do place++;
    while (!isOurs(place));
  ids++;
  return `5d1c0f6e8a3b4c279${hex(place, 3)}${hex(ids, 12)}`;
}

/** @returns whether nobody was there first */
function isOurs(/** @type {number} */ number) {
  try {
    writeFileSync(`${process.env.GW_TEST_CLOCK}.${number}`, '', { flag: 'wx' });
    return true;
  } catch {
    return false;
  }
}

function hex(/** @type {number} */ number, /** @type {number} */ digits) {
  return number.toString(16).padStart(digits, '0');
}
