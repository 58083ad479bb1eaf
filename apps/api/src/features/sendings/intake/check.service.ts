import { Injectable } from '@nestjs/common';
import type { SendingInput } from '@heliograph/contract';
import {
  normalizePhone,
  parseSchedule,
  ScheduleError,
  type RulesRefusal,
  type Schedule,
  type SendingType,
} from '@heliograph/domain';
import { ownScope } from '../../../core/auth/actor.ts';
import { Clock } from '../../../core/clock.ts';
import { invalid } from '../../../core/errors.ts';
import { SettingsService } from '../../settings/settings.service.ts';
import { StorageService } from '../../storage/storage.service.ts';
import { TariffsService } from '../../tariffs/tariffs.service.ts';
import type { ResolvedSending } from '../plan.ts';
import { AccountRulesService } from '../rules/account-rules.service.ts';

/** A valid request. A `refusal` applies to each of its messages. */
export interface CheckedSending {
  input: ResolvedSending;
  schedule: Schedule;
  refusal: RulesRefusal | null;
  /** Types of the bulk whose recipients are meant. */
  origin?: SendingType[];
}

/** Checks a request without its recipients: types, files, schedule, and the rules of the account. */
@Injectable()
export class CheckService {
  constructor(
    private readonly clock: Clock,
    private readonly rules: AccountRulesService,
    private readonly settings: SettingsService,
    private readonly storage: StorageService,
    private readonly tariffs: TariffsService,
  ) {}

  async check(OwnerId: string, request: SendingInput): Promise<CheckedSending> {
    const input = await this.resolve(OwnerId, await this.withInstances(OwnerId, request));
    await this.checkTypes(OwnerId, input);
    const [first] = await this.rules.withApprovedNames(OwnerId, [input]);
    const fallbacks = await this.rules.withApprovedNames(OwnerId, input.fallbacks);
    return {
      input: { ...first!, fallbacks },
      schedule: scheduleOf(input, this.clock.now()),
      refusal: await this.rules.refusalOf(OwnerId, sendersOf(input)),
    };
  }

  /**
   * Checks the files of a sending and of its fallbacks: they belong to the owner, the audio of a call has a known length, and the
   * owner's tariff has a price per second for it.
   */
  private async resolve(OwnerId: string, input: SendingInput): Promise<ResolvedSending> {
    const attempts = [input, ...input.fallbacks].map(({ type, payload }, i) => ({
      type,
      payload,
      place: i ? `fallbacks.${i - 1}.payload` : 'payload',
    }));
    const files = await this.storage.requireMedia(ownScope(OwnerId), attempts);
    const audioSeconds = Object.fromEntries(files.map((f) => [f.id, f.seconds ?? 0]));
    const calls = attempts.flatMap(({ type, payload: { audio }, place }) =>
      type === 'voice' && audio ? [{ audio, place }] : [],
    );
    const unknown = calls.find(({ audio }) => !audioSeconds[audio]);
    if (unknown) {
      const message = 'Only WAV and MP3 files can be played in a call.';
      throw invalid(`${unknown.place}.audio`, 'audio', message);
    }
    const [call] = calls;
    if (call && !(await this.tariffs.priceBook(OwnerId)).hasPerSecondPrice) {
      const message = 'The tariff has no price per second of a call.';
      throw invalid(`${call.place}.audio`, 'seconds', message);
    }
    const expiring = files.filter((f) => f.expiredAt).map((f) => f.id);
    return { ...input, audioSeconds, expiring };
  }

  /** Messages of WhatsApp instances are sent from the phone of an instance: the named one, or a linked one. */
  private async withInstances(OwnerId: string, request: SendingInput): Promise<SendingInput> {
    if (![request, ...request.fallbacks].some(({ type }) => type === 'wapi')) return request;
    const { wapiSenders, country } = await this.settings.sendingRulesNow(OwnerId);
    const withSender = <A extends Pick<SendingInput, 'type' | 'payload'>>(attempt: A): A => {
      if (attempt.type !== 'wapi') return attempt;
      const { sender } = attempt.payload;
      const phone = sender ? (normalizePhone(sender, country) ?? sender) : wapiSenders[0];
      return { ...attempt, payload: { ...attempt.payload, sender: phone ?? '' } };
    };
    return { ...withSender(request), fallbacks: request.fallbacks.map(withSender) };
  }

  /** The account's settings list the types that it may send. */
  private async checkTypes(OwnerId: string, input: SendingInput): Promise<void> {
    const { types } = await this.settings.sendingRules(OwnerId);
    const attempts = sendersOf(input);
    const wrong = attempts.findIndex((a) => !types.includes(a.type));
    if (wrong < 0) return;
    const field = wrong ? `fallbacks.${wrong - 1}.type` : 'type';
    throw invalid(field, 'unavailable', `The account does not send ${attempts[wrong]!.type}.`);
  }
}

const sendersOf = ({ type, payload, fallbacks }: SendingInput) =>
  [{ type, payload }, ...fallbacks].map((a) => ({ type: a.type, sender: a.payload.sender }));

function scheduleOf({ schedule, sendAt }: SendingInput, now: Date): Schedule {
  const given = schedule ?? { delay: 0, until: 0 };
  try {
    return parseSchedule(sendAt === undefined ? given : { ...given, delay: sendAt }, now);
  } catch (error) {
    if (!(error instanceof ScheduleError)) throw error;
    const isSendAt = sendAt !== undefined && error.field === 'delay';
    throw invalid(isSendAt ? 'sendAt' : `schedule.${error.field}`, error.rule, error.message);
  }
}
