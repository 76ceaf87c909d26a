import { describe, expect, it } from 'vitest';
import { AppError } from '../../src/http/errors.ts';
import { type ProcessState, requireReady } from '../../src/operations/readiness.ts';

const healthy: ProcessState = {
  isStopping: false,
  storeFault: undefined,
  databaseFault: undefined,
  servesLine: true,
};

function refusalOf(state: Partial<ProcessState>): AppError | undefined {
  try {
    requireReady({ ...healthy, ...state });
    return undefined;
  } catch (error) {
    return error as AppError;
  }
}

describe('readiness', () => {
  it('is given while every store is available', () => {
    expect(requireReady(healthy)).toEqual({ status: 'ready' });
    expect(requireReady({ ...healthy, servesLine: false })).toEqual({ status: 'ready' });
  });

  it('is refused while the process stops, whatever else is wrong', () => {
    expect(refusalOf({ isStopping: true, storeFault: 'Redis is down' })).toMatchObject({ code: 'STOPPING' });
  });

  it('is refused with the reason while the store of the line is unavailable', () => {
    const refusal = refusalOf({ storeFault: 'Redis is down' });
    expect(refusal).toBeInstanceOf(AppError);
    expect(refusal).toMatchObject({ code: 'STORE_UNAVAILABLE', message: 'Redis is down' });
  });

  it('is refused to a process that only sells while the database is unavailable', () => {
    const state = { databaseFault: 'PostgreSQL is down', servesLine: false };
    expect(refusalOf(state)).toMatchObject({ code: 'STORE_UNAVAILABLE', message: 'PostgreSQL is down' });
  });

  it('is given to a process that serves the line without the database, and says why the shop is unavailable', () => {
    const state = { ...healthy, databaseFault: 'PostgreSQL is down' };
    expect(requireReady(state)).toEqual({ status: 'ready', shop: 'PostgreSQL is down' });
  });
});
