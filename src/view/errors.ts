/**
 * Renders the error that a command prints on stderr: what happened and what to do, as two sentences. A user who asked
 * for JSON gets one line of JSON. Colours and line breaks are those of every message (view/text/messages.ts).
 *
 * A message may quote the gateway, so it is neutralised. Anything that is not a Failure is a defect of gw, and the text
 * says so. With --debug, the stack and the cause of a failure are shown.
 */

import type { Json } from '../base/json.ts';
import { EXIT_DEFECT, Failure } from '../failure.ts';
import type { Departures } from '../host/http/left.ts';
import { redactJson, redactText } from '../host/redaction/redact.ts';
import type { Redactor } from '../host/redaction/redactor.ts';
import { cut, neutralise, neutraliseLines, toJson } from '../host/redaction/safe.ts';
import type { Format } from './printer.ts';

export interface ErrorStyle {
  /** The format of the command's output. */
  format?: Format | undefined;
  debug: boolean;
  redactor?: Redactor | undefined;
  /** The requests that may have left this process before the error. */
  left?: Departures | undefined;
}

/** The longest message on a terminal, in UTF-16 units. */
const MAX_MESSAGE = 2_000;
const MAX_MESSAGES = 20;

/** @returns the text for stderr, with its line end */
export function renderError(error: unknown, style: ErrorStyle): string {
  // Card numbers are masked before anything is cut: half a number is not recognised.
  const report = redactJson(reportOf(error, style.left) as unknown as Json) as unknown as Report;
  const stack = style.debug ? stackOf(error instanceof Failure ? error.cause : error) : undefined;
  const text =
    style.format === 'json' || style.format === 'jsonl'
      ? `${toJson({ error: stack === undefined ? report : { ...report, stack } })}\n`
      : asText(report, stack);
  return style.redactor ? style.redactor.scrub(text) : text;
}

/** The error in JSON. An unknown value is null, so that every key is always there. */
interface Report {
  kind: string;
  /** The name of what happened, which stays the same when the message changes. */
  code: string;
  message: string;
  next: string;
  /** False if the request, or anything else that may change something, certainly did not leave. */
  sent: false | null;
  operation: string | null;
  status: number | null;
  errors: readonly string[];
  exit_code: number;
  id: string | null;
  /** The id of the request in the journal. */
  entry: string | null;
  /** The state of the earlier request that a duplicate would repeat: done, unknown or still being sent. */
  state: string | null;
}

/** A refusal after look-ups was not sent, as the failure itself says; after a change, nothing is certain. */
function sentOf(
  failure: Pick<Failure, 'sent'>,
  left: Departures = { lookUp: true, change: false },
) {
  return !left.change && (failure.sent === false || !left.lookUp) ? false : null;
}

function reportOf(error: unknown, left: Departures | undefined): Report {
  if (error instanceof Failure) {
    const { kind, code, message, errors } = error;
    const sent = sentOf(error, left);
    const { operation = null, status = null, exitCode, id = null } = error;
    const { entry = null, state = null } = error;
    const answer = { operation, status, errors, exit_code: exitCode, id, entry, state };
    return { kind, code, message, next: nextOf(error, sent), sent, ...answer };
  }
  const what = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return {
    kind: 'defect',
    code: 'defect',
    message: `This is a defect in gw: ${what}`,
    next: 'Please report it, with the output of the same command and --debug.',
    sent: sentOf({ sent: undefined }, left),
    operation: null,
    status: null,
    errors: [],
    exit_code: EXIT_DEFECT,
    id: null,
    entry: null,
    state: null,
  };
}

/** @param sent as the report says it: a failure does not know of an earlier request of the same command */
function nextOf(failure: Failure, sent: Report['sent']): string {
  const isUnsent = failure.sent === false && sent === false;
  return isUnsent ? `Nothing was sent. ${failure.next}`.trimEnd() : failure.next;
}

function stackOf(error: unknown): string | undefined {
  if (error === undefined) return undefined;
  const text = error instanceof Error ? (error.stack ?? String(error)) : String(error);
  return redactText(text, 'foreign');
}

function asText(report: Report, stack: string | undefined): string {
  const untold = report.errors.filter(
    (message) => !report.message.includes(message.replace(/\.$/, '')),
  );
  // To the user who cancelled, it is no error.
  if (report.code === 'cancelled') return `${report.message} ${report.next}\n`;
  const lines = [
    `Error: ${show(report.message)}`,
    ...untold.slice(0, MAX_MESSAGES).map((message) => `  ${show(message)}`),
    show(report.next),
    ...(stack === undefined ? [] : [neutraliseLines(stack)]),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

function show(message: string): string {
  return cut(neutralise(message), MAX_MESSAGE);
}
