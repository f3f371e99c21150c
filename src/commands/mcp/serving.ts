/** All calls of one `gw mcp` share this. */
import type { Program } from '../../cli/dispatch/program.ts';
import type { Profile } from '../../client/profiles/profile.ts';
import type { Context } from '../../host/context.ts';
import type { Turns } from './turns.ts';

export interface Serving {
  context: Context;
  program: Program;
  /** Chosen at the start; no call can choose another one. */
  profile: Profile;
  mayPropose: boolean;
  /** Folders of this machine that no answer names. */
  folders: readonly string[];
  turns: Turns;
}
