/** Order and grouping of the room settings. */
import type { SettingFact } from '../../api/setting-fact.ts';

export const settingGroups = {
  groupCount: ['maxActive', 'admitPerSecond', 'burst', 'batchSize', 'priorityShare', 'followStock'],
  groupHours: ['opensAt', 'closesAt', 'order'],
  groupSession: ['activeTtlMs', 'activeMaxTtlMs', 'renew', 'releaseOnDisconnect', 'expectedStayMs'],
  groupPlace: ['claimTtlMs', 'seenTtlMs', 'disconnectGraceMs'],
  groupEntry: ['joinRequires', 'admission', 'claimWindow', 'minWaitMs', 'streamFormat', 'readyStatus', 'target'],
} as const;
export type GroupName = keyof typeof settingGroups | 'groupOther';

/** Settings without a group come last. */
export function groupSettings(facts: readonly SettingFact[]): [GroupName, SettingFact[]][] {
  const byName = new Map(facts.map((fact) => [fact.name, fact]));
  const groups: [GroupName, SettingFact[]][] = Object.entries(settingGroups).map(([group, names]) => [
    group as GroupName,
    names.flatMap((name) => byName.get(name) ?? []),
  ]);
  const named = new Set<string>(Object.values(settingGroups).flat());
  groups.push(['groupOther', facts.filter(({ name }) => !named.has(name))]);
  return groups.filter(([, members]) => members.length > 0);
}
