/** Where Redis is, and how to sign in there. */
import type { TlsFiles } from '../tls/tls-config.ts';

export type RedisAddress = RedisServers & RedisSecurity;

export type RedisServers =
  /** redis:// or rediss://, as in REDIS_URL. */
  | { url: string }
  /** Some nodes, as in REDIS_CLUSTER; the client discovers the others. */
  | { cluster: string }
  /** Some sentinels, as in REDIS_SENTINELS; they know the master of this name. */
  | { sentinels: string; name: string; sentinelUsername?: string; sentinelPassword?: string };

export interface RedisSecurity {
  /** An ACL user; without it, the user `default`. */
  username?: string;
  password?: string;
  /** Connect over TLS, also without rediss://. */
  tls?: TlsFiles;
}

export interface NodeList {
  nodes: { host: string; port: number }[];
  /** undefined: the nodes are given as host:port, which says nothing about TLS. */
  isTls: boolean | undefined;
  username: string;
  password: string;
}

const SCHEME = /^rediss?:\/\//;

/** `host:port,…`, or `rediss://user:password@host:port,…`. Throws if it is something else, or if the nodes differ. */
export function parseNodes(list: string, defaultPort: number): NodeList {
  const parsed = list.split(',').map((text) => parseNode(text.trim(), defaultPort));
  const [first] = parsed as [ParsedNode];
  const isSame = parsed.every((node) => node.isTls === first.isTls && node.password === first.password);
  if (!isSame || parsed.some(({ username }) => username !== first.username)) throw new Error('the nodes differ');
  const { isTls, username, password } = first;
  return { nodes: parsed.map(({ host, port }) => ({ host, port })), isTls, username, password };
}

interface ParsedNode extends Omit<NodeList, 'nodes'> {
  host: string;
  port: number;
}

function parseNode(text: string, defaultPort: number): ParsedNode {
  const hasScheme = SCHEME.test(text);
  // A node without a port would be taken for a scheme.
  if (!hasScheme && !/^[A-Za-z0-9._-]+:\d{1,5}$|^\[[0-9A-Fa-f:.]+\]:\d{1,5}$/.test(text)) throw new Error('no node');
  const { hostname, port, protocol, username, password, pathname, search, hash } = new URL(
    hasScheme ? text : `redis://${text}`,
  );
  if (hostname === '' || !['', '/'].includes(pathname) || search !== '' || hash !== '') throw new Error('no node');
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port || defaultPort),
    isTls: hasScheme ? protocol === 'rediss:' : undefined,
    username: decodeURIComponent(username),
    password: decodeURIComponent(password),
  };
}
