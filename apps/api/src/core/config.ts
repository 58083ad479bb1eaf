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
  Max,
  Min,
  MinLength,
  ValidateIf,
  validateSync,
} from 'class-validator';
import { resolve } from 'node:path';

const Flag = () => Transform(({ value }) => value === true || value === '1' || value === 'true');
const Numeric = () =>
  Transform(({ value }) => (value === undefined || value === '' ? undefined : Number(value)));

const Web = () =>
  IsUrl({ protocols: ['http', 'https'], require_protocol: true, require_tld: false });

const PROVIDERS = ['off', 'local', 'http'] as const;
/** Of a service that an installation may have or not: none, the built-in one, or one behind an address. */
export type Provider = (typeof PROVIDERS)[number];
/** What goes with `http` for this provider. */
const NeededFor = (name: 'TEXT_GENERATOR' | 'TTS') => ValidateIf((c: Config) => c[name] === 'http');

const MAIL = ['off', 'log', 'smtp'] as const;
export type Mail = (typeof MAIL)[number];
const ByMail = () => ValidateIf((c: Config) => c.MAIL === 'smtp');

/** Everything that the environment says, checked once at boot. The only reader of `process.env`. */
export class Config {
  @IsString() @MinLength(1) DATABASE_URL: string;
  @IsString() @MinLength(1) REDIS_URL: string;
  @IsInt() @Min(0) @Max(65535) @Numeric() PORT: number = 3000;
  @IsString() HOST: string = '127.0.0.1';
  @IsIn(['production', 'development', 'test']) NODE_ENV: string = 'production';
  @IsIn(['fatal', 'error', 'warn', 'info', 'debug', 'silent']) LOG_LEVEL: string = 'info';
  /** Signs sessions; when absent one is generated once and kept in the database. */
  @IsOptional() @IsString() @MinLength(32) JWT_SECRET?: string;
  @IsInt() @Min(300) @Numeric() SESSION_SECONDS: number = 6 * 3600;
  @IsString() FILES_DIR: string = '.data/files';
  @IsString() CABINET_DIR: string = 'apps/cabinet/dist';
  @IsIn(['main', 'alternate']) BRAND: 'main' | 'alternate' = 'main';
  @IsString() TITLE: string = 'Cabinet';
  /** What visitors are told of their data, and what they accept when they register. */
  @IsOptional() @Web() PRIVACY_URL?: string;
  @IsOptional() @Web() OFFER_URL?: string;
  @IsISO4217CurrencyCode() CURRENCY: string = 'RUB';
  /** What a new account gets for its first messages, in `CURRENCY`; 0 for nothing. */
  @IsNumber({ maxDecimalPlaces: 4 }) @Min(0) @Numeric() REGISTRATION_CREDIT: number = 70;
  /** The sender name that a new account may use at once. */
  @IsString() REGISTRATION_SENDERNAME: string = 'DEMO';
  /** Hops in front that may be trusted to name the client's address. */
  @IsInt() @Min(0) @Numeric() TRUST_PROXY: number = 0;
  @IsInt() @Min(2) @Numeric() DATABASE_POOL: number = 20;
  /** How long a handed-over sending is waited for, in seconds. */
  @IsInt() @Min(1) @Numeric() EXPIRES_SECONDS: number = 24 * 3600;
  @IsInt() @Min(1) @Numeric() EXPIRES_SIMULATOR_SECONDS: number = 60;
  @IsInt() @Min(1) @Numeric() EXPIRES_FLASHCALL_SECONDS: number = 120;
  /** How long a worker may be silent before another takes over what it holds. */
  @IsInt() @Min(1) @Numeric() LEASE_SECONDS: number = 20;
  /** Where short links are answered, `https://go.example/s`; without it at `/s` of the address that a link is asked for at. */
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
  /** Where people find the cabinet, `https://app.example`: what letters point to. A request's own word for it is not trusted. */
  @ValidateIf((c: Config) => c.MAIL === 'smtp' || c.PUBLIC_URL !== undefined)
  @Web()
  PUBLIC_URL?: string;
  /** A demonstration: services that are not configured are the built-in ones. */
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
  /** Who asks for `/metrics` brings it; without it nobody gets any. */
  @ValidateIf((c: Config) => c.METRICS_TOKEN !== undefined || c.METRICS_PORT !== undefined)
  @IsString()
  @MinLength(16)
  METRICS_TOKEN?: string;
  /** Where a worker answers `/metrics`; the API does so on its own port. */
  @IsOptional() @IsInt() @Min(1) @Max(65535) @Numeric() METRICS_PORT?: number;

  get textGenerator(): Provider {
    return this.TEXT_GENERATOR ?? this.builtIn;
  }

  get tts(): Provider | 'espeak' {
    return this.TTS ?? this.builtIn;
  }

  get mail(): Mail {
    return this.MAIL ?? (this.DEMO ? 'log' : 'off');
  }

  /** Without a slash at its end. */
  get publicUrl(): string {
    return (this.PUBLIC_URL ?? `http://localhost:${this.PORT}`).replace(/\/+$/, '');
  }

  private get builtIn(): Provider {
    return this.DEMO ? 'local' : 'off';
  }

  get checksResponses(): boolean {
    return this.NODE_ENV !== 'production';
  }
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
  config.FILES_DIR = resolve(config.FILES_DIR);
  config.CABINET_DIR = resolve(config.CABINET_DIR);
  return config;
}
