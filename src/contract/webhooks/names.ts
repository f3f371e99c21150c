/** Webhooks of the recurring area (interface section 6): their names, and the headers of their deliveries. */

export const SERVICE_MODE_HEADER = 'X-Service-Mode';

/** The test gateway's id of a delivery, the same for each attempt. The interface defines none. */
export const DELIVERY_HEADER = 'X-Gw-Delivery';

/** Has the id of a listener that passed the delivery on. */
export const FORWARDED_HEADER = 'x-gw-forwarded';

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
