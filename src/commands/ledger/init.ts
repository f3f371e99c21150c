import { command } from '../../cli/dispatch/command.ts';
import { option, toggle } from '../../cli/flags/flag.ts';
import { profileFlag } from '../../cli/flags/global-flags.ts';

export default command({
  summary: 'Create a ledger on a server, or update it',
  description: `Creates the schema \`gw\` in a PostgreSQL database with all its tables, or whatever
    is missing, and two roles named after the database: gw_operator_NAME, who can write and settle
    entries but not delete them, and gw_owner_NAME, who may do everything. Any number of machines may run it at once, and more than
    once. If your role may not create roles, the tables are created anyway, and gw says what else
    has to be run.`,
  examples: [
    'gw ledger init --print-sql > ledger.sql',
    'gw ledger init postgres://ledger.example/gw --operator ada',
  ],
  args: {
    ledger: {
      description: "Address such as postgres://ledger.example/gw. Default: the profile's.",
    },
  },
  flags: {
    operator: option({
      description: 'A role on the server to make an operator. May be repeated.',
      helpValue: '<role>',
      multiple: true,
      multipleNonGreedy: true,
    }),
    'require-journal': toggle({
      description: 'Forbid --no-journal to everybody who uses the ledger.',
      allowNo: true,
    }),
    'accept-restore': toggle({
      description:
        'Use the ledger again after a restore, or after a standby took over. Prints since when entries are missing.',
    }),
    'print-sql': toggle({
      description: 'Print the SQL for somebody else to run; needs no server.',
    }),
    'roles-only': toggle({ description: 'With --print-sql: only the roles and their rights.' }),
    ...profileFlag,
  },

  async run(context, { args, flags }) {
    if (flags['print-sql']) {
      const { ledgerSql, rolesSql } = await import('../../store/ledger/print-sql.ts');
      await context.host.stdout.write(flags['roles-only'] ? rolesSql() : ledgerSql());
      return;
    }
    const { initLedger } = await import('../../setup/ledger/init.ts');
    const { profile, operator: operators = [], 'require-journal': requiresJournal } = flags;
    const acceptsRestore = flags['accept-restore'] ?? false;
    const options = { profile, operators, requiresJournal, acceptsRestore };
    await initLedger(context, { ledger: args.ledger, ...options });
  },
});
