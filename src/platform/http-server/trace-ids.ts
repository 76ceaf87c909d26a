import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

const TRACE_ID = /^[A-Za-z0-9_.-]{1,64}$/;

/** Takes the client's own id if it is safe to log, so that traces join up; otherwise creates one. */
export function createTraceIds(): (request: { headers: IncomingHttpHeaders }) => string {
  const prefix = randomBytes(6).toString('base64url');
  let count = 0;
  return ({ headers }) => {
    const given = headers['x-request-id'];
    if (typeof given === 'string' && TRACE_ID.test(given)) return given;
    count += 1;
    return `${prefix}-${count.toString(36)}`;
  };
}
