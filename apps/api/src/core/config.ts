import 'reflect-metadata';
import { plainToInstance } from 'class-transformer';
import {
  Contains,
  getMetadataStorage,
  IsBoolean,
  IsEmail,
  IsIn,
  IsInt,
  IsNumber,
  IsOptional,
  IsString,
  IsUrl,
  Matches,
  Max,
  Min,
  MinLength,
  ValidateIf,
  validateSync,
} from 'class-validator';
import { CURRENCIES, type PasswordLimits, type SendingType } from '@heliograph/domain';
import {
  INSTALLATION_SETTINGS,
  LEVELS,
  type Level,
  type SettingValues,
} from '@heliograph/contract';
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import {
  Administered,
  AllowedHosts,
  Flag,
  ListOf,
  Numeric,
  Origins,
  PostgresUrl,
  Ports,
  RedisUrl,
  Sentinels,
  Site,
  Types,
  Web,
} from './config-values.ts';
import { misspelt } from './config-names.ts';
import { exposedAddress } from './exposure.ts';

export const PAYMENT_METHODS = ['sandbox', 'stripe', 'tinkoff'] as const;
export type PaymentMethod = (typeof PAYMENT_METHODS)[number];
const COMMISSION = /^[a-z]{1,20}:\d{1,2}(\.\d{1,2})?$/;

/** Required if one of the acquirer's settings is given, or its method is named. */
const Of = (method: PaymentMethod, hint: string) => (target: object, key: string) => {
  ValidateIf((c: Config) => c.needs(method))(target, key);
  Matches(/^\S{8,250}$/, { message: `must be set: ${hint}` })(target, key);
};
const OfStripe = () =>
  Of('stripe', 'Stripe needs both STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET');
const OfTinkoff = () =>
  Of('tinkoff', 'T-Bank needs both TINKOFF_TERMINAL_KEY and TINKOFF_PASSWORD');
/** Source: the field `Receipt` of T-Bank's internet acquiring. */
const TAXATIONS = ['osn', 'usn_income', 'usn_income_outcome', 'esn', 'patent'];
const TAXES = ['none', 'vat0', 'vat5', 'vat7', 'vat10', 'general'];

const PROVIDERS = ['off', 'local', 'http'] as const;
/** An optional service: none, the built-in one, or an HTTP service. */
export type Provider = (typeof PROVIDERS)[number];
/** Required if the provider is `http`. */
const NeededFor = (name: 'TEXT_GENERATOR' | 'TTS' | 'GEOCODER') =>
  ValidateIf((c: Config) => c[name] === 'http');

const WithSmppTls = () => ValidateIf((c: Config) => c.SMPP_TLS_PORT !== undefined);

/** Other services whose APIs programs may go on using. */
export const COMPATIBLE_APIS = ['kannel', 'twilio', 'smsc', 'smsru'] as const;
export type CompatibleApi = (typeof COMPATIBLE_APIS)[number];

const FILES_DRIVERS = ['disk', 's3'] as const;
const ForS3 = () => ValidateIf((c: Config) => c.FILES_DRIVER === 's3');

const MAIL_TRANSPORTS = ['off', 'log', 'smtp'] as const;
export type MailTransport = (typeof MAIL_TRANSPORTS)[number];
const BySmtp = () => ValidateIf((c: Config) => c.MAIL_TRANSPORT === 'smtp');

const LOOKUPS = ['off', 'local', 'dadata'] as const;
export type Lookups = (typeof LOOKUPS)[number];
const ByDadata = () => ValidateIf((c: Config) => c.lookups === 'dadata');

const DEFAULTS = Object.fromEntries(
  Object.entries(INSTALLATION_SETTINGS).map(([name, one]) => [name, one.default]),
) as unknown as SettingValues;

/**
 * The configuration from the environment, validated at startup. The only reader of `process.env`. What is `Administered` and not given
 * there changes while the process runs (`installation-settings.ts`): read it where it is used, and do not keep it.
 */
