/** A small server with the poll door, correct except for the given fault. */
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export type Fault = 'none' | 'order' | 'numbers' | 'overshoot' | 'hidden-overshoot' | 'errors' | 'lost-places' | 'slow';

interface Place {
  number: number;
  /** In seconds; undefined while waiting. */
  admittedAt: number | undefined;
}

const LIMIT = 5;
const SLOW_MS = 300;

/** `files`: of a certificate, for TLS. */
export async function startFakeLine(fault: Fault, files?: { cert: string; key: string }): Promise<string> {
  const line = new FakeLine(fault);
  const answer = (request: IncomingMessage, response: ServerResponse) => line.answer(request, response);
  const server =
    files === undefined
      ? createServer(answer)
      : createTlsServer({ cert: readFileSync(files.cert), key: readFileSync(files.key) }, answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `${files === undefined ? 'http' : 'https'}://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

class FakeLine {
  readonly #fault: Fault;
  readonly #places = new Map<string, Place>();
  #nextNumber = 1;
  #polls = 0;

  constructor(fault: Fault) {
    this.#fault = fault;
  }

  answer(request: IncomingMessage, response: ServerResponse): void {
    const send = (status: number, body: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    };
    const [, verb] = /^\/api\/queue\/(check|status|leave|admin)\//.exec(request.url!) ?? [];
    const visitor = String(request.headers.authorization);
    if (verb === undefined) send(200, { settings: { maxActive: LIMIT } });
    else if (verb === 'admin') send(200, this.#room());
    else if (verb === 'leave') send(200, { left: this.#places.delete(visitor) });
    else this.#tell(visitor, verb, send);
  }

  #tell(visitor: string, verb: string, send: (status: number, body: unknown) => void): void {
    this.#polls += 1;
    if (this.#fault === 'errors' && this.#polls % 10 === 0) {
      send(500, { error: { code: 'INTERNAL' } });
      return;
    }
    if (this.#fault === 'lost-places' && this.#polls % 10 === 0) this.#places.delete(visitor);
    if (verb === 'check' && !this.#places.has(visitor)) this.#join(visitor);
    this.#admit();
    const answer = this.#standing(visitor);
    if (this.#fault === 'slow') setTimeout(() => send(200, answer), SLOW_MS);
    else send(200, answer);
  }

  #join(visitor: string): void {
    const number = this.#fault === 'numbers' ? 1_000 - this.#nextNumber : this.#nextNumber;
    this.#nextNumber += 1;
    this.#places.set(visitor, { number, admittedAt: undefined });
  }

  #admit(): void {
    const limit = this.#fault.endsWith('overshoot') ? LIMIT + 2 : LIMIT;
    const waiting = [...this.#places.values()].filter(({ admittedAt }) => admittedAt === undefined);
    if (this.#fault === 'order') waiting.reverse();
    for (const place of waiting.slice(0, Math.max(0, limit - this.#inside()))) {
      place.admittedAt = Math.floor(Date.now() / 1000);
    }
  }

  #inside(): number {
    return [...this.#places.values()].filter(({ admittedAt }) => admittedAt !== undefined).length;
  }

  #room() {
    const inside = this.#inside();
    const reported = this.#fault === 'hidden-overshoot' ? Math.min(LIMIT, inside) : inside;
    return { queueSize: this.#places.size - inside, currentUsers: reported, threshold: LIMIT };
  }

  #standing(visitor: string) {
    const place = this.#places.get(visitor);
    const common = { nextPoll: 0.1, ...this.#room() };
    if (place === undefined) return { status: 'not_in_queue', ...common };
    const { number, admittedAt } = place;
    if (admittedAt === undefined) return { status: 'queued', number, position: 1, ...common };
    const claims = Buffer.from(JSON.stringify({ iat: admittedAt })).toString('base64url');
    return { status: 'active', number, entryToken: `e30.${claims}.e30`, ...common };
  }
}
