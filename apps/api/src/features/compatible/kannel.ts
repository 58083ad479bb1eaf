import { Injectable } from '@nestjs/common';
import { sendings } from '@heliograph/contract';
import { Clock, secondsAfter } from '../../core/clock.ts';
import { AppError } from '../../core/errors.ts';
import type { Actor } from '../../core/auth/actor.ts';
import type { SendingOrigin } from '../sendings/sendings.service.ts';
import { MessageCallbacks } from '../webhooks/message-callbacks.service.ts';
import type { Answer, Call, VendorApi } from './call.ts';
import { CallsService, isServerError, reasonOf, tokenOf } from './calls.service.ts';
import { statusesOfMask } from './kannel-callback.ts';
import { readParameters, type Parameters } from './parameters.ts';

/** Of all bits. */
const MAX_MASK = 63;
const MAX_PRIORITY = 3;
/** Values of `coding`. */
const [GSM, BINARY, UNICODE] = [0, 1, 2];
const FLASH = 0;

/** `/cgi-bin/sendsms` of Kannel. Source: its user guide 1.4.5, "Using the HTTP interface to send SMS messages". */
@Injectable()
export class KannelApi implements VendorApi {
  readonly name = 'kannel';
  readonly paths = ['/cgi-bin/sendsms'];

  constructor(
    private readonly calls: CallsService,
    private readonly callbacks: MessageCallbacks,
    private readonly clock: Clock,
  ) {}

  async answer(call: Call): Promise<Answer> {
    const given = await readParameters(call.request);
    const username = given.first('username', 'user') ?? '';
    const token = tokenOf(username, given.first('password', 'pass'));
    const actor = await this.calls.authenticate(call, token);
    this.calls.begin(call, sendings.create);
    const read = readSendsms(given, this.clock.now());
    const { phones, denied } = await this.calls.recipientsOf(actor, read.recipients);
    if (!phones.length)
      throw refusedAs('Number(s) has/have been denied by white- and/or black-lists.');
    const origin = await this.originOf(actor, given, username, read.at);
    await this.calls.send(call, { ...read, recipients: phones }, origin);
    const accepted = read.at ? '3: Queued for later delivery' : '0: Accepted for delivery';
    const others = denied.length ? ` Denied receivers are: ${denied.join(' ')}` : '';
    return { status: 202, body: `${accepted}${others}` };
  }

  /** What is temporary is 503, as there. */
  refusal(error: AppError): Answer {
    const { code, status } = error;
    if (status === 401 || code === 'address_not_allowed')
      return { status: 403, body: 'Authorization failed for sendsms' };
    if (isServerError(error) || status === 429)
      return { status: 503, body: 'Temporal failure, try again later.' };
    if (code === 'bad_request') return { status: 400, body: error.message };
    const { field, message } = reasonOf(error);
    return { status, body: `${message.replace(/\.$/, '')}${field && ` (${field})`}, rejected` };
  }

  private async originOf(
    actor: Actor,
    given: Parameters,
    username: string,
    at: Date | undefined,
  ): Promise<SendingOrigin> {
    const mask = intOf(given, 'DLR-Mask', 0, MAX_MASK, 'dlr-mask', 'dlrmask') ?? 0;
    const url = given.first('dlr-url', 'dlrurl');
    const statuses = statusesOfMask(mask);
    if (!url || !statuses.length) return {};
    const WebhookId = await this.callbacks.open(actor, {
      api: 'kannel',
      field: 'dlr-url',
      url,
      title: `Kannel ${username}`,
      method: 'GET',
      secret: '',
      at: at ?? this.clock.now(),
    });
    const values = {
      mask: String(mask),
      username,
      smsc: given.text('smsc') ?? '',
      account: given.text('account') ?? '',
    };
    return { callback: { WebhookId, statuses, url, values } };
  }
}

const refusedAs = (message: string) => new AppError('bad_request', message);

/** A number of the call, of whose names one is given; Kannel takes -1 for none. */
function intOf(
  given: Parameters,
  label: string,
  min: number,
  max: number,
  ...names: string[]
): number | undefined {
  const text = given.first(...names)?.trim();
  if (!text || text === '-1') return undefined;
  const number = /^\d{1,9}$/.test(text) ? Number(text) : NaN;
  if (!(number >= min && number <= max)) throw refusedAs(`${label} field misformed, rejected`);
  return number;
}

/** What a call asks to send, without its callback. Throws `bad_request` with Kannel's texts. */
function readSendsms(given: Parameters, now: Date) {
  const to = given.text('to');
  if (to === undefined) throw refusedAs('Missing receiver number, rejected');
  const recipients = to.split(/\s+/).filter(Boolean);
  if (!recipients.length) throw refusedAs('Empty receiver number not allowed, rejected');
  const sender = given.text('from')?.trim();
  if (!sender) throw refusedAs('Sender missing and no global set, rejected');
  refuseUnsupported(given);
  const text = textOf(given);
  if (!text) throw refusedAs('Text missing, rejected');
  const validity = intOf(given, 'Validity', 0, Infinity, 'validity');
  const deferred = intOf(given, 'Deferred', 0, Infinity, 'deferred');
  return {
    sender,
    recipients,
    text,
    ...(deferred && { at: secondsAfter(now, deferred * 60) }),
    ...(validity !== undefined && { validSeconds: validity * 60 }),
  };
}

/** What would be another message without it. */
function refuseUnsupported(given: Parameters): void {
  if (given.text('udh', 'latin1')) throw refusedAs('UDH is not supported, rejected');
  if (intOf(given, 'MWI', 0, 7, 'mwi') !== undefined)
    throw refusedAs('MWI is not supported, rejected');
  if (intOf(given, 'MClass', 0, 3, 'mclass') === FLASH)
    throw refusedAs('Flash messages are not supported, rejected');
  intOf(given, 'Priority', 0, MAX_PRIORITY, 'priority');
}

/** The text is UTF-8 unless `charset` names another encoding; with `coding` 2 alone it is UTF-16BE. */
function textOf(given: Parameters): string {
  const coding = intOf(given, 'Coding', GSM!, UNICODE!, 'coding') ?? GSM;
  if (coding === BINARY) throw refusedAs('Binary messages are not supported, rejected');
  const charset = given.text('charset') || (coding === UNICODE ? 'utf-16be' : 'utf-8');
  try {
    return given.text('text', charset) ?? '';
  } catch {
    throw refusedAs('Charset or body misformed, rejected');
  }
}