export class Config {
  /** The names that the environment gives. */
  given: ReadonlySet<string> = new Set();
  @PostgresUrl() DATABASE_URL: string;
  /** The database itself if `DATABASE_URL` is that of a pooler in transaction mode, for what needs a session: migrations, locks of sweeps. */
  @IsOptional() @PostgresUrl() DATABASE_DIRECT_URL?: string;
  /** A streaming replica, which then answers lists. */
  @IsOptional() @PostgresUrl() DATABASE_READ_URL?: string;
  @RedisUrl() REDIS_URL: string;
  /** Of all keys and channels, so that installations can share a Redis: `staging`. */
  @Matches(/^[\w.-]{0,50}$/) REDIS_PREFIX: string = '';
  /** Comma-separated addresses of sentinels, `10.0.0.1:26379`, which name the Redis of the group in place of the host of `REDIS_URL`. */
  @IsOptional() @Sentinels() REDIS_SENTINELS?: readonly string[];
  @IsString() @MinLength(1) REDIS_SENTINEL_NAME: string = 'mymaster';
  /** Of the sentinels themselves; that of Redis is in `REDIS_URL`. */
  @IsOptional() @IsString() REDIS_SENTINEL_PASSWORD?: string;
  @IsInt() @Min(0) @Max(65535) @Numeric() PORT: number = 3000;
  @IsString() HOST: string = '127.0.0.1';
  /** The host address on which the port of a container is published. */
  @IsOptional() @IsString() BIND?: string;
  @IsIn(['production', 'development', 'test']) NODE_ENV: string = 'production';
  @IsIn(['fatal', 'error', 'warn', 'info', 'debug', 'silent']) LOG_LEVEL: string = 'info';
  /** Signs sessions. If unset, a key is generated and stored in the database. */
  @IsOptional() @IsString() @MinLength(32) JWT_SECRET?: string;
  /** The previous secret, under which sessions stay valid. */
  @IsOptional() @IsString() @MinLength(32) JWT_SECRET_PREVIOUS?: string;
  /** Encrypts stored secrets of second factors. If unset, a key is generated and stored in the database. */
  @IsOptional() @IsString() @MinLength(32) SECRETS_KEY?: string;
  /** The previous key, which still decrypts. */
  @IsOptional() @IsString() @MinLength(32) SECRETS_KEY_PREVIOUS?: string;
  /** Comma-separated levels whose users must set up a second factor: `reseller,manager`. */
  @IsIn(LEVELS, { each: true })
  @ListOf()
  SECOND_FACTOR_REQUIRED: readonly Level[] = [];
  @IsInt() @Min(300) @Numeric() SESSION_SECONDS: number = 6 * 3600;
  /** A session can be renewed for this long; then the user signs in again. */
  @IsInt() @Min(1) @Numeric() SESSION_DAYS: number = 30;
  /** Where the contents of files are stored. With S3, `FILES_DIR` has only uploads that are being received. */
  @IsIn(FILES_DRIVERS) FILES_DRIVER: (typeof FILES_DRIVERS)[number] = 'disk';
  @IsString() FILES_DIR: string = '.data/files';
  @ForS3() @IsString() @MinLength(3) S3_BUCKET?: string;
  @IsString() S3_REGION: string = 'us-east-1';
  /** For other than AWS: `https://s3.example`. */
  @IsOptional() @Web() S3_ENDPOINT?: string;
  /** The bucket in the path and not in the host name, as MinIO and others need it. */
  @IsBoolean() @Flag() S3_PATH_STYLE: boolean = false;
  /** Of the object names, so that installations can share a bucket: `heliograph/`. */
  @Matches(/^(?:[\w.-]{1,100}\/){0,5}$/) S3_PREFIX: string = '';
  /** Without them the SDK uses the role of the machine or a profile. */
  @IsOptional() @IsString() S3_ACCESS_KEY_ID?: string;
  @IsOptional() @IsString() S3_SECRET_ACCESS_KEY?: string;
  /** Browsers download from the bucket by presigned links instead of through the API. */
  @IsBoolean() @Flag() S3_LINKS: boolean = false;
  /** The endpoint as browsers reach it, if it is another than `S3_ENDPOINT`. */
  @IsOptional() @Web() S3_PUBLIC_ENDPOINT?: string;
  /** Timeout of a request, and of the next bytes of a download. */
  @IsInt() @Min(1) @Max(300) @Numeric() S3_TIMEOUT_SECONDS: number = 10;
  @IsString() CABINET_DIR: string = 'apps/cabinet/dist';
  /** The built widget of one-time codes. */
  @IsString() WIDGET_DIR: string = 'apps/widget/dist';
  /** Pages of the documentation. */
  @IsString() DOCS_DIR: string = 'docs';
  @IsIn(['main', 'alternate']) BRAND: 'main' | 'alternate' = 'main';
  @IsString() TITLE: string = 'Heliograph';
  /** Privacy policy and terms of service. */
  @IsOptional() @Web() PRIVACY_URL?: string;
  @IsOptional() @Web() OFFER_URL?: string;
  /** The legal entity in the policies and offers of the documentation; defaults to `TITLE`. */
  @IsOptional() @IsString() OPERATOR?: string;
  /** Contacts of support, shown in the cabinet and the documentation. */
  @IsOptional() @IsEmail({ require_tld: false }) SUPPORT_EMAIL?: string;
  @IsOptional() @Matches(/^[+\d][\d ()-]{3,30}$/) SUPPORT_PHONE?: string;
  /** Page of the online chat with support. */
  @IsOptional() @Web() SUPPORT_CHAT_URL?: string;
  @IsOptional() @Web() BLOG_URL?: string;
  /** Connections to other programs are offered; only by the main brand. */
  @Administered() INTEGRATIONS: boolean = DEFAULTS.INTEGRATIONS;
  @IsIn(CURRENCIES) CURRENCY: string = 'RUB';
  /** Creates the first administrator (`POST /setup`); if unset, a code is generated and shown where the API is started. */
  @IsOptional() @IsString() @MinLength(16) SETUP_CODE?: string;
  @Administered() REGISTRATION: 'open' | 'closed' = DEFAULTS.REGISTRATION;
  /** Registration attempts per network and hour. */
  @Administered() REGISTRATION_LIMIT: number = DEFAULTS.REGISTRATION_LIMIT;
  /** Registrations and requested e-mails per network and hour without a captcha; 0 always requires one. */
  @Administered() CAPTCHA_AFTER: number = DEFAULTS.CAPTCHA_AFTER;
  /** Length of new passwords. */
  @Administered() PASSWORD_MIN: number = DEFAULTS.PASSWORD_MIN;
  @Administered() PASSWORD_MAX: number = DEFAULTS.PASSWORD_MAX;
  /** Free credit of a new account in `CURRENCY`; 0 for none. */
  @Administered() REGISTRATION_CREDIT: number = DEFAULTS.REGISTRATION_CREDIT;
  /** Share of the payments of a referred account that its referrer receives, in percent; 0 for none. */
  @Administered() REFERRAL_BONUS_PERCENT: number = DEFAULTS.REFERRAL_BONUS_PERCENT;
  /** Days after the registration of the referred account for which it does. */
  @Administered() REFERRAL_BONUS_DAYS: number = DEFAULTS.REFERRAL_BONUS_DAYS;
  /** The approved sender name of a new account. */
  @IsString() REGISTRATION_SENDERNAME: string = DEFAULTS.REGISTRATION_SENDERNAME;
  /** Comma-separated types that require an approved sender name; `all` or `none`. The account's own setting takes precedence. */
  @Types()
  @Administered()
  SENDERNAMES_CHECK: SendingType[] = DEFAULTS.SENDERNAMES_CHECK;
  /** Comma-separated windows and holidays of countries, in which bulks to their numbers wait: `DE 20:00-08:00, DE 2026-12-25`. */
  @ListOf()
  @Administered()
  COUNTRY_QUIET_HOURS: string[] = DEFAULTS.COUNTRY_QUIET_HOURS;
  /** Number of trusted reverse proxies. */
  @IsInt() @Min(0) @Numeric() TRUST_PROXY: number = 0;
  @IsInt() @Min(2) @Numeric() DATABASE_POOL: number = 20;
  /** Factor for the rate limits of the contract; 0 disables them. */
  @IsNumber() @Min(0) @Numeric() RATE_SCALE: number = 1;
  /** Messages per account and second. */
  @Administered() RATE_MESSAGES: number = DEFAULTS.RATE_MESSAGES;
  /** Quotas of an account; 0 for no limit. */
  @Administered() QUOTA_STORAGE_MB: number = DEFAULTS.QUOTA_STORAGE_MB;
  @Administered() QUOTA_TEMPLATES: number = DEFAULTS.QUOTA_TEMPLATES;
  @Administered() QUOTA_SENDERNAMES: number = DEFAULTS.QUOTA_SENDERNAMES;
  @Administered() QUOTA_LINKS: number = DEFAULTS.QUOTA_LINKS;
  @Administered() QUOTA_TOKENS: number = DEFAULTS.QUOTA_TOKENS;
  @Administered() QUOTA_WEBHOOKS: number = DEFAULTS.QUOTA_WEBHOOKS;
  @Administered() QUOTA_INTEGRATIONS: number = DEFAULTS.QUOTA_INTEGRATIONS;
  /** Of the account's own entries; people can always opt out. */
  @Administered() QUOTA_SUPPRESSIONS: number = DEFAULTS.QUOTA_SUPPRESSIONS;
  @Administered() QUOTA_PUSH_DEVICES: number = DEFAULTS.QUOTA_PUSH_DEVICES;
  /** Automatic replies of inbound rules per account and hour. */
  @Administered() REPLIES_PER_HOUR: number = DEFAULTS.REPLIES_PER_HOUR;
  @Administered() QUOTA_WAPI: number = DEFAULTS.QUOTA_WAPI;
  /** Each of widgets, channels and templates of one-time codes. */
  @Administered() QUOTA_OTP: number = DEFAULTS.QUOTA_OTP;
  @Administered() QUOTA_REQUISITES: number = DEFAULTS.QUOTA_REQUISITES;
  @Administered() QUOTA_LISTS: number = DEFAULTS.QUOTA_LISTS;
  @Administered() QUOTA_CONTACTS: number = DEFAULTS.QUOTA_CONTACTS;
  /** Ports of the SMPP server for customers, plain and with TLS. Without one of them it does not run. */
  @IsOptional() @IsInt() @Min(0) @Max(65535) @Numeric() SMPP_PORT?: number;
  @IsOptional() @IsInt() @Min(0) @Max(65535) @Numeric() SMPP_TLS_PORT?: number;
  /** Files of the certificate with its chain, and of its key, in PEM. */
  @WithSmppTls() @IsString() @MinLength(1) SMPP_TLS_CERTIFICATE?: string;
  @WithSmppTls() @IsString() @MinLength(1) SMPP_TLS_KEY?: string;
  /** Comma-separated APIs of other services in whose form messages are accepted, too: `kannel,twilio`. */
  @IsIn(COMPATIBLE_APIS, { each: true })
  @ListOf()
  COMPATIBLE_APIS: readonly CompatibleApi[] = [];
  /** Connections of a process over SMPP; sessions of an account; requests of a session that are handled at a time. */
  @IsInt() @Min(1) @Numeric() SMPP_CONNECTIONS: number = 2000;
  @IsInt() @Min(1) @Numeric() SMPP_SESSIONS: number = 10;
  @IsInt() @Min(1) @Max(1000) @Numeric() SMPP_WINDOW: number = 50;
  /** Statement timeouts: reads and writes of the API; imports and jobs. */
  @IsInt() @Min(1) @Max(3600) @Numeric() DATABASE_READ_SECONDS: number = 5;
  @IsInt() @Min(1) @Max(3600) @Numeric() DATABASE_WRITE_SECONDS: number = 15;
  @IsInt() @Min(1) @Max(86_400) @Numeric() DATABASE_JOB_SECONDS: number = 600;
  /** How large the database may become, in GB of 1,000,000,000 bytes; the state of the installation says when it will be. */
  @IsOptional() @IsInt() @Min(1) @Numeric() DATABASE_DISK_GB?: number;
  /** A submitted sending without a final status expires after this time. */
  @IsInt() @Min(1) @Numeric() EXPIRES_SECONDS: number = 24 * 3600;
  @IsInt() @Min(1) @Numeric() EXPIRES_FLASHCALL_SECONDS: number = 120;
  /** Leases of a worker that does not renew them expire after this time. */
  @IsInt() @Min(1) @Numeric() LEASE_SECONDS: number = 20;
  /** Private addresses that channels may use: `127.0.0.0/8, carrier.internal`. */
  @AllowedHosts() CHANNEL_ALLOWED_HOSTS: string = '';
  /** Private addresses that webhooks may call, on any port: `127.0.0.0/8, crm.internal`. */
  @AllowedHosts() WEBHOOK_ALLOWED_HOSTS: string = '';
  /** Private addresses of identity providers: `127.0.0.0/8, login.internal`. */
  @AllowedHosts() OIDC_ALLOWED_HOSTS: string = '';
  /** Ports of public addresses that webhooks may call. */
  @IsInt({ each: true })
  @Min(1, { each: true })
  @Max(65535, { each: true })
  @Ports()
  WEBHOOK_PORTS: readonly number[] = [80, 443, 8080, 8443];
  /** Renews the access to Bitrix24 portals. */
  @Web() BITRIX24_OAUTH_URL: string = 'https://oauth.bitrix.info/oauth/token/';
  /** Time limit of a call: connection, answer and its body. */
  @IsInt() @Min(1) @Max(60) @Numeric() WEBHOOK_TIMEOUT_SECONDS: number = 15;
  /** A webhook of which no call succeeded for this long is paused. */
  @IsInt() @Min(0) @Max(30 * 86_400) @Numeric() WEBHOOK_PAUSE_SECONDS: number = 86_400;
  /** Grace period for running requests after SIGTERM. */
  @IsInt() @Min(1) @Max(300) @Numeric() SHUTDOWN_GRACE_SECONDS: number = 10;
  /** New connections are still accepted for this long after SIGTERM, until the load balancer sees that the API is not ready. */
  @IsInt() @Min(0) @Max(300) @Numeric() SHUTDOWN_DELAY_SECONDS: number = 0;
  /** Base URL of short links, `https://go.example/s`; defaults to `/s` of `PUBLIC_URL`. */
  @IsOptional() @Web() LINKS_URL?: string;
  /** An external shortener: GET with the parameter `url`, responds with the short link as text. */
  @IsOptional() @Web() LINKS_SHORTENER_URL?: string;
  /** How e-mails are sent. `log` writes them to the log with their keys, so it is only for trials. */
  @IsOptional() @IsIn(MAIL_TRANSPORTS) MAIL_TRANSPORT?: MailTransport;
  /** `smtps://name:password@mail.example`, or `smtp://` with STARTTLS if the server offers it. */
  @BySmtp()
  @IsUrl({ protocols: ['smtp', 'smtps'], require_protocol: true, require_tld: false })
  SMTP_URL?: string;
  /** If it is not in `SMTP_URL`. */
  @IsOptional() @IsString() @MinLength(1) SMTP_PASSWORD?: string;
  /** `Beacon <noreply@beacon.example>` */
  @BySmtp() @IsString() @Contains('@') MAIL_FROM?: string;
  /** The bot that sends notifications, `123456:AA...` of @BotFather. Without it, only a demo installation has one, which is built in. */
  @IsOptional() @Matches(/^\d{1,20}:[\w-]{20,100}$/) TELEGRAM_BOT_TOKEN?: string;
  @Web() TELEGRAM_API_URL: string = 'https://api.telegram.org';
  /** URL of the cabinet, `https://app.example`, in e-mails and short links. The Host header is not trusted for this. */
  @ValidateIf((c: Config) => c.MAIL_TRANSPORT === 'smtp' || c.PUBLIC_URL !== undefined)
  @Site()
  PUBLIC_URL?: string;
  /** Comma-separated origins that may call the API with a token, `https://shop.example`; `*` for any. Cookies are not accepted. */
  @IsOptional() @Origins({ orAny: true }) CORS_ORIGINS?: readonly string[];
  /** max-age of HSTS, if `PUBLIC_URL` is https; 0 disables it. */
  @IsInt() @Min(0) @Numeric() HSTS_SECONDS: number = 31_536_000;
  /** HSTS for all subdomains of the host as well. */
  @IsBoolean() @Flag() HSTS_SUBDOMAINS: boolean = false;
  /** Demo mode: unconfigured services use the built-in ones. `auto`: on if the API is not reachable from other machines. */
  @IsBoolean() @Flag() DEMO: boolean = false;
  /** Where the simulated SMSC of a demo installation listens, as its workers reach it: `smpp://127.0.0.1:2776`. Without it there is none. */
  @IsOptional() @Matches(/^smpp:\/\/[\w.-]{1,200}:\d{1,5}$/) SIMULATED_SMSC?: string;
  /** The same of the simulated mail server: `smtp://127.0.0.1:2526`. */
  @IsOptional() @Matches(/^smtp:\/\/[\w.-]{1,200}:\d{1,5}$/) SIMULATED_SMTP?: string;
  /** Where workers reach the simulated messengers of the API; MAX is beside Telegram, at `/sandbox/max-bot`: `http://127.0.0.1:3000/sandbox/telegram-bot`. */
  @IsOptional()
  @Matches(/^http:\/\/[\w.-]{1,200}:\d{1,5}\/sandbox\/telegram-bot$/)
  SIMULATED_TELEGRAM?: string;
  /** Text generation in the wizard: none, built-in phrases, or an HTTP service. */
  @IsOptional() @IsIn(PROVIDERS) TEXT_GENERATOR?: Provider;
  /** A chat completions endpoint: `https://models.example/v1/chat/completions`. */
  @NeededFor('TEXT_GENERATOR') @Web() TEXT_GENERATOR_URL?: string;
  @NeededFor('TEXT_GENERATOR') @IsString() TEXT_GENERATOR_MODEL?: string;
  @IsOptional() @IsString() TEXT_GENERATOR_KEY?: string;
  /** Text to speech: none, tones as a placeholder (`local`), espeak-ng, or an HTTP service. */
  @IsOptional() @IsIn([...PROVIDERS, 'espeak']) TTS?: Provider | 'espeak';
  @NeededFor('TTS') @Web() TTS_URL?: string;
  @IsOptional() @IsString() TTS_KEY?: string;
  /** Reverse geocoding: none, the bundled data, or an HTTP service. */
  @IsIn(PROVIDERS) GEOCODER: Provider = 'local';
  /** Nominatim's `/reverse`: `https://nominatim.example/reverse`. */
  @NeededFor('GEOCODER') @Web() GEOCODER_URL?: string;
  @IsOptional() @IsString() GEOCODER_KEY?: string;
  /** Methods by which balances are topped up; by default all that are configured, and `sandbox` in a demo installation. */
  @IsOptional() @IsIn(PAYMENT_METHODS, { each: true }) @ListOf() PAYMENT_METHODS?: PaymentMethod[];
  /** The gateway of WhatsApp instances; by default the simulated one of the demo installation. */
  @IsOptional() @Web() WAPI_GATEWAY_URL?: string;
  /** Token of the partner, with which instances are created. */
  @ValidateIf((c: Config) => c.WAPI_GATEWAY_URL !== undefined)
  @Matches(/^[\w-]{8,250}$/, { message: 'must be set: 8 to 250 letters, digits, - and _' })
  WAPI_GATEWAY_TOKEN?: string;
  /** Messages that one instance sends in a minute. */
  @IsInt() @Min(1) @Max(6000) @Numeric() WAPI_MESSAGES_PER_MINUTE: number = 60;
  /** The sandbox in a process of its own (`apps/simulator`); by default the one of the demo installation. */
  @IsOptional() @Web() PAYMENT_SANDBOX_URL?: string;
  /** Signs its notifications and authorizes calls to it. If unset, generated and stored in the database. */
  @IsOptional() @IsString() @MinLength(16) PAYMENT_SANDBOX_SECRET?: string;
  /** `sk_live_...`, or a restricted key, `rk_live_...`. */
  @OfStripe() STRIPE_SECRET_KEY?: string;
  /** `whsec_...` of the webhook endpoint. */
  @OfStripe() STRIPE_WEBHOOK_SECRET?: string;
  /** Currencies that the Stripe account collects. */
  @IsIn(CURRENCIES, { each: true }) @ListOf() STRIPE_CURRENCIES: string[] = ['EUR', 'MXN', 'USD'];
  @Web() STRIPE_URL: string = 'https://api.stripe.com';
  @OfTinkoff() TINKOFF_TERMINAL_KEY?: string;
  @OfTinkoff() TINKOFF_PASSWORD?: string;
  @Web() TINKOFF_URL: string = 'https://securepay.tinkoff.ru/v2';
  /** Sends receipts by 54-FZ. */
  @IsOptional() @IsIn(TAXATIONS) TINKOFF_TAXATION?: string;
  /** VAT in the receipts; `general` is the general rate of the day. */
  @IsIn(TAXES) TINKOFF_TAX: string = 'none';
  /** Bounds of a top-up, in the currency of the account. */
  @IsInt() @Min(1) @Max(1_000_000) @Numeric() PAYMENT_MIN: number = 10;
  @IsInt() @Min(1) @Max(100_000_000) @Numeric() PAYMENT_MAX: number = 300_000;
  /** Commission added to the amount, in percent by method: `stripe:2.9,tinkoff:2.49`. */
  @Matches(COMMISSION, { each: true }) @ListOf() PAYMENT_COMMISSION: string[] = [];
  /** Origins besides the own one to which a payment page may return: `https://shop.example`. */
  @Origins() PAYMENT_RETURN_ORIGINS: string[] = [];
  /** No requisites, invoices and legal payers. */
  @Administered() RESTRICTED_MODE: boolean = DEFAULTS.RESTRICTED_MODE;
  /** Wallet that receives transfers by the form at `WALLET_URL`; without it there is no such form. */
  @IsOptional() @Matches(/^\w{1,40}$/) WALLET_RECEIVER?: string;
  @Web() WALLET_URL: string = 'https://yoomoney.ru/quickpay/confirm';
  /** Commission of the wallet provider, in percent. */
  @IsNumber() @Min(0) @Max(50) @Numeric() WALLET_COMMISSION: number = 3;
  /** Look-ups of companies, banks and names: none, the bundled directories, or DaData. */
  @IsOptional() @IsIn(LOOKUPS) LOOKUPS?: Lookups;
  @ByDadata() @IsString() @MinLength(1) DADATA_KEY?: string;
  /** Corrects names of persons by the paid cleaner of DaData. Without it, names are not sent. */
  @IsOptional() @IsString() DADATA_SECRET?: string;
  @Web() DADATA_URL: string = 'https://suggestions.dadata.ru';
  @Web() DADATA_CLEANER_URL: string = 'https://cleaner.dadata.ru';
  /** Idempotency keys are stored for this long. */
  @IsInt() @Min(24) @Max(720) @Numeric() RETENTION_IDEMPOTENCY_HOURS: number = 24;
  /** Texts of finished messages are deleted after this time; 0 keeps them, here and below. */
  @Administered() RETENTION_TEXTS_DAYS: number = DEFAULTS.RETENTION_TEXTS_DAYS;
  @Administered() RETENTION_VISITS_DAYS: number = DEFAULTS.RETENTION_VISITS_DAYS;
  @Administered() RETENTION_NOTIFICATIONS_DAYS: number = DEFAULTS.RETENTION_NOTIFICATIONS_DAYS;
  /** Unreferenced files, counted from their upload. */
  @Administered() RETENTION_FILES_DAYS: number = DEFAULTS.RETENTION_FILES_DAYS;
  /** The list of made reports, and their files. */
  @Administered() RETENTION_REPORTS_DAYS: number = DEFAULTS.RETENTION_REPORTS_DAYS;
  @Administered() RETENTION_REPORT_FILES_DAYS: number = DEFAULTS.RETENTION_REPORT_FILES_DAYS;
  @Administered() RETENTION_AUDIT_DAYS: number = DEFAULTS.RETENTION_AUDIT_DAYS;
  /** The log of webhooks, and events that could not be delivered. */
  @Administered() RETENTION_WEBHOOKS_DAYS: number = DEFAULTS.RETENTION_WEBHOOKS_DAYS;
  /** Sessions of one-time codes, which the statistics of widgets are made of. */
  @Administered() RETENTION_OTP_DAYS: number = DEFAULTS.RETENTION_OTP_DAYS;
  /** Sessions of one-time codes by number in a network, numbering range, network and widget; 0 is unlimited. */
  @Administered() OTP_PHONE_PER_MINUTE: number = DEFAULTS.OTP_PHONE_PER_MINUTE;
  @Administered() OTP_PHONE_PER_DAY: number = DEFAULTS.OTP_PHONE_PER_DAY;
  @Administered() OTP_PREFIX_PER_MINUTE: number = DEFAULTS.OTP_PREFIX_PER_MINUTE;
  @Administered() OTP_ADDRESS_PER_HOUR: number = DEFAULTS.OTP_ADDRESS_PER_HOUR;
  @Administered() OTP_WIDGET_PER_MINUTE: number = DEFAULTS.OTP_WIDGET_PER_MINUTE;
  /** Codes that nobody confirms, by range of four digits, country and account, beside two for each confirmed one; 0 is unlimited. */
  @Administered() OTP_UNCONFIRMED_PER_HOUR: number = DEFAULTS.OTP_UNCONFIRMED_PER_HOUR;
  /** Codes that may be entered for a number, over all of its sessions from a network. */
  @Administered() OTP_GUESSES_PER_HOUR: number = DEFAULTS.OTP_GUESSES_PER_HOUR;
  /** A long poll without a change ends after this time. */
  @IsInt() @Min(1) @Max(55) @Numeric() OTP_POLL_SECONDS: number = 25;
  /** A provider of captchas that takes longer is unavailable. */
  @IsInt() @Min(1) @Max(30) @Numeric() OTP_CAPTCHA_TIMEOUT_SECONDS: number = 5;
  /** Captchas of providers: both keys of a provider make it available to widgets. */
  @IsOptional() @IsString() OTP_CAPTCHA_GOOGLE_SITE_KEY?: string;
  @IsOptional() @IsString() OTP_CAPTCHA_GOOGLE_SECRET?: string;
  @IsNumber() @Min(0) @Max(1) @Numeric() OTP_CAPTCHA_GOOGLE_MIN_SCORE: number = 0.5;
  @Web() OTP_CAPTCHA_GOOGLE_URL: string = 'https://www.google.com/recaptcha/api/siteverify';
  @IsOptional() @IsString() OTP_CAPTCHA_YANDEX_SITE_KEY?: string;
  @IsOptional() @IsString() OTP_CAPTCHA_YANDEX_SECRET?: string;
  @Web() OTP_CAPTCHA_YANDEX_URL: string = 'https://smartcaptcha.yandexcloud.net/validate';
  @IsOptional() @IsString() OTP_CAPTCHA_CLOUDFLARE_SITE_KEY?: string;
  @IsOptional() @IsString() OTP_CAPTCHA_CLOUDFLARE_SECRET?: string;
  @Web() OTP_CAPTCHA_CLOUDFLARE_URL: string =
    'https://challenges.cloudflare.com/turnstile/v0/siteverify';
  /** Bearer token of `/metrics`; if unset, the endpoint is disabled. */
  @ValidateIf((c: Config) => c.METRICS_TOKEN !== undefined || c.METRICS_PORT !== undefined)
  @IsString()
  @MinLength(16)
  METRICS_TOKEN?: string;
  /** Port of a worker's `/metrics`; the API serves it on its own port. */
  @IsOptional() @IsInt() @Min(1) @Max(65535) @Numeric() METRICS_PORT?: number;
  /** A file that a worker touches every five seconds, for health checks. */
  @IsOptional() @IsString() HEARTBEAT_FILE?: string;

