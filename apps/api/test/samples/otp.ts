import { randomInt } from 'node:crypto';
import { otpHandler, otpTemplates } from '@heliograph/contract';
import { otpChannel, otpCode, otpSession, otpWidget } from '../otp.ts';
import { PHONE, type Scene } from '../scene.ts';
import { byId, creating, listing, type SamplesOf } from './sample.ts';

const widget = ({ owner }: Scene) => otpWidget(owner);
const channel = ({ owner }: Scene) => otpChannel(owner, 'viber');
const CHANNEL = { name: 'SMS', channelType: 'sms' } as const;
const TEMPLATE = {
  name: 'Codes',
  channelType: 'viber',
  additionalSettings: { senderId: 'TEA', template: 'Code: {code}' },
} as const;
const template = async ({ owner }: Scene) =>
  (await owner.api(otpTemplates.create, { body: TEMPLATE })).id;

/** A session of the owner. Each is of another number, because those of one are limited. */
async function newSession(s: Scene) {
  const recipient = `+7901${randomInt(1_000_000, 10_000_000)}`;
  return { recipient, requestId: await otpSession(s.world, await widget(s), recipient) };
}
const ofSession = <C extends object>(requestId: string, call: C) => ({
  call: { params: { requestId }, ...call },
  row: ['otp_sessions', requestId] as [string, string],
  others: 'nothing' as const,
});
const session = async (s: Scene) => ofSession((await newSession(s)).requestId, {});
const withRecipient = async (s: Scene) => {
  const { requestId, recipient } = await newSession(s);
  return ofSession(requestId, { query: { recipient } });
};
async function confirmed(s: Scene) {
  const sample = await withRecipient(s);
  const { params } = sample.call;
  const code = (await otpCode(s.world, params.requestId))!;
  await s.world.client()(otpHandler.checkCode, { params, body: { code } });
  return sample;
}
async function ofWidget<C extends object>(s: Scene, call?: C) {
  const widgetId = await widget(s);
  const params = { widgetId };
  return {
    call: { ...call, params } as C & { params: typeof params },
    row: ['otp_widgets', widgetId] as [string, string],
    others: 'nothing' as const,
  };
}

export const OTP: SamplesOf<'otpWidgets' | 'otpChannels' | 'otpTemplates' | 'otpHandler'> = {
  otpWidgets: {
    find: (s) => listing('otp_widgets', widget(s)),
    get: (s) => byId('otp_widgets', widget(s)),
    create: async (s) => creating(s, { body: { name: 'Tea shop' } }),
    update: (s) => byId('otp_widgets', widget(s), { body: { name: 'Tea house' } }),
    remove: (s) => byId('otp_widgets', widget(s)),
    setChannels: async (s) => {
      const otpWidgetChannelSettings = [{ otpChannelSettingsId: await channel(s), priority: 1 }];
      return byId('otp_widgets', widget(s), { body: { otpWidgetChannelSettings } });
    },
    statistics: (s) => byId('otp_widgets', widget(s)),
    prefixes: async (s) => ({
      call: {},
      row: ['users', s.owner.id],
      others: 'own',
    }),
    unblockPrefix: async (s) => {
      await s.world.db.query(
        `insert into otp_blocks (owner_id, prefix, blocked_until, counted_since) values ($1, '+790012', now() + interval '1 day', now())`,
        [s.owner.id],
      );
      return {
        call: { params: { prefix: '+790012' } },
        row: ['otp_blocks', s.owner.id, 'owner_id'],
        others: 'nothing',
      };
    },
  },
  otpChannels: {
    find: (s) => listing('otp_channels', channel(s)),
    get: (s) => byId('otp_channels', channel(s)),
    create: async (s) => creating(s, { body: CHANNEL }),
    update: (s) => byId('otp_channels', channel(s), { body: { name: 'Viber' } }),
    remove: (s) => byId('otp_channels', channel(s)),
  },
  otpTemplates: {
    find: (s) => listing('otp_templates', template(s)),
    get: (s) => byId('otp_templates', template(s)),
    create: async (s) => creating(s, { body: TEMPLATE }),
    update: (s) => byId('otp_templates', template(s), { body: { name: 'Numbers' } }),
    remove: (s) => byId('otp_templates', template(s)),
  },
  otpHandler: {
    widget: (s) => ofWidget(s),
    captcha: (s) => ofWidget(s),
    create: async (s) => {
      const widgetId = await widget(s);
      return {
        call: { body: { widgetId, recipient: PHONE } },
        row: ['otp_widgets', widgetId],
        others: 'nothing',
      };
    },
    channel: (s) => session(s),
    pollChannel: (s) => session(s),
    checkCode: async (s) => {
      const sample = await session(s);
      const code = (await otpCode(s.world, sample.call.params.requestId))!;
      return { ...sample, call: { ...sample.call, body: { code } } };
    },
    resend: async (s) => {
      const sample = await session(s);
      await s.world.db.query(`update otp_sessions set resend_at = now() where id = $1`, [
        sample.call.params.requestId,
      ]);
      return sample;
    },
    status: (s) => withRecipient(s),
    pollStatus: (s) => confirmed(s),
    complete: (s) => session(s),
    checkStatusAndComplete: (s) => confirmed(s),
  },
};
