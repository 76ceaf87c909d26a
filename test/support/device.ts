/** A client with a cookie jar. */
import type { FastifyInstance, LightMyRequestResponse } from 'fastify';

export interface Device {
  cookies: Map<string, string>;
  ask(method: 'GET' | 'POST', url: string, options?: DeviceOptions): Promise<LightMyRequestResponse>;
}

export interface DeviceOptions {
  headers?: Record<string, string>;
  body?: object;
  remoteAddress?: string;
}

export function createDevice(app: FastifyInstance): Device {
  const cookies = new Map<string, string>();
  return {
    cookies,
    async ask(method, url, { headers, body, remoteAddress } = {}) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const response = await app.inject({
        method,
        url,
        headers: { ...(cookie === '' ? {} : { cookie }), ...headers },
        ...(body === undefined ? {} : { payload: body }),
        ...(remoteAddress === undefined ? {} : { remoteAddress }),
      });
      for (const text of [response.headers['set-cookie'] ?? []].flat()) keep(text);
      return response;
    },
  };

  function keep(text: string): void {
    const [pair, ...flags] = text.split('; ');
    const [name, value] = pair!.split('=') as [string, string];
    if (flags.includes('Max-Age=0')) cookies.delete(name);
    else cookies.set(name, value);
  }
}
