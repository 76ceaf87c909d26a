/** The manifests for those who use kubectl alone. They are rendered from the chart, whose tests say more. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findManifestProblems } from './find-manifest-problems.ts';
import { knownSettings, secretNames } from './known-settings.ts';
import { readObjects } from './kubernetes-object.ts';

const folder = join(import.meta.dirname, '../../deploy/kubernetes');
const read = (file: string) => readObjects(readFileSync(join(folder, file), 'utf8'));
const objects = [...read('fairline.yaml'), ...read('secrets.example.yaml')];
const expected = { settings: knownSettings, secretSettings: secretNames };

describe('deploy/kubernetes', () => {
  it('has objects that fit together and fit the program', () => {
    expect(findManifestProblems(objects, expected)).toEqual([]);
    expect(objects.length).toBeGreaterThan(15);
  });

  it.each([
    ['a Secret is missing', '"kind":"Secret"', '"kind":"ConfigMap"', 'there is no Secret'],
    [
      'a selector is wrong',
      '"matchLabels":{"app.kubernetes.io/name":"fairline"',
      '"matchLabels":{"app.kubernetes.io/name":"other"',
      'does not match its pods',
    ],
    [
      'an autoscaler has no target',
      '"kind":"Deployment","name":"fairline-line"',
      '"kind":"Deployment","name":"lines"',
      'there is no lines',
    ],
    ['a setting is misspelt', '"name":"METRICS_PORT"', '"name":"METRIC_PORT"', 'METRIC_PORT is no setting'],
    ['a password is in a ConfigMap', '"PORT":"3000"', '"URL":"redis://:password@redis"', 'has the secret URL'],
    [
      'a policy forgets a port',
      '"ingress":[{"ports":[{"port":"http"}]',
      '"ingress":[{"ports":[{"port":"htt"}]',
      'its policies allow',
    ],
    ['a pod may write to its root', '"readOnlyRootFilesystem":true', '"readOnlyRootFilesystem":false', 'it may write'],
    [
      'a route leads nowhere',
      '"service":{"name":"fairline-shop"',
      '"service":{"name":"shop"',
      'there is no Service shop',
    ],
  ])('is refused if %s', (_case, right, wrong, problem) => {
    const text = JSON.stringify(objects);
    expect(text).toContain(right);
    const broken = JSON.parse(text.replace(right, wrong));
    expect(findManifestProblems(broken, expected).join('\n')).toContain(problem);
  });
});
