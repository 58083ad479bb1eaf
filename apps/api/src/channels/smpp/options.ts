import { carrierFailure, SENDING_ERRORS, type SendingErrorCode } from '@heliograph/domain';
import type { Numbering, NumberingRules, TextOptions } from '@heliograph/smpp';
import { z } from 'zod';

import { publicOption } from '../options.ts';
import { certificateOptions, integerOption, isTls, socketUrl } from '../socket-options.ts';

const text = (pattern: RegExp, error: string) =>
  publicOption(z.string().regex(pattern, error).default(''));
const choice = <const T extends [string, ...string[]]>(values: T) =>
  publicOption(z.enum(values).default(values[0] as z.util.NoUndefined<T[0]>));
const numbering = (preset: string) =>
  publicOption(
    z
      .string()
      .regex(/^\d{1,3}\/\d{1,3}$/, 'Type of number and numbering plan, such as 1/1.')
      .default(preset),
  );

export const SmppOptions = z
  .strictObject({
    /** `smpp://host:port`, or `smpps://host:port` for TLS. */
    url: socketUrl('smpp'),
    systemId: publicOption(
      z.string().regex(/^[!-~]{1,15}$/, 'The name of the account has 1 to 15 characters.'),
    ),
    password: z
      .string({ error: 'Give the password of this address.' })
      .regex(/^[ -~]{1,8}$/, 'A password has 1 to 8 characters.'),
    systemType: text(/^[!-~]{0,12}$/, 'A system_type has up to 12 characters.'),
    mode: choice(['transceiver', 'pair']),
    binds: integerOption(1, 32, 1),
    window: integerOption(1, 1_000, 10),
    alphabet: choice(['gsm', 'packed', 'ascii', 'latin1']),
    dataCoding: integerOption(0, 255, 0),
    ucs2DataCoding: integerOption(0, 255, 8),
    long: choice(['udh8', 'udh16', 'sar', 'payload']),
    senderName: numbering('5/0'),
    senderNumber: numbering('1/1'),
    senderShort: numbering('3/0'),
    recipient: numbering('1/1'),
    serviceType: text(/^[!-~]{0,5}$/, 'A service_type has up to 5 characters.'),
    priorityFlag: integerOption(0, 3, 0),
    /** Left to the carrier if undefined. */
    validitySeconds: publicOption(z.number().int().min(60).max(8_553_600).optional()),
    answerIds: choice(['text', 'decimal', 'hex']),
    receiptIds: choice(['text', 'decimal', 'hex']),
    utcOffset: integerOption(-720, 840, 0),
    errors: text(
      /^(?:[^,=]{1,12}=[^,=]{1,40}(?:,|$)){0,200}$/,
      'Errors are code=reason, separated by commas.',
    ),
    responseMs: integerOption(1_000, 300_000, 60_000),
    enquireMs: integerOption(1_000, 600_000, 30_000),
    deliverLimit: integerOption(1, 10_000, 1_000),
    ...certificateOptions,
  })
  .superRefine((options, context) => {
    const issue = (field: string, message: string) =>
      context.addIssue({ code: 'custom', path: [field], message });
    for (const name of ['senderName', 'senderNumber', 'senderShort', 'recipient'] as const)
      if (options[name].split('/').some((part) => Number(part) > 255))
        issue(name, 'Type of number and numbering plan are up to 255.');
    if (options.dataCoding === options.ucs2DataCoding)
      issue('ucs2DataCoding', 'The two alphabets need different values of data_coding.');
    const wrong = pairsOf(options.errors).find(
      ([code, reason]) => !isCode(code) || !isReason(reason),
    );
    if (wrong)
      issue('errors', `${wrong.join('=')}: not a code of the carrier and a reason of ours.`);
    for (const name of ['ca', 'serverName'] as const)
      if (options[name] !== undefined && !isTls(options))
        issue(name, 'Certificates belong to addresses smpps://.');
  });
export type SmppOptions = z.output<typeof SmppOptions>;

export const numberingIn = (option: string): Numbering => {
  const [ton, npi] = option.split('/').map(Number) as [number, number];
  return { ton, npi };
};

export const senderRules = (options: SmppOptions): NumberingRules => ({
  alphanumeric: numberingIn(options.senderName),
  international: numberingIn(options.senderNumber),
  short: numberingIn(options.senderShort),
});

export const textOptions = (options: SmppOptions): TextOptions => {
  const { alphabet, dataCoding, ucs2DataCoding, long } = options;
  return { alphabet, dataCoding, ucs2DataCoding, long };
};

/** The carrier's own codes: of refusals as 0x45, of receipts as they are written, without zeros in front. */
export function errorTable({ errors }: Pick<SmppOptions, 'errors'>): Map<string, SendingErrorCode> {
  return new Map(
    pairsOf(errors).map(([code, reason]) => [errorKey(code), reason as SendingErrorCode]),
  );
}

/** `errorKey('007')` is '7'; `errorKey('0x0B')` is '0xb'. */
export const errorKey = (code: string): string => {
  const lower = code.toLowerCase();
  return lower.startsWith('0x') ? `0x${Number(lower).toString(16)}` : lower.replace(/^0+(?=.)/, '');
};

const pairsOf = (errors: string) =>
  errors
    .split(',')
    .filter((pair) => pair.trim())
    .map((pair) => pair.split('=').map((part) => part.trim()) as [string, string]);

const isCode = (code: string) => /^(?:0x[\da-f]{1,8}|(?!0x)\w{1,8})$/i.test(code);
const isReason = (code: string) =>
  Object.hasOwn(SENDING_ERRORS, code) && carrierFailure({ code }).code === code;
