import { Injectable } from '@nestjs/common';
import { sendings, type Sending } from '@heliograph/contract';
import { segmentsOf } from '@heliograph/domain';
import type { Actor } from '../../core/auth/actor.ts';
import { Clock } from '../../core/clock.ts';
import { AppError, notFound } from '../../core/errors.ts';
import { SendingsService, type SendingOrigin } from '../sendings/sendings.service.ts';
import { SettingsService } from '../settings/settings.service.ts';
import { MessageCallbacks } from '../webhooks/message-callbacks.service.ts';
import type { Answer, Call, VendorApi } from './call.ts';
import { CallsService, isServerError, reasonOf, tokenOf } from './calls.service.ts';
import { readParameters, type Parameters } from './parameters.ts';
import { signingState } from './signing-state.ts';
import { API_VERSION, factsOf, idOfSid, presentMessage } from './twilio-messages.ts';

const ACCOUNTS = `/${API_VERSION}/Accounts`;
const PATH = new RegExp(`^${ACCOUNTS}/([^/]{1,64})/Messages(?:/([^/]{1,64}))?\\.json$`, 'i');
const MAX_AUTHORIZATION = 300;
const MAX_VALIDITY_SECONDS = 36_000;
/** What would make another message of it. */
const UNSUPPORTED = ['MediaUrl', 'ContentSid', 'ContentVariables', 'PersistentAction'];
const ISO_8601 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?(?:Z|[+-]\d\d:?\d\d)$/;
/** The statuses that callbacks report. */
const STATUSES = ['sent', 'delivered', 'failed'] as const;

interface Account {
  actor: Actor;
  /** `AC` and the visible part of the token. */
  sid: string;
  /** The secret part of the token, which signs callbacks. */
  authToken: string;
}

/** The resource Message of Twilio's API of 2010. Source: its reference, "Messages resource" and "Webhooks security". */
@Injectable()
export class TwilioApi implements VendorApi {
  readonly name = 'twilio';
  readonly paths = [ACCOUNTS];

  constructor(
    private readonly calls: CallsService,
    private readonly sendings: SendingsService,
    private readonly settings: SettingsService,
    private readonly callbacks: MessageCallbacks,
    private readonly clock: Clock,
  ) {}

  async answer(call: Call): Promise<Answer> {
    const account = await this.authenticate(call);
    const [, accountSid, sid] = PATH.exec(call.path) ?? [];
    if (accountSid !== account.sid) throw notFound();
    const isPost = call.request.method === 'POST';
    if (sid !== undefined)
      return isPost ? this.cancel(call, account, sid) : this.get(call, account, sid);
    if (!isPost) throw new AppError('method_not_allowed');
    return this.create(call, account);
  }

  refusal(error: AppError, { path }: Call): Answer {
    const { code, message, status } = refusalOf(error, path);
    return {
      status,
      // Programs that send their credentials only when they are asked for them.
      ...(status === 401 && { headers: { 'www-authenticate': 'Basic realm="API"' } }),
      body: { code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status },
    };
  }

  /** The user name is the SID of the account, the password its auth token. */
  private async authenticate(call: Call): Promise<Account> {
    const { authorization = '' } = call.request.headers;
    const [, given] =
      authorization.length <= MAX_AUTHORIZATION
        ? (/^Basic +([\w+/=-]+)$/i.exec(authorization) ?? [])
        : [];
    const [sid = '', ...rest] = Buffer.from(given ?? '', 'base64')
      .toString('utf8')
      .split(':');
    const authToken = rest.join(':');
    // All of the token would sign otherwise.
    const isSecretPart = sid.startsWith('AC') && !authToken.startsWith('hg_');
    const token = isSecretPart ? tokenOf(sid.slice(2), authToken) : '';
    return { actor: await this.calls.authenticate(call, token), sid, authToken };
  }

  private async create(call: Call, account: Account): Promise<Answer> {
    const { actor, sid } = account;
    this.calls.begin(call, sendings.create);
    const given = await readParameters(call.request);
    const { to, sender, text, at, validSeconds } = readMessage(given);
    const {
      phones: [phone],
    } = await this.calls.recipientsOf(actor, [to]);
    if (!phone) throw new AppError('invalid_recipient');
    const origin = await this.originOf(account, given);
    const message = { sender, recipients: [phone], text, at, validSeconds };
    const { id } = await this.calls.send(call, message, origin);
    const { currency } = await this.settings.sendingRules(actor.OwnerId);
    const now = this.clock.now().toISOString();
    const body = presentMessage(sid, {
      id,
      from: sender,
      to: phone,
      body: text,
      segments: segmentsOf(text),
      status: 'pending',
      isScheduled: at !== undefined,
      code: null,
      error: null,
      createdAt: now,
      updatedAt: now,
      sentAt: null,
      amount: null,
      currency,
    });
    return { status: 201, body };
  }

  private async get(call: Call, account: Account, messageSid: string): Promise<Answer> {
    this.calls.begin(call, sendings.get);
    const id = knownId(messageSid);
    const { actor } = account;
    const found = await this.calls.run(call, sendings.get, () => this.sendings.get(actor, id));
    return this.presented(account, found);
  }

  /** An update that sets the status `canceled`. There is no other. */
  private async cancel(call: Call, account: Account, messageSid: string): Promise<Answer> {
    this.calls.begin(call, sendings.cancel);
    const id = knownId(messageSid);
    const given = await readParameters(call.request);
    if (given.text('Status') !== 'canceled' || given.names().some((name) => name !== 'Status'))
      throw new Numbered(20001, "Only the Status 'canceled' can be set");
    const { actor } = account;
    const found = await this.calls.run(call, sendings.cancel, () =>
      this.sendings.cancel(actor, id),
    );
    return this.presented(account, found);
  }

