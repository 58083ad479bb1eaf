import { health } from '@heliograph/contract';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { workerFlags } from '../../../../scripts/lib/worker-flags.mjs';
import { loadConfig, settingNames } from '../../src/core/config.ts';
import { composed, ROOT } from './compose-files.ts';
import { refusals, type Resource } from './kubernetes-schema.ts';

const FOLDER = join(ROOT, 'docs/deploy/kubernetes');
const OVERLAY = 'overlays/example';
const text = (file: string) => readFileSync(join(FOLDER, file), 'utf8');

/** What of kustomize is used here. */
const Kustomization = z.strictObject({
  apiVersion: z.literal('kustomize.config.k8s.io/v1beta1'),
  kind: z.literal('Kustomization'),
  namespace: z.string().optional(),
  labels: z
    .array(
      z.strictObject({ pairs: z.record(z.string(), z.string()), includeTemplates: z.boolean() }),
    )
    .optional(),
  resources: z.array(z.string()),
  images: z
    .array(z.strictObject({ name: z.string(), newName: z.string(), newTag: z.string() }))
    .optional(),
  configMapGenerator: z
    .array(
      z.strictObject({
        name: z.string(),
        behavior: z.enum(['merge']).optional(),
        literals: z.array(z.string().regex(/^[A-Z\d_]+=.+$/)),
      }),
    )
    .optional(),
  secretGenerator: z
    .array(z.strictObject({ name: z.string(), envs: z.array(z.string()) }))
    .optional(),
  patches: z
    .array(z.strictObject({ target: z.strictObject({ kind: z.string() }), patch: z.string() }))
    .optional(),
});
const kustomization = (folder: string) =>
  Kustomization.parse(parse(text(`${folder}/kustomization.yaml`)));

type Labels = Record<string, string>;
interface Port {
  name: string;
  containerPort: number;
}
interface Probe {
  httpGet?: { path: string; port: string };
  exec?: { command: string[] };
}
interface Container {
  image: string;
  command?: string[];
  env?: { name: string; value: string }[];
  envFrom: { configMapRef?: { name: string }; secretRef?: { name: string } }[];
  ports?: Port[];
  startupProbe?: Probe;
  readinessProbe?: Probe;
  livenessProbe?: Probe;
  resources: { requests: Labels; limits: Labels };
  securityContext: object;
  volumeMounts: { name: string; mountPath: string }[];
}
interface Workload extends Resource {
  spec: {
    replicas?: number;
    selector?: { matchLabels: Labels };
    template: {
      metadata: { labels: Labels };
      spec: {
        containers: Container[];
        securityContext: object;
        terminationGracePeriodSeconds?: number;
        automountServiceAccountToken: boolean;
        enableServiceLinks: boolean;
        topologySpreadConstraints?: { labelSelector: { matchLabels: Labels } }[];
        volumes: { name: string }[];
      };
    };
  };
}

const files = globSync('**/*.yaml', { cwd: FOLDER }).filter(
  (file) => !file.endsWith('kustomization.yaml'),
);
const resources = files.flatMap((file) =>
  parseAllDocuments(text(file)).map((one) => one.toJS() as Resource),
);
const all = <T extends Resource>(kind: string) =>
  resources.filter((one) => one.kind === kind) as T[];
const workloads = [...all<Workload>('Deployment'), ...all<Workload>('Job')];
const containerOf = ({ spec }: Workload) => spec.template.spec.containers[0]!;
const selected = (labels: Labels) =>
  workloads.filter(({ spec }) =>
    Object.entries(labels).every(([name, value]) => spec.template.metadata.labels[name] === value),
  );
/** The only workload that labels select. */
function chosen(labels: Labels): Workload {
  const found = selected(labels);
  expect(
    found.map(({ metadata }) => metadata.name),
    JSON.stringify(labels),
  ).toHaveLength(1);
  return found[0]!;
}
const portsOf = (workload: Workload) => (containerOf(workload).ports ?? []).map(({ name }) => name);

function settings(): Record<string, string> {
  const pairs = ['base', OVERLAY].flatMap((folder) =>
    kustomization(folder).configMapGenerator!.flatMap(({ literals }) => literals),
  );
  const secrets = text(`${OVERLAY}/secrets.env.example`).split('\n').filter(Boolean);
  return Object.fromEntries(
    [...pairs, ...secrets].map((pair) => [
      pair.slice(0, pair.indexOf('=')),
      pair.slice(pair.indexOf('=') + 1),
    ]),
  );
}

test('the API of Kubernetes refuses nothing, with unknown fields refused', () => {
  const counts: Record<string, number> = {};
  for (const { kind } of resources) counts[kind] = (counts[kind] ?? 0) + 1;
  expect(counts).toEqual({
    Deployment: 3,
    HorizontalPodAutoscaler: 1,
    Ingress: 2,
    Job: 1,
    Namespace: 1,
    NetworkPolicy: 4,
    PodDisruptionBudget: 3,
    Service: 2,
  });
  expect(resources.flatMap(refusals)).toEqual([]);
  const names = resources.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
  expect(new Set(names).size).toBe(names.length);
});

