/** `npm run simulate-line`: only the simulation of the line, which starts nothing and needs no build. */
import { defineConfig } from 'vitest/config';

export default defineConfig({ test: { include: ['test/simulation/*.test.ts'] } });
