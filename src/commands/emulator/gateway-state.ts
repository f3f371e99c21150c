/** The view of the test gateway's state. */
import { quantity } from '../../base/text.ts';
import type { StateDescription } from '../../emulator/state.ts';
import { ownView } from '../../view/columns.ts';

export const GATEWAY_STATE_VIEW = ownView({
  name: 'gateway',
  plural: 'gateways',
  mayHave: [
    'file',
    'dialect',
    'time',
    'next_day_to_bill',
    'clock',
    'hooks',
    'queued_deliveries',
    'records',
  ],
  hasHeader: true,
  hasNoIds: true,
  columns: [],
  panel: async (record) =>
    (await import('../../view/panels/place-panel.ts')).gatewayStatePanel(record),
  computed: ({ path, clock, billingDay, queued, merchants }: StateDescription) => ({
    file: path,
    time: clock.now.toISOString(),
    next_day_to_bill: billingDay,
    clock: clockText(clock),
    queued_deliveries: queued,
    records: Object.fromEntries(merchants.map(({ username, records }) => [username, records])),
  }),
});

const MINUTE_MS = 60_000;
const HOUR = 60;
const DAY = 24 * HOUR;

/** @returns for example `runs, 92 days ahead` */
function clockText({ frozen, offsetMs }: StateDescription['clock']): string {
  if (frozen) return 'stands still';
  const length = lengthText(Math.abs(offsetMs) / MINUTE_MS);
  if (length === '') return "runs like this machine's";
  return `runs, ${length} ${offsetMs > 0 ? 'ahead' : 'behind'}`;
}

/** @returns days and hours, or hours and minutes: `4,711 days and 3 hours`; empty for seconds */
function lengthText(exactMinutes: number): string {
  const minutes = Math.round(exactMinutes);
  const shown = minutes < DAY ? minutes : Math.round(minutes / HOUR) * HOUR;
  const parts: [number, string][] = [
    [Math.floor(shown / DAY), 'day'],
    [Math.floor((shown % DAY) / HOUR), 'hour'],
    [shown % HOUR, 'minute'],
  ];
  return parts
    .filter(([n]) => n > 0)
    .map(([n, unit]) => quantity(n, unit, `${unit}s`))
    .join(' and ');
}
