/**
 * A batch command from its options to its exit code: reads and checks the whole input, asks for confirmation on a live
 * profile, and runs over the lines (engine/batch-run.ts). A line is sent by send-line.ts.
 *
 * After the first interrupt no more lines start, and the requests in flight are completed. The second ends the program
 * at once (src/host/ending.ts). The ledger then finds intents whose process is gone, and calls their outcome unknown.
 */

import { commandText, quotedText, shellWord } from '../../base/shell.ts';
import { count, plural, quantity } from '../../base/text.ts';
import type { FlagValues } from '../../cli/flags/flag.ts';
import type { GatewayConnection, UnsettledRequest } from '../../client/connection/call.ts';
import { refusal } from '../../client/connection/refusals.ts';
import { chosenAccount } from '../../client/connection/wire.ts';
import { targetOf } from '../../client/exchange/said-money.ts';
import { isConfirmed } from '../../client/guards/confirmation.ts';
import { learnCurrencies } from '../../client/guards/refund-target.ts';
import { checkNote } from '../../client/guards/rules.ts';
import { moneyText } from '../../contract/money.ts';
import type { Operation } from '../../contract/operation.ts';
import { likeMoney } from '../../contract/operations.ts';
import { Failure, invariant, orFailure } from '../../failure.ts';
import type { Context } from '../../host/context.ts';
import type { Host } from '../../host/host.ts';
import { redactText } from '../../host/redaction/redact.ts';
import { neutralise } from '../../host/redaction/safe.ts';
import { type PrintHost, printRecords } from '../../view/print-records.ts';
import { howToApprove, PROPOSAL_VIEW } from '../../view/records/proposal.ts';
import { askedNote } from '../ask-note.ts';
import { nameOfInput } from '../body/read-input.ts';
import { namedOtherwise, noPurchases } from '../known/named-record.ts';
import { type KnownHost, openLedger } from '../known/open-ledger.ts';
import type { AskingContext } from '../open-connection.ts';
import { openConnection } from '../open-connection.ts';
import type { BatchOptions } from './batch-options.ts';
import { progressText, refuseProblems, summaryText, totalsText } from './batch-report.ts';
import { OperationSource } from './batch-source.ts';
import { conclude } from './conclude.ts';
import { customerCards } from './customer-cards.ts';
import { type Line, linesIn, type Tally } from './engine/batch.ts';
import { BatchRun } from './engine/batch-run.ts';
import { cellAgainst, WRITTEN_REFERENCE } from './engine/columns.ts';
import { type Plan, planBatch } from './engine/preflight.ts';
import { Progress } from './engine/progress.ts';
import { readInputText, readRows } from './engine/rows.ts';
import { addTotal, type Totals } from './engine/totals.ts';
import { FailedRows } from './failed-rows.ts';
import { knownPurchases } from './known-purchases.ts';
import { meantCommand } from './meant-command.ts';
import { checkMinorUnits } from './minor-units.ts';
import { approverOf, requestOfBatch } from './proposed-batch.ts';
import { rehearse } from './rehearse.ts';
import { Outcomes, openResults } from './results.ts';
import { BatchSender, type CheckedBatch } from './send-line.ts';

/** @param operation its name. @returns the batch command as it is typed after `gw`: `refund batch` */
function batchCommand(operation: string): string {
  return `${operation.replace(/ create$/, '')} batch`;
}

export interface BatchRequest {
  operation: Operation;
  /** A path, or `-` for stdin. */
  source: string;
  options: BatchOptions;
}

/** The parts of the host by which a batch reads its input and asks the ledger about it. */
type InputHost = KnownHost & Pick<Host, 'prompts' | 'readNamed' | 'stdin'>;

/** @throws Failure unless every line is done */
export async function runBatchCommand(context: Context, request: BatchRequest): Promise<void> {
  // A line that creates anything must be sent only once.
  const operation = likeMoney(request.operation);
  const gateway = await openGateway(context, request.options);
  try {
    await gateway.admit(operation);
    await checkAndRun(context.host, gateway, { ...request, operation });
  } finally {
    await gateway.close();
  }
}

