/** Lists in pages, as URR's services give them. */
const MOST_PER_PAGE = 100;

export interface Page<T> {
  items: T[];
  pagination: { page: number; limit: number; total: number; totalPages: number };
}

export function toPage<T>(all: readonly T[], query: URLSearchParams, defaultLimit: number): Page<T> {
  const page = toWhole(query.get('page'), { default: 1, max: 1_000_000 });
  const limit = toWhole(query.get('limit'), { default: defaultLimit, max: MOST_PER_PAGE });
  const total = all.length;
  return {
    items: all.slice((page - 1) * limit, page * limit),
    pagination: { page, limit, total, totalPages: Math.ceil(total / limit) },
  };
}

/** A parameter that is missing or no positive whole number has its default. */
export function toWhole(value: string | null, { default: fallback, max }: { default: number; max: number }): number {
  const number = Number(value ?? '');
  return Number.isInteger(number) && number > 0 ? Math.min(number, max) : fallback;
}
