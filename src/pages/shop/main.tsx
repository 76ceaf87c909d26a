/** The shop: renders the page that the path names. */
import './shop.css';
import './checkout/checkout.css';
import './account/account.css';
import { render } from 'preact';
import { ConfirmEmailPage } from './account/confirm-email-page.tsx';
import { FindTicketPage } from './account/find-ticket-page.tsx';
import { ForgotPasswordPage } from './account/forgot-password-page.tsx';
import { MembershipPage } from './account/membership-page.tsx';
import { MyPage } from './account/my-page.tsx';
import { ResetPasswordPage } from './account/reset-password-page.tsx';
import { SharedTicketPage } from './account/shared-ticket-page.tsx';
import { SignInPage } from './account/sign-in-page.tsx';
import { TicketPage } from './account/ticket-page.tsx';
import { CheckoutPage } from './checkout/checkout-page.tsx';
import { MembershipCheckoutPage } from './checkout/membership-checkout-page.tsx';
import { TransferCheckoutPage } from './checkout/transfer-checkout-page.tsx';
import { EventPage } from './events/event-page.tsx';
import { EventsPage } from './events/events-page.tsx';
import { BookPage } from './seats/book-page.tsx';
import { SeatsPage } from './seats/seats-page.tsx';
import { Frame, Notice } from './shared/frame.tsx';
import { common, language, texts } from './shared/words.ts';

const ID = '([A-Za-z0-9_-]{1,64})';
const routes = [
  [/^\/$/, () => <EventsPage />],
  [new RegExp(`^/events/${ID}$`), (id: string) => <EventPage eventId={id} />],
  [new RegExp(`^/events/${ID}/seats$`), (id: string) => <SeatsPage eventId={id} />],
  [new RegExp(`^/events/${ID}/book$`), (id: string) => <BookPage eventId={id} />],
  [new RegExp(`^/checkout/${ID}$`), (id: string) => <CheckoutPage reservationId={id} />],
  [new RegExp(`^/checkout/transfers/${ID}$`), (id: string) => <TransferCheckoutPage transferId={id} />],
  [new RegExp(`^/checkout/memberships/${ID}$`), (id: string) => <MembershipCheckoutPage membershipId={id} />],
  [new RegExp(`^/reservations/${ID}$`), (id: string) => <TicketPage reservationId={id} />],
  [/^\/shared-ticket$/, () => <SharedTicketPage />],
  [/^\/find-ticket$/, () => <FindTicketPage />],
  [/^\/me$/, () => <MyPage />],
  [/^\/membership$/, () => <MembershipPage />],
  [/^\/sign-in$/, () => <SignInPage />],
  [/^\/forgot-password$/, () => <ForgotPasswordPage />],
  [/^\/reset-password$/, () => <ResetPasswordPage />],
  [/^\/confirm-email$/, () => <ConfirmEmailPage />],
] as const;

function pageAt(path: string) {
  for (const [pattern, page] of routes) {
    const found = pattern.exec(path);
    if (found !== null) return page(found[1] ?? '');
  }
  return (
    <Frame title={texts.notFound}>
      <h1>{common.brand}</h1>
      <Notice tone="warn" text={texts.notFound} />
    </Frame>
  );
}

document.documentElement.lang = language;
// Reload instead of restoring from the back/forward cache, which could show the data of someone who signed out.
addEventListener('pageshow', ({ persisted }) => persisted && location.reload());
render(pageAt(location.pathname.replace(/(.)\/$/, '$1')), document.getElementById('app')!);
