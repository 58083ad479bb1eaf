import {
  auth,
  MAX_FILE_SIZE,
  MAX_LOOKUP_DAYS,
  type GroupRoute,
  type Settings,
} from '@heliograph/contract';
import {
  accountCountry,
  defaultVoice,
  exampleUnsubscribeLink,
  hasMoneyScale,
  HOME_COUNTRY,
  isRestricted,
  senderKey,
  strictestRules,
  voicesOf,
  type Locale,
  type SendingRules,
} from '@heliograph/domain';
import { Injectable } from '@nestjs/common';
import { may, readableFields, SYSTEM_OWNER, type Actor } from '../../core/auth/actor.ts';
import { maxDaysOf } from '../../core/auth/date-limits.ts';
import { Config } from '../../core/config.ts';
import { AppError } from '../../core/errors.ts';
import { TtlCache } from '../../core/ttl-cache.ts';
import { VERSION } from '../../core/version.ts';
import { BrandsService } from '../brands/brands.service.ts';
import { IdentityProvidersService } from '../identity-providers/identity-providers.service.ts';
import { SettingsUserService } from '../settings-user/settings-user.service.ts';
import { featuresOf, frontendOf, typesOf } from './brands.ts';
import { SettingsStore } from './settings.store.ts';

/** Fields of `billings` that a caller with an API token receives only with the permission. */
const BILLING_PERMISSIONS = { overdraft: 'billings.find', creditLine: 'billings.find' } as const;

/** The effective settings of an account. */
export interface AccountSettings extends SendingRules {
  currency: string;
  /** Preferred channels, in order. */
  routes: readonly GroupRoute[];
  /** Its routing groups. */
  GroupIds: readonly string[];
  /** Phones of its WhatsApp instances, linked ones first. */
  wapiSenders: readonly string[];
  /** Country of its phone, ISO 3166-1 alpha-2: the numbering plan of phone numbers without a calling code. */
  country: string;
  /** The language in which its messages have dates and genders. */
  locale: Locale;
  /** For how many days messages are routed by the networks that it has looked up; 0: by prefixes. */
  lookupDays: number;
  /** Whether numbers without such a network are looked up before messages to them are routed. */
  lookupFirst: boolean;
  overdraft: number;
  /** Whether it may change the balances of its customers. */
  processChildrenOperations: boolean;
  /** How far below zero transfers to customers may take a reseller's balance, within its overdraft. */
  creditLine: number;
}

@Injectable()
export class SettingsService {
  private readonly cachedRules = new TtlCache((OwnerId: string) => this.ofAccount(OwnerId));

  private readonly cachedZones = new TtlCache(
    async (OwnerId: string) => (await this.store.timeZoneOf(OwnerId)) ?? 'UTC',
  );

  constructor(
    private readonly store: SettingsStore,
    private readonly personal: SettingsUserService,
    private readonly providers: IdentityProvidersService,
    private readonly brands: BrandsService,
    private readonly config: Config,
  ) {}

  async ofAccount(OwnerId: string): Promise<AccountSettings> {
    if (OwnerId === SYSTEM_OWNER) return this.ofSystem();
    const { settings, overdraft, approvedSenders, wapiSenders, groupRules, ...account } =
      await this.store.ofAccount(OwnerId);
    const types = settings.sendings?.types ?? typesOf(this.config.BRAND);
    const lookupDays = daysOr(settings.sendings?.lookupDays, 0);
    const phones = wapiSenders.filter((phone) => phone !== null);
    const own = {
      sendernamesCheck: settings.sendings?.sendernamesCheck ?? this.config.SENDERNAMES_CHECK,
      types: wapiSenders.length ? [...new Set([...types, 'wapi' as const])] : types,
    };
    return {
      ...account,
      ...strictestRules(own, groupRules),
      currency: this.currency(settings.billings?.currency),
      country: accountCountry(account.phone),
      locale: account.locale ?? this.defaultLocale,
      lookupDays,
      lookupFirst: lookupDays > 0 && settings.sendings?.lookupFirst === true,
      overdraft,
      processChildrenOperations: settings.billings?.processChildrenOperations ?? true,
      creditLine: moneyOr(settings.billings?.creditLine, 0),
      approvedSenders: new Map(
        [...approvedSenders, ...phones.map((name) => ({ type: 'wapi' as const, name }))].map(
          ({ type, name }) => [senderKey(type, name), name],
        ),
      ),
      wapiSenders: phones,
      demoSender: this.config.REGISTRATION_SENDERNAME,
    };
  }

  /** Refuses an account that may not change the balances of its customers. */
  async requireOperations(OwnerId: string): Promise<AccountSettings> {
    const account = await this.ofAccount(OwnerId);
    if (!account.processChildrenOperations)
      throw new AppError(
        'forbidden',
        'Your account may not change the balances of its customers. Ask an administrator to allow it.',
      );
    return account;
  }

  /** The settings that every message needs. Cached, so a change takes effect within a second. */
  sendingRules(
    OwnerId: string,
  ): Promise<
    SendingRules &
      Pick<
        AccountSettings,
        | 'currency'
        | 'country'
        | 'locale'
        | 'routes'
        | 'GroupIds'
        | 'wapiSenders'
        | 'lookupDays'
        | 'lookupFirst'
      >
  > {
    return this.cachedRules.get(OwnerId);
  }

  /** By whose days the account is charged. */
  async timeZoneOf(OwnerId: string): Promise<string> {
    return (await this.store.timeZoneOf(OwnerId)) ?? 'UTC';
  }

  /** How the phone numbers and the days of an account are read. Cached for a second. */
  async readingOf(OwnerId: string): Promise<{ country: string; timeZone: string }> {
    const { country } = await this.sendingRules(OwnerId);
    return { country, timeZone: await this.cachedZones.get(OwnerId) };
  }

