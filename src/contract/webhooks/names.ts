/** Webhooks of the recurring area (interface section 6): what they are called, and what marks their mode. */

export const SERVICE_MODE_HEADER = 'X-Service-Mode';

/** The six events. Deployments send others too. */
export const EVENT_NAMES = [
  'charge:pending',
  'charge:successful',
  'charge:retry',
  'charge:failed',
  'card:expiring',
  'card:expired',
] as const;

export type EventName = (typeof EVENT_NAMES)[number];
