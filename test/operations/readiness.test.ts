import { describe, expect, it } from 'vitest';
import { storesOf } from '../../src/compose/role-stores.ts';
import { type RoleName, roleNames } from '../../src/config/role-names.ts';
import { AppError } from '../../src/http/errors.ts';
import { type ProcessState, requireReady, type StoreName } from '../../src/operations/readiness.ts';

const healthy: ProcessState = { isStopping: false, needs: ['line', 'tier1'], faults: {} };

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
    expect(requireReady({ ...healthy, needs: ['database'] })).toEqual({ status: 'ready' });
  });

  it('is refused while the process stops, whatever else is wrong', () => {
    expect(refusalOf({ isStopping: true, faults: { line: 'Redis is down' } })).toMatchObject({ code: 'STOPPING' });
  });

  it('is refused with the reason while the store of the line is unavailable', () => {
    const refusal = refusalOf({ faults: { line: 'Redis is down' } });
    expect(refusal).toBeInstanceOf(AppError);
    expect(refusal).toMatchObject({ code: 'STORE_UNAVAILABLE', message: 'Redis is down' });
  });

  it('is refused to a process that only sells while the database is unavailable', () => {
    const { needs } = storesOf(['shop', 'stats']);
    const faults = { database: 'PostgreSQL is down' };
    expect(refusalOf({ needs, faults })).toMatchObject({ code: 'STORE_UNAVAILABLE', message: 'PostgreSQL is down' });
  });

  it('is given to a process that serves the line without the database, and says why the shop is unavailable', () => {
    const { needs } = storesOf(['line', 'shop', 'keeper']);
    const state = { ...healthy, needs, faults: { database: 'PostgreSQL is down' } };
    expect(requireReady(state)).toEqual({ status: 'ready', shop: 'PostgreSQL is down' });
  });

  it('is refused with the reason of every store that is missing, each reason once', () => {
    const faults = { line: 'Redis is down', tier1: 'Redis is down', database: 'PostgreSQL is down' };
    expect(refusalOf({ needs: ['line', 'tier1', 'database'], faults })).toMatchObject({
      message: 'Redis is down; PostgreSQL is down',
    });
  });

  it('is given to a process that sells while records are not passed on, and says why', () => {
    const { needs } = storesOf(['shop', 'stats', 'relay']);
    const state = { ...healthy, needs, faults: { records: 'Kafka is down' } };
    expect(requireReady(state)).toEqual({ status: 'ready', records: 'Kafka is down' });
  });
});

describe('the stores of a process', () => {
  it.each<[string, RoleName[], StoreName[], StoreName[]]>([
    ['line', ['line'], ['issuer', 'line', 'tier1'], ['database', 'issuer', 'line', 'tier1']],
    ['admitter', ['admitter', 'sweeper'], ['line'], ['line']],
    ['shop', ['shop', 'stats'], ['database', 'issuer', 'line'], ['database', 'issuer', 'line', 'records']],
    ['background', ['admitter', 'relay'], ['database', 'line', 'records'], ['database', 'line', 'records']],
    ['relay', ['relay'], ['database', 'records'], ['database', 'records']],
    ['everything', [...roleNames], ['issuer', 'line', 'tier1'], ['database', 'issuer', 'line', 'records', 'tier1']],
  ])('%s: waits only for what its roles need', (_name, roles, needs, uses) => {
    const stores = storesOf(roles);
    expect([...stores.needs].sort()).toEqual(needs);
    expect([...stores.uses].sort()).toEqual(uses);
  });
});