  /** The database without a pooler between. */
  get directUrl(): string {
    return this.DATABASE_DIRECT_URL ?? this.DATABASE_URL;
  }

  /** A minimum above the maximum raises the maximum. */
  get passwordLimits(): PasswordLimits {
    return { min: this.PASSWORD_MIN, max: Math.max(this.PASSWORD_MIN, this.PASSWORD_MAX) };
  }

  get textGenerator(): Provider {
    return this.TEXT_GENERATOR ?? this.builtIn;
  }

  /** Acquirers with settings. Without the sandbox where there is none: it gives away money. */
  get acquirers(): readonly PaymentMethod[] {
    const isSet: Record<PaymentMethod, boolean> = {
      sandbox: this.isSandboxBuiltIn || this.PAYMENT_SANDBOX_URL !== undefined,
      stripe: this.needs('stripe'),
      tinkoff: this.needs('tinkoff'),
    };
    return PAYMENT_METHODS.filter((method) => isSet[method]);
  }

  /** The acquirers for new payments. Others still finish and refund what they have collected. */
  get paymentMethods(): readonly PaymentMethod[] {
    const methods =
      this.PAYMENT_METHODS ?? PAYMENT_METHODS.filter((name) => name !== 'sandbox' || this.DEMO);
    return methods.filter((method) => this.acquirers.includes(method));
  }