  /** The numbering plan of phone numbers without a calling code. */
  async countryOf(OwnerId: string): Promise<string> {
    return (await this.sendingRules(OwnerId)).country;
  }

  /** `sendingRules` without the cache, before a refusal: another process may just have granted what was missing. */
  sendingRulesNow(OwnerId: string): ReturnType<SettingsService['sendingRules']> {
    this.cachedRules.invalidate(OwnerId);
    return this.cachedRules.get(OwnerId);
  }

  /** The currency of an account whose settings name `own`. */
  currency(own: string | null | undefined): string {
    return own ?? this.config.CURRENCY;
  }

  async ofActor(actor: Actor): Promise<Settings> {
    const account = await this.ofAccount(actor.OwnerId);
    const { currency, overdraft, processChildrenOperations, creditLine } = account;
    const { sendernamesCheck, types } = account;
    const billings = { currency, overdraft, processChildrenOperations, creditLine };
    const brand = await this.brands.ofUser(actor.OwnerId);
    const identityProviders = await this.providers.areOffered();
    const hasPersonal = !actor.actorId && (!actor.tokenId || may(actor, 'settingsUser.get'));
    return {
      session: await this.sessionOf(actor, isRestricted(account)),
      frontend: frontendOf(this.config, { brand, identityProviders }),
      personal: hasPersonal ? await this.personal.of(actor, actor.userId) : null,
      billings: readableFields(actor, billings, BILLING_PERMISSIONS),
      sendings: {
        sendernamesCheck: [...sendernamesCheck],
        types: [...types],
        country: account.country,
        grantedSender: this.config.REGISTRATION_SENDERNAME,
        range: maxDaysOf(actor),
        unsubscribeLink: exampleUnsubscribeLink(this.config.publicUrl),
        linksUrl: this.config.LINKS_SHORTENER_URL === undefined ? this.config.linksUrl : null,
      },
      payments: paymentSettings(this.config, currency),
      advanced: advancedSettings(this.config, currency),
      features: featuresOf(this.config),
      secret: { loginAs: !actor.actorId && may(actor, 'secret.loginAs', auth.loginAs.accept) },
      storage: { maxSize: MAX_FILE_SIZE },
      tools: this.tools,
      permissions: actor.permissions,
      version: VERSION,
    };
  }

  /** The settings of `SYSTEM_OWNER`, which sends messages of the installation itself. */
  private ofSystem(): AccountSettings {
    return {
      isActive: true,
      types: ['sms'],
      sendernamesCheck: [],
      approvedSenders: new Map(),
      wapiSenders: [],
      demoSender: this.config.REGISTRATION_SENDERNAME,
      phone: null,
      isPhoneConfirmed: true,
      routes: [],
      GroupIds: [],
      currency: this.config.CURRENCY,
      country: HOME_COUNTRY,
      locale: this.defaultLocale,
      lookupDays: 0,
      lookupFirst: false,
      overdraft: 0,
      processChildrenOperations: false,
      creditLine: 0,
    };
  }

  private get defaultLocale(): Locale {
    return this.config.BRAND === 'main' ? 'ru' : 'en';
  }

  private get tools(): Settings['tools'] {
    const { textGenerator, tts, BRAND, DEMO } = this.config;
    const speech = { voices: voicesOf(BRAND), voice: defaultVoice(BRAND) };
    return {
      textGenerator: textGenerator !== 'off',
      lookups: this.config.lookups !== 'off',
      simulator: DEMO,
      speech: tts === 'off' ? null : speech,
    };
  }

  private async sessionOf(actor: Actor, isRestricted: boolean): Promise<Settings['session']> {
    const { userId: UserId, OwnerId, username, level, actorId } = actor;
    const beginning = await this.store.beginning(OwnerId);
    const impersonator = actorId ? await this.store.nameOf(actorId) : null;
    return {
      UserId,
      OwnerId,
      username,
      level,
      ...beginning,
      isRestricted,
      impersonator,
      mustSetUpSecondFactor: actor.mustSetUpSecondFactor,
    };
  }
}

/** Settings are edited by hand, so invalid amounts are ignored. */
function moneyOr(amount: unknown, otherwise: number): number {
  const isAmount = typeof amount === 'number' && amount >= 0 && hasMoneyScale(amount);
  return isAmount ? amount : otherwise;
}

function daysOr(days: unknown, otherwise: number): number {
  return Number.isInteger(days) && (days as number) >= 0
    ? Math.min(days as number, MAX_LOOKUP_DAYS)
    : otherwise;
}

/** Source: the specification, section 9. */
const DEFAULT_AMOUNTS = { individual: 3000, legal: 1000 };
/** The wallet provider accepts no other currency. */
const WALLET_CURRENCY = 'RUB';

function paymentSettings(config: Config, currency: string): Settings['payments'] {
  return {
    methods: [...config.paymentMethods],
    minAmount: config.PAYMENT_MIN,
    maxAmount: Math.max(config.PAYMENT_MIN, config.PAYMENT_MAX),
    defaults: DEFAULT_AMOUNTS,
    wallet: walletOf(config, currency),
  };
}

function advancedSettings(config: Config, currency: string): Settings['advanced'] {
  return {
    isRestricted: config.RESTRICTED_MODE,
    hasWallet: walletOf(config, currency) !== null,
  };
}

function walletOf(config: Config, currency: string): Settings['payments']['wallet'] {
  const { WALLET_RECEIVER: receiver, WALLET_URL: url, WALLET_COMMISSION: commission } = config;
  return receiver && currency === WALLET_CURRENCY ? { url, receiver, commission } : null;
}
