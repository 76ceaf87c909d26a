/** Converts messages to and from rows. */
import type { Message, MessageHeaders } from '../record-log.ts';

export type Row<M extends Message> = Omit<M, 'headers'> & { headers: MessageHeaders | null };

export function fromRow<M extends Message>({ headers, ...message }: Row<M>): M {
  return (headers === null ? message : { ...message, headers }) as M;
}

/** JSON, or null without headers. */
export function toHeadersColumn(headers: MessageHeaders | undefined): string | null {
  return headers === undefined ? null : JSON.stringify(headers);
}
