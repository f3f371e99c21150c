/** The user of this machine, and its name. */
import os from 'node:os';
import type { User } from './host.ts';

export function currentUser(): User {
  return { name: nameOfUser(), machine: os.hostname() };
}

/** A container may run a number that no user has. */
function nameOfUser(): string {
  try {
    return os.userInfo().username;
  } catch {
    return 'unknown';
  }
}
