import { Type } from 'typebox';

/** How the API description shows the response of a page. */
export const pageResponse = {
  200: { description: 'The page', content: { 'text/html': { schema: Type.Unsafe<unknown>({ type: 'string' }) } } },
};

/** Of a page that works without JavaScript. */
export const plainPageResponse = { ...pageResponse, 303: Type.Null({ description: 'The next page, in Location' }) };
