/** Preloaded into gw: writes down, in order, every file and every part of Node that it loads. */
const { appendFileSync } = require('node:fs');
const Module = /** @type {any} */ (require('node:module'));

const load = Module._load;
const seen = new Set();
Module._load = function (/** @type {string} */ request, /** @type {any[]} */ ...rest) {
  const name = Module.isBuiltin(request)
    ? `node:${request.replace(/^node:/, '')}`
    : Module._resolveFilename(request, ...rest);
  if (!seen.has(name)) appendFileSync(String(process.env.GW_TEST_LOADS), `${name}\n`);
  seen.add(name);
  return load.call(this, request, ...rest);
};
