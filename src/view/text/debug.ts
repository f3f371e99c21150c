/** A request and its response as --debug and --dry-run show them: everything except secrets. */
import { isObject } from '../../base/json.ts';
import { writtenJson } from '../../contract/envelope.ts';
import { redactHeader, redactJson, redactText } from '../../host/redaction/redact.ts';
import { type Redactor, scrubJson } from '../../host/redaction/redactor.ts';
import {
  cut,
  escapeHidden,
  neutralise,
  neutraliseLines,
  toJson,
} from '../../host/redaction/safe.ts';

type HeaderValues = Readonly<Record<string, string | readonly string[] | undefined>>;

export interface ShownRequest {
  method: string;
  url: string;
  headers: HeaderValues;
  body?: string | undefined;
}

export interface ShownResponse {
  status: number;
  headers: HeaderValues;
  body: string;
  durationMs: number;
}

/** The most UTF-16 units of a body that are shown. */
const MAX_BODY = 20_000;

/** @returns lines that begin with `> ` */
export function renderRequest(request: ShownRequest, redactor: Redactor): string {
  const { method, url, headers, body } = request;
  const first = `${method} ${redactText(url)}`;
  return block('> ', [first, ...headerLines(headers)], body ?? '', redactor);
}

/** @returns lines that begin with `< ` */
export function renderResponse(response: ShownResponse, redactor: Redactor): string {
  const { status, headers, body, durationMs } = response;
  const first = `${status} in ${Math.round(durationMs)} ms`;
  return block('< ', [first, ...headerLines(headers)], body, redactor);
}

/** @returns a body with its original layout, unless it has something to hide */
export function renderRaw(body: string, redactor: Redactor): string {
  return redactor.scrub(shownBody(body, redactor));
}

function block(prefix: string, head: string[], body: string, redactor: Redactor): string {
  const shown =
    body === '' ? [] : cut(shownBody(redactor.scrubKnown(body), redactor), MAX_BODY).split('\n');
  const text = [...head.map(neutralise), ...shown].map((line) => `${prefix}${line}\n`).join('');
  return redactor.scrub(text);
}

function headerLines(headers: HeaderValues): string[] {
  return Object.entries(headers).flatMap(([name, values]) =>
    [values ?? []].flat().map((value) => `${name}: ${redactHeader(name, value)}`),
  );
}

function shownBody(body: string, redactor: Redactor): string {
  const value = writtenJson(body);
  if (value === undefined) return neutraliseLines(redactText(body, 'foreign'));
  redactor.addIdentifiers(value);
  // A body without an envelope may come from anyone, so only card tokens are shown.
  const origin = isObject(value) && 'successful' in value ? 'record' : 'kept';
  const redacted = scrubJson(redactJson(value, origin), (text) => redactor.scrubKnown(text));
  // If a name occurs twice, the parsed value has only the last one, and the text has all.
  const text = redactText(body);
  // Carriage returns are white space in JSON, and would let a line be overwritten on a terminal.
  if (redacted === value && text === body) return escapeHidden(body.replaceAll('\r', ''));
  return toJson(redacted, body.includes('\n') ? 2 : undefined);
}
