/** nginx and Caddy as plain reverse proxies in front of the same site, and nginx with auth_request. Debian packages. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, type Started } from './processes.ts';

export const isInstalled = (program: string): boolean => spawnSync(program, ['-v']).error === undefined;

export interface NginxOptions {
  site: number;
  /** The port of Fairline, which every request is checked with; undefined: a plain proxy. */
  gate?: number;
}

export async function startNginx({ site, gate }: NginxOptions): Promise<Started> {
  const port = await freePort();
  const check = `auth_request /_gate;
        auth_request_set $gate_event $upstream_http_x_fairline_event;`;
  // Not in the location: it would lose all headers of the server, and with Connection each request its connection to the site.
  const eventHeader = 'proxy_set_header X-Fairline-Event $gate_event;';
  const config = `worker_processes auto;
pid nginx.pid;
error_log stderr crit;
events { worker_connections 4096; }
http {
  access_log off;
  client_body_temp_path temp; proxy_temp_path temp; fastcgi_temp_path temp; uwsgi_temp_path temp; scgi_temp_path temp;
  upstream site { server 127.0.0.1:${site}; keepalive 256; keepalive_requests 1000000; }
  ${gate === undefined ? '' : `upstream fairline { server 127.0.0.1:${gate}; keepalive 256; keepalive_requests 1000000; }`}
  server {
    listen 127.0.0.1:${port};
    keepalive_requests 1000000;
    proxy_http_version 1.1;
    proxy_set_header Connection "";
    proxy_set_header Host $http_host;
    proxy_set_header X-Forwarded-For $remote_addr;
    ${gate === undefined ? '' : eventHeader}
    location / {
        ${gate === undefined ? '' : check}
        proxy_pass http://site;
    }
    ${gate === undefined ? '' : GATE_LOCATION}
  }
}`;
  return startRival('nginx', ['-g', 'daemon off;', '-c', 'rival.conf', '-p'], { config, port });
}

const GATE_LOCATION = `location = /_gate {
        internal;
        proxy_pass http://fairline/gate/verify;
        proxy_pass_request_body off;
        proxy_set_header Content-Length "";
        proxy_set_header Connection "";
        proxy_set_header X-Original-URI $request_uri;
        proxy_set_header X-Original-Method $request_method;
    }`;

export async function startCaddy(site: number): Promise<Started> {
  const port = await freePort();
  const config = `{
  admin off
  auto_https off
}
http://127.0.0.1:${port}, http://localhost:${port}, http://:${port} {
  reverse_proxy 127.0.0.1:${site}
}`;
  return startRival('caddy', ['run', '--adapter', 'caddyfile', '--config'], { config, port });
}

async function startRival(
  program: 'nginx' | 'caddy',
  args: string[],
  { config, port }: { config: string; port: number },
): Promise<Started> {
  const dir = mkdtempSync(join(tmpdir(), `fairline-bench-${program}-`));
  const file = join(dir, 'rival.conf');
  writeFileSync(file, config);
  const options = { cwd: dir, stdio: ['ignore', 'ignore', 'ignore'] as ('ignore' | 'inherit')[] };
  const child = spawn(program, [...args, program === 'nginx' ? `${dir}/` : file], {
    ...options,
    env: { ...process.env, XDG_DATA_HOME: dir, XDG_CONFIG_HOME: dir },
  });
  await untilOpen(port, child);
  return {
    port,
    child,
    async stop() {
      const exited = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await exited;
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

async function untilOpen(port: number, child: ChildProcess): Promise<void> {
  for (let i = 0; i < 200; i += 1) {
    if (child.exitCode !== null) throw new Error(`${child.spawnfile} stopped`);
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false));
      socket.once('connect', () => socket.destroy());
    });
    if (isOpen) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`${child.spawnfile} does not listen`);
}
