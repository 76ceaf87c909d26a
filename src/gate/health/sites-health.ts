/** What a gate sees of several sites. A response without an event counts for the events of its own site only. */
import { type FollowedRoom, HealthRecorder, type RoomHealthReport } from './health-recorder.ts';

export class SitesHealth {
  readonly #sites = new Map<string, HealthRecorder>();

  of(upstream: string): HealthRecorder {
    const site = this.#sites.get(upstream) ?? new HealthRecorder();
    this.#sites.set(upstream, site);
    return site;
  }

  /** As HealthRecorder.take. An event that no site has seen yet may be of any. */
  take(rooms: readonly FollowedRoom[], now: number): RoomHealthReport[] {
    const reports = new Map<string, RoomHealthReport>();
    const sites = [...this.#sites.values()];
    const ofAnySite = new Set(rooms.filter(({ eventId }) => !sites.some((site) => site.hasSeen(eventId))));
    for (const site of sites) {
      const ofSite = rooms.filter((room) => ofAnySite.has(room) || site.hasSeen(room.eventId));
      for (const report of site.take(ofSite, now))
        reports.set(report.eventId, sum(reports.get(report.eventId), report));
    }
    return [...reports.values()];
  }
}

function sum(one: RoomHealthReport | undefined, other: RoomHealthReport): RoomHealthReport {
  if (one === undefined) return other;
  return {
    eventId: one.eventId,
    responses: one.responses + other.responses,
    errors: one.errors + other.errors,
    latencies: one.latencies.map((count, bucket) => count + other.latencies[bucket]!),
  };
}
