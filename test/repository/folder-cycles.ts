/**
 * Finds import cycles between folders. At each level of the tree, sibling folders (and the files there, as one node) form
 * a graph, which must have no cycle.
 */
import type { Source } from './sources.ts';

/** `folder: a -> b -> a` for each level that has a cycle, with one import for each step. */
export function findFolderCycles(sources: readonly Pick<Source, 'path' | 'imports'>[]): string[] {
  const imports = sources.flatMap(({ path, imports }) =>
    imports.filter((imported) => imported.startsWith('src/')).map((imported) => [path, imported] as const),
  );
  const levels = new Set(sources.flatMap(({ path }) => foldersOf(path)));
  return [...levels].sort().flatMap((level) => {
    const cycle = findCycle(toGraph(level, imports));
    return cycle === undefined ? [] : [`${level}: ${cycle.join(' -> ')}`];
  });
}

type Graph = Map<string, Map<string, string>>;

function toGraph(level: string, imports: readonly (readonly [string, string])[]): Graph {
  const graph: Graph = new Map();
  for (const [path, imported] of imports) {
    const [from, to] = [childOf(level, path), childOf(level, imported)];
    if (from === undefined || to === undefined || from === to) continue;
    const targets = graph.get(from) ?? new Map<string, string>();
    graph.set(from, targets.set(to, `${path} imports ${imported}`));
  }
  return graph;
}

/** The folder below `level` that holds the file; `.` for a file in `level` itself; undefined elsewhere. */
function childOf(level: string, path: string): string | undefined {
  if (!path.startsWith(`${level}/`)) return undefined;
  const rest = path.slice(level.length + 1);
  return rest.includes('/') ? rest.slice(0, rest.indexOf('/')) : '.';
}

function foldersOf(path: string): string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, i) => parts.slice(0, i + 1).join('/'));
}

function findCycle(graph: Graph): string[] | undefined {
  const done = new Set<string>();
  const visit = (node: string, trail: string[]): string[] | undefined => {
    const at = trail.indexOf(node);
    if (at !== -1) return describe(graph, [...trail.slice(at), node]);
    if (done.has(node)) return undefined;
    for (const next of graph.get(node)?.keys() ?? []) {
      const cycle = visit(next, [...trail, node]);
      if (cycle !== undefined) return cycle;
    }
    done.add(node);
    return undefined;
  };
  for (const node of graph.keys()) {
    const cycle = visit(node, []);
    if (cycle !== undefined) return cycle;
  }
  return undefined;
}

function describe(graph: Graph, nodes: string[]): string[] {
  return nodes.map((node, i) => {
    const reason = graph.get(node)?.get(nodes[i + 1] ?? '');
    return reason === undefined ? node : `${node} (${reason})`;
  });
}
