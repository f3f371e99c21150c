/** The cards of what gw keeps: the embedded gateway's state, and a ledger. */
import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import { plural } from '../../base/plural.ts';
import type { CardContent } from '../columns.ts';
import { textOf } from '../values.ts';
import { joined, rowOf, timeText } from './words.ts';

/** @param record as GATEWAY_STATE_VIEW has it */
export function gatewayStateCard(record: JsonObject): CardContent {
  const { records, hooks, queued_deliveries: queued } = record;
  const accounts = Object.entries(isObject(records) ? records : {});
  return {
    head: joined(['Embedded gateway', timeText(record.time), textOf(record.clock)], '  '),
    rows: [
      ...rowOf('next day to bill', record.next_day_to_bill),
      ...rowOf('dialect', record.dialect),
      { label: 'web hooks', text: joined([textOf(hooks), queuedText(queued)]) },
      ...accounts.flatMap(([name, counts]) => rowOf(`account ${name}`, countsOf(counts))),
      ...rowOf('file', record.file),
    ],
    shown: Object.keys(record),
  };
}

function queuedText(queued: Json | undefined): string | undefined {
  return typeof queued === 'number' && queued > 0
    ? `${queued} ${plural(queued, 'delivery', 'deliveries')} queued`
    : undefined;
}

/** @returns for example `40 purchases, 1 refund`; what there is none of is not named */
function countsOf(counts: Json): string {
  const all = Object.entries(isObject(counts) ? counts : {});
  const some = all.filter(([, count]) => typeof count === 'number' && count > 0);
  const each = some.map(([kind, n]) => `${n} ${plural(Number(n), kind, `${kind}s`)}`);
  return joined(each) || 'no records yet';
}

/** @param record as LEDGER_STATUS_VIEW has it, its senders counted */
export function ledgerCard(record: JsonObject): CardContent {
  const { entries, records, events, unresolved, counts_are_estimates: isEstimated } = record;
  const held = [
    counted(entries, 'entry', 'entries'),
    counted(records, 'record', 'records'),
    counted(events, 'event', 'events'),
  ];
  const latency = textOf(record.latency_ms);
  const unknown = typeof unresolved === 'number' ? unresolved : 0;
  return {
    head: joined(['Ledger', textOf(record.version) ?? 'file'], '  '),
    title: textOf(record.ledger) ?? '',
    rows: [
      ...rowOf('holds', joined([...held, isEstimated === true && 'as estimated'])),
      {
        label: 'unresolved',
        text: unknown === 0 ? 'none' : `${unknown}: \`gw journal resolve\` asks the gateway`,
        ...(unknown === 0 ? {} : { outcome: 'unclear' as const }),
      },
      ...rowOf('size', sizeText(record.size_bytes)),
      ...rowOf('latency', latency && `${latency} ms`),
      ...rowOf('clock', aheadText(record.clock_ahead_ms)),
      ...rowOf('durable', durableText(record.durable_hosts)),
      ...rowOf('active', Array.isArray(record.active) ? record.active.length : record.active),
      ...rowOf('form', record.form),
    ],
    shown: Object.keys(record),
  };
}

function counted(n: Json | undefined, one: string, many: string): string | undefined {
  return typeof n === 'number' ? `${n.toLocaleString('en')} ${plural(n, one, many)}` : undefined;
}

function aheadText(ms: Json | undefined): string | undefined {
  if (typeof ms !== 'number' || Math.abs(ms) < 1_000) return undefined;
  return `this machine is ${Math.round(Math.abs(ms) / 1_000)} s ${ms > 0 ? 'ahead' : 'behind'}`;
}

function durableText(hosts: Json | undefined): string | undefined {
  if (typeof hosts !== 'number') return undefined;
  if (hosts === 0) return 'no: `gw doctor` says what to set';
  return hosts === 1 ? 'on this server only' : `on ${hosts} servers`;
}

const UNITS = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

function sizeText(bytes: Json | undefined): string | undefined {
  if (typeof bytes !== 'number') return undefined;
  const step = Math.min(UNITS.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
  const size = bytes / 1024 ** step;
  return `${step === 0 ? size : size.toFixed(1)} ${UNITS[step]}`;
}
