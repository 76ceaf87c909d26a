/** Registration, sign-in, passwords, sessions and mailed links. */
import type { FastifyInstance } from 'fastify';
import { accountAdminRoutes } from '../accounts/http/account-admin-routes.ts';
import { createAccountCookies } from '../accounts/http/account-cookies.ts';
import { authRoutes } from '../accounts/http/auth-routes.ts';
import { emailRoutes } from '../accounts/http/email-routes.ts';
import { createPasswordAttempts } from '../accounts/http/password-attempts.ts';
import { passwordRoutes } from '../accounts/http/password-routes.ts';
import { sessionRoutes } from '../accounts/http/session-routes.ts';
import { createKeepPlaces } from '../accounts/keep-places.ts';
import { createSignInLimits } from '../accounts/sign-in-limits.ts';
import { mailLanguageOf } from '../pages/serve/visitor-texts.ts';
import { RateLimit } from '../platform/rate-limit.ts';
import type { Context } from './context.ts';
import type { AccountServices } from './open-accounts.ts';
import { secureFlag } from './secure-flag.ts';

export function registerAccounts(app: FastifyInstance, context: Context, services: AccountServices): void {
  const { config, line, identity, entryTokens, operators, clock } = context;
  const isSecure = secureFlag(config.accounts.cookieSecure);
  const limits = createSignInLimits({
    perMinute: new RateLimit(config.limits.signInPerIp, clock),
    wrongPerAccount: config.limits.wrongPasswordPerAccount,
    clock,
  });
  const door = {
    ...services,
    identity,
    operators,
    entryTokens,
    visits: line.visits,
    sessionCookie: config.accounts.sessionCookie,
    keepPlaces: createKeepPlaces({ visits: line.visits, admissions: line.admissions, hub: context.live.hub }),
    attempts: createPasswordAttempts({ ...services, limits }),
    cookies: createAccountCookies({ sessionCookie: config.accounts.sessionCookie, isSecure }),
    languageOf: mailLanguageOf,
    isSecure,
    entryCookieReadable: config.accounts.entryCookieReadable,
    now: () => clock.now(),
  };
  for (const prefix of ['/api', '/api/v1']) {
    app.register(authRoutes, { prefix, ...door });
    app.register(passwordRoutes, { prefix, ...door });
    app.register(sessionRoutes, { prefix, ...door });
    app.register(emailRoutes, { prefix, ...door });
    app.register(accountAdminRoutes, { prefix, ...door });
  }
}
