/** The configurations in deploy/ that put a gate in front of a site, each in the real program on a free port. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runGate } from '../gate/proxy/run-gate.ts';
import { hasCaddy, startCaddy } from '../support/caddy-server.ts';
import { isThere } from '../support/debian-install.ts';
import { freePort } from '../support/free-port.ts';
import { hasHaproxy, startHaproxy } from '../support/haproxy-server.ts';
import { startNginx } from '../support/nginx-server.ts';
import { startTraefik, traefik } from '../support/traefik-server.ts';

const deploy = join(import.meta.dirname, '../../deploy');

/** Host and port of the servers behind the proxy. */
export interface Behind {
  fairline: string;
  site: string;
}

export interface Recipe {
  name: string;
  /** Whether the program is on this machine. */
  isHere: boolean;
  /** Resolves to the URL for visitors. */
  start(behind: Behind): Promise<string>;
}

/** Proxies that ask a line about each request. */
export const proxyRecipes: Recipe[] = [
  {
    name: 'nginx',
    isHere: isThere('nginx') || process.env.CI === 'true',
    start: (behind) => onFreePort((here, url) => startNginx(here(readRecipe('nginx/gate.conf')), url), behind),
  },
  {
    name: 'Caddy',
    isHere: hasCaddy,
    start: (behind) => onFreePort((here, url) => startCaddy(here(readRecipe('caddy/Caddyfile')), url), behind),
  },
  {
    name: 'HAProxy',
    isHere: hasHaproxy,
    start: (behind) =>
      onFreePort((here, url) => {
        const files = {
          config: here(readRecipe('haproxy/haproxy.cfg')),
          script: here(readRecipe('haproxy/fairline.lua')),
        };
        return startHaproxy(files, url);
      }, behind),
  },
  {
    name: 'Traefik',
    isHere: traefik !== undefined,
    start: (behind) => onFreePort((here, url) => startTraefik(here(readRecipe('traefik/gate.yaml')), url), behind),
  },
];

/** `fairline gate`, with its rules, beside a line of the tests. */
export const gateRecipe: Recipe = {
  name: 'fairline gate',
  isHere: true,
  async start({ fairline, site }) {
    const rules = JSON.parse(readRecipe('sample-site/rules.json'));
    const { url } = await runGate({ GATE_UPSTREAM: `http://${site}`, GATE_LINE_URL: `http://${fairline}` }, rules);
    return url;
  },
};

export const recipesHere = [...proxyRecipes, gateRecipe].filter(({ isHere }) => isHere);

export function readRecipe(path: string): string {
  return readFileSync(join(deploy, path), 'utf8');
}

/** `start` gets a function that replaces the addresses in a configuration. */
async function onFreePort(
  start: (here: (text: string) => string, url: string) => Promise<void>,
  { fairline, site }: Behind,
): Promise<string> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const here = (text: string) =>
    text.replaceAll(':8080', `:${port}`).replaceAll('127.0.0.1:3000', fairline).replaceAll('127.0.0.1:8081', site);
  await start(here, url);
  return url;
}
