/** What reports have in common. */
import { operatorFlag } from './fact-flags.ts';
import { toggle } from './flag.ts';
import { printFlags, profileFlag } from './global-flags.ts';
import { timeZoneFlag } from './parse-time.ts';

const chartFlag = {
  chart: toggle({
    description: 'Draw bars on a terminal; elsewhere print the rows behind them.',
    helpGroup: 'OUTPUT',
  }),
};

export const reportFlags = { ...timeZoneFlag, ...profileFlag, ...chartFlag, ...printFlags };

/** Of reports of money that was moved. */
export const moneyReportFlags = { ...reportFlags, ...operatorFlag };

/** How money is counted, for the descriptions of reports. */
export const MONEY_REPORT = `Purchases, charges of subscriptions, refunds, what is left of them, and declines by
    reason: how many, and how much in each currency. The gateway has no such list, so this is what
    the ledger knows: records that were seen, money requests that were sent and web hook events that
    were received on this machine, or by all who share the ledger, those of one account and environment. stderr says what it rests on. What is
    known in several ways counts once, at its own date: as the record, else as the request, else as
    the first event. Events that the gateway contradicted, and outcomes that are not clear, are not
    counted; a request whose outcome is unknown has a row of its own and is in no sum. With --operator it is
    what that operator sent: their requests, and the records that those made, each once and at the
    same date as without it; charges of subscriptions, and what was made elsewhere, are nobody's. Today is by
    the clock of the gateway, which the embedded one has to itself.`;
