import { Injectable } from '@nestjs/common';
import {
  definitionOf,
  SETTING_NAMES,
  type installation,
  type InstallationSetting,
  type InstallationSettingsInput,
  type MailTest,
  type ResponseOf,
  type SettingName,
  type SettingValue,
} from '@heliograph/contract';
import { normalizeEmail, testEmail, type Locale } from '@heliograph/domain';
import { Audit } from '../../core/audit/audit.ts';
import type { Actor } from '../../core/auth/actor.ts';
import { SecretBox } from '../../core/auth/secret-box.ts';
import { Clock } from '../../core/clock.ts';
import { Config } from '../../core/config.ts';
import { Db } from '../../core/db/db.ts';
import { invalid } from '../../core/errors.ts';
import { AddressRefused, Outbound } from '../../core/http/outbound.ts';
import { InstallationSettings, lockOf, purposeOf } from '../../core/installation-settings.ts';
import { EmailLocalesStore } from '../../core/mail/email-locales.store.ts';
import { Mailer } from '../../core/mail/mailer.ts';
import { InstallationSettingsStore, type SettingRow } from './installation-settings.store.ts';

type Settings = ResponseOf<typeof installation.settings>;
type Changes = Partial<Record<SettingName, SettingValue | null>>;

const MAX_ANSWER = 300;

/** The settings that administrators change, and a test of those of e-mail. */
@Injectable()
export class InstallationSettingsService {
  private readonly outbound: Outbound;

