/**
 * Builds `dist`: one file for the program, one for each thread and one for each command, in CommonJS,
 * which starts faster than ES modules. What is imported dynamically becomes a file of its own, loaded
 * where it is used (scripts/groups.mjs). Packages with native code stay outside; everything else is
 * inside, so that an installed gw brings no packages but those and what the oclif plugins need.
 *
 * The same sources give the same bytes. Names are kept, so a stack trace reads like the source; the
 * source maps are for `NODE_OPTIONS=--enable-source-maps` in a clone and are not packed. Minifying
 * was measured, and starts no faster.
 */
import { join, resolve } from 'node:path';
import { commandFiles } from './scripts/commands.mjs';
import { groups } from './scripts/groups.mjs';
import { licenses } from './scripts/licenses.mjs';

const commands = commandFiles();

const PROTOCOL = 'src/commands/mcp/protocol.ts';

/** @satisfies {import('./scripts/groups.mjs').Options} */
const options = {
  platform: 'node',
  external: ['keytar'],
  // What it names first looks its files up in a way that a bundler does not see.
  resolve: { alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' } },
};

/** @satisfies {import('rolldown').OutputOptions} */
const written = {
  dir: 'dist',
  format: 'cjs',
  exports: 'named',
  entryFileNames: '[name].cjs',
  chunkFileNames: 'chunks/[name]-[hash].cjs',
  sourcemap: true,
  // Text that is only ASCII is read faster.
  minify: {
    compress: false,
    mangle: false,
    codegen: { removeWhitespace: false, asciiOnly: true },
  },
  comments: false,
  // `import()` of a module of Node would start Node's loader of ES modules.
  dynamicImportInCjs: false,
};

/**
 * The loader of all other files, which it cannot load itself. A bundle of its own, so that Node loads one file.
 * @satisfies {import('rolldown').RolldownOptions}
 */
const main = { input: { main: 'src/main.ts' }, ...options, output: written };

/** @satisfies {import('rolldown').RolldownOptions} */
const program = {
  input: {
    start: 'src/start.ts',
    'oclif-commands': 'src/cli/dispatch/oclif-commands.ts',
    'jq-worker': 'src/host/jq/jq-worker.ts',
    ...Object.fromEntries(
      commands.map(({ id, file }) => [join('commands', ...id.split(':')), file]),
    ),
  },
  ...options,
  onLog(level, log) {
    // What most load when they need it, and some at once, is meant so.
    if (log.code === 'INEFFECTIVE_DYNAMIC_IMPORT') return;
    // A warning here is a defect of the program later, such as a package that is not found.
    throw new Error(`${level}: ${log.message}`);
  },
  plugins: [
    allCommands(),
    protocolApart(),
    codesWithoutMeanings(),
    driverForNode(),
    noPasswordFileOfDriver(),
    sendingOfUndici(),
    promptsOfInquirer(),
    nativePartOfSqlite(),
    plainExports(),
    licenses('THIRD-PARTY-LICENSES.txt'),
  ],
  output: { ...written, cleanDir: true, codeSplitting: { groups: await groups(options) } },
};

/**
 * The package by which `gw mcp` speaks (src/commands/mcp/protocol.ts), apart from the program. It is written after the
 * program, which cleans the folder.
 * @satisfies {import('rolldown').RolldownOptions}
 */
const protocol = {
  input: { 'mcp-protocol': PROTOCOL },
  ...options,
  plugins: [licenses('THIRD-PARTY-LICENSES-MCP.txt')],
  output: written,
};

export default [program, main, protocol];

/** The program finds the protocol in its file, beside the folder of its own. */
function protocolApart() {
  return {
    name: 'protocol apart',
    resolveId: (/** @type {string} */ id, /** @type {string | undefined} */ importer) =>
      importer !== undefined && resolve(importer, '..', id) === resolve(PROTOCOL)
        ? { id: '../mcp-protocol.cjs', external: /** @type {const} */ ('absolute') }
        : undefined,
  };
}

/** The module `gw:commands`: every definition of src/commands by oclif's id of the command. */
function allCommands() {
  const name = 'gw:commands';
  const lines = commands.map(
    ({ file }, i) => `import c${i} from ${JSON.stringify(resolve(file))};`,
  );
  const entries = commands.map(({ id }, i) => `${JSON.stringify(id)}: c${i}`);
  return {
    name,
    resolveId: (/** @type {string} */ id) => (id === name ? name : undefined),
    load: (/** @type {string} */ id) =>
      id === name ? `${lines.join('\n')}\nexport default { ${entries.join(', ')} };` : undefined,
  };
}

const MEANING = /^( {6}(?:'[\w-]+'|\w+):\s+)(?:'.*'|".*")/gm;

/** The meanings of failures' codes are for docs/errors.md. Without them, the table is a quarter of its size. */
function codesWithoutMeanings() {
  return {
    name: 'codes of failures without their meanings',
    transform: (/** @type {string} */ code, /** @type {string} */ id) =>
      /[\\/]src[\\/]failure-codes\.ts$/.test(id)
        ? { code: code.replace(MEANING, "$1''"), map: { mappings: '' } }
        : undefined,
  };
}

/**
 * The driver of PostgreSQL looks whether it runs at Cloudflare, and touches `Response` for it, by which
 * Node 20 loads all that `fetch` is made of: 24 of the 33 milliseconds that the driver takes to load.
 */
function driverForNode() {
  return instead(
    /[\\/]pg[\\/]lib[\\/]stream\.js$/,
    `exports.getStream = () => new (require('node:net').Socket)();
     exports.getSecureStream = (options) => require('node:tls').connect(options);`,
  );
}

/**
 * gw gives the driver each password, and reads the password file itself (src/store/postgres/password-file.ts). The
 * driver's own reader takes the last line that fits, where PostgreSQL takes the first.
 */
function noPasswordFileOfDriver() {
  return instead(/[\\/]pgpass[\\/]lib[\\/]index\.js$/, 'module.exports = (_, done) => done();');
}

/**
 * Of undici, gw uses what sends. All of it, with `fetch`, sockets of browsers, caches and mocks, takes three times as
 * long to load.
 */
function sendingOfUndici() {
  return instead(
    /[\\/]undici[\\/]index\.js$/,
    `Object.assign(require('./lib/dispatcher/dispatcher').prototype, require('./lib/api'));
     exports.Agent = require('./lib/dispatcher/agent');
     exports.EnvHttpProxyAgent = require('./lib/dispatcher/env-http-proxy-agent');
     exports.Pool = require('./lib/dispatcher/pool');`,
  );
}

/**
 * Of inquirer, gw uses three kinds of questions, one at a time. All of it, with an editor, encodings and RxJS, is seven
 * times as much. Version 14 has no RxJS, but colours by whether stdout is a terminal, and gw asks on stderr.
 */
function promptsOfInquirer() {
  return instead(
    /[\\/]inquirer[\\/]dist[\\/]esm[\\/]index\.js$/,
    `import confirm from '@inquirer/confirm';
     import input from '@inquirer/input';
     import select from '@inquirer/select';
     const PROMPTS = { confirm, input, select };
     export const createPromptModule = (context) => async ([{ type, name, ...question }]) =>
       ({ [name]: await PROMPTS[type](question, context) });`,
  );
}

/**
 * Of the package of SQLite, gw uses what is compiled. Its JavaScript takes longer to load than the library itself, and
 * so does asking Node for a file of a package that has `exports`.
 */
function nativePartOfSqlite() {
  return instead(
    /[\\/]@photostructure[\\/]sqlite[\\/]dist[\\/]index\.mjs$/,
    `import { existsSync } from 'node:fs';
     import { join } from 'node:path';
     import load from 'node-gyp-build';
     const name = '@photostructure/sqlite';
     const folders = require.resolve.paths(name).map((folder) => join(folder, name));
     export const { DatabaseSync } = load(folders.find(existsSync) ?? folders[0]);`,
  );
}

/**
 * Between files of the program, the bundler makes a function for each export, in case that its value changes. All that
 * `purchase create` loads has 500 of them, which took a twentieth of its instructions. What is assigned only once, where
 * it is declared, is exported by its value; a package is still loaded when it is first used.
 */
function plainExports() {
  const declaration =
    /^[ \t]*(?:(?:const|let|var) ([\w$]+) =|(?:async )?(?:function\*?|class) ([\w$]+))/gm;
  const getter =
    /^Object\.defineProperty\(exports, ['"]([\w$]+)['"], \{\s+enumerable: true,\s+get: function ?\(\) \{\s+return ([\w$]+);\s+\}\s+\}\);$/gm;
  return {
    name: 'plain exports',
    renderChunk(/** @type {string} */ code) {
      // A package declares its names first, and fills them when it is first used.
      const declared = new Set(
        [...code.matchAll(declaration)].map(([, variable, other]) => variable ?? other),
      );
      const assigned = new Set();
      const changed = new Set();
      for (const [, name] of code.matchAll(
        /(?<![\w$.])([\w$]+)\s*(?:[-+*/%&|?^<>]{0,3}=(?![=>])|\+\+|--)/g,
      ))
        (assigned.has(name) ? changed : assigned).add(name);
      return {
        code: code.replace(getter, (whole, key, name) =>
          declared.has(name) && !changed.has(name) ? `exports.${key} = ${name};` : whole,
        ),
        map: null,
      };
    },
  };
}

/**
 * @param {RegExp} file of a package
 * @param {string} code the code to build in its place
 */
function instead(file, code) {
  return {
    name: `instead of ${file}`,
    transform: (/** @type {string} */ _code, /** @type {string} */ id) =>
      file.test(id) ? { code, map: { mappings: '' } } : undefined,
  };
}
