import { Injectable } from '@nestjs/common';
import { billings, sendings, type Estimate, type Sending } from '@heliograph/contract';
import { isUuid, normalizePhone, segmentsOf } from '@heliograph/domain';
import { requirePermission, type Actor } from '../../core/auth/actor.ts';
import { Clock } from '../../core/clock.ts';
import { AppError, invalid } from '../../core/errors.ts';
import { BillingsService } from '../billings/billings.service.ts';
import { SendingsService } from '../sendings/sendings.service.ts';
import { SettingsService } from '../settings/settings.service.ts';
import type { Answer, Call, VendorApi } from './call.ts';
import { CallsService, isServerError, reasonOf, tokenOf, type Message } from './calls.service.ts';
import { readParameters, type Parameters } from './parameters.ts';
import { SentStore, type Sent } from './sent.store.ts';
import {
  failed,
  FORMATS,
  formatted,
  moneyText,
  moscowTime,
  NOT_FOUND,
  numberOf,
  smscError,
  smscStatus,
  smscTime,
  STATUS_NAMES,
  type SmscFormat,
} from './smsc-answers.ts';

const SEND = '/sys/send.php';
const STATUS = '/sys/status.php';
const BALANCE = '/sys/balance.php';
/** Values of `cost`: the price instead of sending, with the answer, and with the balance. */
const [ONLY, WITH, WITH_BALANCE] = ['1', '2', '3'];
const CLIENT_ID = /^[\w.-]{1,40}$/;
/** `hh` or `hh:mm`, up to a day. */
const VALID = /^(\d{1,2})(?::([0-5]\d))?$/;
const MAX_VALID_HOURS = 24;
/** What would be another message without it, or is none that is sent here. */
const UNSUPPORTED = [
  'list',
  'translit',
  'tinyurl',
  'flash',
  'bin',
  'push',
  'hlr',
  'ping',
  'mms',
  'mail',
  'call',
  'viber',
  'soc',
  'bot',
  'tg',
  'fileurl',
  'freq',
  'period',
];

/** `send.php`, `status.php` and `balance.php` of SMSC.ru. Source: its API over HTTP, "Отправка SMS-сообщения" and "Статусы сообщений". */
@Injectable()
export class SmscApi implements VendorApi {
  readonly name = 'smsc';
  readonly paths = [SEND, STATUS, BALANCE];

  constructor(
    private readonly calls: CallsService,
    private readonly sendings: SendingsService,
    private readonly settings: SettingsService,
    private readonly billings: BillingsService,
    private readonly store: SentStore,
    private readonly clock: Clock,
  ) {}

  async answer(call: Call): Promise<Answer> {
    const given = await readParameters(call.request);
    call.given = given;
    const key = given.text('apikey') ?? (given.text('login') ? undefined : given.text('psw'));
    const token = key ?? tokenOf(given.text('login'), given.text('psw'));
    const actor = await this.calls.authenticate(call, token);
    switch (call.path.toLowerCase()) {
      case SEND:
        return this.send(call, actor, given);
      case STATUS:
        return this.status(call, actor, given);
      default:
        return this.balance(call, actor, given);
    }
  }

  refusal(error: AppError, { given, request }: Call): Answer {
    const id = given?.text('id', 'latin1') ?? '';
    const own =
      given?.text('phones', 'latin1') && CLIENT_ID.test(id) && id !== '0' ? id : undefined;
    const [code, text] = refusalOf(error, request.actor !== undefined);
    const answer = failed(given ? formatOf(given) : '0', code, text, own);
    return isServerError(error) ? { ...answer, status: 503 } : answer;
  }

