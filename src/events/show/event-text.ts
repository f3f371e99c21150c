/** The text of a received event, in the form that a listener prints. */
import { toJson } from '../../host/redaction/safe.ts';
import type { TextForm } from '../event.ts';
import { eventLine } from './event-line.ts';
import { wholeRecord } from './event-record.ts';
import type { EventScreen } from './event-row.ts';
import type { ShownEvent } from './event-view.ts';

/** What is known of an event's text only when it is printed. */
interface TextPlace {
  /** The environment's mode, where the event's own is another. */
  expectedMode: string | undefined;
  /** The terminal; none where the text goes into a pipe. */
  screen?: EventScreen | undefined;
}

/** Card numbers and secrets were masked when the delivery was read. @returns the text, with its line end */
export function eventText(
  shown: ShownEvent,
  form: TextForm,
  { expectedMode, screen }: TextPlace,
): string {
  if (form.kind === 'record') return `${toJson(wholeRecord(shown))}\n`;
  const { color, verbose } = form;
  return eventLine(shown, { screen, color, verbose, expectedMode });
}