async function checkAndRun(
  host: InputHost & PrintHost,
  gateway: GatewayConnection,
  command: BatchRequest,
): Promise<void> {
  const { operation, source: name, options } = command;
  const batch = await check(host, gateway, command);
  const progress = new Progress(host.stderr, host.clock, progressText);
  const results = openResults(host, progress, {
    output: options.output,
    operation,
    isDryRun: options.request.isDryRun,
  });
  const sender = new BatchSender(batch, gateway, host);
  await sender.checkRoom();
  if (options.request.isProposal) return propose(host, batch, gateway);
  sender.approvedBy = await approverOf(batch, gateway);
  if (options.request.isDryRun) {
    const failure = await rehearse({ batch, sender, host }, results);
    await confirm(batch, gateway);
    if (failure) throw failure;
    return;
  }
  await confirm(batch, gateway);
  const failed = openFailed(host.files, batch, name);
  await sender.begin();
  const { clock } = host;
  const run = new BatchRun(batch.plan.lines, sender, { ...options, clock, progress });
  stopWhenInterrupted(host.interrupted, run, progress);
  const outcomes = new Outcomes(results, failed);
  try {
    await takeResults(run, outcomes, options);
  } finally {
    await progress.clear();
    await end(host, batch, run, outcomes);
  }
  conclude(run, host.interrupted.aborted, {
    command: commandToRepeat(operation, name, options.typed),
    failed,
    isRecorded: options.request.recordsMoney,
  });
}

/** Writes the batch down as a whole, for another person to approve; its lines are sent by the same file. */
async function propose(
  host: InputHost & PrintHost,
  batch: CheckedBatch,
  gateway: GatewayConnection,
): Promise<void> {
  const request = await requestOfBatch(batch, gateway);
  const proposal = await gateway.ledger.propose(request, batch.operation);
  const { output } = batch.options;
  await printRecords(host, output, [PROPOSAL_VIEW.record(proposal)], {
    kind: PROPOSAL_VIEW,
    isSingle: true,
  });
  await host.stderr.write(
    `${howToApprove(proposal)}\nAfterwards this command without --propose sends the lines.\n`,
  );
}

/**
 * @param source a path, or `-` for stdin
 * @param typed flags, none of which is a secret
 * @returns undefined if the input cannot be read again
 */
function commandToRepeat(
  { name }: Operation,
  source: string,
  typed: FlagValues,
): string | undefined {
  if (source === '-') return undefined;
  return commandText([...batchCommand(name).split(' '), source], Object.entries(typed));
}

/** @throws Failure if no profile can be used */
async function openGateway(
  context: AskingContext & { host: KnownHost },
  { request, concurrency }: BatchOptions,
): Promise<GatewayConnection> {
  const { host } = context;
  const account = await chosenAccount(host, request.profile);
  return openConnection(context, account, request, {
    inFlight: concurrency,
    sparesLookUps: true,
    // An interrupt does not end requests in flight, so this signal never aborts.
    interrupted: new AbortController().signal,
    openLedger: () =>
      openLedger(host, {
        needs: 'sends',
        profile: account.profile,
        endOfTurn: host.endOfTurn,
        patience: host.interrupted,
      }),
  });
}

/**
 * Checks the whole input.
 * @throws Failure usage if something is wrong with it, guard if it is above a limit
 */
