import { Injectable } from '@nestjs/common';
import {
  MAX_FILE_SIZE,
  type Level,
  type Owner,
  type Range,
  type Route,
  type Settings,
} from '@heliograph/contract';
import {
  accountCountry,
  defaultVoice,
  hasMoneyScale,
  HOME_COUNTRY,
  isRestricted,
  maxRangeDays,
  strictestRules,
  voicesOf,
  type SendingRules,
} from '@heliograph/domain';
import { may, SYSTEM_OWNER, type Actor } from '../../core/auth/actor.ts';
import { TtlCache } from '../../core/ttl-cache.ts';
import { Config } from '../../core/config.ts';
import { AppError } from '../../core/errors.ts';
import { VERSION } from '../../core/version.ts';
import { frontendOf, typesOf } from './brands.ts';
import { SettingsStore } from './settings.store.ts';

const DAY_MS = 86_400_000;
/** A range of so many days chosen a moment ago. */
const TOLERANCE_MS = 3_600_000;

/** What holds for an account, whether or not its row says so. */
export interface AccountSettings extends SendingRules {
  currency: string;
  /** By which channels its messages go before any other. */
  routes: readonly Route[];
  /** Of its registered phone, ISO 3166-1 alpha-2: whose plan numbers without a calling code are of. */
  country: string;
  overdraft: number;
  /** May it change the balances of its customers? */
  processChildrenOperations: boolean;
  /** How far below zero a reseller's transfers to its customers may take its balance, within its overdraft. */
  creditLine: number;
}

/** A row with its owner's name, and its currency where its settings name one. */
export interface Owned {
  OwnerId: string;
  username: string;
  currency: string | null;
}

/** Of the joined owner `u`: what `Owned` asks for. */
export const OWNED_COLUMNS = `u.username, u.settings #>> '{billings,currency}' as currency`;

@Injectable()
export class SettingsService {
  private readonly cachedRules = new TtlCache((OwnerId: string) => this.ofAccount(OwnerId));

  constructor(
    private readonly store: SettingsStore,
    private readonly config: Config,
  ) {}

  async ofAccount(OwnerId: string): Promise<AccountSettings> {
    if (OwnerId === SYSTEM_OWNER) return this.ofSystem();
    const { settings, overdraft, approvedSenders, groupRules, ...account } =
      await this.store.ofAccount(OwnerId);
    const own = {
      sendernamesCheck: settings.sendings?.sendernamesCheck ?? this.config.SENDERNAMES_CHECK,
      types: settings.sendings?.types ?? typesOf(this.config.BRAND),
    };
    return {
      ...account,
      ...strictestRules(own, groupRules),
      currency: this.currency(settings.billings?.currency),
      country: accountCountry(account.phone),
      overdraft,
      processChildrenOperations: settings.billings?.processChildrenOperations ?? true,
      creditLine: moneyOr(settings.billings?.creditLine, 0),
      approvedSenders: new Set(approvedSenders),
      demoSender: this.config.REGISTRATION_SENDERNAME,
    };
  }

  /** What an account may send and in what it pays, as it is asked at every message: a change takes effect within a second. */
  sendingRules(
    OwnerId: string,
  ): Promise<SendingRules & Pick<AccountSettings, 'currency' | 'country' | 'routes'>> {
    return this.cachedRules.get(OwnerId);
  }

  /** Whose plan numbers without a calling code are of, in all that an account writes and looks for. */
  async countryOf(OwnerId: string): Promise<string> {
    return (await this.sendingRules(OwnerId)).country;
  }

  /** The same as it is now, for who is about to refuse by it: what was lacking may just have been granted by another process. */
  sendingRulesNow(OwnerId: string): ReturnType<SettingsService['sendingRules']> {
    this.cachedRules.invalidate(OwnerId);
    return this.cachedRules.get(OwnerId);
  }

  /** Of an account whose holder's row says `own`: the sums and prices of an account are in one currency. */
  currency(own: string | null | undefined): string {
    return own ?? this.config.CURRENCY;
  }

  /** Whose a row is and in what it is paid, for levels that see more than their own. */
  ownerOf(row: Owned, level: Level): Owner | undefined {
    if (level === 'me') return undefined;
    return { id: row.OwnerId, username: row.username, currency: this.currency(row.currency) };
  }

  /** The longest span of days that this actor may ask messages of. */
  rangeOf(actor: Actor): number {
    const isFull = actor.scope.kind === 'all' && may(actor, 'advanced.users.find');
    return maxRangeDays(actor.level, isFull);
  }

  /**
   * Where a list of messages begins that is asked for without a beginning. Messages are asked for over so many days
   * at most, of their creation as of their change: a longer range is `date_range`.
   */
  earliest(actor: Actor, { $gt, $lt }: Range = {}, now: Date): string {
    const days = this.rangeOf(actor);
    const earliest = ($lt ? new Date($lt) : now).getTime() - days * DAY_MS;
    if ($gt && new Date($gt).getTime() < earliest - TOLERANCE_MS) {
      throw new AppError('date_range', `At most ${days} days at a time`, { payload: { days } });
    }
    return new Date(earliest).toISOString();
  }

  async ofActor(actor: Actor): Promise<Settings> {
    const account = await this.ofAccount(actor.OwnerId);
    const { currency, overdraft, processChildrenOperations, creditLine } = account;
    const { sendernamesCheck, types } = account;
    return {
      session: await this.sessionOf(actor, isRestricted(account)),
      frontend: frontendOf(this.config),
      billings: { currency, overdraft, processChildrenOperations, creditLine },
      sendings: {
        sendernamesCheck: [...sendernamesCheck],
        types: [...types],
        country: account.country,
        grantedSender: this.config.REGISTRATION_SENDERNAME,
        range: this.rangeOf(actor),
      },
      storage: { maxSize: MAX_FILE_SIZE },
      tools: this.tools,
      permissions: actor.permissions,
      version: VERSION,
    };
  }

  /** It sends what the installation itself has to say, and nothing else. */
  private ofSystem(): AccountSettings {
    return {
      isActive: true,
      types: ['sms'],
      sendernamesCheck: [],
      approvedSenders: new Set(),
      demoSender: this.config.REGISTRATION_SENDERNAME,
      phone: null,
      isPhoneConfirmed: true,
      routes: [],
      currency: this.config.CURRENCY,
      country: HOME_COUNTRY,
      overdraft: 0,
      processChildrenOperations: false,
      creditLine: 0,
    };
  }

  private get tools(): Settings['tools'] {
    const { textGenerator, tts, BRAND, DEMO } = this.config;
    const speech = { voices: voicesOf(BRAND), voice: defaultVoice(BRAND) };
    return {
      textGenerator: textGenerator !== 'off',
      simulator: DEMO,
      speech: tts === 'off' ? null : speech,
    };
  }

  private async sessionOf(actor: Actor, isRestricted: boolean): Promise<Settings['session']> {
    const { userId: UserId, OwnerId, username, level, actorId } = actor;
    const beginning = await this.store.beginning(OwnerId);
    const impersonator = actorId ? await this.store.nameOf(actorId) : null;
    return { UserId, OwnerId, username, level, ...beginning, isRestricted, impersonator };
  }
}

/** A setting is typed by hand: one that is no amount is passed over. */
function moneyOr(amount: unknown, otherwise: number): number {
  const isAmount = typeof amount === 'number' && amount >= 0 && hasMoneyScale(amount);
  return isAmount ? amount : otherwise;
}
