/** What schemas cannot see: whether objects fit together, and fit the program. Each problem is a sentence. */
import type { Container, KubernetesObject, Labels, PodSpec } from './kubernetes-object.ts';

export interface Expectations {
  /** Names of all settings of the program. */
  settings: ReadonlySet<string>;
  /** Names of the settings whose values are secrets. */
  secretSettings: ReadonlySet<string>;
  /** Secrets that exist already, with their keys. */
  secrets?: Readonly<Record<string, readonly string[]>>;
  /** Variables that are no settings, but of the platform. */
  otherVariables?: ReadonlySet<string>;
}

const WORKLOADS = ['Deployment', 'StatefulSet', 'Job'];

export function findManifestProblems(objects: readonly KubernetesObject[], expected: Expectations): string[] {
  const workloads = objects.filter(({ kind }) => WORKLOADS.includes(kind));
  return [
    ...findDoubles(objects),
    ...workloads.flatMap((workload) => findWorkloadProblems(workload, objects, expected)),
    ...objects.flatMap((object) => findTargetProblems(object, objects)),
    ...objects.filter(({ kind }) => kind === 'ConfigMap').flatMap((map) => findPlainSecrets(map, expected)),
    ...findPolicyProblems(objects),
  ];
}

/** Every environment variable of a Deployment of the program that is known here, with its value or `(secret)`. */
export function readEnvironment(
  deployment: KubernetesObject,
  objects: readonly KubernetesObject[],
): Record<string, string> {
  const { env = [], envFrom = [] } = containerOf(deployment);
  const maps = envFrom.map(({ configMapRef, secretRef }) => {
    const map = find(objects, 'ConfigMap', configMapRef?.name)?.data ?? {};
    const secret = find(objects, 'Secret', secretRef?.name);
    const keys = Object.keys({ ...secret?.data, ...secret?.stringData });
    return { ...map, ...Object.fromEntries(keys.map((key) => [key, '(secret)'])) };
  });
  return Object.assign({}, ...maps, Object.fromEntries(env.map(({ name, value }) => [name, value ?? '(secret)'])));
}

export const isProgram = ({ kind, spec }: KubernetesObject) =>
  kind === 'Deployment' && spec?.template?.spec.containers[0].name === 'fairline';

export const containerOf = ({ spec }: KubernetesObject): Container => spec!.template!.spec.containers[0];

function find(objects: readonly KubernetesObject[], kind: string, name: string | undefined) {
  return objects.find((object) => object.kind === kind && object.metadata.name === name);
}

const titleOf = ({ kind, metadata }: KubernetesObject) => `${kind} ${metadata.name}`;

function findDoubles(objects: readonly KubernetesObject[]): string[] {
  const titles = objects.map(titleOf);
  return titles.filter((title, index) => titles.indexOf(title) !== index).map((title) => `${title} exists twice`);
}

function findWorkloadProblems(
  workload: KubernetesObject,
  objects: readonly KubernetesObject[],
  expected: Expectations,
): string[] {
  const { metadata, spec: pod } = workload.spec!.template!;
  const container = containerOf(workload);
  const selector = workload.spec?.selector?.matchLabels;
  const problems = [
    ...(selector !== undefined && !matches(selector, metadata.labels) ? ['its selector does not match its pods'] : []),
    ...findReferenceProblems(pod, objects, expected),
    ...findHardeningProblems(pod),
    ...(isProgram(workload) ? findUnknownSettings(workload, objects, expected) : []),
    ...(container.resources === undefined ? ['it has no resources'] : []),
  ];
  return problems.map((problem) => `${titleOf(workload)}: ${problem}`);
}

function findReferenceProblems(
  pod: PodSpec,
  objects: readonly KubernetesObject[],
  { secrets = {} }: Expectations,
): string[] {
  const [{ env = [], envFrom = [], volumeMounts }] = pod.containers;
  const keysOf = (name: string) => {
    const { data = {}, stringData = {} } = find(objects, 'Secret', name) ?? {};
    return [...Object.keys({ ...data, ...stringData }), ...(secrets[name] ?? [])];
  };
  const keys = env.flatMap(({ valueFrom }) => (valueFrom?.secretKeyRef === undefined ? [] : [valueFrom.secretKeyRef]));
  const missingKeys = keys
    .filter(({ name, key, optional }) => optional !== true && !keysOf(name).includes(key))
    .map(({ name, key }) => `Secret ${name} has no key ${key}`);
  const whole = [
    ...envFrom.flatMap(({ secretRef }) => (secretRef?.optional === true ? [] : [secretRef?.name])),
    ...(pod.volumes ?? []).map(({ secret }) => secret?.secretName),
  ];
  const missingSecrets = whole
    .filter((name) => name !== undefined && keysOf(name).length === 0)
    .map((name) => `there is no Secret ${name}`);
  const missingMaps = envFrom
    .filter(({ configMapRef }) => configMapRef && find(objects, 'ConfigMap', configMapRef.name) === undefined)
    .map(({ configMapRef }) => `there is no ConfigMap ${configMapRef!.name}`);
  const volumes = (pod.volumes ?? []).map(({ name }) => name);
  const missingVolumes = volumeMounts
    // The volume `data` of a StatefulSet is in its claim.
    .filter(({ name }) => name !== 'data' && !volumes.includes(name))
    .map(({ name }) => `there is no volume ${name}`);
  return [...missingKeys, ...missingSecrets, ...missingMaps, ...missingVolumes];
}

