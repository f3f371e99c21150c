/** Writes down what an assistant asked, before it gets the answer. */
import type { Json } from '../../base/json.ts';
import { AssistantCalls } from '../../events/store/assistant-calls.ts';
import { redactJson } from '../../host/redaction/redact.ts';
import { cut, toJson } from '../../host/redaction/safe.ts';
import type { Serving } from './serving.ts';
import type { ToolAnswer, ToolCall } from './tool-call.ts';

/** A search is short. Whatever is longer is no search. */
const MOST_ARGUMENTS = 500;

/** @throws Failure usage or guard if it cannot be written; then nothing may be answered */
export async function addCall(
  { context: { host }, profile }: Serving,
  { row, given, client, began, interrupted }: ToolCall,
  { records, error }: ToolAnswer,
): Promise<void> {
  await new AssistantCalls(host).add({
    at: began.toISOString(),
    profile: profile.name,
    client,
    tool: row.name,
    arguments: cut(toJson(redactJson(given as Json, 'foreign')), MOST_ARGUMENTS),
    outcome: interrupted.aborted ? 'cancelled' : String(error?.code ?? 'done'),
    rows: records.length,
    ms: host.clock.now().getTime() - began.getTime(),
  });
}
