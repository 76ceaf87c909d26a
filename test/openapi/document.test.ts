/** The OpenAPI document is what a generator needs: complete, true and stable. */
import { describe, expect, it } from 'vitest';
import { errorKinds } from '../../src/http/errors.ts';
import type { ListedRoute } from '../../src/platform/http-server/route-list.ts';
import { createTestApp } from '../support/test-app.ts';
import { type Document, errorsOf, operationsOf, readDocument } from './api-document.ts';
import { operationIds } from './operation-ids.ts';

/** Routes that are not in the document, and why. */
const undescribed: [RegExp, string][] = [
  [/^\/api\/v1\//, 'alias of /api/'],
  [/^\/vwr-api\//, 'alias of /vwr/'],
  [/\/assets\//, 'files of pages'],
  [/^\/favicon\.(svg|ico)$/, 'the icon of pages'],
  [/^\/fairline\.js$/, 'a script of pages'],
  [/^\/draw\/:eventId$/, 'the page that verifies a draw in the browser'],
  [/^\/gate\/check\/\*$/, 'takes any request of a visitor, with its own method and path'],
  [/^\/openapi\.json$/, 'the document itself'],
];
/** Codes that only `fairline gate` gives, in front of a site. */
const ofGateProcess = ['UNKNOWN_HOST', 'UPSTREAM_UNREACHABLE', 'UPSTREAM_TIMEOUT', 'GATE_BUSY'];

let described: Promise<{ document: Document; routes: readonly ListedRoute[] }> | undefined;

/** Of one application for all tests of this file. */
function describeApp() {
  described ??= createTestApp().then(async ({ app }) => ({
    document: await readDocument(app),
    routes: app.routeList,
  }));
  return described;
}

describe('the OpenAPI document', () => {
  it('has each operation under a name that never changes', async () => {
    const { document } = await describeApp();
    const names = operationsOf(document).map(({ operationId }) => operationId);
    expect([...names].sort()).toEqual(operationIds);
  });

  it('describes every route, or there is a reason', async () => {
    const { document, routes } = await describeApp();
    const described = new Set(operationsOf(document).map(({ method, path }) => `${method} ${path}`));
    const missing = routes
      .filter(({ method, url }) => method !== 'HEAD' && !undescribed.some(([pattern]) => pattern.test(url)))
      .map(({ method, url }) => `${method} ${url.replace(/:(\w+)/g, '{$1}')}`)
      .filter((name) => !described.has(name));
    expect(missing).toEqual([]);
    const unused = undescribed.filter(([pattern]) => !routes.some(({ url }) => pattern.test(url)));
    expect(unused).toEqual([]);
  });

  it('says for each operation what it does, who may call it, and gives examples', async () => {
    const { document } = await describeApp();
    const groups = document.tags.map(({ name }) => name);
    for (const { operationId, summary, tags, security, parameters = [], requestBody, responses } of operationsOf(
      document,
    )) {
      expect({ operationId, summary, tags, security }).toEqual({
        operationId: expect.stringMatching(/^[a-z][A-Za-z0-9]+$/),
        summary: expect.stringMatching(/\w/),
        tags: [expect.toBeOneOf(groups)],
        security: expect.any(Array),
      });
      const required = parameters.filter((parameter) => parameter.required);
      expect([operationId, required.filter(({ example }) => example === undefined)]).toEqual([operationId, []]);
      for (const content of [requestBody, ...Object.values(responses)].map((part) => part?.content)) {
        const json = content?.['application/json'];
        if (json)
          expect([operationId, Object.keys(json as object)]).toEqual([
            operationId,
            expect.arrayContaining([expect.stringMatching(/^examples?$/)]),
          ]);
      }
      expect(Object.keys(responses).filter((status) => /^[23]/.test(status))).not.toEqual([]);
    }
    expect(groups.filter((group) => !operationsOf(document).some(({ tags }) => tags.includes(group)))).toEqual([]);
  });

  it('documents every error code, with an example', async () => {
    const { document } = await describeApp();
    const given = new Set(
      operationsOf(document).flatMap((operation) => Object.values(errorsOf(operation, document)).flat()),
    );
    const undocumented = Object.keys(errorKinds).filter(
      (code) => !given.has(code) && !document.info.description.includes(`\`${code}\``) && !ofGateProcess.includes(code),
    );
    expect(undocumented).toEqual([]);
    expect([...given].filter((code) => document.components.examples[code] === undefined)).toEqual([]);
    expect(document.components.schemas.ErrorCode?.enum).toEqual(Object.keys(errorKinds));
  });

  it('has each code under the status that it has', async () => {
    const { document } = await describeApp();
    for (const operation of operationsOf(document)) {
      for (const [status, codes] of Object.entries(errorsOf(operation, document))) {
        const wrong = codes.filter((code) => errorKinds[code as keyof typeof errorKinds].status !== Number(status));
        expect([operation.operationId, status, wrong]).toEqual([operation.operationId, status, []]);
      }
    }
  });

  it('is small enough to be read by every client that starts', async () => {
    const { app } = await createTestApp();
    const [plain, zipped] = await Promise.all(
      ['identity', 'gzip'].map((encoding) =>
        app.inject({ method: 'GET', url: '/openapi.json', headers: { 'accept-encoding': encoding } }),
      ),
    );
    expect(plain!.rawPayload.length).toBeLessThan(400_000);
    expect(zipped!.rawPayload.length).toBeLessThan(45_000);
  });
});

describe('security of an operation', () => {
  it('says truly who is refused', async () => {
    const { app } = await createTestApp();
    const document = await readDocument(app);
    for (const operation of operationsOf(document)) {
      const { method, path, operationId, security, parameters = [], requestBody } = operation;
      if (operationId.startsWith('stream')) continue;
      const exampleOf = (name: string) => String(parameters.find((parameter) => parameter.name === name)?.example);
      const query = parameters
        .filter((one) => one.in === 'query' && one.required)
        .map(({ name }): [string, string] => [name, exampleOf(name)]);
      const { statusCode, body } = await app.inject({
        method: method as 'GET',
        url: `${path.replace(/\{(\w+)\}/g, (_, name) => exampleOf(name))}?${new URLSearchParams(query)}`,
        ...(requestBody && { payload: requestBody.content['application/json']?.example as object }),
      });
      const code = statusCode >= 400 && body.startsWith('{') ? JSON.parse(body).error.code : undefined;
      const needsNothing = security.length === 0 || security.some((names) => Object.keys(names).length === 0);
      const isRefused = ['UNAUTHENTICATED', 'OPERATOR_ONLY', 'ENTRY_TOKEN_REQUIRED', 'WEBHOOK_REFUSED'].includes(code);
      // A wrong operator token in the body, and the gate's answer to a proxy, are refused by other means.
      if (['signInOperator', 'verifyEntry'].includes(operationId)) continue;
      expect([operationId, isRefused]).toEqual([operationId, !needsNothing]);
      expect([operationId, code, errorsOf(operation, document)[statusCode] ?? []]).toEqual([
        operationId,
        code,
        code === undefined ? expect.anything() : expect.arrayContaining([code]),
      ]);
    }
  });
});
