/** The port to memberships: members may join the priority lane. */
export interface Members {
  /** `visitor`: a user of the site, never a guest. If it fails or takes long, the visitor joins the ordinary lane. */
  isMember(eventId: string, visitor: string): Promise<boolean>;
}
