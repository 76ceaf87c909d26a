/** The port to whoever knows who is a member, and so may stand in the lane that goes first. */
export interface Members {
  /** `visitor` is a user of the site, never a guest. May fail or take long: then they stand in the ordinary lane. */
  isMember(eventId: string, visitor: string): Promise<boolean>;
}
