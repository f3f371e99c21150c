/** What every command of gw has: its context, in place of oclif's own reach for the process. */
import { Command } from '@oclif/core';
import type { Host } from '../host/host.ts';
import type { Context } from '../session/context.ts';

export abstract class GwCommand extends Command {
  /** Load options that oclif does not know survive in its configuration (see start.ts). */
  protected get context(): Context {
    return (this.config.options as unknown as { context: Context }).context;
  }

  protected get host(): Host {
    return this.context.host;
  }
}
