import PostalMime, { type Email } from 'postal-mime';

import { AppError } from '../../core/errors.ts';
import { isSameSecret } from '../../core/http/same-secret.ts';
import type { CallbackDoor, CarrierCallback, CarrierReport, IncomingCallback } from '../channel.ts';
import type { SmtpOptions } from './options.ts';
import { isHardBounce, refusalOf, replyIn } from './replies.ts';
import { referenceIn } from './return-path.ts';

/** What is read of a mail, which anybody may have written: a report says all in its beginning, before the message that it returns. */
const MAX_READ = 64 * 1024;
/** The parser takes its time for each. */
const MAX_LINES = 2_000;
const LIMITS = { maxNestingDepth: 20, maxHeadersSize: MAX_READ, maxRfc822NestingDepth: 0 };

/** The door for returned mail: bounces (RFC 3464) and complaints (RFC 5965), as the servers of the return path get them. */
export function bounceDoor(secret: string): CallbackDoor {
  return {
    isGenuine: (call) => isGenuine(call, secret),
    async read(fields, now): Promise<CarrierCallback> {
      const { message } = (fields ?? {}) as { message?: unknown };
      // The body of another type was read as something else: the mail would be lost.
      if (typeof message !== 'string')
        throw new AppError('unsupported_media', 'Returned mail comes as message/rfc822');
      const report = await reportIn(message, secret, now);
      return {
        reports: report ? [report] : [],
        messages: [],
        ignored: report ? 0 : 1,
        answer: 'OK',
      };
    },
  };
}

export const doorOf = ({ bounceSecret }: SmtpOptions): { callback?: CallbackDoor } =>
  bounceSecret ? { callback: bounceDoor(bounceSecret) } : {};

function isGenuine({ headers }: IncomingCallback, secret: string): boolean {
  return isSameSecret(String(headers.authorization ?? '').replace(/^Bearer /i, ''), secret);
}

/** What a mail says of a message of ours. Nothing, if it is no report: an answer of a machine that somebody is on leave, or a delay. */
async function reportIn(
  message: string,
  secret: string,
  now: Date,
): Promise<CarrierReport | undefined> {
  const mail = await parsed(message);
  if (!mail) return undefined;
  const status = partOf(mail, DELIVERY_STATUS);
  const feedback = partOf(mail, ['message/feedback-report']);
  const said = status
    ? deliveryIn(status)
    : feedback
      ? complaintIn(feedback)
      : plainFailureIn(mail);
  const reference = said && referenceIn(traces(mail, [status, feedback]), secret);
  return reference ? { reference, at: now, ...said } : undefined;
}

async function parsed(message: string): Promise<Email | undefined> {
  try {
    return await PostalMime.parse(Buffer.from(beginningOf(message), 'latin1'), {
      ...LIMITS,
      attachmentEncoding: 'utf8',
      forceRfc822Attachments: true,
    });
  } catch {
    return undefined;
  }
}

function beginningOf(message: string): string {
  const beginning = message.slice(0, MAX_READ);
  let end = -1;
  for (let lines = 0; lines < MAX_LINES; lines++) {
    end = beginning.indexOf('\n', end + 1);
    if (end < 0) return beginning;
  }
  return beginning.slice(0, end);
}

/** A report is about one recipient: each mail has a return path of its own. */
function deliveryIn(part: string): Said | undefined {
  const fields = groupsOf(part).find((group) => group.has('action'));
  switch (fields?.get('action')?.toLowerCase()) {
    case 'failed': {
      const status = ENHANCED.exec(fields.get('status') ?? '')?.[0];
      const text = (fields.get('diagnostic-code') ?? '').replace(/^\s*[\w-]{1,40}\s*;\s*/, '');
      const reply = replyIn(text);
      // Exim writes 5.0.0 of every failure, and what the other server has said.
      const isVague = !status || status.endsWith('.0.0');
      const enhanced = isVague ? (reply.enhanced ?? status) : status;
      return failure({ code: reply.code, enhanced, text });
    }
    case 'delivered':
      return { status: 'delivered' };
    default:
      return undefined;
  }
}

