import {
  FLASHCALL_DIGITS,
  LOCALES,
  OTP_CHANNEL_TYPES,
  OTP_CODE_DIGITS,
  OTP_CONDITION_TAGS,
  otpTemplateError,
} from '@heliograph/domain';
import * as z from 'zod';
import { ById, endpoint } from './endpoint.ts';
import {
  arrayOf,
  Country,
  Id,
  many,
  OwnerRef,
  text,
  Time,
  Title,
  trimmed,
  trimmedLines,
} from './fields.ts';
import { crud, listQuery } from './list.ts';

export const MAX_OTP_CHANNELS = OTP_CHANNEL_TYPES.length;
export const MAX_OTP_ADDRESSES = 100;
export const MAX_OTP_CONDITIONS = 8;
export const MAX_OTP_TEMPLATE = 500;
const MAX_COUNTRIES = 250;
const MAX_CONDITION_VALUES = 50;
const MAX_STATISTICS_DAYS = 93;

export const OTP_CAPTCHAS = ['altcha', 'google', 'yandex', 'cloudflare'] as const;

export const OtpChannelType = z.enum(OTP_CHANNEL_TYPES);
export const OtpCaptchaProvider = z.enum(OTP_CAPTCHAS);
/** `1.2.3.4`, `10.0.0.0/8`, or `{ip}/0` for any address. The server checks the address. */
const Address = trimmed(50).min(1);
const Color = text(7).regex(/^#[0-9a-fA-F]{6}$/);

/** Look of the widget on a page. */
export const OtpStyles = z.strictObject({
  theme: z.enum(['auto', 'light', 'dark']).optional(),
  primaryColor: Color.nullish(),
  backgroundColor: Color.nullish(),
  textColor: Color.nullish(),
  /** Of corners, in pixels. */
  radius: z.int().min(0).max(32).nullish(),
  title: trimmed(100).nullish(),
  locale: z.enum(LOCALES).nullish(),
});
export type OtpStyles = z.infer<typeof OtpStyles>;

const widgetFields = {
  name: Title,
  styles: OtpStyles,
  isActive: z.boolean(),
  captchaIsRequired: z.boolean(),
  captchaProvider: OtpCaptchaProvider,
  /** Sessions per hour and network without a captcha; null for none. */
  captchaFirstFreeRequestsPerIp: z.int32().min(1).nullable(),
  ipWhitelist: arrayOf(Address, { min: 1, max: MAX_OTP_ADDRESSES }),
  /** Countries whose numbers are accepted; null for that of the account only. */
  countries: arrayOf(Country, { min: 1, max: MAX_COUNTRIES }).nullable(),
};
/** A new widget, if the request does not say otherwise. */
export const OTP_WIDGET_DEFAULTS = {
  isActive: true,
  captchaIsRequired: true,
  captchaProvider: 'altcha',
  captchaFirstFreeRequestsPerIp: null,
  ipWhitelist: ['{ip}/0'],
} as const;
export const OtpWidgetInput = z.strictObject({
  ...widgetFields,
  styles: widgetFields.styles.default({}),
  isActive: widgetFields.isActive.default(OTP_WIDGET_DEFAULTS.isActive),
  captchaIsRequired: widgetFields.captchaIsRequired.default(OTP_WIDGET_DEFAULTS.captchaIsRequired),
  captchaProvider: widgetFields.captchaProvider.default(OTP_WIDGET_DEFAULTS.captchaProvider),
  captchaFirstFreeRequestsPerIp: widgetFields.captchaFirstFreeRequestsPerIp.default(
    OTP_WIDGET_DEFAULTS.captchaFirstFreeRequestsPerIp,
  ),
  ipWhitelist: widgetFields.ipWhitelist.default([...OTP_WIDGET_DEFAULTS.ipWhitelist]),
  countries: widgetFields.countries.default(null),
});
/** `isBlocked` can be changed by resellers and managers only. */
export const OtpWidgetUpdate = z
  .strictObject({ ...widgetFields, isBlocked: z.boolean() })
  .partial();

export const OtpWidgetChannel = z.object({
  otpChannelSettingsId: Id,
  /** From 1, the first channel that is tried. */
  priority: z.int(),
  otpChannelSettings: z.object({ name: z.string(), channelType: OtpChannelType }),
});
export const OtpWidget = z.object({
  id: Id,
  name: z.string(),
  styles: OtpStyles,
  isActive: z.boolean(),
  isBlocked: z.boolean(),
  captchaIsRequired: z.boolean(),
  captchaProvider: OtpCaptchaProvider,
  captchaFirstFreeRequestsPerIp: z.int().nullable(),
  ipWhitelist: z.array(z.string()),
  countries: z.array(z.string()).nullable(),
  otpWidgetChannelSettings: z.array(OtpWidgetChannel),
  ownerId: Id,
  Owner: OwnerRef.optional(),
  createdAt: Time,
  updatedAt: Time,
});
export type OtpWidget = z.infer<typeof OtpWidget>;

/** Replaces the channels of a widget. The channels of lower priority numbers are tried first. */
const ChannelsOfWidget = z
  .strictObject({
    otpWidgetChannelSettings: arrayOf(
      z.strictObject({ otpChannelSettingsId: Id, priority: z.int().min(0).max(1000) }),
      { min: 1, max: MAX_OTP_CHANNELS },
    ),
  })
  .refine(
    ({ otpWidgetChannelSettings: all }) =>
      new Set(all.map((one) => one.otpChannelSettingsId)).size === all.length,
    {
      path: ['otpWidgetChannelSettings'],
      message: 'A channel can be listed once.',
      params: { rule: 'unique' },
    },
  );

const codeSettings = {
  length: z.int().min(OTP_CODE_DIGITS.min).max(OTP_CODE_DIGITS.max),
  /** Shown in groups: `12-34`. */
  beautify: z.boolean(),
};
const channelSettings = {
  /** Seconds until the next channel is tried, or until the code expires. */
  lifetime: z.int().min(10).max(3600),
  /** Codes that may be entered. */
  numberOfTries: z.int().min(1).max(10),
  /** How often the code can be sent again. */
  numberOfRestart: z.int().min(0).max(10),
  /** Client id of MTS ID, for `sim_push`. */
  mtsClientId: trimmed(100).min(1).nullish(),
};
export const OtpChannelAdditional = z.strictObject({
  ...channelSettings,
  code: z
    .strictObject({
      length: codeSettings.length.default(4),
      beautify: codeSettings.beautify.default(false),
    })
    .default({ length: 4, beautify: false }),
  lifetime: channelSettings.lifetime.default(60),
  numberOfTries: channelSettings.numberOfTries.default(3),
  numberOfRestart: channelSettings.numberOfRestart.default(2),
});
/** What is absent stays. */
export const OtpChannelAdditionalUpdate = z
  .strictObject({ ...channelSettings, code: z.strictObject(codeSettings).partial() })
  .partial();
export type OtpChannelAdditional = z.infer<typeof OtpChannelAdditional>;

const checkChannel = (
  channel: { channelType?: string; additionalSettings?: OtpChannelAdditional },
  ctx: z.core.$RefinementCtx<unknown>,
) => {
  const { channelType, additionalSettings: settings } = channel;
  if (channelType === 'flashcall' && settings && settings.code.length !== FLASHCALL_DIGITS)
    ctx.addIssue({
      code: 'custom',
      path: ['additionalSettings', 'code', 'length'],
      message: `The code of a flash call has ${FLASHCALL_DIGITS} digits.`,
      params: { rule: 'otp_flashcall' },
    });
  if (channelType === 'sim_push' && settings && !settings.mtsClientId)
    ctx.addIssue({
      code: 'custom',
      path: ['additionalSettings', 'mtsClientId'],
      message: 'The client id of MTS ID is required.',
      params: { rule: 'required' },
    });
};
export const OtpChannelInput = z
  .strictObject({
    name: Title,
    channelType: OtpChannelType,
    additionalSettings: OtpChannelAdditional.default({
      code: { length: 4, beautify: false },
      lifetime: 60,
      numberOfTries: 3,
      numberOfRestart: 2,
    }),
  })
  .superRefine(checkChannel);
/** The type cannot be changed: only that of the row is accepted. */
export const OtpChannelUpdate = z
  .strictObject({
    name: Title,
    channelType: OtpChannelType,
    additionalSettings: OtpChannelAdditionalUpdate,
  })
  .partial();
export const OtpChannel = z.object({
  id: Id,
  name: z.string(),
  channelType: OtpChannelType,
  additionalSettings: z.object({
    code: z.object({ length: z.int(), beautify: z.boolean() }),
    lifetime: z.int(),
    numberOfTries: z.int(),
    numberOfRestart: z.int(),
    mtsClientId: z.string().nullable(),
  }),
  ownerId: Id,
  Owner: OwnerRef.optional(),
  createdAt: Time,
  updatedAt: Time,
});
export type OtpChannel = z.infer<typeof OtpChannel>;

const TEMPLATE_MESSAGES = {
  otp_code:
    'The text must contain {code} once, besides a last line `@example.com #{code}` by which phones fill in the code.',
  otp_braces: 'The text can contain no other braces than those of {code}.',
};
const TemplateText = trimmedLines(MAX_OTP_TEMPLATE)
  .min(1)
  .superRefine((template, ctx) => {
    const rule = otpTemplateError(template);
    if (rule) ctx.addIssue({ code: 'custom', message: TEMPLATE_MESSAGES[rule], params: { rule } });
  });
/** All conditions must hold, each with any of its values. */
const Condition = z.strictObject({
  tag: z.enum(OTP_CONDITION_TAGS),
  value: arrayOf(trimmed(50).min(1), { min: 1, max: MAX_CONDITION_VALUES }),
});
const templateFields = {
  name: Title,
  conditions: arrayOf(Condition, { max: MAX_OTP_CONDITIONS }),
  additionalSettings: z.strictObject({
    /** Id of a sender name, or the sender itself for types that need none. */
    senderId: trimmed(150).min(1),
    template: TemplateText,
  }),
};
export const OtpTemplateInput = z.strictObject({
  ...templateFields,
  channelType: OtpChannelType,
  conditions: templateFields.conditions.default([]),
});
/** The type cannot be changed: only that of the row is accepted. */
export const OtpTemplateUpdate = z
  .strictObject({ ...templateFields, channelType: OtpChannelType })
  .partial();
export const OtpTemplate = z.object({
  id: Id,
  name: z.string(),
  channelType: OtpChannelType,
  conditions: z.array(z.object({ tag: z.enum(OTP_CONDITION_TAGS), value: z.array(z.string()) })),
  additionalSettings: z.object({ senderId: z.string(), template: z.string() }),
  ownerId: Id,
  Owner: OwnerRef.optional(),
  createdAt: Time,
  updatedAt: Time,
});
export type OtpTemplate = z.infer<typeof OtpTemplate>;

const Conversion = {
  sessions: z.int(),
  confirmed: z.int(),
  /** Share of confirmed sessions, 0 to 1; null without sessions. */
  conversion: z.number().nullable(),
};
export const OtpStatistics = z.object({
  from: Time,
  to: Time,
  ...Conversion,
  channels: z.array(
    z.object({
      channelType: OtpChannelType,
      /** Messages sent over this channel. */
      sent: z.int(),
      /** Sessions confirmed by it. */
      confirmed: z.int(),
      conversion: z.number().nullable(),
    }),
  ),
});
export type OtpStatistics = z.infer<typeof OtpStatistics>;
const StatisticsQuery = z
  .strictObject({ from: Time.optional(), to: Time.optional() })
  .refine(
    ({ from, to }) =>
      !from || !to || Date.parse(to) - Date.parse(from) <= MAX_STATISTICS_DAYS * 86_400_000,
    {
      path: ['from'],
      message: `At most ${MAX_STATISTICS_DAYS} days.`,
      params: { rule: 'range' },
    },
  );

/** A numbering range with its traffic of the last hour. */
export const OtpPrefix = z.object({
  prefix: z.string(),
  ...Conversion,
  blockedUntil: Time.nullable(),
});
export type OtpPrefix = z.infer<typeof OtpPrefix>;
const PrefixPath = z.object({ prefix: text(20).regex(/^\+?\d{3,15}$/) });

const base = 'n/otp-settings';
const TYPE_FILTER = { OwnerId: Id, channelType: many(OtpChannelType) };

/** Settings of widgets: the resource is `widgets` in permissions. */
export const otpWidgets = {
  ...crud(`${base}/widgets`, {
    lasting: 'announced',
    quota: 'otpWidgets',
    permission: 'widgets',
    item: OtpWidget,
    input: OtpWidgetInput,
    update: OtpWidgetUpdate,
    audit: true,
    query: listQuery({
      order: ['createdAt', 'name'],
      filter: { OwnerId: Id },
      range: ['createdAt'],
      search: true,
    }),
  }),
  setChannels: endpoint('PUT', `/${base}/widgets/:id/channels/bulk`, {
    lasting: 'announced',
    summary: 'Replace the channels of a widget',
    params: ById,
    body: ChannelsOfWidget,
    response: z.object({ otpWidgetChannelSettings: z.array(OtpWidgetChannel) }),
    can: 'widgets.update',
    audit: 'widgets.update',
  }),
  statistics: endpoint('GET', `/${base}/widgets/:id/statistics`, {
    summary: 'Conversion of a widget by channel',
    params: ById,
    query: StatisticsQuery,
    response: OtpStatistics,
    can: 'widgets.get',
  }),
  prefixes: endpoint('GET', `/${base}/prefixes`, {
    summary: 'Numbering ranges with traffic of the last hour, and those that are blocked',
    response: z.object({ data: z.array(OtpPrefix) }),
    can: 'widgets.get',
  }),
  unblockPrefix: endpoint('DELETE', `/${base}/prefixes/:prefix`, {
    summary: 'Unblock a numbering range',
    params: PrefixPath,
    response: z.object({ prefix: z.string() }),
    can: 'widgets.update',
    audit: 'widgets.unblock',
  }),
};

export const otpChannels = crud(`${base}/channels`, {
  lasting: 'announced',
  quota: 'otpChannels',
  permission: 'otp-settings',
  item: OtpChannel,
  input: OtpChannelInput,
  update: OtpChannelUpdate,
  query: listQuery({
    order: ['createdAt', 'name'],
    filter: TYPE_FILTER,
    range: ['createdAt'],
    search: true,
    limit: 100,
  }),
});

export const otpTemplates = crud(`${base}/templates`, {
  lasting: 'announced',
  quota: 'otpTemplates',
  permission: 'otp-settings',
  item: OtpTemplate,
  input: OtpTemplateInput,
  update: OtpTemplateUpdate,
  query: listQuery({
    order: ['createdAt', 'name'],
    filter: TYPE_FILTER,
    range: ['createdAt'],
    search: true,
  }),
});
