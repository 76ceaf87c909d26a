/** Reads messages of the log, in both formats: after a change of RECORDS_FORMAT a topic contains both. */
import { Compile } from 'typebox/compile';
import { fromFlat, isFlat, isForeign } from './flat-record.ts';
import { Envelope, type FairlineRecord, recordTypes } from './record.ts';

export type ReadOutcome =
  | { outcome: 'record'; record: FairlineRecord }
  /** A type that this version does not know, or a message of another producer. */
  | { outcome: 'unknown' }
  | { outcome: 'malformed'; reason: string };

const envelope = Compile(Envelope);
const payloads = new Map(Object.entries(recordTypes).map(([type, { payload }]) => [type, Compile(payload)]));

/** Parses and validates a message of the log. */
export function readRecord(text: string): ReadOutcome {
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    return { outcome: 'malformed', reason: 'not JSON' };
  }
  if (isForeign(message)) return { outcome: 'unknown' };
  const value = isFlat(message) ? fromFlat(message) : message;
  if (!envelope.Check(value))
    return { outcome: 'malformed', reason: `envelope${firstProblem(envelope.Errors(value))}` };
  const payload = payloads.get(value.type);
  if (payload === undefined) return { outcome: 'unknown' };
  if (payload.Check(value.payload)) return { outcome: 'record', record: value as FairlineRecord };
  return { outcome: 'malformed', reason: `payload${firstProblem(payload.Errors(value.payload))}` };
}

function firstProblem(problems: { instancePath: string; message: string }[]): string {
  const [problem] = problems;
  return problem === undefined ? '' : `${problem.instancePath}: ${problem.message}`;
}
