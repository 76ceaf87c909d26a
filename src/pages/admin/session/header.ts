/** The page header: navigation, freshness of the values, who is signed in, language, sign-out. */
import { facts as themeFacts } from '../../design/browser.ts';
import { fill } from '../../texts/language.ts';
import type { Overview, Session } from '../api/wire.ts';
import type { Desk } from '../controls/desk.ts';
import { el, setText } from '../controls/dom.ts';

export interface Header {
  show(session: Session, hash: string): HTMLElement[];
  showLive(overview: Overview): void;
  showSilence(seconds: number): void;
}

/** Digits only: the Korean time format is too long for a phone. */
const CLOCK = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' } as const;

export function createHeader(desk: Desk, actions: { signOut(): void; changeLanguage(): void }): Header {
  const { texts, common, facts, language } = desk;
  const live = el('span', { id: 'live', className: 'live' });
  const brand = el('a', { href: '#/', className: 'brand' });
  if (themeFacts.logo === undefined) brand.textContent = common.brand;
  else brand.append(el('img', { src: themeFacts.logo, alt: common.brand }));
  const places: [string, string][] = [
    ['#/', texts.rooms],
    ...(facts.hasShop
      ? ([
          ['#/events', texts.events],
          ['#/layouts', texts.layouts],
          ['#/stats', texts.stats],
        ] as [string, string][])
      : []),
    ['#/audit', texts.audit],
  ];
  const button = (id: string, text: string, onclick: () => void) =>
    el('button', { id, type: 'button', className: 'plain', textContent: text, onclick });

  function who({ name = '', role = 'viewer' }: Session): HTMLElement {
    const shown = name.replace(/^oidc:/, '');
    return el(
      'span',
      { id: 'who', className: 'who', title: shown },
      el('span', { className: 'who-name', textContent: shown }),
      el('span', { className: 'badge neutral', textContent: texts[`role_${role}`] }),
    );
  }

  return {
    show(session, hash) {
      const { signedIn: isSignedIn, by: account } = session;
      const hasAccount = facts.hasSecondFactor && account !== undefined;
      const shown: typeof places = [
        ...places,
        ...(desk.may('admin') ? ([['#/operators', texts.operators]] as typeof places) : []),
        ...(hasAccount ? ([['#/account', texts.account]] as typeof places) : []),
      ];
      const links = shown.map(([address, text]) => {
        const isHere = address === '#/' ? /^(#\/?$|$|#\/rooms)/.test(hash) : hash.startsWith(address);
        return el('a', { href: address, textContent: text, attributes: isHere ? { 'aria-current': 'page' } : {} });
      });
      return [
        el(
          'div',
          { className: 'bar' },
          brand,
          isSignedIn && live,
          el('span', { className: 'space' }),
          isSignedIn && who(session),
          button('language', common.language, actions.changeLanguage),
          isSignedIn && button('sign-out', texts.signOut, actions.signOut),
        ),
        ...(isSignedIn ? [el('nav', { attributes: { 'aria-label': texts.navigation } }, ...links)] : []),
      ];
    },
    showLive({ at, fault }) {
      live.className = fault === null ? 'live' : 'live stale';
      const time = new Date(at).toLocaleTimeString(language, CLOCK);
      setText(live, fault === null ? `${texts.live} · ${time}` : fill(texts.fault, { message: fault }));
    },
    showSilence(seconds) {
      live.className = 'live stale';
      setText(live, fill(texts.stale, { seconds }));
    },
  };
}
