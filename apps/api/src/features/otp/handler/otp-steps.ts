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
import { OtpStepsStore, type StepChannel, type StepTemplate } from './otp-steps.store.ts';

const DEFAULT_TEXTS: Record<Locale, string> = {
  ru: `Код подтверждения: ${OTP_CODE}`,
  en: `Confirmation code: ${OTP_CODE}`,
  es: `Código de confirmación: ${OTP_CODE}`,
  pt: `Código de confirmação: ${OTP_CODE}`,
  fr: `Code de confirmation : ${OTP_CODE}`,
  de: `Bestätigungscode: ${OTP_CODE}`,
  it: `Codice di conferma: ${OTP_CODE}`,
};

/** The cascade of a widget for a number: its channels by priority, each with sender and text, as far as the account can send them. */
@Injectable()
export class OtpSteps {
  constructor(
    private readonly store: OtpStepsStore,
    private readonly sealed: SealedSendings,
    private readonly sendings: SendingsService,
  ) {}

  async of(
    { widgetId, OwnerId }: { widgetId: string; OwnerId: string },
    phone: string,
    locale: Locale,
  ): Promise<OtpStep[]> {
    const operator = findOperator(this.sendings.operators(), phone);
    const target: OtpTarget = {
      recipient: phone,
      country: phoneCountry(phone),
      mccmnc: operator?.mccmnc ?? null,
      widget: widgetId,
    };
    const templates = await this.store.templates(OwnerId);
    const senders = await this.senderOf(OwnerId);
    const steps = (await this.store.channels(widgetId)).map((channel) => {
      const { channelType } = channel;
      const template = templates.find(
        (one) => one.channelType === channelType && meetsConditions(one.conditions, target),
      );
      return stepOf(channel, template, locale, senders);
    });
    const attempts = steps.map(({ type, sender, lifetime }) => {
      const text = isCodeless(type) ? null : '0000';
      return { type, sender, lifetime, text, masked: text };
    });
    const refusals = await this.sealed.refusalsOf(OwnerId, phone, attempts);
    return steps.filter((_, i) => refusals[i] === null);
  }

  /** Finds the sender that a template names by id, and one for channels without a template. */
  private async senderOf(OwnerId: string): Promise<(type: OtpStep['type'], id?: string) => string> {
    const names = await this.store.senders(OwnerId);
    const { approved, demo } = await this.sealed.sendersOf(OwnerId);
    return (type, id) => {
      if (id)
        return isUuid(id) ? (names.find((one) => one.id === id.toLowerCase())?.name ?? id) : id;
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
