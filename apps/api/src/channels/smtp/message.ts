import { buffer } from 'node:stream/consumers';

import { isBlank, normalizeEmail, type SendingErrorCode } from '@heliograph/domain';
import DKIM from 'nodemailer/lib/dkim';
import { LRUCache } from 'lru-cache';
import MailComposer from 'nodemailer/lib/mail-composer';

import type { MessageFile, MessageFiles, OutgoingMessage } from '../channel.ts';
import { signingKeyIn, type SmtpOptions } from './options.ts';
import { returnPathOf, tokenOf } from './return-path.ts';
import { asciiDomainOf, lineOf, mailboxOf } from './sender.ts';

/** A message as the server gets it. */
export interface Mail {
  from: string;
  to: string;
  content: Buffer;
}

/** RFC 6376, section 5.4.1, and what RFC 8058 wants to be signed for one click to count. */
const SIGNED =
  'From:Sender:Reply-To:Subject:Date:Message-ID:To:MIME-Version:Content-Type:Content-Transfer-Encoding:List-Unsubscribe:List-Unsubscribe-Post';

/** Mail servers take 20 to 25 MB, and base64 makes four bytes of three. */
const MAX_ATTACHMENT = 15 * 1024 * 1024;
const MAX_CACHED = 2 * MAX_ATTACHMENT;
const CACHED_MS = 60_000;

/** Writes messages as mail, signed if the channel has a key. */
export class MailWriter {
  private readonly dkim: DKIM | undefined;
  /** Of a bulk all mails have the same. */
  private readonly attached = new LRUCache<string, MessageFile>({
    maxSize: MAX_CACHED,
    sizeCalculation: ({ bytes }) => Math.max(bytes.length, 1),
    ttl: CACHED_MS,
  });

  constructor(
    private readonly options: SmtpOptions,
    private readonly files: MessageFiles,
  ) {
    const { dkimSelector, dkimKey, domain } = options;
    if (!dkimSelector || !dkimKey) return;
    this.dkim = new DKIM({
      domainName: domain,
      keySelector: dkimSelector,
      privateKey: signingKeyIn(dkimKey),
      headerFieldNames: SIGNED,
    });
  }

  /** The mail, or why there cannot be one. */
  async write(message: OutgoingMessage, now: Date): Promise<Mail | SendingErrorCode> {
    const { reference, type, payload, headers } = message;
    if (type !== 'email') return 'unsupported';
    if (!payload.text || isBlank(payload.text)) return 'invalid_payload';
    const from = mailboxOf(message.sender, this.options);
    if (!from) return 'rejected_sender';
    const to = asciiDomainOf(normalizeEmail(message.recipient) ?? '');
    if (!to) return 'invalid_recipient';
    const file = await this.fileOf(payload.file);
    if (typeof file === 'string') return file;
    const { domain, bounceSecret } = this.options;
    const id = bounceSecret ? tokenOf(reference, bounceSecret) : reference;
    const composer = new MailComposer({
      from,
      to: { name: '', address: to },
      subject: lineOf(typeof payload.subject === 'string' ? payload.subject : ''),
      text: payload.text.toWellFormed(),
      html: payload.html?.toWellFormed(),
      messageId: `<${id}@${domain}>`,
      date: now,
      headers,
      attachments: file && [
        { filename: lineOf(file.filename), contentType: file.type, content: file.bytes },
      ],
      // What a customer writes is never a path.
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    const written = await composer.compile().build();
    const content = this.dkim ? await buffer(this.dkim.sign(written)) : written;
    return { from: returnPathOf(this.options, reference, from.address), to, content };
  }

  /** The file of a message, undefined without one, or why it cannot go with it. */
  private async fileOf(id: unknown): Promise<MessageFile | SendingErrorCode | undefined> {
    if (typeof id !== 'string') return undefined;
    const known = this.attached.get(id);
    if (known) return known;
    const read = await this.files.read(id, MAX_ATTACHMENT);
    if (read === 'missing') return 'invalid_payload';
    if (read === 'too_large') return 'too_long';
    this.attached.set(id, read);
    return read;
  }
}