  needs(method: PaymentMethod): boolean {
    const settings = {
      sandbox: [],
      stripe: [this.STRIPE_SECRET_KEY, this.STRIPE_WEBHOOK_SECRET],
      tinkoff: [this.TINKOFF_TERMINAL_KEY, this.TINKOFF_PASSWORD],
    }[method];
    const isNamed = (this.PAYMENT_METHODS ?? []).some((name) => name === method);
    return isNamed || settings.some((value) => value !== undefined);
  }

  get isSandboxBuiltIn(): boolean {
    return this.DEMO && this.PAYMENT_SANDBOX_URL === undefined;
  }

  /** The API as processes of this machine reach it. */
  get localUrl(): string {
    const isEverywhere = this.HOST === '0.0.0.0' || this.HOST === '::';
    const host = isEverywhere ? '127.0.0.1' : this.HOST;
    return `http://${host.includes(':') ? `[${host}]` : host}:${this.PORT}`;
  }

  /** The gateway of WhatsApp instances; `url` is null for the simulated one of the demo installation. Null: none. */
  get wapiGateway(): { url: string | null } | null {
    if (this.WAPI_GATEWAY_URL !== undefined) return { url: withoutSlashes(this.WAPI_GATEWAY_URL) };
    return this.DEMO ? { url: null } : null;
  }

