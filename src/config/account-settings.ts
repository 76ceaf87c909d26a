/** Settings of how visitors are identified: sessions, guests, cookies. */
import type { IdentityCookie } from '../platform/http-server/cookies.ts';
import { integer, oneOf, onOff, text, type Values } from '../platform/settings/settings.ts';

export const accountSettings = {
  AUTH_COOKIE: text({
    default: 'fairline-session',
    pattern: /^[A-Za-z0-9_-]{1,64}$/,
    allowed: '1 to 64 letters, digits, _ or -',
    about: 'Cookie that carries a user’s JWT. Read when there is no Authorization header; set by signing in here.',
  }),
  SESSION_HOURS: integer({
    default: 12,
    min: 1,
    max: 720,
    about: 'How long a user with a Fairline account stays signed in.',
  }),
  GUESTS: onOff({ default: true, about: 'Let visitors join without an account, identified by a signed cookie.' }),
  COOKIE_SECURE: oneOf({
    default: 'auto',
    values: ['auto', 'on', 'off'],
    about: 'Secure flag of cookies. auto: set on requests that came over TLS.',
  }),
  ENTRY_COOKIE_READABLE: onOff({
    default: false,
    about:
      'Whether scripts of your pages can read the entry cookie (it is then not HttpOnly). Only for front ends that copy it ' +
      'into the header X-Queue-Entry-Token. A script that an attacker gets into a page could read it too.',
  }),
  OPERATOR_SECOND_FACTOR: oneOf({
    default: 'optional',
    values: ['off', 'optional', 'required'],
    about:
      'Second factor (TOTP) of operators who sign in with an account. optional: asked for where the operator has ' +
      'enrolled one. required: operators must enrol before they can do anything else.',
  }),
};

export interface AccountsConfig {
  sessionCookie: IdentityCookie;
  sessionHours: number;
  guests: boolean;
  cookieSecure: 'auto' | 'on' | 'off';
  entryCookieReadable: boolean;
  secondFactor: 'off' | 'optional' | 'required';
}

export function toAccountsConfig(values: Values<typeof accountSettings>): AccountsConfig {
  return {
    sessionCookie: { name: values.AUTH_COOKIE! },
    sessionHours: values.SESSION_HOURS,
    guests: values.GUESTS,
    cookieSecure: values.COOKIE_SECURE as AccountsConfig['cookieSecure'],
    entryCookieReadable: values.ENTRY_COOKIE_READABLE,
    secondFactor: values.OPERATOR_SECOND_FACTOR as AccountsConfig['secondFactor'],
  };
}
