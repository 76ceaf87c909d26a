/** The port to which version of a poster each event shows. An unavailable database throws. */
export interface PosterVersions {
  find(eventId: string): Promise<string | undefined>;
  /** `undefined` for none. Returns the version before; `no-event` if the event does not exist. */
  set(eventId: string, version: string | undefined): Promise<SetPosterOutcome>;
}

export type SetPosterOutcome = { outcome: 'set'; before: string | undefined } | { outcome: 'no-event' };
