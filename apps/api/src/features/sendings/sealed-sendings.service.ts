import { Injectable } from '@nestjs/common';
import { defaultVoice, type SendingErrorCode, type SendingType } from '@heliograph/domain';
import { Config } from '../../core/config.ts';
import { Db } from '../../core/db/db.ts';
import { SettingsService } from '../settings/settings.service.ts';
import { IntakeService } from './intake/intake.service.ts';
import { chainPlan, ownValues, type ResolvedSending } from './plan.ts';
import { PricingService } from './pricing/pricing.service.ts';
import { quoteOf } from './pricing/quote.ts';
import { ReportsService } from './reports/reports.service.ts';
import { AccountRulesService } from './rules/account-rules.service.ts';
import { RoutingService } from './rules/routing.service.ts';
import { SealedTexts } from './sealed-texts.service.ts';

/** An attempt of a chain with a secret in its text. */
export interface SealedAttempt {
  type: SendingType;
  sender: string;
  /** What the carrier gets; null for a type without a text. */
  text: string | null;
  /** Of an e-mail, as a text with variables. */
  subject?: string;
  /** What is stored and shown: the same text with asterisks for the secret. */
  masked: string | null;
  /** Seconds after which the next attempt starts, unless this one was delivered. */
  lifetime: number;
}

export interface SealedSending {
  OwnerId: string;
  phone: string;
  attempts: SealedAttempt[];
  /** The texts are deleted then. */
  expiresAt: Date;
  tokenId: string | null;
  /** It reaches nobody and costs nothing. */
  isTest: boolean;
}

interface SealedReceipt {
  chainId: string;
  /** Why it was not created. */
  refusal: string | null;
}

/** Messages whose text nobody reads but the recipient: charged, routed and listed like others. */
@Injectable()
export class SealedSendings {
  constructor(
    private readonly config: Config,
    private readonly db: Db,
    private readonly texts: SealedTexts,
    private readonly intake: IntakeService,
    private readonly reports: ReportsService,
    private readonly rules: AccountRulesService,
    private readonly routing: RoutingService,
    private readonly pricing: PricingService,
    private readonly settings: SettingsService,
  ) {}

  /** Why the account cannot send each of some attempts now, funds apart; null for those that it can. */
  async refusalsOf({
    OwnerId,
    phone,
    attempts,
    isTest,
  }: Pick<SealedSending, 'OwnerId' | 'phone' | 'attempts' | 'isTest'>): Promise<
    (SendingErrorCode | null)[]
  > {
    if (!attempts.length) return [];
    const refusals: (SendingErrorCode | null)[] = await this.rules.refusalsOf(OwnerId, attempts);
    const input = this.inputOf({ phone, attempts, isTest });
    const plans = chainPlan(input).attempts;
    const pricing = await this.pricing.of(OwnerId, input);
    for (const [i, plan] of plans.entries()) {
      if (refusals[i]) continue;
      const { refusal } = quoteOf(true, plan, phone, ownValues(phone), [], pricing);
      const { type, sender } = plan;
      const lack = isTest ? null : await this.routing.lackOf({ OwnerId, type, sender });
      refusals[i] = lack ?? refusal;
    }
    return refusals;
  }

  /** Creates chains in the caller's transaction. A refused one is not stored. */
  async send(sendings: SealedSending[]): Promise<SealedReceipt[]> {
    if (!this.db.inTransaction) throw new Error('Sealed sendings belong to a transaction');
    if (!sendings.length) return [];
    const receipts = await this.intake.sendSealed(
      sendings.map((sending) => {
        const { OwnerId, phone, tokenId } = sending;
        const input = { ...this.inputOf(sending), ...(tokenId && { tokenId }) };
        return { OwnerId, input, recipient: phone };
      }),
    );
    const created = receipts.map(({ id, code }, i) => ({
      chainId: id,
      refusal: code ?? null,
      texts: sendings[i]!.attempts.map(({ text }) => text),
      expiresAt: sendings[i]!.expiresAt,
    }));
    await this.texts.put(created.filter(({ refusal }) => !refusal));
    return created;
  }

  /** Sends nothing more of chains, and forgets their texts unless they are shown in a demo. */
  async end(chainIds: string[]): Promise<void> {
    await this.reports.endChains(chainIds);
    await this.texts.remove(chainIds);
  }

  /** The numbering plan of the account, for phones without a calling code. */
  countryOf(OwnerId: string): Promise<string> {
    return this.settings.countryOf(OwnerId);
  }

  /** Sender names as they are approved, by `senderKey`, and the one that every account has. */
  async sendersOf(
    OwnerId: string,
  ): Promise<{ approved: ReadonlyMap<string, string>; demo: string }> {
    const { approvedSenders, demoSender } = await this.settings.sendingRules(OwnerId);
    return { approved: approvedSenders, demo: demoSender };
  }

  private inputOf({
    phone,
    attempts,
    isTest,
  }: Pick<SealedSending, 'phone' | 'attempts' | 'isTest'>): ResolvedSending {
    const [first, ...others] = attempts.map(({ type, sender, subject, masked }) => ({
      type,
      payload: {
        sender,
        ...(subject !== undefined && { subject }),
        ...(masked !== null && { text: masked }),
        ...(type === 'voice' && { tts: defaultVoice(this.config.BRAND) }),
      },
    }));
    return {
      ...first!,
      recipient: phone,
      fallbacks: others.map((other, i) => ({
        ...other,
        options: {
          onStatus: ['failed'],
          onTimeout: { timeout: attempts[i]!.lifetime, except: ['delivered', 'seen'] },
        },
      })),
      audioSeconds: {},
      expiring: [],
      isSealed: true,
      ...(isTest && { live: false }),
    };
  }
}