const ENHANCED = /\b[245]\.\d{1,3}\.\d{1,3}\b/;
/** Of a server's answer in a sentence, and of qmail: `(#5.1.1)`. */
const REPLY = /(?<![\w.@-])([45]\d\d)(?=[ -])(?:[ -]([45]\.\d{1,3}\.\d{1,3})\b)?/;
/** What begins the paragraph of a recipient in QSBMF; an answer of a person's program has none. */
const OF_RECIPIENT = /^<[^>]*>:\s*$/;
const OF_QMAIL = /#([45]\.\d{1,3}\.\d{1,3})\b/;

/**
 * What qmail and old versions of Exim write, in words alone: after a beginning that is always the same (QSBMF), or under a header of
 * Exim's. Last, before a copy of the message, comes the address, and why it got nothing.
 */
function plainFailureIn({ headers, text = '' }: Email): Said | undefined {
  const plain = text.replaceAll('\r', '');
  const [before = ''] = plain.split(/^-/m, 1);
  const [first, ...lines] = before.trim().split(/\n\n+/).at(-1)!.split('\n');
  const isFailure =
    (plain.startsWith('Hi. This is the ') && OF_RECIPIENT.test(first!)) ||
    headers.some(({ key }) => key === 'x-failed-recipients');
  if (!isFailure) return undefined;
  const said = lines.map((line) => line.trim()).join(' ');
  const [, code = 0, enhanced = OF_QMAIL.exec(said)?.[1]] = REPLY.exec(said) ?? [];
  return failure({ code: Number(code), enhanced, text: said });
}

function failure(reply: { code: number; enhanced: string | undefined; text: string }): Said {
  const { code, enhanced, text } = reply;
  const given = { code, ...(enhanced && { enhanced }) };
  return {
    status: 'failed',
    code: refusalOf(given),
    ...((enhanced || code > 0) && { carrierCode: enhanced ?? code }),
    ...(text && { text }),
    ...(isHardBounce(given) && { suppress: 'bounce' as const }),
  };
}

/** Who complains has the message. Reports of other kinds are not about the will of a recipient. */
function complaintIn(part: string): Said | undefined {
  const fields = groupsOf(part)[0];
  const type = fields?.get('feedback-type')?.toLowerCase();
  return type === 'abuse' || type === 'fraud' || type === 'opt-out'
    ? { status: 'delivered', suppress: 'complaint' }
    : undefined;
}

type Said = Pick<CarrierReport, 'status' | 'code' | 'carrierCode' | 'text' | 'suppress'>;

/** Where a mail may name the message: the address it came to, and what it quotes. */
function traces({ headers, attachments }: Email, parts: (string | undefined)[]): string {
  const own = headers.filter(({ key }) => ADDRESSED.has(key)).map(({ value }) => value);
  const quoted = attachments
    .filter(({ mimeType }) => QUOTED.has(mimeType))
    .map(({ content }) => String(content));
  return [...own, ...parts, ...quoted].join('\n');
}

const ADDRESSED = new Set(['to', 'delivered-to', 'x-original-to', 'in-reply-to', 'references']);
/** Under `global`, those of addresses beyond ASCII: RFC 6533. */
const DELIVERY_STATUS = ['message/delivery-status', 'message/global-delivery-status'];
const QUOTED = new Set([
  'message/rfc822',
  'text/rfc822-headers',
  'message/rfc822-headers',
  'message/global',
  'message/global-headers',
]);

const partOf = ({ attachments }: Email, types: readonly string[]): string | undefined => {
  const part = attachments.find(({ mimeType }) => types.includes(mimeType));
  return part && String(part.content);
};

/** The groups of fields of a report, by small names: the first field of a name counts. */
function groupsOf(part: string): Map<string, string>[] {
  const unfolded = part.replaceAll('\r', '').replace(/\n[ \t]+/g, ' ');
  return unfolded.split(/\n\n+/).map((group) => {
    const fields = new Map<string, string>();
    for (const line of group.split('\n')) {
      const at = line.indexOf(':');
      const name = line.slice(0, Math.max(at, 0)).trim().toLowerCase();
      if (name && !fields.has(name)) fields.set(name, line.slice(at + 1).trim());
    }
    return fields;
  });
}
