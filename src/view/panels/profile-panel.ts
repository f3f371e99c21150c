/** The panel of `gw whoami`. */
import type { JsonObject } from '../../base/json.ts';
import { KEEP_DAYS } from '../../client/profiles/profile.ts';
import { moneyText } from '../../contract/money.ts';
import { approvalText, capTexts } from '../cap-texts.ts';
import type { PanelContent } from '../columns.ts';
import { textOf } from '../values.ts';
import { joinTexts, panelLines } from './words.ts';

/** @param record in the form of WHOAMI_VIEW */
export function whoamiPanel(record: JsonObject): PanelContent {
  const { environment } = record;
  const isOwn = environment === 'local';
  return {
    head: textOf(record.profile) ?? '',
    rows: [
      // Words, capitals and colour say whether the money is real.
      environment === 'live'
        ? { label: 'environment', text: 'LIVE: real cards, real money', role: 'live' }
        : { label: 'environment', text: textOf(environment) ?? '' },
      ...panelLines('username', record.username),
      ...panelLines('gateway', isOwn ? 'the built-in test gateway' : record.base_url),
      ...panelLines('account', record.account),
      ...panelLines('merchant', record.merchant_name),
      ...panelLines('currency', record.currency),
      ...panelLines('limits', limitsText(record)),
      ...panelLines('credential command', record.credential_command),
      ...(record.remember === false
        ? panelLines('remembers', 'nothing that it looks up or receives')
        : []),
      ...panelLines('ledger', record.ledger),
      ...panelLines('ledger command', record.ledger_command),
      ...panelLines('operator', record.operator),
      ...panelLines('machine', record.machine),
    ],
    shown: Object.keys(record),
  };
}

/** @param record with the settings of a profile @returns its limits and rules in words; `none` without any */
export function limitsText(record: JsonObject): string {
  const { allowed_commands: allowed, max_amount: most, read_only: isReadOnly } = record;
  const { keep_days: kept = KEEP_DAYS } = record;
  const limits = [
    isReadOnly === true && 'read-only',
    typeof most === 'number' && `at most ${moneyText(most, textOf(record.currency))} at once`,
    ...capTexts(record),
    approvalText(record),
    record.require_note === true && 'refunds, stops and deletions need a note',
    Array.isArray(allowed) && `only ${allowed.map(textOf).join(', ')}`,
    kept !== KEEP_DAYS && `keeps requests for ${textOf(kept)} days`,
  ];
  return joinTexts(limits) || 'none';
}