  private async presented({ actor, sid }: Account, found: Sending): Promise<Answer> {
    const { currency } = await this.settings.sendingRules(actor.OwnerId);
    return { status: 200, body: presentMessage(sid, factsOf(found, currency, this.clock.now())) };
  }

  private async originOf(
    { actor, sid, authToken }: Account,
    given: Parameters,
  ): Promise<SendingOrigin> {
    const url = given.text('StatusCallback');
    if (!url) return {};
    const WebhookId = await this.callbacks.open(actor, {
      api: this.name,
      field: 'StatusCallback',
      url,
      title: `Twilio ${sid}`,
      method: 'POST',
      secret: signingState(authToken),
      at: this.clock.now(),
    });
    return { callback: { WebhookId, statuses: [...STATUSES], url, values: { AccountSid: sid } } };
  }
}

/** A refusal that Twilio has a number of its own for. */
class Numbered extends AppError {
  constructor(
    readonly number: number,
    message: string,
  ) {
    super('bad_request', message);
  }
}

function knownId(messageSid: string): string {
  const id = idOfSid(messageSid);
  if (!id) throw notFound();
  return id;
}

/** The time of `SendAt`. There it needs a `MessagingServiceSid` beside it, which means nothing here; without `SendAt` that would choose the sender. */
function readTime(given: Parameters): Date | undefined {
  const [sendAt, type] = [given.text('SendAt')?.trim(), given.text('ScheduleType')];
  if (!sendAt && (type || given.text('MessagingServiceSid')))
    throw new Numbered(
      20001,
      'ScheduleType and MessagingServiceSid are supported with SendAt only',
    );
  if (!sendAt) return undefined;
  if (type !== 'fixed') throw new Numbered(20001, "SendAt needs the ScheduleType 'fixed'");
  const at = ISO_8601.test(sendAt) ? new Date(sendAt) : null;
  if (!at || Number.isNaN(at.getTime()))
    throw new Numbered(WRONG_TIME, 'SendAt must be a time in ISO 8601');
  return at;
}

function readMessage(given: Parameters) {
  const unsupported = UNSUPPORTED.find((name) =>
    given.names().some((one) => one === name || one.startsWith(`${name}[`)),
  );
  if (unsupported) throw new Numbered(20001, `${unsupported} is not supported`);
  const to = given.text('To')?.trim();
  if (!to) throw new Numbered(21604, "A 'To' phone number is required.");
  const sender = given.text('From')?.trim();
  if (!sender) throw new Numbered(21603, "A 'From' phone number is required.");
  const text = given.text('Body');
  if (!text) throw new Numbered(21602, 'Message body is required.');
  const validity = given.text('ValidityPeriod');
  const validSeconds = validity ? Number(validity) : undefined;
  const isValid =
    validSeconds === undefined ||
    (Number.isInteger(validSeconds) && validSeconds > 0 && validSeconds <= MAX_VALIDITY_SECONDS);
  if (!isValid)
    throw new Numbered(20001, `ValidityPeriod must be between 1 and ${MAX_VALIDITY_SECONDS}`);
  return { to, sender, text, at: readTime(given), validSeconds };
}

const WRONG_TIME = 35114;
/** Numbers and statuses by the code of a refusal; others are 400 with 20001. */
const BY_CODE: Record<string, [number: number, status: number]> = {
  unauthorized: [20003, 401],
  address_not_allowed: [20003, 401],
  forbidden: [20003, 403],
  not_found: [20404, 404],
  method_not_allowed: [20004, 405],
  conflict: [30409, 409],
  rate_limited: [20429, 429],
  invalid_recipient: [21211, 400],
  no_recipients: [21211, 400],
  landline: [21614, 400],
  blacklisted: [21610, 400],
  unsubscribed: [21610, 400],
  frequency_cap_reached: [21610, 400],
  sender_not_approved: [21606, 400],
  phone_not_confirmed: [21608, 400],
  too_long: [21617, 400],
  insufficient_funds: [30002, 400],
  spend_cap_reached: [30002, 400],
  account_inactive: [20005, 403],
  no_price: [21612, 400],
  type_unavailable: [21612, 400],
};
const BY_FIELD: Record<string, number> = {
  recipient: 21211,
  'payload.sender': 21606,
  'payload.text': 21617,
  StatusCallback: 21609,
  sendAt: WRONG_TIME,
};
const INVALID = 20001;
const INTERNAL = 20500;
const UNAVAILABLE = 20503;

function refusalOf(
  error: AppError,
  path: string,
): { code: number; message: string; status: number } {
  const { code, status } = error;
  if (code === 'unauthorized') return { code: 20003, message: 'Authenticate', status: 401 };
  if (code === 'not_found')
    return { code: 20404, message: `The requested resource ${path} was not found`, status: 404 };
  const { field, message } = reasonOf(error);
  if (error instanceof Numbered) return { code: error.number, message, status: 400 };
  if (field in BY_FIELD) return { code: BY_FIELD[field]!, message, status: 400 };
  const known = BY_CODE[code];
  if (known) return { code: known[0], message, status: known[1] };
  if (isServerError(error))
    return { code: status === 503 ? UNAVAILABLE : INTERNAL, message, status };
  return { code: INVALID, message, status: 400 };
}
