import { Injectable, type BeforeApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import {
  definitionOf,
  SETTING_NAMES,
  type SettingName,
  type SettingValue,
} from '@heliograph/contract';
import { isDeepStrictEqual } from 'node:util';
import { SecretBox } from './auth/secret-box.ts';
import { Config } from './config.ts';
import { Db } from './db/db.ts';
import { Log } from './log.ts';

const EVERY_MS = 1000;
const NO_TABLE = '42P01';

/** The environment variable that gives the setting, which therefore cannot be changed; null if none does. */
export const lockOf = ({ given }: Pick<Config, 'given'>, name: SettingName): string | null =>
  [name, ...(definitionOf(name).locks ?? [])].find((variable) => given.has(variable)) ?? null;

export const purposeOf = (name: SettingName): string => `installation setting ${name}`;

interface StoredSetting {
  name: string;
  value: unknown;
  sealed: Buffer | null;
}

/**
 * Puts the settings that administrators have changed into the configuration of this process: at its start and, once started, each second.
 * Whatever reads the configuration then has them.
 */
@Injectable()
export class InstallationSettings implements OnModuleInit, BeforeApplicationShutdown {
  /** What applied before, of the changed ones. */
  private readonly former = new Map<SettingName, unknown>();
  private readonly applied = new Map<SettingName, SettingValue>();
  private refreshing: Promise<void> = Promise.resolve();
  private timer: NodeJS.Timeout | undefined;
  private isStarted = false;
  private isFailing = false;

  constructor(
    private readonly config: Config,
    private readonly db: Db,
    private readonly box: SecretBox,
    private readonly log: Log,
  ) {}

  onModuleInit(): Promise<void> {
    return this.refresh();
  }

  /** Follows changes until the process ends. */
  start(): void {
    this.isStarted = true;
    this.follow();
  }

  /** Applies what is stored now. One after the other: an older state never replaces a newer one. */
  refresh(): Promise<void> {
    const next = this.refreshing.then(() => this.load());
    this.refreshing = next.catch(() => undefined);
    return next;
  }

  beforeApplicationShutdown(): void {
    this.isStarted = false;
    clearTimeout(this.timer);
  }

  private follow(): void {
    this.timer = setTimeout(() => {
      void this.refresh()
        .then(() => (this.isFailing = false))
        .catch((error: unknown) => {
          if (!this.isFailing) this.log.warn({ err: error }, 'settings could not be read');
          this.isFailing = true;
        })
        .finally(() => this.isStarted && this.follow());
    }, EVERY_MS).unref();
  }

  private async load(): Promise<void> {
    const values = new Map<SettingName, SettingValue>();
    for (const row of await this.stored()) {
      const name = row.name as SettingName;
      // One of a newer version.
      if (!SETTING_NAMES.includes(name)) continue;
      const value = await this.valueOf(name, row);
      if (value !== undefined && lockOf(this.config, name) === null) values.set(name, value);
    }
    const config = this.config as unknown as Record<string, unknown>;
    for (const [name, value] of values) {
      if (isDeepStrictEqual(this.applied.get(name), value)) continue;
      if (!this.applied.has(name)) this.former.set(name, config[name]);
      this.applied.set(name, value);
      config[name] = value;
    }
    for (const name of [...this.applied.keys()].filter((one) => !values.has(one))) {
      config[name] = this.former.get(name);
      this.applied.delete(name);
    }
  }

  /** Before the migration there are none. */
  private stored(): Promise<StoredSetting[]> {
    return this.db
      .query<StoredSetting>(`select name, value, sealed from installation_settings`)
      .catch((error: unknown) => {
        if ((error as { code?: string }).code === NO_TABLE) return [];
        throw error;
      });
  }

  /** Undefined for a secret of a lost key, and for a value that this version does not take. */
  private async valueOf(
    name: SettingName,
    { value, sealed }: StoredSetting,
  ): Promise<SettingValue | undefined> {
    if (!sealed) return definitionOf(name).schema.safeParse(value).data;
    return this.box.open(sealed, purposeOf(name)).catch(() => undefined);
  }
}
