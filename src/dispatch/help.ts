/** oclif's help, with a usage line that a person can take in: arguments and `[FLAGS]`; and where to begin. */
import { CommandHelp, Help } from '@oclif/core';

class GwCommandHelp extends CommandHelp {
  protected override defaultUsage(): string {
    const { id, args, flags, strict } = this.command;
    const many = strict === false ? '...' : '';
    const names = Object.values(args ?? {}).map((arg) => {
      const name = `${arg.name.toUpperCase()}${many}`;
      return arg.required ? name : `[${name}]`;
    });
    return [id, ...names, ...(Object.keys(flags ?? {}).length > 0 ? ['[FLAGS]'] : [])].join(' ');
  }
}

const FIRST_STEPS = [
  ['gw purchase create --profile local', 'Charge a card at the embedded gateway'],
  ['gw login sandbox', "Set your gateway's sandbox up"],
  ['gw profile list', 'See what is set up, and what is not yet'],
] satisfies [string, string][];

export default class GwHelp extends Help {
  protected override CommandHelpClass = GwCommandHelp;

  override formatRoot(): string {
    return `${super.formatRoot()}\n\n${this.section('FIRST STEPS', FIRST_STEPS)}`;
  }
}