  /** In percent. */
  commissionOf(method: string): number {
    const found = this.PAYMENT_COMMISSION.find((entry) => entry.startsWith(`${method}:`));
    return Number(found?.slice(method.length + 1) ?? 0);
  }

  get tts(): Provider | 'espeak' {
    return this.TTS ?? this.builtIn;
  }

  get lookups(): Lookups {
    return this.LOOKUPS ?? (this.DEMO ? 'local' : 'off');
  }

  get mail(): MailTransport {
    return this.MAIL_TRANSPORT ?? (this.DEMO ? 'log' : 'off');
  }

  /** The bot of notifications: none, that of the token, or the one of a demo installation. */
  get telegram(): 'off' | 'api' | 'sandbox' {
    if (this.TELEGRAM_BOT_TOKEN) return 'api';
    return this.DEMO ? 'sandbox' : 'off';
  }

  get linksUrl(): string {
    return this.LINKS_URL ? withoutSlashes(this.LINKS_URL) : `${this.publicUrl}/s`;
  }

  /** The origin to which downloads redirect browsers; null if they go through the API. */
  get filesOrigin(): string | null {
    if (this.FILES_DRIVER !== 's3' || !this.S3_LINKS) return null;
    const url = new URL(
      this.S3_PUBLIC_ENDPOINT ?? this.S3_ENDPOINT ?? `https://s3.${this.S3_REGION}.amazonaws.com`,
    );
    if (!this.S3_PATH_STYLE) url.hostname = `${this.S3_BUCKET}.${url.hostname}`;
    return url.origin;
  }

