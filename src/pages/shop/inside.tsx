/** Around what only those inside may see: everybody else is led to the line. */
import type { ComponentChildren } from 'preact';
import { Frame, Loading, Notice } from './frame.tsx';
import type { Session } from './use-session.ts';
import { texts } from './words.ts';

export function Inside({ session, eventId, title, children }: InsideProps) {
  if (session.state === 'inside') return <Frame title={title}>{children}</Frame>;
  return (
    <Frame title={title}>
      {session.state === 'unknown' ? (
        <Loading />
      ) : (
        <>
          <h1>{title}</h1>
          <Notice tone="warn" text={texts.backToLine} />
          <p>
            <a class="button main" href={`/queue/${eventId}`}>
              {texts.toLine}
            </a>
          </p>
        </>
      )}
    </Frame>
  );
}

interface InsideProps {
  session: Session;
  eventId: string;
  title: string;
  children: ComponentChildren;
}
