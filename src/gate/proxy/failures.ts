/** Why a request that passed the gate got no response of the upstream. */
import { FullError } from './destination.ts';
import { SlowUploadError, SlowUpstreamError } from './upload.ts';

/** A code of the error table. Reported only while nothing has been sent to the visitor. */
export type Failure = 'BAD_REQUEST' | 'GATE_BUSY' | 'REQUEST_TIMEOUT' | 'UPSTREAM_TIMEOUT' | 'UPSTREAM_UNREACHABLE';

/** Errors of undici for a request that it does not send. */
const REFUSED_BY_CLIENT = ['UND_ERR_INVALID_ARG', 'UND_ERR_NOT_SUPPORTED'];

export function toFailure(error: Error & { code?: string }): Failure {
  if (error instanceof FullError) return 'GATE_BUSY';
  if (error instanceof SlowUploadError) return 'REQUEST_TIMEOUT';
  if (error instanceof SlowUpstreamError) return 'UPSTREAM_TIMEOUT';
  return REFUSED_BY_CLIENT.includes(error.code ?? '') ? 'BAD_REQUEST' : 'UPSTREAM_UNREACHABLE';
}