test('the check refuses what the API of Kubernetes does', () => {
  const [api] = all<Workload>('Deployment');
  const changed = (change: (one: Workload) => void) => {
    const copy = structuredClone(api!);
    change(copy);
    return refusals(copy);
  };
  expect(changed(() => undefined)).toEqual([]);
  const at = `Deployment ${api!.metadata.name}`;
  expect(changed((one) => Object.assign(one.spec, { replica: 2 }))).toEqual([
    `${at}.spec.replica does not exist`,
  ]);
  expect(changed((one) => Object.assign(one.spec, { replicas: '2' }))).toEqual([
    `${at}.spec.replicas has to be number`,
  ]);
  expect(changed((one) => delete one.spec.selector)).toEqual([`${at}.spec.selector is missing`]);
  expect(changed((one) => (containerOf(one).resources.limits['memory'] = '1 GB'))).toHaveLength(1);
  expect(changed((one) => (one.apiVersion = 'apps/v1beta1'))).toHaveLength(1);
});

test('kustomize finds every file, and takes every file', () => {
  const referred = ['base', OVERLAY].flatMap((folder) => {
    const { resources: named, secretGenerator = [] } = kustomization(folder);
    const secrets = secretGenerator.flatMap(({ envs }) => envs.map((one) => `${one}.example`));
    return [...named, ...secrets].map((name) => relative(FOLDER, join(FOLDER, folder, name)));
  });
  expect(referred.toSorted()).toEqual(
    [...files, 'base', `${OVERLAY}/secrets.env.example`].toSorted(),
  );
  // The file itself is nobody's but the operator's.
  expect(text(`${OVERLAY}/.gitignore`)).toBe('secrets.env\n');
  for (const { target } of kustomization(OVERLAY).patches!)
    expect(all(target.kind)).not.toEqual([]);
});

test('every container is the image that the overlay names, with the settings and the secrets', () => {
  const [image, ...others] = kustomization(OVERLAY).images!;
  expect(others).toEqual([]);
  expect(image!.newTag).toMatch(/^\d+\.\d+\.\d+$/);
  const [config] = kustomization('base').configMapGenerator!;
  const [secret] = kustomization(OVERLAY).secretGenerator!;
  expect(kustomization(OVERLAY).configMapGenerator![0]!.name).toBe(config!.name);
  for (const one of workloads) {
    expect(one.spec.template.spec.containers).toHaveLength(1);
    expect(containerOf(one).image).toBe(image!.name);
    expect(containerOf(one).envFrom).toEqual([
      { configMapRef: { name: config!.name } },
      { secretRef: { name: secret!.name } },
    ]);
  }
});

test('the product takes the settings of every process', () => {
  for (const one of workloads) {
    const own = (containerOf(one).env ?? []).map(({ name, value }) => [name, value]);
    const env = { ...settings(), ...(Object.fromEntries(own) as Record<string, string>) };
    const unknown = Object.keys(env).filter((name) => !settingNames().includes(name));
    expect(unknown, one.metadata.name).toEqual([]);
    const config = loadConfig(env);
    for (const { name, containerPort } of containerOf(one).ports ?? []) {
      const port = { http: config.PORT, metrics: config.METRICS_PORT, smpp: config.SMPP_PORT }[
        name
      ];
      expect(port, `${one.metadata.name} ${name}`).toBe(containerPort);
    }
    const { terminationGracePeriodSeconds: grace = 30 } = one.spec.template.spec;
    const stops = [
      config.SHUTDOWN_DELAY_SECONDS + config.SHUTDOWN_GRACE_SECONDS,
      config.LEASE_SECONDS,
    ];
    const isStopped = one.kind === 'Deployment';
    expect(grace).toBeGreaterThan(isStopped ? Math.max(...stops) + 5 : 0);
  }
});

test('selectors choose what they are meant for, and ports have their names', () => {
  for (const one of all<Workload>('Deployment')) {
    expect(chosen(one.spec.selector!.matchLabels)).toBe(one);
    for (const { labelSelector } of one.spec.template.spec.topologySpreadConstraints!)
      expect(chosen(labelSelector.matchLabels)).toBe(one);
  }
  type Service = Resource & {
    spec: { selector: Labels; ports: { name: string; targetPort: string }[] };
  };
  const services = all<Service>('Service');
  for (const { spec } of services)
    expect(portsOf(chosen(spec.selector))).toEqual(
      expect.arrayContaining(spec.ports.map(({ targetPort }) => targetPort)),
    );
  type Policy = Resource & {
    spec: { podSelector: { matchLabels: Labels }; ingress?: { ports: { port: string }[] }[] };
  };
  const [closed, ...opened] = all<Policy>('NetworkPolicy');
  const { labels } = kustomization('base');
  expect(labels).toEqual([{ pairs: closed!.spec.podSelector.matchLabels, includeTemplates: true }]);
  expect(closed!.spec.ingress).toBeUndefined();
  for (const { spec } of opened)
    for (const { ports } of spec.ingress!)
      expect(portsOf(chosen(spec.podSelector.matchLabels))).toEqual(ports.map(({ port }) => port));
  type Ingress = Resource & {
    spec: {
      tls: { hosts: string[] }[];
      rules: {
        host: string;
        http: { paths: { backend: { service: { name: string; port: { name: string } } } }[] };
      }[];
    };
  };
  for (const { spec } of all<Ingress>('Ingress')) {
    expect(spec.rules.map(({ host }) => host)).toEqual(spec.tls.flatMap(({ hosts }) => hosts));
    for (const { backend } of spec.rules.flatMap(({ http }) => http.paths)) {
      const service = services.find(({ metadata }) => metadata.name === backend.service.name);
      expect(service!.spec.ports.map(({ name }) => name)).toContain(backend.service.port.name);
    }
  }
});