  constructor(
    private readonly db: Db,
    private readonly store: InstallationSettingsStore,
    private readonly settings: InstallationSettings,
    private readonly box: SecretBox,
    private readonly audit: Audit,
    private readonly mailer: Mailer,
    private readonly locales: EmailLocalesStore,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {
    this.outbound = new Outbound(config.CHANNEL_ALLOWED_HOSTS, 'CHANNEL_ALLOWED_HOSTS');
  }

  async find(): Promise<Settings> {
    const rows = new Map((await this.store.find()).map((row) => [row.name, row]));
    return { data: SETTING_NAMES.map((name) => this.present(name, rows.get(name))) };
  }

  /** Null puts a setting back to its default. Another mail server drops the password, which would else be shown to it. */
  async update(actor: Actor, input: InstallationSettingsInput): Promise<Settings> {
    const changes = Object.fromEntries(
      Object.entries(input).filter(([, value]) => value !== undefined),
    ) as Changes;
    for (const name of Object.keys(changes) as SettingName[]) {
      const lock = lockOf(this.config, name);
      if (lock) throw invalid(name, 'locked', `The environment variable ${lock} gives it.`);
    }
    await this.checkServer(changes.SMTP_URL);
    await this.db.transaction(async () => {
      await this.store.lock();
      const rows = new Map((await this.store.find()).map((row) => [row.name, row]));
      const isOther = 'SMTP_URL' in changes && changes.SMTP_URL !== rows.get('SMTP_URL')?.value;
      const all: Changes = {
        ...changes,
        ...(isOther && !('SMTP_PASSWORD' in changes) && { SMTP_PASSWORD: null }),
      };
      this.requireMail(all, rows);
      await this.write(actor, all, rows);
    });
    await this.settings.refresh();
    return this.find();
  }

  /** What a new installation still needs: facts, so that no step is called done which is not. */
  async start(): Promise<ResponseOf<typeof installation.start>> {
    const { mailServer } = this;
    const { isMailTested, ...facts } = await this.store.startFacts(mailServer);
    const mail = mailServer === null ? 'off' : isMailTested ? 'tested' : 'untested';
    return { publicUrl: this.config.publicUrl, mail, ...facts };
  }

  /** Whose test counts: another server, or another sender, has to be tried again. Null: e-mails are not sent over one. */
  private get mailServer(): string | null {
    const { mail, SMTP_URL, MAIL_FROM } = this.config;
    if (mail !== 'smtp') return null;
    // As much as a record of the audit log keeps.
    return `${MAIL_FROM} ${shown('SMTP_URL', SMTP_URL)}`.slice(0, 300);
  }

  /** To the caller, by the settings that apply now. */
  async testMail(actor: Actor, locale: Locale): Promise<MailTest> {
    await this.settings.refresh();
    this.mailer.assertReady();
    const { email, username } = await this.store.addressOf(actor.userId);
    const to = normalizeEmail(email ?? username);
    if (!to) throw invalid('email', 'required', 'Your user has no e-mail address.');
    const language = await this.locales.of(actor.userId, locale);
    const { TITLE: title, publicUrl: url } = this.config;
    const server = this.mailServer;
    const test = await this.mailer.submit(to, testEmail(language, { title, url })).then(
      (answer) => ({ to, isAccepted: true, answer }),
      (error: Error) => ({ to, isAccepted: false, answer: error.message.slice(0, MAX_ANSWER) }),
    );
    const after = { server, isAccepted: test.isAccepted };
    await this.audit.record({ target: ['installation', null], after });
    return test;
  }

  private async write(
    actor: Actor,
    changes: Changes,
    rows: ReadonlyMap<string, SettingRow>,
  ): Promise<void> {
    const at = this.clock.now();
    const before: Record<string, unknown> = {};
    const after: Record<string, unknown> = {};
    for (const [key, value] of Object.entries(changes)) {
      const name = key as SettingName;
      const { isSecret } = definitionOf(name);
      const row = rows.get(name);
      // The audit log hides secrets by their names; these say only that one was there, or is another.
      before[name] = isSecret ? row?.updatedAt : (row?.value ?? null);
      after[name] = isSecret && value !== null ? at : value;
      if (value === null) await this.store.remove(name);
      else {
        const sealed = isSecret ? await this.box.seal(value as string, purposeOf(name)) : null;
        await this.store.set(name, { value, sealed }, { at, by: actor.actorId ?? actor.userId });
      }
    }
    await this.audit.record({ target: ['installation', null], before, after });
  }

  private async checkServer(url: SettingValue | null | undefined): Promise<void> {
    if (typeof url !== 'string') return;
    await this.outbound.check(url).catch((error: unknown) => {
      if (!(error instanceof AddressRefused)) throw error;
      throw invalid('SMTP_URL', 'address', error.message);
    });
  }

  /** E-mails need a server, a sender and the address to which they lead. */
  private requireMail(changes: Changes, rows: ReadonlyMap<string, SettingRow>): void {
    const isChanged = (['MAIL_TRANSPORT', 'SMTP_URL', 'MAIL_FROM'] as const).some(
      (name) => name in changes,
    );
    const applies = (name: SettingName): unknown => {
      if (name in changes) return changes[name];
      return lockOf(this.config, name) ? this.config[name] : rows.get(name)?.value;
    };
    if (!isChanged || applies('MAIL_TRANSPORT') !== 'smtp') return;
    for (const name of ['SMTP_URL', 'MAIL_FROM'] as const)
      if (!applies(name)) throw invalid(name, 'required', 'E-mails cannot be sent without it.');
    if (!this.config.PUBLIC_URL)
      throw invalid('MAIL_TRANSPORT', 'public_url', 'E-mails have links: set PUBLIC_URL first.');
  }

  private present(name: SettingName, row: SettingRow | undefined): InstallationSetting {
    const { isSecret = false } = definitionOf(name);
    const lockedBy = lockOf(this.config, name);
    const stored = lockedBy ? undefined : row;
    const otherwise = this.defaultOf(name);
    const given = lockedBy ? shown(name, this.config[name]) : (row?.value as SettingValue);
    return {
      name,
      value: isSecret ? null : (given ?? otherwise),
      default: otherwise,
      isSet: isSecret && lockedBy ? this.config[name] !== undefined : !!lockedBy || !!row,
      isSecret,
      lockedBy,
      changedAt: stored?.updatedAt.toISOString() ?? null,
      changedBy: stored?.updatedBy ?? null,
    };
  }

  /** A demonstration writes its e-mails to the log. */
  private defaultOf(name: SettingName): SettingValue | null {
    if (name === 'MAIL_TRANSPORT') return this.config.DEMO ? 'log' : 'off';
    return definitionOf(name).default;
  }
}

/** The address of a mail server in the environment may have its password. */
function shown(name: SettingName, value: SettingValue | undefined): SettingValue | undefined {
  if (name !== 'SMTP_URL' || typeof value !== 'string') return value;
  const url = new URL(value);
  url.password = '';
  return url.href;
}
