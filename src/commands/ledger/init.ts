import { command } from '../../dispatch/command.ts';
import { option, toggle } from '../../flags/flag.ts';
import { profileFlag } from '../../flags/global-flags.ts';

export default command({
  summary: 'Make a ledger on a server, or bring it up to date',
  description: `Makes the schema \`gw\` in a database of PostgreSQL with all its tables, or what is missing of
    them, and two roles: gw_operator, who can write entries and settle them but deletes nothing, and
    gw_owner, who may do everything. Any number of machines may run it at once, and again. Where your
    role may not make roles the tables are made all the same, and what has to be run is said.`,
  examples: [
    'gw ledger init --print-sql > ledger.sql',
    'gw ledger init postgres://ledger.example/gw --operator ada',
  ],
  args: {
    ledger: {
      description: 'Address such as postgres://ledger.example/gw. Default: that of the profile.',
    },
  },
  flags: {
    operator: option({
      description: 'A role of the server that is to be an operator; may be repeated.',
      helpValue: '<role>',
      multiple: true,
      multipleNonGreedy: true,
    }),
    'print-sql': toggle({
      description: 'Print the SQL that makes it, for somebody else to run; no server is needed.',
    }),
    'roles-only': toggle({ description: 'With --print-sql: the roles and their rights alone.' }),
    ...profileFlag,
  },

  async run(context, { args, flags }) {
    if (flags['print-sql']) {
      const { ledgerSql, rolesSql } = await import('../../postgres/ledger-sql.ts');
      await context.host.stdout.write(flags['roles-only'] ? rolesSql() : ledgerSql());
      return;
    }
    const { initLedger } = await import('../../team/init.ts');
    const { profile, operator: operators = [] } = flags;
    await initLedger(context, { ledger: args.ledger, profile, operators });
  },
});