function findHardeningProblems({ securityContext, containers: [container] }: PodSpec): string[] {
  const pod = JSON.stringify(securityContext);
  const own = JSON.stringify(container.securityContext);
  return [
    ...(pod.includes('"runAsNonRoot":true') ? [] : ['it may run as root']),
    ...(pod.includes('"seccompProfile":{"type":"RuntimeDefault"}') ? [] : ['it has no seccomp profile']),
    ...(own.includes('"readOnlyRootFilesystem":true') ? [] : ['it may write to its root file system']),
    ...(own.includes('"allowPrivilegeEscalation":false') ? [] : ['it may gain privileges']),
    ...(own.includes('"drop":["ALL"]') ? [] : ['it keeps capabilities']),
  ];
}

function findUnknownSettings(
  workload: KubernetesObject,
  objects: readonly KubernetesObject[],
  { settings, otherVariables = new Set() }: Expectations,
): string[] {
  return Object.keys(readEnvironment(workload, objects))
    .filter((name) => !settings.has(name) && !otherVariables.has(name))
    .map((name) => `${name} is no setting`);
}

function findPlainSecrets(map: KubernetesObject, { secretSettings }: Expectations): string[] {
  return Object.entries(map.data ?? {})
    .filter(([name, value]) => secretSettings.has(name) || /:\/\/[^/\s]*:[^/\s]*@|PRIVATE KEY/.test(value))
    .map(([name]) => `${titleOf(map)} has the secret ${name}`);
}

/** Services, disruption budgets, autoscalers, monitors and routes must lead somewhere. */
function findTargetProblems(object: KubernetesObject, objects: readonly KubernetesObject[]): string[] {
  const { kind, spec } = object;
  const podsOf = (selector: Labels) =>
    objects.filter((one) => one.spec?.template && matches(selector, one.spec.template.metadata.labels));
  const problems: string[] = [];
  if (kind === 'Service') {
    const pods = podsOf(spec!.selector!);
    if (pods.length === 0) problems.push('it selects no pods');
    for (const { targetPort } of spec!.ports!) {
      const isOpen = (pod: KubernetesObject) => containerOf(pod).ports?.some(({ name }) => name === targetPort);
      if (!pods.every(isOpen)) problems.push(`port ${targetPort} is not open on all its pods`);
    }
  }
  if (kind === 'PodDisruptionBudget') {
    if (podsOf(spec!.selector!.matchLabels!).length !== 1) problems.push('it must select the pods of one workload');
  }
  if (kind === 'HorizontalPodAutoscaler') {
    const target = find(objects, spec!.scaleTargetRef!.kind, spec!.scaleTargetRef!.name);
    if (target === undefined) problems.push(`there is no ${spec!.scaleTargetRef!.name}`);
    else if (target.spec?.replicas !== undefined) problems.push('its target sets replicas too');
  }
  if (kind === 'ServiceMonitor') {
    const services = objects.filter(
      (one) => one.kind === 'Service' && matches(spec!.selector!.matchLabels!, one.metadata.labels ?? {}),
    );
    if (services.length !== 1) problems.push(`it must select one service, not ${services.length}`);
    const names = services[0]?.spec?.ports?.map(({ name }) => name) ?? [];
    for (const { port } of spec!.endpoints!)
      if (!names.includes(port)) problems.push(`its service has no port ${port}`);
  }
  const backends = (spec?.rules ?? []).flatMap(({ http, backendRefs }) => [
    ...(http?.paths ?? []).map(({ backend }) => backend.service.name),
    ...(backendRefs ?? []).map(({ name }) => name),
  ]);
  for (const name of backends) {
    if (find(objects, 'Service', name) === undefined) problems.push(`there is no Service ${name}`);
  }
  return problems.map((problem) => `${titleOf(object)}: ${problem}`);
}

/** With policies, every pod has one, which allows ports of these pods only, and no port that only the kubelet uses. */
function findPolicyProblems(objects: readonly KubernetesObject[]): string[] {
  const policies = objects.filter(({ kind }) => kind === 'NetworkPolicy');
  if (policies.length === 0) return [];
  const served = ['Deployment', 'StatefulSet'];
  return objects
    .filter(({ kind }) => served.includes(kind))
    .flatMap((workload) => {
      const { labels } = workload.spec!.template!.metadata;
      const own = policies.filter(({ spec }) => matches(spec!.podSelector!.matchLabels, labels));
      const allowed = own.flatMap(({ spec }) =>
        spec!.ingress!.flatMap(({ ports = [] }) => ports.map(({ port }) => port)),
      );
      const used = usedPorts(workload, objects);
      const problem = `its policies allow ${allowed.join(', ')} where ${used.join(', ')} are in use`;
      return `${[...allowed].sort()}` === `${used}` ? [] : [`${titleOf(workload)}: ${problem}`];
    });
}

/** Ports to which a service leads, and that of the metrics. */
function usedPorts(workload: KubernetesObject, objects: readonly KubernetesObject[]): string[] {
  const { labels } = workload.spec!.template!.metadata;
  const services = objects.filter(({ kind, spec }) => kind === 'Service' && matches(spec!.selector!, labels));
  const ports = services.flatMap(({ spec }) => spec!.ports!.map(({ targetPort }) => targetPort!));
  return [...new Set([...ports, ...(isProgram(workload) ? ['metrics'] : [])])].sort();
}

function matches(selector: Labels, labels: Labels): boolean {
  return Object.entries(selector).every(([name, value]) => labels[name] === value);
}
