import {
  otpChannels,
  otpHandler,
  otpWidgets,
  type OtpChannelAdditional,
} from '@heliograph/contract';
import type { OtpChannelType } from '@heliograph/domain';
import type { SealedTexts as Texts } from '../src/features/sendings/sealed-texts.service.ts';
import { SealedTexts } from '../src/features/sendings/sealed-texts.service.ts';
import { type Person, until, type World } from './world.ts';

type Settings = Partial<OtpChannelAdditional>;

export async function otpChannel(
  { api }: Person,
  channelType: OtpChannelType,
  settings: Settings = {},
): Promise<string> {
  const additionalSettings = {
    code: { length: 4, beautify: false },
    lifetime: 60,
    numberOfTries: 3,
    numberOfRestart: 1,
    ...(channelType === 'sim_push' && { mtsClientId: 'tea' }),
    ...settings,
  };
  const body = { name: channelType, channelType, additionalSettings };
  return (await api(otpChannels.create, { body })).id;
}

/** A widget with channels in this order, without a captcha. */
export async function otpWidget(
  owner: Person,
  types: OtpChannelType[] = ['viber'],
  widget: object = {},
  settings: Settings = {},
): Promise<string> {
  const { id } = await owner.api(otpWidgets.create, {
    body: { name: 'Tea shop', captchaIsRequired: false, ...widget },
  });
  const otpWidgetChannelSettings = [];
  for (const [priority, type] of types.entries())
    otpWidgetChannelSettings.push({
      otpChannelSettingsId: await otpChannel(owner, type, settings),
      priority,
    });
  await owner.api(otpWidgets.setChannels, {
    params: { id },
    body: { otpWidgetChannelSettings },
  });
  return id;
}

export const otpSession = async (
  world: World,
  widgetId: string,
  recipient: string,
): Promise<string> =>
  (await world.client()(otpHandler.create, { body: { widgetId, recipient } })).requestId;

/** The code that the carrier gets for the current attempt; null if none is kept. */
export const otpCode = async (world: World, requestId: string): Promise<string | null> =>
  (await otpText(world, requestId))?.replace(/\D/g, '') ?? null;

/** The text with it. */
export async function otpText(world: World, requestId: string): Promise<string | null> {
  const [row] = await world.db.query<{ id: string }>(
    `select s.id from otp_sessions o join sendings s on o.chain_id in (s.id, s.chain_id) where o.id = $1 order by s.attempt desc limit 1`,
    [requestId],
  );
  const texts = await world.api.get<Texts>(SealedTexts, { strict: false }).textsOf([row!.id]);
  return texts.get(row!.id) ?? null;
}

/** A new session with the code that it sends. */
export async function otpSent(
  world: World,
  widgetId: string,
  recipient: string,
): Promise<{ id: string; code: string }> {
  const id = await otpSession(world, widgetId, recipient);
  return { id, code: (await otpCode(world, id))! };
}

/** Waits until the channel has a status. */
export const otpStatus = (world: World, requestId: string, status: string) =>
  until(async () => {
    const channel = await world.client()(otpHandler.channel, { params: { requestId } });
    return channel.status === status && channel;
  }, `the status ${status}`);
