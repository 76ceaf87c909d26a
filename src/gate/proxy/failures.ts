/** Why a request that passed the gate got no response of the upstream. */

import { UnfitRequestError } from '../../platform/http-client/request-head.ts';
import { FullError } from './destination.ts';
import { SlowUploadError, SlowUpstreamError } from './upload.ts';

/** A code of the error table. Reported only while nothing has been sent to the visitor. */
export type Failure = 'BAD_REQUEST' | 'GATE_BUSY' | 'REQUEST_TIMEOUT' | 'UPSTREAM_TIMEOUT' | 'UPSTREAM_UNREACHABLE';

export function toFailure(error: Error): Failure {
  if (error instanceof FullError) return 'GATE_BUSY';
  if (error instanceof SlowUploadError) return 'REQUEST_TIMEOUT';
  if (error instanceof SlowUpstreamError) return 'UPSTREAM_TIMEOUT';
  return error instanceof UnfitRequestError ? 'BAD_REQUEST' : 'UPSTREAM_UNREACHABLE';
}
