import { Injectable } from '@nestjs/common';
import {
  findOperator,
  isBareCode,
  isCodeless,
  isUuid,
  meetsConditions,
  OTP_CODE,
  phoneCountry,
  senderKey,
  type Locale,
  type OtpTarget,
} from '@heliograph/domain';
import { SealedSendings } from '../../sendings/sealed-sendings.service.ts';
import { SendingsService } from '../../sendings/sendings.service.ts';
import type { OtpStep } from './otp-session.ts';
import {
  OtpStepsStore,
  type StepChannel,
  type StepSender,
  type StepTemplate,
} from './otp-steps.store.ts';

interface StepsRequest {
  OwnerId: string;
  widgetId: string;
  phone: string;
  locale: Locale;
  isTest: boolean;
}
/** What the account and the widget have. */
interface StepSettings {
  templates: StepTemplate[];
  senders: StepSender[];
  channels: StepChannel[];
}

const DEFAULT_TEXTS: Record<Locale, string> = {
  ru: `Код подтверждения: ${OTP_CODE}`,
  en: `Confirmation code: ${OTP_CODE}`,
  es: `Código de confirmación: ${OTP_CODE}`,
  pt: `Código de confirmação: ${OTP_CODE}`,
  fr: `Code de confirmation : ${OTP_CODE}`,
  de: `Bestätigungscode: ${OTP_CODE}`,
  it: `Codice di conferma: ${OTP_CODE}`,
};

/** The cascades of widgets for numbers: their channels by priority, each with sender and text, as far as the account can send them. */
@Injectable()
export class OtpSteps {
  constructor(
    private readonly store: OtpStepsStore,
    private readonly sealed: SealedSendings,
    private readonly sendings: SendingsService,
  ) {}

  /** In the order of the requests. */
  async of(requests: StepsRequest[]): Promise<OtpStep[][]> {
    const owners = [...new Set(requests.map(({ OwnerId }) => OwnerId))];
    const widgets = [...new Set(requests.map(({ widgetId }) => widgetId))];
    const byOwner = ({ OwnerId }: { OwnerId: string }) => OwnerId;
    const templates = Map.groupBy(await this.store.templates(owners), byOwner);
    const senders = Map.groupBy(await this.store.senders(owners), byOwner);
    const channels = Map.groupBy(await this.store.channels(widgets), ({ widgetId }) => widgetId);
    const steps: OtpStep[][] = [];
    for (const request of requests)
      steps.push(
        await this.usable(request, {
          templates: templates.get(request.OwnerId) ?? [],
          senders: senders.get(request.OwnerId) ?? [],
          channels: channels.get(request.widgetId) ?? [],
        }),
      );
    return steps;
  }

  private async usable(
    { OwnerId, widgetId, phone, locale, isTest }: StepsRequest,
    { templates, senders, channels }: StepSettings,
  ): Promise<OtpStep[]> {
    const operator = findOperator(this.sendings.operators(), phone);
    const target: OtpTarget = {
      recipient: phone,
      country: phoneCountry(phone),
      mccmnc: operator?.mccmnc ?? null,
      widget: widgetId,
    };
    const senderOf = await this.senderOf(OwnerId, senders);
    const steps = channels.map((channel) => {
      const { channelType } = channel;
      const template = templates.find(
        (one) => one.channelType === channelType && meetsConditions(one.conditions, target),
      );
      return stepOf(channel, template, locale, senderOf);
    });
    const attempts = steps.map(({ type, sender, lifetime }) => {
      const text = isCodeless(type) ? null : '0000';
      return { type, sender, lifetime, text, masked: text };
    });
    const refusals = await this.sealed.refusalsOf({ OwnerId, phone, attempts, isTest });
    return steps.filter((_, i) => refusals[i] === null);
  }

  /** Finds the sender that a template names by id, and one for channels without a template. */
  private async senderOf(
    OwnerId: string,
    names: StepSender[],
  ): Promise<(type: OtpStep['type'], id?: string) => string> {
    const { approved, demo } = await this.sealed.sendersOf(OwnerId);
    return (type, id) => {
      if (id && !isUuid(id)) return approved.get(senderKey(type, id)) ?? id;
      if (id) return names.find((one) => one.id === id.toLowerCase())?.name ?? id;
      const own = names.find(({ name }) => approved.has(senderKey(type, name)));
      return own?.name ?? demo;
    };
  }
}

function stepOf(
  { name, channelType: type, additionalSettings: settings }: StepChannel,
  template: StepTemplate | undefined,
  locale: Locale,
  senderOf: (type: OtpStep['type'], id?: string) => string,
): OtpStep {
  const { code, lifetime, numberOfTries, numberOfRestart, mtsClientId } = settings;
  const { senderId, template: text } = template?.additionalSettings ?? {};
  return {
    type,
    label: name,
    sender: (isCodeless(type) && mtsClientId) || senderOf(type, senderId),
    template: isBareCode(type) ? OTP_CODE : (text ?? DEFAULT_TEXTS[locale]),
    length: code.length,
    beautify: code.beautify,
    lifetime,
    tries: numberOfTries,
    restarts: numberOfRestart,
  };
}
