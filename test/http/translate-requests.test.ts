import Fastify, { type FastifyInstance } from 'fastify';
import { describe, expect, it, onTestFinished } from 'vitest';
import { translateRequests } from '../../src/http/translate-requests.ts';
import { answerWith, type Translation } from '../../src/http/translation.ts';

/** An app with one endpoint, which repeats what it receives, behind translations. */
async function listen(translations: readonly Translation[], failures: unknown[] = []): Promise<string> {
  const app: FastifyInstance = Fastify();
  app.all('/api/echo/:word', async ({ method, headers, body, params, ip, query }, reply) => {
    reply
      .header('set-cookie', `seen=${(params as { word: string }).word}`)
      .header('x-kept', 'yes')
      .code(201);
    const whole = headers['accept-encoding'] === undefined && headers['if-none-match'] === undefined;
    return { method, ip, cookie: headers.cookie, extra: headers['x-extra'], whole, body, params, query };
  });
  translateRequests(app, translations, { onFailure: (error, path) => failures.push([path, String(error)]) });
  onTestFinished(() => app.close());
  return app.listen({ host: '127.0.0.1', port: 0 });
}

const repeat: Translation = {
  method: 'POST',
  path: '/api/say/:word',
  answer: async ({ params, query, body }, ask) => {
    const asked = await ask('PUT', `/api/echo/${params.word}?q=${query.get('q')}`, {
      body: { wrapped: body },
      headers: { 'x-extra': '1' },
    });
    return { ...asked, body: { answered: asked.body } };
  },
};

describe('a translation', () => {
  it('asks the app as the same caller, and answers with its status, headers and cookies', async () => {
    const url = await listen([repeat]);
    for (const prefix of ['/api', '/api/v1']) {
      const response = await fetch(`${url}${prefix}/say/hello?q=2`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', cookie: 'a=b', 'if-none-match': '"1"' },
        body: '{"n":1}',
      });
      expect(response.status).toBe(201);
      expect(response.headers.get('x-kept')).toBe('yes');
      expect(response.headers.getSetCookie()).toEqual(['seen=hello']);
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(await response.json()).toEqual({
        answered: {
          // The client's encodings and conditions would make the answer unreadable.
          ...{ method: 'PUT', ip: '127.0.0.1', cookie: 'a=b', extra: '1', whole: true },
          ...{ body: { wrapped: { n: 1 } }, params: { word: 'hello' }, query: { q: '2' } },
        },
      });
    }
  });

  it('leaves every other request to the app', async () => {
    const url = await listen([repeat]);
    for (const path of ['/api/say/a/b', '/api/say/', '/api/saying/x', '/api/v2/say/x']) {
      expect((await fetch(url + path, { method: 'POST' })).status, path).toBe(404);
    }
    expect((await fetch(`${url}/api/say/x`)).status).toBe(404);
    expect((await fetch(`${url}/api/echo/x`)).status).toBe(201);
  });

  it('answers without asking', async () => {
    const time: Translation = {
      method: 'GET',
      path: '/api/time',
      answer: async () => answerWith(200, { time: 'now' }),
    };
    const response = await fetch(`${await listen([time])}/api/time`);
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(await response.json()).toEqual({ time: 'now' });
  });

  it('below /api/v1 leaves the same path below /api to the app', async () => {
    const ours: Translation = { ...repeat, method: 'GET', path: '/api/v1/echo/:word' };
    const url = await listen([ours]);
    expect(await (await fetch(`${url}/api/v1/echo/x`)).json()).toHaveProperty('answered');
    expect(await (await fetch(`${url}/api/echo/x`)).json()).not.toHaveProperty('answered');
    expect((await fetch(`${url}/api/v1/v1/echo/x`)).status).toBe(404);
  });

  it('answers with a body that was rendered before, and knows when the request came', async () => {
    const rendered: Translation = {
      method: 'GET',
      path: '/api/rendered',
      answer: async ({ at }) => ({ ...answerWith(200, undefined), rendered: `{"at":${at}}` }),
    };
    const from = Date.now();
    const response = await fetch(`${await listen([rendered])}/api/rendered`);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    const { at } = (await response.json()) as { at: number };
    expect(at).toBeGreaterThanOrEqual(from);
    expect(at).toBeLessThanOrEqual(Date.now());
  });

  it('refuses a body that is not JSON or too large, and hides what went wrong inside', async () => {
    const broken: Translation = {
      method: 'PUT',
      path: '/api/broken',
      answer: async () => {
        throw new Error('secret detail');
      },
    };
    const failures: unknown[] = [];
    const url = await listen([repeat, broken], failures);
    const say = (body: string) => fetch(`${url}/api/say/x`, { method: 'POST', body });
    const notJson = await say('{');
    expect(notJson.status).toBe(400);
    expect(await notJson.json()).toMatchObject({
      error: { code: 'BAD_REQUEST' },
      message: 'The body is not valid JSON.',
    });
    expect((await say(JSON.stringify('x'.repeat(9_000)))).status).toBe(413);
    const failed = await fetch(`${url}/api/broken`, { method: 'PUT' });
    expect(failed.status).toBe(500);
    expect(await failed.text()).not.toContain('secret detail');
    expect(failures).toEqual([['/api/broken', 'Error: secret detail']]);
  });
});

