import { createPrivateKey } from 'node:crypto';

import { z } from 'zod';

import { publicOption } from '../options.ts';
import { certificateOptions, integerOption, isTls, socketUrl } from '../socket-options.ts';

const MIN_KEY_BITS = 1024;
const HOST = /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/;

const domain = z.string().regex(HOST, 'A domain in small Latin letters, such as mail.example.');

export const SmtpOptions = z
  .strictObject({
    /** `smtp://host:port`, or `smtps://host:port` for TLS from the first byte. */
    url: socketUrl('smtp'),
    /** Whether a connection to `smtp://` is encrypted: always, or if the server can, or never. */
    startTls: publicOption(z.enum(['required', 'offered', 'never']).default('required')),
    username: publicOption(z.string().min(1).max(255).optional()),
    password: z.string().min(1).max(255).optional(),
    /** Senders are addresses of this domain, or of one under it. */
    domain: publicOption(domain),
    /** The part before the `@` for senders that are a name. */
    mailbox: publicOption(
      z
        .string()
        .regex(/^[a-z0-9][a-z0-9._+-]{0,63}$/, 'Small Latin letters and digits.')
        .default('noreply'),
    ),
    dkimSelector: publicOption(
      z
        .string()
        .regex(/^[a-z0-9](?:[a-z0-9.-]{0,61}[a-z0-9])?$/, 'Small Latin letters and digits.')
        .optional(),
    ),
    dkimKey: z
      .string()
      .max(4_096)
      .refine(isSigningKey, `This is no RSA key of ${MIN_KEY_BITS} bits or more in PEM.`)
      .optional(),
    /** Where bounces go. They come in by `POST /api/callbacks/:channel`, with the secret. */
    bounceDomain: publicOption(domain.optional()),
    bounceSecret: z
      .string()
      .regex(/^[!-~]{16,255}$/, 'A secret has 16 to 255 characters, without spaces.')
      .optional(),
    /** Seconds without a bounce after which a message counts as delivered. */
    deliveredAfter: integerOption(0, 432_000, 3_600),
    connections: integerOption(1, 50, 4),
    maxMessages: integerOption(1, 10_000, 100),
    timeoutMs: integerOption(1_000, 600_000, 120_000),
    ...certificateOptions,
  })
  .superRefine((options, context) => {
    const issue = (field: string, message: string) =>
      context.addIssue({ code: 'custom', path: [field], message });
    const together = (one: keyof typeof options, other: keyof typeof options) => {
      if (options[one] !== undefined && options[other] === undefined)
        issue(other, `Belongs to ${one}.`);
      if (options[other] !== undefined && options[one] === undefined)
        issue(one, `Belongs to ${other}.`);
    };
    together('username', 'password');
    together('dkimSelector', 'dkimKey');
    together('bounceDomain', 'bounceSecret');
    const isEncrypted = isTls(options) || options.startTls === 'required';
    if (options.password !== undefined && !isEncrypted)
      issue('startTls', 'A password goes over an encrypted connection only.');
    if (isTls(options) && options.startTls !== 'required')
      issue('startTls', 'A connection to smtps:// is always encrypted.');
    for (const name of ['ca', 'serverName'] as const)
      if (options[name] !== undefined && !isEncrypted)
        issue(name, 'Certificates belong to encrypted connections.');
  });
export type SmtpOptions = z.output<typeof SmtpOptions>;

/** The key as PEM has it: one that was pasted into a single line has lost the ends of its lines. */
export function signingKeyIn(pem: string): string {
  const [, label, body] = KEY.exec(pem.trim()) ?? [];
  if (!label || !body) return pem;
  return `-----BEGIN ${label}-----\n${body.replaceAll(/\s+/g, '\n').trim()}\n-----END ${label}-----\n`;
}

const KEY =
  /^-----BEGIN ((?:RSA )?PRIVATE KEY)-----([A-Za-z0-9+/=\s]+)-----END (?:RSA )?PRIVATE KEY-----$/;

function isSigningKey(pem: string): boolean {
  try {
    const { asymmetricKeyType, asymmetricKeyDetails } = createPrivateKey(signingKeyIn(pem));
    return asymmetricKeyType === 'rsa' && asymmetricKeyDetails!.modulusLength! >= MIN_KEY_BITS;
  } catch {
    return false;
  }
}
