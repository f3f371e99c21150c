/** Webhooks of the recurring area (interface section 6): their names, and the header that shows their mode. */

export const SERVICE_MODE_HEADER = 'X-Service-Mode';

/** The six events of the interface. Deployments send others too. */
export const EVENT_NAMES = [
  'charge:pending',
  'charge:successful',
  'charge:retry',
  'charge:failed',
  'card:expiring',
  'card:expired',
] as const;

export type EventName = (typeof EVENT_NAMES)[number];