async function check(
  host: InputHost,
  gateway: GatewayConnection,
  { operation, source: name, options }: BatchRequest,
): Promise<CheckedBatch> {
  const { body: request } = operation;
  invariant(request, `a batch of ${operation.name}, which has no body`);
  const keep = await gateway.ledger.keeper(operation);
  const source = new OperationSource({
    operation,
    request,
    profile: gateway.profile,
    keep: (body, currency) => {
      gateway.wire.hideCards(body);
      return keep({ body, currency });
    },
    currenciesOf: (purchases, needed) =>
      learnCurrencies(gateway.asking, operation, purchases, needed),
    unseen: gateway.asking.unseen,
    knownPurchases: (ids) => knownPurchases(host, gateway, ids),
    namedOtherwise: (kind, texts) => namedOtherwise(host, gateway, kind, texts),
    noPurchases: (texts) => noPurchases(host, gateway, texts),
    cardsOf: (names, known) => customerCards(gateway.asking, names, known),
    planCalled: async (text) => {
      const { planCalled } = await import('../known/named-plan.ts');
      return planCalled(host, gateway, text, options.request);
    },
    checkCharges: (row, input) => gateway.confirmation.checkCharges(row, input),
    columns: options.columns,
    allowsDuplicates: !options.request.refusesDuplicates,
    isAsWritten: options.isAsWritten,
    isByReference: options.isByReference,
    referencePrefix: options.referencePrefix,
  });
  const { read, money } = await readPlan(host, source, { operation, source: name, options });
  await noteLines(host, gateway, operation, { plan: read, options });
  const isShown = operation.money?.givesBack && !isConfirmed(gateway.profile, options.request);
  const plan = isShown ? await withCurrencies(gateway, operation, read) : read;
  refuseAboveLimits(plan, options);
  if (money !== undefined)
    await host.stderr.write(`The amounts are money, not minor units: ${money} and so on.\n`);
  else {
    const words = [...batchCommand(operation.name).split(' '), name];
    await checkMinorUnits(host, gateway, { operation, source, plan, options }, words);
  }
  for (const plan of source.plans.values())
    if ('said' in plan && plan.said !== undefined) await host.stderr.write(`${plan.said}\n`);
  if (source.replaced.size > 0)
    await host.stderr.write(
      `${quantity(source.replaced.size, 'reference is sent as the id that it names', 'references are sent as the ids that they name')}.\n`,
    );
  if (source.compared > 0)
    await host.stderr.write(
      `${quantity(source.compared, 'customer matches', 'customers match')} who paid.\n`,
    );
  await sayReplaced(host, source, plan);
  await saySharedReferences(host, plan);
  const id = options.name ?? plan.digest.slice(0, 32);
  return { operation, options, source, plan, id };
}

/** @returns the plan, and an amount of a column that is money. @throws Failure usage if the input has problems */
async function readPlan(
  host: InputHost,
  source: OperationSource,
  { operation, source: name, options }: BatchRequest,
): Promise<{ read: Plan; money: string | undefined }> {
  const { columns } = source;
  const rows = readRows(await readInputText(host, name), columns);
  const above = columns.header?.above ?? [];
  if (above.length > 0)
    await host.stderr.write(
      `${nameOfInput(name)}: not read: ${plural(above.length, 'line', 'lines')} ${above.join(', ')} (above the names).\n`,
    );
  const meant = columns.strange.length > 0 ? await source.meant(rows) : undefined;
  const money = source.takeMoney(rows);
  const read = await planBatch(source, rows, host.interrupted);
  if (source.areBelow)
    await host.stderr.write(
      'All amounts are below zero, as books have what is given back: they are refunded without the sign.\n',
    );
  if (read.problemCount === 0) return { read, money };
  const isByReference = meant ?? (await source.meant(rows));
  const words = [...batchCommand(operation.name).split(' '), name];
  const isRead = columns.strange.length === 0 && money !== undefined;
  const isUseless = isRead || source.lacking() !== undefined;
  const command = isUseless ? undefined : meantCommand(words, options, { columns, isByReference });
  const against = command === undefined ? undefined : cellAgainst(columns, rows);
  if (against)
    await host.stderr.write(
      `The command below leaves out the column ${quotedText(against.column)}, and sends also line ${against.line}, which has ${quotedText(against.cell)} there. Remove the rows that are not meant first.\n`,
    );
  await refuseProblems(host, name, read, command);
  return { read, money };
}

