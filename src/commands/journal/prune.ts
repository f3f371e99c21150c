import { GwCommand } from '../../dispatch/command.ts';
import { ageFlag } from '../../flags/global-flags.ts';
import { parseAge } from '../../flags/parse-age.ts';
import { openOwnLedger } from '../../session/own-ledger.ts';

export default class JournalPrune extends GwCommand {
  static override summary = 'Forget old entries of the journal, and records not seen since';
  static override description =
    'What is forgotten is not recognised any more: a request that repeats a forgotten one is sent, and a ' +
    'batch whose lines are forgotten sends them again. Entries whose outcome is not known are kept, whatever ' +
    'their age.';
  static override examples = [
    '<%= config.bin %> journal prune --older-than 2y',
    '<%= config.bin %> journal prune --older-than 90d',
  ];
  static override flags = ageFlag;

  async run(): Promise<void> {
    const { flags } = await this.parse(JournalPrune);
    const ageMs = parseAge(flags['older-than']);
    const ledger = await openOwnLedger(this.host);
    try {
      const before = new Date(this.host.clock.now().getTime() - ageMs).toISOString();
      const { entries, records, unresolved } = await ledger.prune(before);
      const kept =
        unresolved === 0
          ? ''
          : ` ${unresolved} of that age ${unresolved === 1 ? 'is' : 'are'} kept: the outcome is not known.`;
      await this.host.stderr.write(
        `${entries} ${entries === 1 ? 'entry' : 'entries'} and ${records} ${records === 1 ? 'record' : 'records'} from before ${before.slice(0, 10)} forgotten.${kept}\n`,
      );
    } finally {
      await ledger.close();
    }
  }
}
