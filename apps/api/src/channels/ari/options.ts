import { z } from 'zod';

import { CarrierBase, httpLimits } from '../http-options.ts';
import { publicOption } from '../options.ts';
import { integerOption } from '../socket-options.ts';

const NUMBER = '{number}';
const TEXT = '{text}';
const VOICE = '{voice}';
const { timeoutMs, connectTimeoutMs, connections } = httpLimits;

export const AriOptions = z.strictObject({
  /** With the path of the interface: `https://pbx.example:8089/ari`. */
  url: publicOption(
    CarrierBase.refine((url) => {
      const { search, hash } = new URL(url);
      return !search && !hash;
    }, 'The address ends with its path, such as /ari.'),
  ),
  username: publicOption(
    z.string().regex(/^[!-9;-~]{1,80}$/, 'A user name has no spaces or colons.'),
  ),
  password: z
    .string({ error: 'Give the password of this address.' })
    .regex(/^[ -~]{1,200}$/, 'A password has up to 200 characters.'),
  /** Events of an application go to the one that has connected last. */
  app: publicOption(
    z
      .string()
      .regex(/^[\w-]{1,60}$/, 'The name of an application has letters, digits, _ and -.')
      .default('heliograph'),
  ),
  endpoint: publicOption(
    z
      .string()
      .regex(/^[\w@.{}+:/-]{1,200}$/, 'An endpoint is written as PJSIP/{number}@trunk.')
      .refine((one) => one.split(NUMBER).length === 2, `An endpoint has ${NUMBER} once.`),
  ),
  flashCaller: publicOption(
    z
      .string()
      .regex(
        /^\d{3,11}X{4,8}$/,
        'The number of flash calls has an X for each digit of the code, such as 7495123XXXX.',
      )
      .refine((one) => one.length <= 15, 'A number has up to 15 digits.')
      .optional(),
  ),
  speech: publicOption(
    z
      .string()
      .max(500)
      .refine(
        isSpeech,
        `The address of speech is written as https://tts.example/say.wav?voice=${VOICE}&text=${TEXT}.`,
      )
      .optional(),
  ),
  ringSeconds: integerOption(5, 120, 30),
  answerSeconds: integerOption(0, 60, 5),
  lines: integerOption(1, 1_000, 30),
  checkSeconds: integerOption(1, 600, 30),
  timeoutMs,
  connectTimeoutMs,
  connections,
});
export type AriOptions = z.output<typeof AriOptions>;

/** Texts may change nothing but the path and the query. */
function isSpeech(template: string): boolean {
  if (!URL.canParse(template) || /\s/.test(template)) return false;
  const { protocol, username, password, hash } = new URL(template);
  const [, , authority = '', ...rest] = template.split('/');
  return (
    /^https?:$/.test(protocol) &&
    !username &&
    !password &&
    !hash &&
    !/[{}?]/.test(authority) &&
    rest.join('/').includes(TEXT)
  );
}

/** What is dialled. */
export const endpointOf = ({ endpoint }: Pick<AriOptions, 'endpoint'>, digits: string): string =>
  endpoint.replace(NUMBER, () => digits);

/** The address from which Asterisk reads the spoken text. */
export const speechOf = (template: string, voice: string, text: string): string =>
  template
    .replaceAll(VOICE, () => encodeURIComponent(voice))
    .replaceAll(TEXT, () => encodeURIComponent(text.toWellFormed()));

/** The number whose last digits are the code; undefined if it has not as many. */
export function flashNumber(caller: string, code: string): string | undefined {
  const prefix = caller.replaceAll('X', '');
  return prefix.length + code.length === caller.length ? prefix + code : undefined;
}
