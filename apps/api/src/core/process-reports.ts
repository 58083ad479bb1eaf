import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import type { InstallationProcess } from '@heliograph/contract';
import { durationStep, type CertificateFacts } from '@heliograph/domain';
import { hostname } from 'node:os';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { Clock } from './clock.ts';
import { Db } from './db/db.ts';
import { shortError } from './log-error.ts';
import { Log } from './log.ts';
import { uuidv7 } from './uuid.ts';
import { BUILD, VERSION } from './version.ts';

/** How often a process says how it is. */
const EVERY_MS = 10_000;
/** One that has not been seen for so long has ended without a word. */
export const LOST_MS = 30_000;
/** The end of a process does not wait longer for a database that does not answer. */
const CLOSE_MS = 1000;
const NANOSECONDS_A_MS = 1e6;

interface SweepRun {
  at: Date;
  ms: number;
  error: string | null;
}

/** What this process says of itself, for the state of the installation: a row of its own, and the last runs of its sweeps. */
@Injectable()
export class ProcessReports implements BeforeApplicationShutdown {
  private readonly id = uuidv7();
  private readonly startedAt = new Date(performance.timeOrigin);
  private readonly sweeps = new Map<string, SweepRun>();
  private readonly lists = new Map<string, { counts: number[]; slowest: number }>();
  private readonly delay = monitorEventLoopDelay();
  private kind: InstallationProcess['kind'] | undefined;
  private certificates: CertificateFacts[] = [];
  private last = { at: performance.now(), cpu: process.cpuUsage() };
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> | undefined;

  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /** A list that was answered. */
  listTook(route: string, ms: number): void {
    const found = this.lists.get(route) ?? { counts: [], slowest: 0 };
    const step = durationStep(ms);
    while (found.counts.length <= step) found.counts.push(0);
    found.counts[step]!++;
    found.slowest = Math.max(found.slowest, Math.round(ms));
    this.lists.set(route, found);
  }

  /** From now on, until the process ends. */
  start(kind: InstallationProcess['kind']): void {
    this.kind = kind;
    this.delay.enable();
    this.report();
  }

  /** Those that it shows to its clients. */
  shows(certificates: CertificateFacts[]): void {
    this.certificates = certificates;
  }

  sweepRan(name: string, ms: number, error: unknown): void {
    this.sweeps.set(name, {
      at: this.clock.now(),
      ms: Math.round(ms),
      error: error === null ? null : shortError(error),
    });
  }

  /** A process that ends by itself is not missed. */
  async beforeApplicationShutdown(): Promise<void> {
    if (!this.kind) return;
    this.kind = undefined;
    clearTimeout(this.timer);
    this.delay.disable();
    const timeout = new AbortController();
    const late = sleep(CLOSE_MS, undefined, timeout).catch(() => undefined);
    await Promise.race([this.remove(), late]);
    timeout.abort();
  }

  private async remove(): Promise<void> {
    await this.writing;
    await this.db
      .query(`delete from processes where id = $1`, [this.id])
      .catch((error: unknown) => this.warn(error));
  }

  private report(): void {
    this.writing = this.write()
      .catch((error: unknown) => this.warn(error))
      .finally(() => {
        if (this.kind) this.timer = setTimeout(() => this.report(), EVERY_MS).unref();
      });
  }

  private async write(): Promise<void> {
    const { cpu, memory, delay } = this.measure();
    await this.db.query(
      `insert into processes (id, kind, host, pid, version, build, started_at, seen_at, cpu, memory, delay_ms, certificates)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
       on conflict (id) do update set seen_at = excluded.seen_at, cpu = excluded.cpu, memory = excluded.memory, delay_ms = excluded.delay_ms,
              certificates = excluded.certificates`,
      [
        this.id,
        this.kind,
        hostname(),
        process.pid,
        VERSION,
        BUILD,
        this.startedAt,
        this.clock.now(),
        cpu,
        memory,
        delay,
        JSON.stringify(this.certificates),
      ],
    );
    await this.writeSweeps();
    await this.writeLists();
  }

  private async writeSweeps(): Promise<void> {
    const runs = [...this.sweeps];
    this.sweeps.clear();
    if (!runs.length) return;
    await this.db.query(
      `insert into sweep_runs as s (name, ran_at, ms, failed_at, error)
       select name, at, ms, case when error is not null then at end, error
         from unnest($1::text[], $2::timestamptz[], $3::integer[], $4::text[]) r (name, at, ms, error) order by name
       on conflict (name) do update set ran_at = excluded.ran_at, ms = excluded.ms,
              failed_at = coalesce(excluded.failed_at, s.failed_at), error = coalesce(excluded.error, s.error)
        where s.ran_at <= excluded.ran_at`,
      [
        runs.map(([name]) => name),
        runs.map(([, { at }]) => at),
        runs.map(([, { ms }]) => ms),
        runs.map(([, { error }]) => error),
      ],
    );
  }

  private async writeLists(): Promise<void> {
    const lists = [...this.lists].map(([route, took]) => ({ route, ...took }));
    this.lists.clear();
    if (!lists.length) return;
    await this.db.query(
      `insert into list_durations as d (hour, route, counts, slowest)
       select date_trunc('hour', $1::timestamptz), route, counts, slowest
         from jsonb_to_recordset($2) r (route text, counts integer[], slowest integer) order by route
       on conflict (hour, route) do update set slowest = greatest(d.slowest, excluded.slowest),
              counts = (select array_agg(coalesce(a, 0) + coalesce(b, 0) order by i) from unnest(d.counts, excluded.counts) with ordinality u (a, b, i))`,
      [this.clock.now(), JSON.stringify(lists)],
    );
  }

  /** Since the last time. */
  private measure(): { cpu: number; memory: number; delay: number } {
    const { at, cpu } = this.last;
    this.last = { at: performance.now(), cpu: process.cpuUsage() };
    const { user, system } = process.cpuUsage(cpu);
    const delay = this.delay.percentile(99) / NANOSECONDS_A_MS;
    this.delay.reset();
    return {
      cpu: (user + system) / 1000 / Math.max(1, this.last.at - at),
      memory: process.memoryUsage.rss(),
      delay: Number.isFinite(delay) ? delay : 0,
    };
  }

  private warn(error: unknown): void {
    this.log.warn({ err: error }, 'A process could not say how it is.');
  }
}
