import { command } from '../../cli/dispatch/command.ts';
import { requestOptions } from '../../cli/flags/command-options.ts';
import { option, toggle } from '../../cli/flags/flag.ts';
import { confirmCountFlag, interactionFlags, profileFlag } from '../../cli/flags/global-flags.ts';

export default command({
  summary: 'Create a ledger on a server',
  description: `Creates the schema \`gw\` with its tables in a PostgreSQL database, and a role gw_operator_NAME.
    Its members can add entries and say their outcomes, but not change or delete them.

    --from copies what this machine, or another file, has sent and seen. You can run this any number
    of times: it keeps what is there.`,
  examples: [
    'gw ledger init postgres://ledger.example/gw --operator ada --from file',
    'gw ledger init file --accept-restore',
    'gw ledger init --print-sql > schema.sql',
  ],
  args: {
    ledger: {
      description: "Address such as postgres://ledger.example/gw. Default: the profile's.",
    },
  },
  flags: {
    from: option({
      description: 'Copy the entries and records of a file: a path, or `file` for the one here.',
      helpValue: '<file>',
    }),
    operator: option({
      description: 'A role on the server to make an operator. May be repeated.',
      helpValue: '<role>',
      multiple: true,
    }),
    approver: option({
      description:
        'A role to make an operator who may approve what others propose. May be repeated.',
      helpValue: '<role>',
      multiple: true,
    }),
    'require-journal': toggle({
      description: 'Forbid --no-journal to everybody who uses the ledger.',
      allowNo: true,
    }),
    'accept-restore': toggle({
      description:
        'Use the ledger again after a restore, a move, or after a standby took over, also one in a file. Shows what is missing, and asks how many entries are missing.',
    }),
    'print-sql': toggle({
      description: 'Print the SQL for somebody else to run; needs no server.',
      exclusive: ['from', 'operator', 'approver', 'require-journal', 'accept-restore', 'confirm'],
    }),
    ...profileFlag,
    ...confirmCountFlag,
    'no-input': interactionFlags['no-input'],
  },

  async run(context, { args, flags }) {
    const { initLedger, schemaSql } = await import('./run-init.ts');
    if (flags['print-sql'])
      return context.host.stdout.write(schemaSql(context.host.files, context.root));
    const { profile, from, operator: operators = [], approver: approvers = [] } = flags;
    const requiresJournal = flags['require-journal'];
    const acceptsRestore = flags['accept-restore'] ?? false;
    const options = { profile, from, operators, approvers, requiresJournal, acceptsRestore };
    const request = requestOptions(context.host, flags);
    await initLedger(context, { ledger: args.ledger, ...options, request });
  },
});
