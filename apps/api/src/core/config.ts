import 'reflect-metadata';
import { plainToInstance, Transform } from 'class-transformer';
import {
  Contains,
  IsBoolean,
  IsIn,
  IsInt,
  IsISO4217CurrencyCode,
  IsNumber,
  IsOptional,
  IsString,
  IsUrl,
  Matches,
  Max,
  Min,
  MinLength,
  ValidateBy,
  ValidateIf,
  validateSync,
} from 'class-validator';
import {
  MAX_PASSWORD_LENGTH,
  PASSWORD_LIMITS,
  SENDING_TYPES,
  type PasswordLimits,
  type SendingType,
} from '@heliograph/domain';
import { resolve } from 'node:path';
import { exposedAddress } from './exposure.ts';
import { parseAllowedHosts } from './http/outbound.ts';

const Flag = () => Transform(({ value }) => value === true || value === '1' || value === 'true');
const Numeric = () =>
  Transform(({ value }) => (value === undefined || value === '' ? undefined : Number(value)));

const Types = () =>
  Transform(({ value }) => {
    if (typeof value !== 'string') return value as unknown;
    if (value === 'all') return SENDING_TYPES;
    return value === 'none' ? [] : value.split(',').map((type) => type.trim());
  });

const Origins = () => (target: object, key: string) => {
  Transform(({ value }) => {
    if (typeof value !== 'string') return value as unknown;
    return value.split(',').map((origin) => origin.trim());
  })(target, key);
  Matches(ORIGIN, { each: true })(target, key);
};
const ORIGIN = /^(?:\*|https?:\/\/[a-z0-9.:[\]-]{1,255})$/;

const Web = () =>
  IsUrl({ protocols: ['http', 'https'], require_protocol: true, require_tld: false });

const AllowedHosts = () =>
  ValidateBy({
    name: 'allowedHosts',
    validator: {
      validate: (value) => typeof value === 'string' && parseAllowedHosts(value).wrong.length === 0,
      defaultMessage: (args) =>
        `$property has entries that are no host name, address or network: ${parseAllowedHosts(String(args?.value)).wrong.join(', ')}`,
    },
  });

const PROVIDERS = ['off', 'local', 'http'] as const;
/** Of a service that an installation may have or not: none, the built-in one, or one behind an address. */
export type Provider = (typeof PROVIDERS)[number];
/** What goes with `http` for this provider. */
const NeededFor = (name: 'TEXT_GENERATOR' | 'TTS' | 'GEOCODER') =>
  ValidateIf((c: Config) => c[name] === 'http');

const MAIL = ['off', 'log', 'smtp'] as const;
export type Mail = (typeof MAIL)[number];
const ByMail = () => ValidateIf((c: Config) => c.MAIL === 'smtp');