  private async send(call: Call, actor: Actor, given: Parameters): Promise<Answer> {
    const cost = given.text('cost') ?? '';
    const isPrice = cost === ONLY;
    this.calls.begin(call, isPrice ? sendings.estimate : sendings.create);
    if (cost === WITH_BALANCE) requirePermission(actor, 'billings.find');
    const read = readSend(given, this.clock.now());
    const { phones } = await this.calls.recipientsOf(actor, read.recipients);
    if (!phones.length) throw new AppError('invalid_recipient');
    const sender = await this.calls.senderOf(actor, given.text('sender')?.trim());
    const message = { ...read, sender, recipients: phones };
    const format = formatOf(given);
    const isPriced = cost === WITH || cost === WITH_BALANCE;
    const isBulk = phones.length > 1;
    const estimate =
      isPrice || (isPriced && isBulk) ? await this.calls.estimate(call, message) : undefined;
    const cnt = estimate ? segmentsIn(estimate) : phones.length * segmentsOf(read.text);
    if (isPrice) {
      const price = moneyText(estimate!.amount);
      return formatted(format, { cost: price, cnt }, `${price} (${cnt} SMS)`);
    }
    const { id } = await this.calls.send(call, message);
    const price = isPriced
      ? moneyText(estimate?.amount ?? (await this.priceOf(actor, id)))
      : undefined;
    const balance =
      cost === WITH_BALANCE ? moneyText(await this.billings.balanceOf(actor.OwnerId)) : undefined;
    const shown = read.callbackData ?? numberOf(id);
    const sentence = [`OK - ${cnt} SMS, ID - ${shown}`]
      .concat(price ? `COST - ${price}` : [], balance ? `BALANCE - ${balance}` : [])
      .join(', ');
    return formatted(format, { id: shown, cnt, cost: price, balance }, sentence);
  }

  /** What a message cost that was just sent. */
  private async priceOf(actor: Actor, id: string): Promise<number> {
    const [row] = await this.sendings.presentedAll(actor.scope, [id], actor.level);
    return row?.meta.billing?.amount ?? 0;
  }

  private async status(call: Call, actor: Actor, given: Parameters): Promise<Answer> {
    this.calls.begin(call, sendings.get);
    const id = given.text('id')?.trim() ?? '';
    const phone = normalizePhone(
      given.text('phone')?.trim() ?? '',
      await this.settings.countryOf(actor.OwnerId),
    );
    if (!phone || !(CLIENT_ID.test(id) || isUuid(id))) throw new AppError('bad_request');
    const found = await this.find(actor, phone, id);
    const row = found ? await this.sendings.get(actor, found) : undefined;
    return presentStatus(formatOf(given), given.text('all') ?? '', row);
  }

  private async balance(call: Call, actor: Actor, given: Parameters): Promise<Answer> {
    this.calls.begin(call, billings.balance);
    const balance = moneyText(await this.billings.balanceOf(actor.OwnerId));
    const { currency } = await this.settings.sendingRules(actor.OwnerId);
    const shown = given.text('cur') === '1' ? currency : undefined;
    const sentence = shown ? `${balance} ${shown}` : balance;
    return formatted(formatOf(given), { balance, currency: shown }, sentence);
  }

  /** The message, or the bulk without messages, that a client knows by its own id or by our number. */
  private async find({ OwnerId }: Actor, phone: string, id: string): Promise<string | undefined> {
    const number = Number(id);
    const isMeant = (sent: Sent) =>
      sent.callbackData === null
        ? [sent.id, sent.groupId].some((one) => one && (one === id || numberOf(one) === number))
        : sent.callbackData === id;
    const message = (await this.store.to(OwnerId, phone)).find(isMeant);
    return (message ?? (await this.store.bulks(OwnerId)).find(isMeant))?.id;
  }
}

/** What a call asks to send, without its sender. Throws `bad_request`, or the field that is wrong. */
function readSend(given: Parameters, now: Date): Omit<Message, 'sender'> {
  if (UNSUPPORTED.some((name) => !['', '0', undefined].includes(given.text(name, 'latin1'))))
    throw new AppError('bad_request');
  const text = textOf(given);
  const recipients = (given.text('phones') ?? '').split(/[,;]/).map((one) => one.trim());
  const id = given.text('id') ?? '';
  const hasId = id !== '' && id !== '0';
  if (!text || !recipients.some(Boolean) || (hasId && !CLIENT_ID.test(id)))
    throw new AppError('bad_request');
  const maximum = Number(given.text('maxsms') || 0);
  if (maximum && segmentsOf(text) > maximum) throw new AppError('too_long');
  const at = smscTime(given.text('time')?.trim() ?? '', given.text('tz')?.trim() ?? '', now);
  if (at === null) throw invalid('schedule.delay', 'time', 'The time is invalid');
  return {
    text,
    recipients: recipients.filter(Boolean),
    ...(at && at > now && { at }),
    ...validityOf(given.text('valid')?.trim() ?? ''),
    ...(hasId && { callbackData: id }),
  };
}

