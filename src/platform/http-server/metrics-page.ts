/** The metrics of a registry as text, rendered at most once a second: rendering takes some 10 ms of the event loop. */
import type { ServerResponse } from 'node:http';
import { stopwatch } from '../clock.ts';

const FRESH_MS = 1_000;

export interface MetricsPage {
  contentType: string;
  read(): Promise<string>;
  /** For a server that has no other use. */
  answer(response: ServerResponse): Promise<void>;
}

/** A registry of prom-client. */
export interface MetricsSource {
  contentType: string;
  metrics(): Promise<string>;
}

export function createMetricsPage(registry: MetricsSource): MetricsPage {
  let rendered: { at: number; text: Promise<string> } | undefined;
  return {
    contentType: registry.contentType,
    read() {
      const now = stopwatch.now();
      if (rendered === undefined || now - rendered.at >= FRESH_MS) {
        const text = registry.metrics();
        rendered = { at: now, text };
        text.catch(() => {
          rendered = undefined;
        });
      }
      return rendered.text;
    },
    async answer(response) {
      try {
        const text = await this.read();
        response.writeHead(200, { 'content-type': this.contentType }).end(text);
      } catch {
        response.writeHead(500).end();
      }
    },
  };
}
