/**
 * What is printed on stderr when a command does not succeed: what happened and what to do about it,
 * as two sentences, or as one line of JSON for whoever reads gw's output as JSON. Colours and line breaks are those
 * of every message (view/text/messages.ts).
 *
 * A message may quote the gateway, so it is shown neutralised. Anything that is not a Failure is a
 * defect of gw and says so; its stack, and a failure's cause, are shown when debugging.
 */

import type { Json } from '../base/json.ts';
import { EXIT_DEFECT, Failure } from '../failure.ts';
import { redactJson, redactText } from '../host/redaction/redact.ts';
import type { Redactor } from '../host/redaction/redactor.ts';
import { cut, neutralise, neutraliseLines, toJson } from '../host/redaction/safe.ts';
import type { Format } from './printer.ts';

export interface ErrorStyle {
  /** The format of the command's output. */
  format?: Format | undefined;
  debug: boolean;
  redactor?: Redactor | undefined;
}

/** UTF-16 units of one message on a terminal. */
const MAX_MESSAGE = 2_000;
const MAX_MESSAGES = 20;

/** @returns what stderr is given, with its line end. */
export function renderError(error: unknown, style: ErrorStyle): string {
  // Before anything is cut: half a card number is not recognised.
  const report = redactJson(reportOf(error) as unknown as Json) as unknown as Report;
  const stack = style.debug ? stackOf(error instanceof Failure ? error.cause : error) : undefined;
  const text =
    style.format === 'json' || style.format === 'jsonl'
      ? `${toJson({ error: stack === undefined ? report : { ...report, stack } })}\n`
      : asText(report, stack);
  return style.redactor ? style.redactor.scrub(text) : text;
}

/** The error as it is printed in JSON; what is not known is null, so that the keys are always there. */
interface Report {
  kind: string;
  /** What happened, by a name that outlives the wording. */
  code: string;
  message: string;
  next: string;
  /** False where it is certain that the request did not leave. */
  sent: false | null;
  operation: string | null;
  status: number | null;
  errors: readonly string[];
  exit_code: number;
  id: string | null;
  /** What the journal calls the request. */
  entry: string | null;
}

function reportOf(error: unknown): Report {
  if (error instanceof Failure) {
    const { kind, code, message, sent = null, errors } = error;
    const { operation = null, status = null, exitCode, id = null, entry = null } = error;
    const answer = { operation, status, errors, exit_code: exitCode, id, entry };
    return { kind, code, message, next: nextOf(error), sent, ...answer };
  }
  const what = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return {
    ...{ kind: 'defect', code: 'defect', message: `This is a defect in gw: ${what}` },
    next: 'Please report it, with the output of the same command and --debug.',
    sent: null,
    operation: null,
    status: null,
    errors: [],
    exit_code: EXIT_DEFECT,
    id: null,
    entry: null,
  };
}

function nextOf({ sent, next }: Failure): string {
  return sent === false ? `Nothing was sent. ${next}`.trimEnd() : next;
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
  // To whoever took it back it is no error.
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
