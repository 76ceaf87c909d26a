/** The parts of Kubernetes objects that the tests read. */
import { parseAllDocuments } from 'yaml';

export type Labels = Record<string, string>;

export interface KubernetesObject {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string; labels?: Labels; annotations?: Labels };
  data?: Record<string, string>;
  stringData?: Record<string, string>;
  spec?: Spec;
}

interface Spec {
  replicas?: number;
  selector?: Labels & { matchLabels?: Labels };
  serviceName?: string;
  template?: { metadata: { labels: Labels; annotations?: Labels }; spec: PodSpec };
  // Service, ServiceMonitor
  ports?: { name: string; port: number; targetPort?: string }[];
  endpoints?: { port: string }[];
  // HorizontalPodAutoscaler
  scaleTargetRef?: { kind: string; name: string };
  minReplicas?: number;
  // NetworkPolicy
  podSelector?: { matchLabels: Labels };
  policyTypes?: string[];
  ingress?: PolicyRule[];
  egress?: PolicyRule[];
  // Ingress, HTTPRoute
  rules?: {
    host?: string;
    http?: { paths: { path: string; pathType: string; backend: { service: { name: string } } }[] };
    matches?: { path: { type: string; value: string } }[];
    backendRefs?: { name: string; port: number }[];
  }[];
  hostnames?: string[];
  // PrometheusRule
  groups?: unknown[];
}

export interface PolicyRule {
  ports?: { port: string | number; protocol?: string }[];
  from?: Peer[];
  to?: Peer[];
}

export interface Peer {
  podSelector?: { matchLabels: Labels; matchExpressions?: object[] };
  namespaceSelector?: object;
  ipBlock?: object;
}

export interface PodSpec {
  serviceAccountName?: string;
  automountServiceAccountToken?: boolean;
  terminationGracePeriodSeconds?: number;
  securityContext: object;
  containers: [Container];
  volumes?: { name: string; secret?: { secretName: string }; configMap?: { name: string } }[];
}

interface Probe {
  httpGet?: { path: string; port: string };
}

export interface Container {
  name: string;
  image: string;
  args: string[];
  command?: string[];
  env?: { name: string; value?: string; valueFrom?: { secretKeyRef?: SecretKey } }[];
  envFrom?: { configMapRef?: { name: string }; secretRef?: { name: string; optional?: boolean } }[];
  ports?: { name: string; containerPort: number }[];
  readinessProbe?: Probe;
  livenessProbe?: Probe;
  lifecycle?: { preStop: { exec: { command: string[] } } };
  resources?: { requests: object; limits: object };
  securityContext: object;
  volumeMounts: { name: string; mountPath: string }[];
}

interface SecretKey {
  name: string;
  key: string;
  optional?: boolean;
}

/** Documents without content are left out. */
export function readObjects(text: string): KubernetesObject[] {
  return parseAllDocuments(text, { version: '1.1' })
    .map((document) => document.toJS() as KubernetesObject | null)
    .filter((object) => object !== null);
}
