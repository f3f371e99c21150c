/** oclif's help, with a usage line that a person can take in: arguments and `[FLAGS]`. */
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

export default class GwHelp extends Help {
  protected override CommandHelpClass = GwCommandHelp;
}