test('each deployment may lose one pod at a time, and has more than one', () => {
  type Budget = Resource & {
    spec: { maxUnavailable: number; selector: { matchLabels: Labels } };
  };
  const budgets = all<Budget>('PodDisruptionBudget');
  expect(budgets.map(({ spec }) => chosen(spec.selector.matchLabels)).toSorted()).toEqual(
    all<Workload>('Deployment').toSorted(),
  );
  for (const { spec } of budgets) expect(spec.maxUnavailable).toBe(1);
  for (const { spec } of all<Workload>('Deployment')) expect(spec.replicas).toBeGreaterThan(1);
});

test('workers are scaled by a metric and labels that the product has', () => {
  type Scaler = Resource & {
    spec: {
      scaleTargetRef: { kind: string; name: string };
      minReplicas: number;
      metrics: { external: { metric: { name: string; selector: { matchLabels: Labels } } } }[];
    };
  };
  const [{ spec }] = all<Scaler>('HorizontalPodAutoscaler') as [Scaler];
  const target = workloads.find(({ metadata }) => metadata.name === spec.scaleTargetRef.name)!;
  expect(target.kind).toBe(spec.scaleTargetRef.kind);
  expect(target.spec.replicas).toBe(spec.minReplicas);
  const operations = readFileSync(join(ROOT, 'docs/operations.md'), 'utf8');
  for (const { external } of spec.metrics) {
    const row = operations
      .split('\n')
      .find((line) => line.startsWith(`| \`${external.metric.name}\``))!;
    const [name, values] = Object.entries(external.metric.selector.matchLabels)[0]!;
    expect(row).toMatch(new RegExp(`${name}: [^|]*\\b${values}\\b`));
    const scaling = readFileSync(join(ROOT, 'docs/scaling.md'), 'utf8');
    expect(scaling).toContain(`seriesQuery: ${external.metric.name}`);
  }
});

test('nothing runs as root, writes to its image or talks to the API of Kubernetes', () => {
  for (const one of workloads) {
    const pod = one.spec.template.spec;
    expect(pod.securityContext, one.metadata.name).toEqual({
      runAsNonRoot: true,
      runAsUser: 1000,
      runAsGroup: 1000,
      fsGroup: 1000,
      seccompProfile: { type: 'RuntimeDefault' },
    });
    expect(containerOf(one).securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    expect(pod).toMatchObject({ automountServiceAccountToken: false, enableServiceLinks: false });
    const mounts = containerOf(one).volumeMounts;
    expect(mounts.map(({ name }) => name)).toEqual(pod.volumes.map(({ name }) => name));
    // What the product writes to: its files, and what programs of the system take for scratch.
    const writable = mounts.map(({ mountPath }) => mountPath);
    expect(writable).toEqual(['/tmp', dirname(settings()['FILES_DIR']!)]);
    const { requests, limits } = containerOf(one).resources;
    expect(Object.keys({ ...requests, ...limits })).toEqual(['cpu', 'memory']);
  }
});

test('probes ask for what the product answers', () => {
  const paths = Object.values(health).map(({ path }) => `/api${path}`);
  for (const one of all<Workload>('Deployment')) {
    const { startupProbe, readinessProbe, livenessProbe, env = [] } = containerOf(one);
    const heartbeat = env.find(({ name }) => name === 'HEARTBEAT_FILE')?.value;
    for (const { httpGet, exec } of [startupProbe!, readinessProbe!, livenessProbe!]) {
      expect([...paths, undefined]).toContain(httpGet?.path);
      expect([...portsOf(one), undefined]).toContain(httpGet?.port);
      expect(exec?.command.at(-1) ?? '').toContain(httpGet ? '' : heartbeat);
    }
  }
});

test('processes are started as those of the compose file', () => {
  const { services } = composed('docker-compose.yml');
  const commands = (name: string) =>
    containerOf(workloads.find(({ metadata }) => metadata.name === `heliograph-${name}`)!).command;
  for (const name of ['migrate', 'api', 'worker', 'smpp'])
    expect(commands(name), name).toEqual(services[name]!.command);
  expect(commands('worker')).toEqual(expect.arrayContaining(workerFlags));
});
