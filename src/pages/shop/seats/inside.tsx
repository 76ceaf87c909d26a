/** Shows its children to admitted visitors, with the time they have left; sends others to the line. */
import type { ComponentChildren } from 'preact';
import { formatCountdown } from '../../texts/format.ts';
import { Frame, Loading, Notice } from '../shared/frame.tsx';
import { useCountdown } from '../shared/use-answer.ts';
import { common, texts } from '../shared/words.ts';
import type { Session } from './use-session.ts';

interface InsideProps {
  session: Session;
  eventId: string;
  /** `heading`: the task of the page; `title`: the event. */
  heading: string;
  title: string;
  children: ComponentChildren;
}

export function Inside({ session, eventId, heading, title, children }: InsideProps) {
  const left = useCountdown(session.state === 'inside' ? session.endsAt : undefined);
  if (session.state === 'inside') {
    return (
      <Frame title={title}>
        <div class="title-row">
          <h1>{heading}</h1>
          {left !== undefined && (
            <p class="soft">
              {texts.timeLeft} <strong class="clock">{formatCountdown(left)}</strong>
            </p>
          )}
          {/* Read out at these moments only. */}
          <p class="visually-hidden" role="status" aria-live="assertive">
            {left !== undefined && toldOf(left)}
          </p>
        </div>
        <p class="lead">{title}</p>
        {children}
      </Frame>
    );
  }
  return (
    <Frame title={title}>
      {session.state === 'unknown' ? (
        <Unknown heading={heading} isLost={session.isLost} />
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

const TOLD_SECONDS = [30, 60, 120];

/** The text stays the same between two moments, so a screen reader reads each once. */
function toldOf(secondsLeft: number): string {
  const told = TOLD_SECONDS.find((seconds) => secondsLeft > 0 && secondsLeft <= seconds);
  return told === undefined ? '' : `${texts.timeLeft} ${formatCountdown(told)}`;
}

function Unknown({ heading, isLost }: { heading: string; isLost: boolean }) {
  if (!isLost) return <Loading />;
  return (
    <>
      <h1>{heading}</h1>
      <Notice tone="warn" text={common.trouble} />
    </>
  );
}