/** Each line has a note of its own, or that of all. @throws Failure guard if one has none and the profile wants it */
async function noteLines(
  { prompts }: Pick<Host, 'prompts'>,
  gateway: GatewayConnection,
  operation: Operation,
  { plan, options }: { plan: Plan; options: BatchOptions },
): Promise<void> {
  if (!plan.lacksNote) return;
  const note = await askedNote(gateway, options.request, prompts, { operation });
  checkNote(gateway.profile, { operation }, gateway.ledger.note);
  plan.lines.note = note;
}

/** A person who confirms the total of refunds reads it in the currencies of their purchases. */
async function withCurrencies(
  { asking }: GatewayConnection,
  operation: Operation,
  plan: Plan,
): Promise<Plan> {
  const purchases = new Set<string>();
  for (const line of plan.lines)
    if (line.currency === undefined) purchases.add(targetOf(operation, line) ?? '');
  purchases.delete('');
  plan.lines.currencies = await learnCurrencies(asking, operation, [...purchases], purchases);
  const totals: Totals = new Map();
  for (const { body, currency } of plan.lines) addTotal(totals, body, currency);
  return { ...plan, totals };
}

/** The digits of a batch's digest that are shown to tell batches apart. */
const SHOWN_DIGEST = 8;

/** @throws Failure guard */
function refuseAboveLimits(
  { lines: { length: lines }, totals }: Plan,
  { maxCount, maxTotal }: BatchOptions,
): void {
  const next = 'Check that this is the input you meant, or raise the limit.';
  if (maxCount !== undefined && lines > maxCount) {
    const message = `There are ${count(lines)} lines, more than --max-count ${maxCount}.`;
    throw refusal('too-many-lines', message, next);
  }
  for (const [currency, total] of totals) {
    if (maxTotal === undefined || total <= BigInt(maxTotal)) continue;
    const [sum, most] = [total, maxTotal].map((minor) => moneyText(minor, currency));
    const message = `The amounts come to ${sum}, more than the ${most} of --max-total ${maxTotal}.`;
    throw refusal('total-too-large', message, next);
  }
}

/** Says once that gw's own column decides: the reference that it replaces may be a person's correction. */
async function sayReplaced(
  { stderr }: Pick<Host, 'stderr'>,
  { columns }: OperationSource,
  { lines }: Plan,
): Promise<void> {
  if (!columns.header?.cells.includes(WRITTEN_REFERENCE)) return;
  let first: Line | undefined;
  let replaced = 0;
  for (const line of lines) {
    if (line.row.replaced === undefined) continue;
    first ??= line;
    replaced++;
  }
  if (!first) return;
  const [sent, read] = [String(first.kept?.reference), first.row.replaced ?? ''].map((text) =>
    shellWord(neutralise(redactText(text))),
  );
  const also = replaced === 1 ? '' : `, as ${quantity(replaced - 1, 'other is', 'others are')}`;
  await stderr.write(
    `Line ${first.number} is taken as ${sent} from gw_reference${also}; remove that column to send ${read}.\n`,
  );
}

/** Says once for all lines that some share a reference: it may be one that a spreadsheet made of several. */
async function saySharedReferences(
  { stderr }: Pick<Host, 'stderr'>,
  { shared: { lines, first } }: Plan,
): Promise<void> {
  if (!first) return;
  const { line, of, reference } = first;
  await stderr.write(
    `${quantity(lines, 'line has', 'lines have')} the reference of an earlier line, line ${line} that of line ${of} (${shellWord(neutralise(redactText(reference)))}).\n`,
  );
}

