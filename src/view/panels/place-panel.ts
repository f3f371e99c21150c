/** The panels of gw's own stores: the test gateway's state, and a ledger. */
import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import { quantity } from '../../base/text.ts';
import type { PanelContent } from '../columns.ts';
import { textOf } from '../values.ts';
import { joinTexts, panelLines, timeText } from './words.ts';

/** @param record in the form of GATEWAY_STATE_VIEW */
export function gatewayStatePanel(record: JsonObject): PanelContent {
  const { records, hooks, queued_deliveries: queued } = record;
  const isQueued = typeof queued === 'number' && queued > 0;
  const accounts = Object.entries(isObject(records) ? records : {});
  return {
    head: joinTexts(['Built-in test gateway', timeText(record.time), textOf(record.clock)], '  '),
    rows: [
      ...panelLines('next day to bill', record.next_day_to_bill),
      ...panelLines('dialect', record.dialect),
      {
        label: 'webhooks',
        text: joinTexts([
          textOf(hooks),
          isQueued && `${quantity(queued, 'delivery', 'deliveries')} queued`,
        ]),
      },
      ...accounts.flatMap(([name, counts]) => panelLines(`account ${name}`, countsOf(counts))),
      ...panelLines('file', record.file),
    ],
    shown: Object.keys(record),
  };
}

/** @returns for example `40 purchases, 1 refund`; kinds without records are left out */
function countsOf(counts: Json): string {
  const all = Object.entries(isObject(counts) ? counts : {});
  const some = all.filter(([, count]) => typeof count === 'number' && count > 0);
  const each = some.map(([kind, n]) => quantity(Number(n), kind, `${kind}s`));
  return joinTexts(each) || 'no records yet';
}

/** @param record in the form of LEDGER_STATUS_VIEW */
export function ledgerPanel(record: JsonObject): PanelContent {
  const { entries, records, events, unresolved } = record;
  const held = [
    kept(entries, 'entry', 'entries'),
    kept(records, 'record', 'records'),
    kept(events, 'event', 'events'),
  ];
  const unknown = typeof unresolved === 'number' ? unresolved : 0;
  return {
    head: joinTexts(['Ledger', textOf(record.version) ?? 'file'], '  '),
    title: textOf(record.ledger) ?? '',
    rows: [
      ...panelLines('holds', joinTexts(held)),
      {
        label: 'unresolved',
        text: unknown === 0 ? 'none' : `${unknown}: \`gw journal resolve\` asks the gateway`,
        ...(unknown === 0 ? {} : { outcome: 'unclear' as const }),
      },
      ...panelLines('form', record.form),
    ],
    shown: Object.keys(record),
  };
}

function kept(n: Json | undefined, one: string, many: string): string | undefined {
  return typeof n === 'number' ? quantity(n, one, many) : undefined;
}
