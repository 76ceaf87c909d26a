/** Renders deploy/kubernetes/fairline.yaml from the chart, for those who use kubectl alone. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { render } from './chart-tool.ts';

const folder = join(import.meta.dirname, '../../deploy/kubernetes');

export function renderKubernetes(): string {
  const values = parse(readFileSync(join(folder, 'values.yaml'), 'utf8'));
  const { error, text } = render(values, { namespace: 'fairline' });
  if (error !== '') throw new Error(error);
  const lines = text
    .split('\n')
    // Not managed by Helm, and of no version of the chart.
    .filter((line) => !/^\s+(helm\.sh\/chart|app\.kubernetes\.io\/(managed-by|version)): /.test(line))
    .filter((line) => line.trim() !== '');
  // A file may end with a separator, and the next one begins with one.
  const isEmptyDocument = (index: number) => lines[index] === '---' && [undefined, '---'].includes(lines[index + 1]);
  return `${HEADER}${lines.filter((_line, index) => !isEmptyDocument(index)).join('\n')}\n`;
}

const HEADER = `# Rendered from the chart in deploy/helm/fairline with values.yaml: change those, not this file, and run
# npm test -- test/deploy/chart.test.ts -u
`;
