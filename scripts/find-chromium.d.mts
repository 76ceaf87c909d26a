export const BROWSERS: readonly string[];
export function findChromium(): string | undefined;
