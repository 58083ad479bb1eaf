import { CERTIFICATE_STAGES } from '@heliograph/domain';
import * as z from 'zod';
import { ById, endpoint, Removed } from './endpoint.ts';
import { Id, text, Time } from './fields.ts';
import { InstallationSetting, InstallationSettingsInput } from './installation-settings.ts';

export const PROCESS_KINDS = ['api', 'worker', 'smpp'] as const;
export const LAGS = [
  'codes',
  'singles',
  'bulks',
  'polls',
  'fallbacks',
  'webhooks',
  'notifications',
] as const;

/** The SMPP server shows its own to customers; channels trust those of their carriers. */
export const CERTIFICATE_USES = ['smpp', 'channel'] as const;

export const InstallationProcess = z.object({
  id: Id,
  kind: z.enum(PROCESS_KINDS),
  host: z.string(),
  pid: z.int(),
  version: z.string(),
  build: z.string(),
  startedAt: Time,
  seenAt: Time,
  /** It has not ended by itself and was not seen lately. */
  isLost: z.boolean(),
  cpu: z.number(),
  memory: z.int(),
  delay: z.number(),
});
export type InstallationProcess = z.infer<typeof InstallationProcess>;

export const Sweep = z.object({
  name: z.string(),
  ranAt: Time,
  ms: z.int(),
  failedAt: Time.nullable(),
  error: z.string().nullable(),
});
export type Sweep = z.infer<typeof Sweep>;

/** A certificate of the installation, as its processes and channels have it. */
export const Certificate = z.object({
  usedBy: z.enum(CERTIFICATE_USES),
  /** The channel, or the host of the SMPP server. */
  name: z.string(),
  subject: z.string(),
  endsAt: Time,
  stage: z.enum(CERTIFICATE_STAGES),
});
export type Certificate = z.infer<typeof Certificate>;

/** A job that failed: it is tried again by the sweep that finds its work, or at once. */
export const FailedJob = z.object({
  id: Id,
  queue: z.string(),
  name: z.string(),
  /** What it works on; null if on whatever is due. */
  subject: z.string().nullable(),
  failedAt: Time,
  /** In a row, until it was done. */
  failures: z.int(),
  error: z.string(),
  retriedAt: Time.nullable(),
  /** Since it failed last. */
  doneAt: Time.nullable(),
});
export type FailedJob = z.infer<typeof FailedJob>;

/** How long a list took, in milliseconds. */
export const SlowList = z.object({
  /** Method and path of the endpoint, without values. */
  route: z.string(),
  count: z.int(),
  p50: z.int(),
  p95: z.int(),
  slowest: z.int(),
});
export type SlowList = z.infer<typeof SlowList>;

/** What an installation does, as far as its database and Redis know; `health.get` says whether they answer. */
export const Installation = z.object({
  version: z.string(),
  build: z.string(),
  processes: z.array(InstallationProcess),
  lags: z.array(z.object({ name: z.enum(LAGS), seconds: z.number() })),
  queues: z.array(z.object({ name: z.string(), waiting: z.int(), active: z.int() })),
  /** Those that end first, first. */
  certificates: z.array(Certificate),
  /** Those that still fail first, the newest 100. */
  failedJobs: z.array(FailedJob),
  sweeps: z.array(Sweep),
  upkeep: z.object({
    /** As `npm run backup` or `cli backed-up` noted it. */
    backupAt: Time.nullable(),
    verify: z.object({ at: Time, problems: z.int() }).nullable(),
  }),
  /** Of the last 24 hours, over all processes: the 20 with the longest p95. */
  slowLists: z.array(SlowList),
  database: z.object({
    version: z.string(),
    size: z.int(),
    /** Null until two days are known. */
    growth: z.number().nullable(),
    /** With `DATABASE_DISK_GB` and growth only. */
    fullInDays: z.int().nullable(),
    /** With `DATABASE_READ_URL` only. */
    replica: z.object({ behind: z.int().nullable() }).nullable(),
    tables: z.array(z.object({ name: z.string(), size: z.int(), rows: z.int() })),
  }),
});
export type Installation = z.infer<typeof Installation>;

const InstallationSettings = z.object({ data: z.array(InstallationSetting) });

/** What the mail server said. */
export const MailTest = z.object({
  to: z.string(),
  isAccepted: z.boolean(),
  /** The answer of the server, or why there was none. */
  answer: z.string().nullable(),
});
export type MailTest = z.infer<typeof MailTest>;

/** What a new installation still needs, as it is. */
export const InstallationStart = z.object({
  /** The address to which e-mails and short links lead. */
  publicUrl: z.string(),
  /** `untested`: the mail server of the settings has not taken the last test e-mail. */
  mail: z.enum(['off', 'untested', 'tested']),
  /** Of the active channels: whether one has submitted messages and does not fail. */
  channel: z.enum(['none', 'untested', 'working']),
  /** Whether new accounts have other prices than those that every installation begins with. */
  hasPrices: z.boolean(),
  /** Whether there is an account besides those of managers. */
  hasCustomer: z.boolean(),
});
export type InstallationStart = z.infer<typeof InstallationStart>;

const changing = {
  can: 'installation.update',
  accept: 'managerUp',
  sessionOnly: true,
} as const;

export const installation = {
  get: endpoint('GET', '/installation', {
    response: Installation,
    can: 'installation.get',
    accept: 'managerUp',
    cost: 'list',
    summary: 'Show the state of the installation',
  }),
  /** 503 `unavailable` without Redis: sweeps go on trying. */
  retryJob: endpoint('POST', '/installation/failed-jobs/:id/retry', {
    ...changing,
    params: ById,
    response: FailedJob,
    audit: 'installation.retryJob',
    summary: 'Try a failed job again',
  }),
  retryJobs: endpoint('POST', '/installation/failed-jobs/retry', {
    ...changing,
    body: z.strictObject({ queue: text(100) }),
    response: z.object({ data: z.array(FailedJob) }),
    audit: 'installation.retryJobs',
    summary: 'Try the failed jobs of a queue again',
  }),
  /** What is left to do stays: sweeps find it. */
  removeJob: endpoint('DELETE', '/installation/failed-jobs/:id', {
    ...changing,
    params: ById,
    response: Removed,
    audit: 'installation.removeJob',
    summary: 'Remove a failed job from the list',
  }),
  start: endpoint('GET', '/installation/start', {
    ...changing,
    response: InstallationStart,
    cost: 'list',
    summary: 'Show what a new installation still needs',
  }),
  settings: endpoint('GET', '/installation/settings', {
    ...changing,
    response: InstallationSettings,
    cost: 'list',
    summary: 'List the settings of the installation that administrators change',
  }),
  /** All processes apply them within seconds. Another mail server needs its password anew. */
  update: endpoint('PUT', '/installation/settings', {
    ...changing,
    lasting: 'refused',
    body: InstallationSettingsInput,
    response: InstallationSettings,
    audit: 'installation.update',
    summary: 'Change settings of the installation',
  }),
  /** To the e-mail of the caller, by the settings that apply. 503 `mail_off` if there are none. */
  testMail: endpoint('POST', '/installation/settings/mail-test', {
    ...changing,
    response: MailTest,
    audit: 'installation.testMail',
    summary: 'Send a test e-mail to yourself',
  }),
};