/** Everything that the environment says, checked once at boot. The only reader of `process.env`. */
export class Config {
  @IsString() @MinLength(1) DATABASE_URL: string;
  @IsString() @MinLength(1) REDIS_URL: string;
  @IsInt() @Min(0) @Max(65535) @Numeric() PORT: number = 3000;
  @IsString() HOST: string = '127.0.0.1';
  /** Where the port of a container is published, which itself listens everywhere. */
  @IsOptional() @IsString() BIND?: string;
  @IsIn(['production', 'development', 'test']) NODE_ENV: string = 'production';
  @IsIn(['fatal', 'error', 'warn', 'info', 'debug', 'silent']) LOG_LEVEL: string = 'info';
  /** Signs sessions; when absent one is generated once and kept in the database. */
  @IsOptional() @IsString() @MinLength(32) JWT_SECRET?: string;
  /** The one before it, whose sessions go on. */
  @IsOptional() @IsString() @MinLength(32) JWT_SECRET_PREVIOUS?: string;
  @IsInt() @Min(300) @Numeric() SESSION_SECONDS: number = 6 * 3600;
  /** How long a session may be renewed for: then the password is asked again. */
  @IsInt() @Min(1) @Numeric() SESSION_DAYS: number = 30;
  @IsString() FILES_DIR: string = '.data/files';
  @IsString() CABINET_DIR: string = 'apps/cabinet/dist';
  @IsIn(['main', 'alternate']) BRAND: 'main' | 'alternate' = 'main';
  @IsString() TITLE: string = 'Cabinet';
  /** What visitors are told of their data, and what they accept when they register. */
  @IsOptional() @Web() PRIVACY_URL?: string;
  @IsOptional() @Web() OFFER_URL?: string;
  @IsISO4217CurrencyCode() CURRENCY: string = 'RUB';
  /** Whether anybody may open an account. */
  @IsIn(['open', 'closed']) REGISTRATION: 'open' | 'closed' = 'open';
  /** Accounts that a network may try to open in an hour. */
  @IsInt() @Min(1) @Numeric() REGISTRATION_LIMIT: number = 10;
  /** So many registrations and asked-for letters an hour a network is not asked to solve a captcha for; 0: it always is. */
  @IsInt() @Min(0) @Numeric() CAPTCHA_AFTER: number = 3;
  /** How long a new password must and may be. */
  @IsInt() @Min(PASSWORD_LIMITS.min) @Max(64) @Numeric() PASSWORD_MIN: number = PASSWORD_LIMITS.min;
  @IsInt()
  @Min(PASSWORD_LIMITS.max)
  @Max(MAX_PASSWORD_LENGTH)
  @Numeric()
  PASSWORD_MAX: number = PASSWORD_LIMITS.max;
  /** What a new account gets for its first messages, in `CURRENCY`; 0 for nothing. */
  @IsNumber({ maxDecimalPlaces: 4 }) @Min(0) @Numeric() REGISTRATION_CREDIT: number = 70;
  /** The sender name that a new account may use at once. */
  @IsString() REGISTRATION_SENDERNAME: string = 'DEMO';
  /** Types that are sent only under an approved sender name, by commas; `all` or `none`. An account's own setting stands above it. */
  @IsIn(SENDING_TYPES, { each: true })
  @Types()
  SENDERNAMES_CHECK: readonly SendingType[] = SENDING_TYPES;
  /** Hops in front that may be trusted to name the client's address. */
  @IsInt() @Min(0) @Numeric() TRUST_PROXY: number = 0;
  @IsInt() @Min(2) @Numeric() DATABASE_POOL: number = 20;
  /** Of the calls that an account, a session or a network may make, as the contract has them: so many times; 0 for no limit. */
  @IsNumber() @Min(0) @Numeric() RATE_SCALE: number = 1;
  /** Messages of an account in a second. */
  @IsInt() @Min(1) @Numeric() RATE_MESSAGES: number = 1000;
  /** What an account may keep: megabytes of files, and numbers of the others; 0 for no limit. */
  @IsInt() @Min(0) @Numeric() QUOTA_STORAGE_MB: number = 5000;
  @IsInt() @Min(0) @Numeric() QUOTA_TEMPLATES: number = 1000;
  @IsInt() @Min(0) @Numeric() QUOTA_LINKS: number = 100_000;
  @IsInt() @Min(0) @Numeric() QUOTA_LISTS: number = 1000;
  @IsInt() @Min(0) @Numeric() QUOTA_CONTACTS: number = 5_000_000;
  /** How long a statement may take: what an API reads, what it writes, and imports and jobs of workers. */
  @IsInt() @Min(1) @Max(3600) @Numeric() DATABASE_READ_SECONDS: number = 5;
  @IsInt() @Min(1) @Max(3600) @Numeric() DATABASE_WRITE_SECONDS: number = 15;
  @IsInt() @Min(1) @Max(86_400) @Numeric() DATABASE_JOB_SECONDS: number = 600;
  /** How long a handed-over sending is waited for, in seconds. */
  @IsInt() @Min(1) @Numeric() EXPIRES_SECONDS: number = 24 * 3600;
  @IsInt() @Min(1) @Numeric() EXPIRES_SIMULATOR_SECONDS: number = 60;
  @IsInt() @Min(1) @Numeric() EXPIRES_FLASHCALL_SECONDS: number = 120;
  /** How long a worker may be silent before another takes over what it holds. */
  @IsInt() @Min(1) @Numeric() LEASE_SECONDS: number = 20;
  /** Private addresses that channels may have: `127.0.0.0/8, carrier.internal`. */
  @AllowedHosts() CHANNEL_ALLOWED_HOSTS: string = '';
  /** How long requests under way may take to end after SIGTERM, in seconds. */
  @IsInt() @Min(1) @Max(300) @Numeric() SHUTDOWN_GRACE_SECONDS: number = 10;
  /** How long after SIGTERM new connections are still taken, so that a balancer sees that the API is not ready. */
  @IsInt() @Min(0) @Max(300) @Numeric() SHUTDOWN_DELAY_SECONDS: number = 0;
  /** Where short links are answered, `https://go.example/s`; without it at `/s` of `PUBLIC_URL`. */
  @IsOptional() @Web() LINKS_URL?: string;
  /** Another shortener: asked by GET with the address as `url`, answers with the short link as text. */
  @IsOptional() @Web() LINKS_SHORTENER_URL?: string;
  /** Who sends letters: nobody, the log in their place (it then holds what opens accounts: for trials), or a mail server. */
  @IsOptional() @IsIn(MAIL) MAIL?: Mail;
  /** `smtps://name:password@mail.example`, or `smtp://` which turns to TLS where the server offers it. */
  @ByMail()
  @IsUrl({ protocols: ['smtp', 'smtps'], require_protocol: true, require_tld: false })
  SMTP_URL?: string;
  /** `Beacon <noreply@beacon.example>` */
  @ByMail() @IsString() @Contains('@') MAIL_FROM?: string;
  /** Where people find the cabinet, `https://app.example`: what letters and short links point to. A request's own word for it is not trusted. */
  @ValidateIf((c: Config) => c.MAIL === 'smtp' || c.PUBLIC_URL !== undefined)
  @Web()
  PUBLIC_URL?: string;
  /** Sites whose pages may call the API with a token, `https://shop.example`, by commas; `*` for any. Cookies are never taken from them. */
  @IsOptional() @Origins() CORS_ORIGINS?: readonly string[];
  /** How long browsers come by TLS alone once they have, where `PUBLIC_URL` has it; 0 for not at all. */
  @IsInt() @Min(0) @Numeric() HSTS_SECONDS: number = 31_536_000;
  /** A demonstration: services that are not configured are the built-in ones. `auto`: when nobody else reaches the API. */
  @IsBoolean() @Flag() DEMO: boolean = false;
  /** Who writes texts for the wizard: nobody, set phrases, or a model behind an address. */
  @IsOptional() @IsIn(PROVIDERS) TEXT_GENERATOR?: Provider;
  /** Of chat completions: `https://models.example/v1/chat/completions`. */
  @NeededFor('TEXT_GENERATOR') @Web() TEXT_GENERATOR_URL?: string;
  @NeededFor('TEXT_GENERATOR') @IsString() TEXT_GENERATOR_MODEL?: string;
  @IsOptional() @IsString() TEXT_GENERATOR_KEY?: string;
  /** Who speaks texts: nobody, tones that stand for speech, the machine's espeak-ng, or a service behind an address. */
  @IsOptional() @IsIn([...PROVIDERS, 'espeak']) TTS?: Provider | 'espeak';
  @NeededFor('TTS') @Web() TTS_URL?: string;
  @IsOptional() @IsString() TTS_KEY?: string;
  /** Who tells country and city of a point: nobody, the data that come along, or a service behind an address. */
  @IsIn(PROVIDERS) GEOCODER: Provider = 'local';
  /** Nominatim's `/reverse`: `https://nominatim.example/reverse`. */
  @NeededFor('GEOCODER') @Web() GEOCODER_URL?: string;
  @IsOptional() @IsString() GEOCODER_KEY?: string;
  /** How long a call with an `Idempotency-Key` may be repeated, in hours. */
  @IsInt() @Min(24) @Max(720) @Numeric() RETENTION_IDEMPOTENCY_HOURS: number = 24;
  /** How long what messages said is kept after their end, in days; 0 for ever, here and below. */
  @IsInt() @Min(0) @Max(36_500) @Numeric() RETENTION_TEXTS_DAYS: number = 365;
  /** Who came from where. */
  @IsInt() @Min(0) @Max(36_500) @Numeric() RETENTION_VISITS_DAYS: number = 90;
  @IsInt() @Min(0) @Max(36_500) @Numeric() RETENTION_NOTIFICATIONS_DAYS: number = 90;
  /** Files that nothing needs, after their upload. */
  @IsInt() @Min(0) @Max(36_500) @Numeric() RETENTION_FILES_DAYS: number = 0;
  /** Records of the audit log. */
  @IsInt() @Min(0) @Max(36_500) @Numeric() RETENTION_AUDIT_DAYS: number = 365;
  /** Who asks for `/metrics` brings it; without it nobody gets any. */
  @ValidateIf((c: Config) => c.METRICS_TOKEN !== undefined || c.METRICS_PORT !== undefined)
  @IsString()
  @MinLength(16)
  METRICS_TOKEN?: string;
  /** Where a worker answers `/metrics`; the API does so on its own port. */
  @IsOptional() @IsInt() @Min(1) @Max(65535) @Numeric() METRICS_PORT?: number;
  /** What a worker touches every five seconds while it lives. */
  @IsOptional() @IsString() HEARTBEAT_FILE?: string;

