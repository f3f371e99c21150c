/** A call of a tool, and its answer. */
import type { JsonObject } from '../../base/json.ts';
import type { ToolRow } from './tools.ts';

export interface ToolAnswer {
  records: JsonObject[];
  total?: number;
  next_cursor?: string;
  notes: string[];
  error?: JsonObject;
}

export interface ToolCall {
  row: ToolRow;
  /** The arguments that the client sent, unchecked. */
  given: JsonObject;
  /** Name of the client, as it calls itself. */
  client: string;
  began: Date;
  /** Aborted with a Failure if nobody waits for the answer any more. */
  interrupted: AbortSignal;
}

/** Takes how many rows were read so far. */
export type Progress = (rows: number) => void;
