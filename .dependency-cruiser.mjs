/**
 * Who may import whom in `src`. `npm run check` holds the source to this, types included.
 *
 * The wings stand in one order: a wing imports only what stands before it.
 */
const WINGS = [
  'failure-codes',
  'failure',
  'base',
  'contract',
  'host',
  'store',
  'emulator',
  'things',
  'journal',
  'client',
  'view',
  'cli',
  'events',
  'requests',
  'desk',
  'setup',
  'commands',
  'start',
  'main',
];

/** Packages that do something outside the program, and the only places that may use them. */
const IN_ONE_PLACE = {
  'node:child_process': ['host'],
  'node:fs': ['host', 'store', 'emulator/(state|sample-event)', 'cli/dispatch/program'],
  '@photostructure/sqlite': ['store'],
  pg: ['store'],
  '(cli-table3|string-width)': ['view'],
  inquirer: ['host'],
  keytar: ['host'],
  undici: ['host/http', 'client/senders'],
  '@oclif/core': ['cli/dispatch', 'cli/help'],
};

const wing = (name) => `^src/${name}(/|\\.ts$)`;
const named = (name) => `^(${name}$|node_modules/(@types/)?${name}/)`;

export default {
  forbidden: [
    { name: 'no-circle', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'must-be-found',
      comment: 'An import that does not resolve would escape the other rules.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '^gw:commands$' },
    },
    { name: 'no-test-in-src', severity: 'error', from: {}, to: { path: '^test/' } },
    {
      name: 'no-command-imports-another',
      comment: 'What two commands need stands in a layer below them.',
      severity: 'error',
      from: { path: '^src/commands/([^/]+)/' },
      to: { path: '^src/commands/', pathNot: '^src/commands/$1/' },
    },
    ...WINGS.map((name, at) => ({
      name: `${name}-imports-no-wing-after-it`,
      severity: 'error',
      from: { path: wing(name) },
      to: { path: WINGS.slice(at + 1).map(wing) },
    })).slice(0, -1),
    ...Object.entries(IN_ONE_PLACE).map(([what, places]) => ({
      name: `${what}-only-in-its-place`,
      severity: 'error',
      from: { path: '^src/', pathNot: places.map(wing) },
      to: { path: named(what.replace(/^node:/, '')) },
    })),
  ],
  options: {
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
    },
  },
};
