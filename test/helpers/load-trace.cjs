/** Preloaded into gw: writes down, in order, every file and every part of Node that it loads, and `Intl` where a format is made. */
const { appendFileSync } = require('node:fs');
const Module = /** @type {any} */ (require('node:module'));

const load = Module._load;
const seen = new Set();

/** @param {string} name */
function note(name) {
  if (!seen.has(name)) appendFileSync(String(process.env.GW_TEST_LOADS), `${name}\n`);
  seen.add(name);
}

Intl.DateTimeFormat = new Proxy(Intl.DateTimeFormat, {
  construct(Format, options) {
    note('Intl');
    return Reflect.construct(Format, options);
  },
});

Module._load = function (/** @type {string} */ request, /** @type {any[]} */ ...rest) {
  const name = Module.isBuiltin(request)
    ? `node:${request.replace(/^node:/, '')}`
    : Module._resolveFilename(request, ...rest);
  note(name);
  return load.call(this, request, ...rest);
};
