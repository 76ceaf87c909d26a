/** Finds the site that a request is for by its Host header. */

export interface HostedSite {
  hosts: readonly string[];
}

const PORT = /:\d{1,5}$/;

/**
 * An exact host comes before a pattern, and a longer pattern before a shorter one. `*.shop.example` matches all names below
 * shop.example, but not shop.example itself. Case, a port and a final dot make no difference.
 */
export function createSiteTable<Site extends HostedSite>(sites: readonly Site[]): (host: string) => Site | undefined {
  const exact = new Map<string, Site>();
  const below = new Map<string, Site>();
  for (const site of sites) {
    for (const host of site.hosts) {
      if (host.startsWith('*.')) below.set(host.slice(1), site);
      else exact.set(host, site);
    }
  }
  return (text) => {
    const host = toHostName(text);
    const found = exact.get(host);
    if (found !== undefined || below.size === 0) return found;
    for (let dot = host.indexOf('.', 1); dot !== -1; dot = host.indexOf('.', dot + 1)) {
      const site = below.get(host.slice(dot));
      if (site !== undefined) return site;
    }
    return undefined;
  };
}

function toHostName(text: string): string {
  const name = text.replace(PORT, '').toLowerCase();
  return name.endsWith('.') ? name.slice(0, -1) : name;
}
