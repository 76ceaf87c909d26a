/** How much of a room's history a chart shows. */

/** The last 15 minutes, the last hour, or since this process first saw the room. */
export const spans = ['live', 'hour', 'sale'] as const;
export type Span = (typeof spans)[number];