  /** As browsers name it: the scheme and the host in small letters and ASCII, without a trailing slash. */
  get publicUrl(): string {
    return new URL(this.PUBLIC_URL ?? `http://localhost:${this.PORT}`).origin;
  }

  /** The host for which passkeys are made; null where browsers make none: an address, or a connection without TLS. */
  get passkeyHost(): string | null {
    const { hostname, protocol } = new URL(this.publicUrl);
    const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost');
    const isAddress = isIP(hostname) !== 0 || hostname.startsWith('[');
    return !isAddress && (protocol === 'https:' || isLocal) ? hostname : null;
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

/** A restart cannot help. EX_CONFIG of sysexits.h. */
const EXIT_CONFIG = 78;

export class InvalidConfig extends Error {}

/** For the entry of a process: prints the problems of the configuration and exits. */
export function loadConfigOrExit(): Config {
  try {
    return loadConfig();
  } catch (error) {
    if (error instanceof InvalidConfig) exitUnusable(error.message);
    throw error;
  }
}

/** Ends a process that cannot run with its settings or its database as they are. */
export function exitUnusable(problem: string): never {
  console.error(problem);
  process.exit(EXIT_CONFIG);
}

/** The names of all settings. */
export function settingNames(): string[] {
  const rules = getMetadataStorage().getTargetValidationMetadatas(Config, '', false, false);
  return [...new Set(rules.map(({ propertyName }) => propertyName))];
}

/** Throws `InvalidConfig`, which lists all problems. */
export function loadConfig(env: Record<string, string | undefined> = process.env): Config {
  const known = Object.fromEntries(
    Object.entries(env).filter(([, v]) => v !== undefined && v !== ''),
  );
  const config = plainToInstance(Config, known, { exposeDefaultValues: true });
  const lines = validateSync(config, { whitelist: true }).map(
    (p) => `  ${p.property}: ${Object.values(p.constraints ?? {}).join(', ')}`,
  );
  // The shells of many systems set MAIL to the user's mailbox, so the setting has another name now.
  if (MAIL_TRANSPORTS.includes(known.MAIL as MailTransport) && !known.MAIL_TRANSPORT)
    lines.push('  MAIL: this setting is now called MAIL_TRANSPORT');
  for (const { name, meant } of misspelt(Object.keys(known), settingNames()))
    lines.push(`  ${name}: there is no such setting; ${meant} is meant?`);
  config.given = new Set(Object.keys(known));
  if (lines.length) throw new InvalidConfig(`Invalid configuration:\n${lines.join('\n')}`);
  if (known.DEMO === 'auto') config.DEMO = exposedAddress(config) === null;
  if (config.PAYMENT_METHODS?.includes('sandbox') && !config.acquirers.includes('sandbox'))
    throw new InvalidConfig(
      'Invalid configuration:\n  PAYMENT_SANDBOX_URL: must be set, because PAYMENT_METHODS names the sandbox, and only a demo installation has one of its own',
    );
  config.FILES_DIR = resolve(config.FILES_DIR);
  config.CABINET_DIR = resolve(config.CABINET_DIR);
  config.WIDGET_DIR = resolve(config.WIDGET_DIR);
  config.DOCS_DIR = resolve(config.DOCS_DIR);
  return config;
}
