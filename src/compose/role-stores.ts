/** Which stores each role uses, and without which of them a process is not ready. */
import type { RoleName } from '../config/role-names.ts';
import type { StoreName } from '../operations/readiness.ts';

interface RoleStores {
  needs: readonly StoreName[];
  /** Stores without which the role does most of its work. */
  uses?: readonly StoreName[];
}

/** Every role counts joins or admissions for the statistics; those counts wait for the database in memory. */
const storesOfRole: Record<RoleName, RoleStores> = {
  line: { needs: ['line', 'tier1', 'issuer'], uses: ['database'] },
  admitter: { needs: ['line'] },
  sweeper: { needs: ['line'] },
  advancer: { needs: ['line', 'tier1'] },
  dispatcher: { needs: ['line'] },
  reaper: { needs: ['line'] },
  shop: { needs: ['line', 'database', 'issuer'] },
  keeper: { needs: ['line', 'database'] },
  relay: { needs: ['database', 'records'] },
  chain: { needs: ['database', 'records'] },
  stats: { needs: ['database', 'records'] },
};

/** The roles that visitors wait for. Other work of their process must not take them out of the load balancer. */
const SERVING = ['line', 'shop'] as const;

export interface ProcessStores {
  /** Not ready without them. */
  needs: readonly StoreName[];
  uses: readonly StoreName[];
}

export function storesOf(roles: readonly RoleName[]): ProcessStores {
  const serving = SERVING.find((role) => roles.includes(role));
  const deciding = serving === undefined ? roles : [serving];
  const needs = new Set(deciding.flatMap((role) => storesOfRole[role].needs));
  const uses = new Set(roles.flatMap((role) => [...storesOfRole[role].needs, ...(storesOfRole[role].uses ?? [])]));
  return { needs: [...needs], uses: [...uses] };
}