describe('a translation for pages of another origin', () => {
  const LISTED = 'https://www.shop.example';
  const cors = { origins: [LISTED], urls: new Set(['/api/public']) };

  /** An app with an endpoint that other origins may read and one that they may not, behind translations of both. */
  async function listenWithCors(): Promise<string> {
    const app: FastifyInstance = Fastify();
    const allow = { 'access-control-allow-origin': LISTED, vary: 'Origin' };
    app.get('/api/public', async (_request, reply) => reply.headers(allow).send({ is: 'public' }));
    app.get('/api/secret', async () => ({ is: 'secret' }));
    const both: Translation['answer'] = async (_request, ask) => {
      await ask('GET', '/api/secret');
      return ask('GET', '/api/public');
    };
    translateRequests(
      app,
      [
        { method: 'PATCH', path: '/api/old/:id', answer: (_request, ask) => ask('GET', '/api/public') },
        { method: 'GET', path: '/api/both', answer: both },
        { method: 'GET', path: '/api/admin/old', answer: (_request, ask) => ask('GET', '/api/public') },
        { method: 'GET', path: '/api/v1/stats/old', answer: (_request, ask) => ask('GET', '/api/public') },
      ],
      { cors },
    );
    onTestFinished(() => app.close());
    return app.listen({ host: '127.0.0.1', port: 0 });
  }
  const preflight = (url: string, method: string, origin = LISTED) =>
    fetch(url, { method: 'OPTIONS', headers: { origin, 'access-control-request-method': method } });
  const allowed = ({ headers }: Response) => headers.get('access-control-allow-origin');

  it('answers the preflights of listed origins, and their requests so that they can read them', async () => {
    const url = await listenWithCors();
    for (const prefix of ['/api', '/api/v1']) {
      const asked = await preflight(`${url}${prefix}/old/7`, 'PATCH');
      expect([asked.status, allowed(asked)]).toEqual([204, LISTED]);
      expect(asked.headers.get('access-control-allow-methods')).toBe('PATCH');
      expect(asked.headers.get('access-control-allow-credentials')).toBe('true');
      const answer = await fetch(`${url}${prefix}/old/7`, { method: 'PATCH', headers: { origin: LISTED } });
      expect([answer.status, allowed(answer), answer.headers.get('vary')]).toEqual([200, LISTED, 'Origin']);
    }
  });

  it('answers no preflight of another origin, for another method, or for what operators use', async () => {
    const url = await listenWithCors();
    const refused = [
      await preflight(`${url}/api/old/7`, 'PATCH', 'https://evil.example'),
      await preflight(`${url}/api/old/7`, 'DELETE'),
      await preflight(`${url}/api/admin/old`, 'GET'),
      await preflight(`${url}/api/v1/stats/old`, 'GET'),
    ];
    expect(refused.map((answer) => [answer.status, allowed(answer)])).toEqual(refused.map(() => [404, null]));
  });

  it('is not readable if it is for operators, for another origin, or asks what the page may not read', async () => {
    const url = await listenWithCors();
    const paths: [string, string][] = [
      ['/api/both', LISTED],
      ['/api/admin/old', LISTED],
      ['/api/both', 'https://evil.example'],
    ];
    for (const [path, origin] of paths) {
      const answer = await fetch(url + path, { headers: { origin } });
      expect([path, answer.status, allowed(answer)]).toEqual([path, 200, null]);
    }
    const stranger = await fetch(`${url}/api/old/7`, { method: 'PATCH', headers: { origin: 'https://evil.example' } });
    expect([allowed(stranger), stranger.headers.get('vary')]).toEqual([null, 'Origin']);
  });
});
