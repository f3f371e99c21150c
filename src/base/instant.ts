/** @param instant ISO 8601, UTC. @returns for example `2026-03-10 at 20:30:00 UTC` */
export function instantText(instant: string): string {
  return `${instant.slice(0, 10)} at ${instant.slice(11, 19)} UTC`;
}
