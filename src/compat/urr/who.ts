/** Who is signed in. URR knows users and admins; its pages for operators are open to admins. */
import { answerWith, type Translation } from '../../http/translation.ts';
import { type OurWho, refuse, translate } from './ours.ts';

export const whoTranslations: readonly Translation[] = [
  translate('GET', '/api/v1/auth/me', async (_request, { get }) => {
    const who = await get<OurWho>('/api/auth/me');
    // URR has no guests: its pages would show one as signed in, without a name.
    if (who.kind === 'guest') throw refuse(401, 'UNAUTHENTICATED', 'Sign in first.');
    return answerWith(200, { ...who, id: who.userId, role: who.operatorRole === undefined ? 'user' : 'admin' });
  }),
];