  /** A minimum above the maximum raises that, too. */
  get passwordLimits(): PasswordLimits {
    return { min: this.PASSWORD_MIN, max: Math.max(this.PASSWORD_MIN, this.PASSWORD_MAX) };
  }

  get textGenerator(): Provider {
    return this.TEXT_GENERATOR ?? this.builtIn;
  }

  get tts(): Provider | 'espeak' {
    return this.TTS ?? this.builtIn;
  }

  get mail(): Mail {
    return this.MAIL ?? (this.DEMO ? 'log' : 'off');
  }

  get linksUrl(): string {
    return this.LINKS_URL ? withoutSlashes(this.LINKS_URL) : `${this.publicUrl}/s`;
  }

  /** Without a slash at its end. */
  get publicUrl(): string {
    return withoutSlashes(this.PUBLIC_URL ?? `http://localhost:${this.PORT}`);
  }

  private get builtIn(): Provider {
    return this.DEMO ? 'local' : 'off';
  }

  get checksResponses(): boolean {
    return this.NODE_ENV !== 'production';
  }
}

function withoutSlashes(url: string): string {
  let end = url.length;
  while (url[end - 1] === '/') end--;
  return url.slice(0, end);
}

/** Throws with every problem named. */
export function loadConfig(env: Record<string, string | undefined> = process.env): Config {
  const known = Object.fromEntries(
    Object.entries(env).filter(([, v]) => v !== undefined && v !== ''),
  );
  const config = plainToInstance(Config, known, { exposeDefaultValues: true });
  const problems = validateSync(config, { whitelist: true });
  if (problems.length) {
    const lines = problems.map(
      (p) => `  ${p.property}: ${Object.values(p.constraints ?? {}).join(', ')}`,
    );
    throw new Error(`Wrong configuration:\n${lines.join('\n')}`);
  }
  if (known.DEMO === 'auto') config.DEMO = exposedAddress(config) === null;
  config.FILES_DIR = resolve(config.FILES_DIR);
  config.CABINET_DIR = resolve(config.CABINET_DIR);
  return config;
}
