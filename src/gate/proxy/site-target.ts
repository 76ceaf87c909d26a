/** Where the visitors of one site go when they are admitted and the page they wanted is not known. */
import type { Decision } from '../decision/decision.ts';

const WAITING_PAGE = /^\/(?:vwr|queue)\/([A-Za-z0-9_-]{1,64})$/;

/** Adds the target of the site to a refusal that names no page. */
export function withSiteTarget(decision: Decision, target: string | undefined): Decision {
  if (target === undefined || decision.outcome === 'pass') return decision;
  if (decision.outcome === 'redirect') return { ...decision, to: addTarget(decision.to, target) };
  const { redirectTo } = decision;
  return redirectTo === undefined ? decision : { ...decision, redirectTo: addTarget(redirectTo, target) };
}

function addTarget(page: string, template: string): string {
  const eventId = WAITING_PAGE.exec(page)?.[1];
  if (eventId === undefined) return page;
  return `${page}?to=${encodeURIComponent(template.replaceAll('{eventId}', eventId))}`;
}