/** @throws Failure guard unless a live profile is confirmed, once for all lines */
async function confirm(
  { operation, plan }: CheckedBatch,
  gateway: GatewayConnection,
): Promise<void> {
  const total = plan.totals.size === 0 ? undefined : totalsText(plan.totals);
  const lines = quantity(plan.lines.length, 'line', 'lines');
  await gateway.confirmation.ofLive(
    operation,
    [['Total', total]],
    `${batchCommand(operation.name)}, ${lines}`,
  );
}

/** @returns the file for rows that do not succeed, if one is wanted. @throws Failure usage if it cannot be written */
function openFailed(
  files: Host['files'],
  { options, source }: CheckedBatch,
  name: string,
): FailedRows | undefined {
  const { failed } = options;
  if (failed === undefined) return undefined;
  const { columns, isAsWritten } = source;
  const input = { source: name, columns, isAsWritten };
  return new FailedRows(files, failed, { ...input, hasReasons: true });
}

/**
 * If results cannot be printed, no more lines are started, and the rest is still counted: the summary tells the user
 * what was done.
 * @throws Failure if results cannot be printed
 */
async function takeResults(
  run: BatchRun<UnsettledRequest>,
  outcomes: Outcomes,
  { request }: BatchOptions,
): Promise<void> {
  let failure: Failure | undefined;
  for await (const results of run.results()) {
    const taken = await orFailure(outcomes.take(results));
    if (!(taken instanceof Failure)) continue;
    failure ??= taken;
    run.stop({ why: 'results cannot be printed' });
  }
  if (!failure) return;
  if (!request.recordsMoney) throw failure;
  const next =
    'Run the same command again with another output. gw prints the results of lines that are done, and does not send them again.';
  throw failure.with({ next });
}

/** Ends the output, and prints the summary. */
async function end(
  { stderr }: Pick<Host, 'stderr'>,
  { operation, options, plan }: CheckedBatch,
  { tally }: Pick<BatchRun<UnsettledRequest>, 'tally'>,
  outcomes: Outcomes,
): Promise<void> {
  try {
    await outcomes.end();
  } finally {
    const summary = summaryText(operation.kind, tally, outcomes);
    const id = shellWord(options.name ?? plan.digest.slice(0, SHOWN_DIGEST));
    // Without the flag, `gw journal batches` would look among the batches of another profile.
    const { profile } = options.request;
    const again = `gw journal batches ${id}${profile === undefined ? '' : ` --profile ${profile}`}`;
    await stderr.write(`${summary}\n${noteOf(outcomes)}${againText(again, tally)}\n`);
  }
}

/** The journal has no line that was not sent. @param again the command that shows the others */
function againText(again: string, tally: Tally): string {
  const unsent = linesIn(tally, ['refused', 'not-started']);
  if (unsent === 0) return `\`${again}\` shows it again.`;
  if (unsent === linesIn(tally)) return 'This run sent no line, and left none in the journal.';
  return `\`${again}\` shows what was sent. This run did not send ${quantity(unsent, 'line', 'lines')}.`;
}

/** A question that only the user can decide: is a line without a reference new, or the one that is done? */
function noteOf({ doneByOthers: n }: Outcomes): string {
  if (n === 0) return '';
  const done = `${quantity(n, 'line', 'lines')} without a reference ${plural(n, 'was', 'were')} done by another batch`;
  return `${done}. gw does not send ${plural(n, 'it', 'them')} again. For new ones, such as next month's, give this batch a name with --batch.\n`;
}

/** Starts no more lines after the user interrupts. */
function stopWhenInterrupted(
  interrupted: AbortSignal,
  run: Pick<BatchRun<UnsettledRequest>, 'stop'>,
  progress: Progress,
): void {
  const onInterrupt = () => {
    run.stop({ why: 'it was interrupted' });
    void progress.say(
      '\ngw starts no more lines and waits for the answers. Press Ctrl-C again to stop at once.\n',
    );
  };
  if (interrupted.aborted) onInterrupt();
  interrupted.addEventListener('abort', onInterrupt, { once: true });
}