function validityOf(text: string): { validSeconds?: number } {
  if (text === '' || text === '0') return {};
  const [, hours, minutes = '0'] = VALID.exec(text) ?? [];
  const validSeconds = Number(hours) * 3600 + Number(minutes) * 60;
  if (!(validSeconds > 0 && validSeconds <= MAX_VALID_HOURS * 3600))
    throw new AppError('bad_request');
  return { validSeconds };
}

/** The encoding is that of `charset`, else UTF-8 if the text is valid in it, else windows-1251, which is the default there. */
function textOf(given: Parameters): string {
  const charset = given.text('charset');
  if (charset) return given.text('mes', charset) ?? '';
  try {
    return given.text('mes') ?? '';
  } catch {
    return given.text('mes', 'windows-1251') ?? '';
  }
}

function formatOf(given: Parameters): SmscFormat {
  const format = given.text('fmt', 'latin1') ?? '0';
  return FORMATS.find((one) => one === format) ?? '0';
}

const segmentsIn = ({ operators }: Estimate): number =>
  operators
    .flatMap(({ lines }) => lines)
    .reduce((sum, { count, multiplier }) => sum + count * multiplier, 0);

function presentStatus(format: SmscFormat, all: string, row: Sending | undefined): Answer {
  if (!row) {
    const fields = { status: NOT_FOUND, last_timestamp: 0, err: 0 };
    return formatted(format, fields, `Status = ${NOT_FOUND}, check_time = 0`);
  }
  const status = smscStatus(row.state.status, row.state.code);
  const isNamed = format === '2' || format === '3';
  const timeOf = (at: string) => Math.floor(new Date(at).getTime() / 1000);
  const named = (at: string) => (isNamed ? moscowTime(at) : undefined);
  const changed = row.failedAt ?? row.seenAt ?? row.deliveredAt ?? row.sentAt ?? row.updatedAt;
  const details = all !== '' &&
    all !== '0' && {
      send_date: named(row.createdAt),
      send_timestamp: timeOf(row.createdAt),
      phone: row.recipient.replace(/^\+/, ''),
      cost: moneyText(row.meta.billing?.amount ?? 0),
      sender_id: row.payload.sender,
      status_name: STATUS_NAMES[status],
      message: row.payload.text ?? '',
    };
  const fields = {
    status,
    last_date: named(changed),
    last_timestamp: timeOf(changed),
    err: smscError(row.state.status, row.state.code),
    ...details,
  };
  return formatted(format, fields, `Status = ${status}, check_time = ${moscowTime(changed)}`);
}

const PARAMETERS: [number, string] = [1, 'parameters error'];
const AUTHORISE: [number, string] = [2, 'authorise error'];
const NO_MONEY: [number, string] = [3, 'no money'];
const BLOCKED: [number, string] = [4, 'ip is blocked'];
const DATE: [number, string] = [5, 'invalid date format'];
const DENIED: [number, string] = [6, 'message is denied'];
const NUMBER: [number, string] = [7, 'invalid number'];
const UNDELIVERABLE: [number, string] = [8, "can't to deliver"];
const TOO_MANY: [number, string] = [9, 'too many concurrent requests'];

/** Numbers and texts of the service by the code of a refusal; others are 1. */
const BY_CODE: Record<string, [number, string]> = {
  unauthorized: AUTHORISE,
  address_not_allowed: AUTHORISE,
  forbidden: AUTHORISE,
  insufficient_funds: NO_MONEY,
  spend_cap_reached: NO_MONEY,
  sender_not_approved: DENIED,
  phone_not_confirmed: DENIED,
  account_inactive: DENIED,
  type_unavailable: DENIED,
  invalid_recipient: NUMBER,
  no_recipients: NUMBER,
  landline: UNDELIVERABLE,
  blacklisted: UNDELIVERABLE,
  unsubscribed: UNDELIVERABLE,
  frequency_cap_reached: UNDELIVERABLE,
  no_price: UNDELIVERABLE,
};
const BY_FIELD: Record<string, [number, string]> = {
  'payload.sender': DENIED,
  recipient: NUMBER,
  'schedule.delay': DATE,
  sendAt: DATE,
};

function refusalOf(error: AppError, isKnown: boolean): [number, string] {
  if (isServerError(error)) return TOO_MANY;
  // Before anybody is known, it is the limit of failures of the network.
  if (error.code === 'rate_limited') return isKnown ? TOO_MANY : BLOCKED;
  return BY_FIELD[reasonOf(error).field] ?? BY_CODE[error.code] ?? PARAMETERS;
}
