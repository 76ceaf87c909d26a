/**
 * Writes test/deploy/schemas: JSON schemas of the Kubernetes kinds that the chart uses, for kubeconform. They come from the
 * OpenAPI document of Kubernetes and from the CRDs of the Prometheus operator and of the Gateway API, all Apache-2.0.
 * Descriptions are left out, and fields that a kind does not have are refused. Requires Go and unzip:
 *
 *   node test/deploy/write-schemas.mjs
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';

const KUBERNETES = 'k8s.io/kubernetes@v1.35.4';
const PROMETHEUS_OPERATOR = 'github.com/prometheus-operator/prometheus-operator@v0.85.0';
const GATEWAY_API = 'sigs.k8s.io/gateway-api@v1.6.3';

/** Name of the definition in the OpenAPI document by the file name that kubeconform expects. */
const kinds = {
  'configmap-v1': 'io.k8s.api.core.v1.ConfigMap',
  'namespace-v1': 'io.k8s.api.core.v1.Namespace',
  'secret-v1': 'io.k8s.api.core.v1.Secret',
  'service-v1': 'io.k8s.api.core.v1.Service',
  'serviceaccount-v1': 'io.k8s.api.core.v1.ServiceAccount',
  'deployment-apps-v1': 'io.k8s.api.apps.v1.Deployment',
  'statefulset-apps-v1': 'io.k8s.api.apps.v1.StatefulSet',
  'job-batch-v1': 'io.k8s.api.batch.v1.Job',
  'horizontalpodautoscaler-autoscaling-v2': 'io.k8s.api.autoscaling.v2.HorizontalPodAutoscaler',
  'poddisruptionbudget-policy-v1': 'io.k8s.api.policy.v1.PodDisruptionBudget',
  'networkpolicy-networking-v1': 'io.k8s.api.networking.v1.NetworkPolicy',
  'ingress-networking-v1': 'io.k8s.api.networking.v1.Ingress',
  'role-rbac-v1': 'io.k8s.api.rbac.v1.Role',
  'rolebinding-rbac-v1': 'io.k8s.api.rbac.v1.RoleBinding',
};

const crds = {
  'servicemonitor-monitoring-v1': [
    PROMETHEUS_OPERATOR,
    'example/prometheus-operator-crd/monitoring.coreos.com_servicemonitors.yaml',
  ],
  'prometheusrule-monitoring-v1': [
    PROMETHEUS_OPERATOR,
    'example/prometheus-operator-crd/monitoring.coreos.com_prometheusrules.yaml',
  ],
  'httproute-gateway-v1': [GATEWAY_API, 'config/crd/standard/gateway.networking.k8s.io_httproutes.yaml'],
};

/** The OpenAPI document calls these strings; the API server takes numbers too. */
const numbersToo = {
  'io.k8s.apimachinery.pkg.util.intstr.IntOrString': { type: ['string', 'integer'] },
  'io.k8s.apimachinery.pkg.api.resource.Quantity': { type: ['string', 'number'] },
};

const folder = join(import.meta.dirname, 'schemas');
const downloads = mkdtempSync(join(tmpdir(), 'fairline-schemas-'));
try {
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.json'))) rmSync(join(folder, name));
  const { definitions } = JSON.parse(readFrom(KUBERNETES, 'api/openapi-spec/swagger.json'));
  for (const [file, name] of Object.entries(kinds)) write(file, withDefinitions(name, definitions));
  for (const [file, [module, path]] of Object.entries(crds)) write(file, ofCrd(parse(readFrom(module, path))));
} finally {
  execFileSync('chmod', ['-R', 'u+w', downloads]);
  rmSync(downloads, { recursive: true });
}

function readFrom(module, path) {
  const env = { ...process.env, GOMODCACHE: downloads, GOFLAGS: '-mod=mod' };
  const { Zip } = JSON.parse(execFileSync('go', ['mod', 'download', '-json', module], { cwd: downloads, env }));
  return execFileSync('unzip', ['-p', Zip, `${module}/${path}`], { encoding: 'utf8', maxBuffer: 2 ** 26 });
}

/** The definition with all that it refers to. */
function withDefinitions(name, all) {
  const used = {};
  const visit = (definition) => {
    const [, reference] = /^#\/definitions\/(.+)$/.exec(definition?.$ref ?? '') ?? [];
    if (reference !== undefined && !(reference in used)) {
      used[reference] = numbersToo[reference] ?? strict(all[reference]);
      visit(all[reference]);
    }
    if (typeof definition === 'object' && definition !== null)
      for (const part of Object.values(definition)) visit(part);
  };
  visit(all[name]);
  return { ...strict(all[name]), required: ['apiVersion', 'kind', 'metadata'], definitions: used };
}

function ofCrd({ spec }) {
  const { schema } = spec.versions.find(({ name }) => name === 'v1');
  const { properties, ...rest } = strict(schema.openAPIV3Schema);
  // A CRD says nothing about metadata.
  return { ...rest, properties: { ...properties, metadata: { type: 'object' } } };
}

/** Without texts, and without fields that the schema does not name. */
function strict(schema) {
  if (Array.isArray(schema)) return schema.map(strict);
  if (typeof schema !== 'object' || schema === null) return schema;
  if (schema['x-kubernetes-int-or-string'] === true) return { type: ['string', 'integer'] };
  const kept = Object.entries(schema).filter(([key]) => key !== 'description' && !key.startsWith('x-kubernetes-'));
  const entries = kept.map(([key, value]) =>
    key === 'properties' ? [key, strictProperties(value)] : [key, strict(value)],
  );
  const isClosed = 'properties' in schema && !('additionalProperties' in schema);
  return { ...Object.fromEntries(entries), ...(isClosed ? { additionalProperties: false } : {}) };
}

/** Here the keys are names of fields, such as `description`. */
function strictProperties(properties) {
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, strict(schema)]));
}

function write(file, schema) {
  writeFileSync(join(folder, `${file}.json`), `${JSON.stringify(schema)}\n`);
}
