import { Injectable } from '@nestjs/common';
import { billings, sendings, type Sending } from '@heliograph/contract';
import { isUuid, segmentsOf } from '@heliograph/domain';
import { may, type Actor } from '../../core/auth/actor.ts';
import { Clock } from '../../core/clock.ts';
import { AppError, invalid } from '../../core/errors.ts';
import { uuidv7 } from '../../core/uuid.ts';
import { BillingsService } from '../billings/billings.service.ts';
import { SendingsService } from '../sendings/sendings.service.ts';
import type { Answer, Call, VendorApi } from './call.ts';
import { arePieces, CallsService, isServerError, reasonOf, type Message } from './calls.service.ts';
import { readParameters, type Parameters } from './parameters.ts';
import {
  MISSING,
  NO_TEXT,
  OK,
  OTHER,
  smsruRefusal,
  smsruStatus,
  SMSRU_TEXTS,
  TOO_MANY_NUMBERS,
  UNAVAILABLE,
  WRONG_NUMBER,
} from './smsru-codes.ts';

const SEND = '/sms/send';
const STATUS = '/sms/status';
const COST = '/sms/cost';
const BALANCE = '/my/balance';
/** Numbers, and ids, of one call. */
const MOST = 100;
const MAX_TTL_MINUTES = 1440;
const TO = /^to\[(.{1,30})\]$/;
/** What would be another message, or another time, without it. */
const UNSUPPORTED = ['translit', 'daytime'];

/** A text for a number, as they were given. */
interface Line {
  phone: string;
  text: string;
  /** It stands in a list that may be cut out of other numbers. */
  isPiece?: boolean;
}

const keyOf = ({ phone, text }: Line) => `${phone} ${text}`;

/** What became of a line: fields of its answer, or the number of its refusal. */
type Result = { fields: Record<string, unknown>; lines: (string | number)[] } | { code: number };

/** A refusal that the service has a number of its own for. */
class Numbered extends AppError {
  constructor(readonly number: number) {
    super('bad_request', SMSRU_TEXTS[number]);
  }
}

/** `sms/send`, `sms/status`, `sms/cost` and `my/balance` of SMS.ru. Source: its documentation for programmers. */
@Injectable()
export class SmsruApi implements VendorApi {
  readonly name = 'smsru';
  readonly paths = [SEND, STATUS, COST, BALANCE];

  constructor(
    private readonly calls: CallsService,
    private readonly sendings: SendingsService,
    private readonly billings: BillingsService,
    private readonly clock: Clock,
  ) {}

  async answer(call: Call): Promise<Answer> {
    const given = await readParameters(call.request);
    call.given = given;
    const actor = await this.calls.authenticate(call, given.text('api_id')?.trim() ?? '');
    switch (call.path.toLowerCase()) {
      case SEND:
        return this.send(call, actor, given);
      case STATUS:
        return this.status(call, actor, given);
      case COST:
        return this.cost(call, actor, given);
      default:
        return this.balance(call, actor, given);
    }
  }

  /** Answered as 200 there, too; what is temporary is 503, for programs that look at nothing else. */
  refusal(error: AppError, { given }: Call): Answer {
    const code =
      error instanceof Numbered
        ? error.number
        : isServerError(error)
          ? UNAVAILABLE
          : smsruRefusal(error.code, reasonOf(error).field);
    const status = isServerError(error) ? 503 : 200;
    if (!isJson(given)) return { status, body: String(code) };
    return { status, body: errorOf(code) };
  }

  private async send(call: Call, actor: Actor, given: Parameters): Promise<Answer> {
    this.calls.begin(call, sendings.create);
    const lines = readLines(given);
    const read = readOptions(given, this.clock.now());
    const sender = await this.calls.senderOf(actor, given.text('from')?.trim());
    const results = await this.resultsOf(actor, lines, async (phones) => {
      const messages = phones.map(({ phone, text }) => ({
        ...read,
        sender,
        text,
        recipients: [phone],
      }));
      if (given.text('test') === '1') return this.tested(call, messages);
      const sent = await this.calls.sendEach(call, messages);
      return sent.map((one) => (typeof one === 'string' ? accepted(one) : { code: codeOf(one) }));
    });
    const balance = await this.balanceFor(actor);
    return presented(given, lines, results, {
      fields: balance === undefined ? {} : { balance },
      lines: balance === undefined ? [] : [`balance=${balance.toFixed(2)}`],
    });
  }

  private async cost(call: Call, actor: Actor, given: Parameters): Promise<Answer> {
    this.calls.begin(call, sendings.estimate);
    const lines = readLines(given);
    const sender = await this.calls.senderOf(actor, given.text('from')?.trim());
    let totalCost = 0;
    let totalSms = 0;
    const results = await this.resultsOf(actor, lines, async (phones) => {
      const found: Result[] = [];
      this.calls.countMore(call, sendings.estimate, phones.length);
      for (const { phone, text } of phones) {
        const cost = await this.costOf(call, { sender, text, recipients: [phone] });
        if (cost instanceof AppError) found.push({ code: codeOf(cost) });
        else {
          const sms = segmentsOf(text);
          totalCost += cost;
          totalSms += sms;
          found.push({ fields: { cost, sms }, lines: [OK, cost.toFixed(2), sms] });
        }
      }
      return found;
    });
    const fields = { total_cost: Number(totalCost.toFixed(4)), total_sms: totalSms };
    if (isJson(given)) return presented(given, lines, results, { fields, lines: [] });
    return { status: 200, body: [OK, totalCost.toFixed(2), totalSms].join('\n') };
  }

  private async status(call: Call, actor: Actor, given: Parameters): Promise<Answer> {
    this.calls.begin(call, sendings.get);
    const ids = listOf(given.text('sms_id'));
    if (!ids.length) throw new Numbered(OTHER);
    if (ids.length > MOST) throw new Numbered(TOO_MANY_NUMBERS);
    const found = await this.calls.run(call, sendings.get, () => this.found(actor, ids));
    const rows = ids.map((id) => found.get(id.toLowerCase()));
    if (!isJson(given))
      return { status: 200, body: [OK, ...rows.map((row) => statusOf(row))].join('\n') };
    const sms = Object.fromEntries(ids.map((id, i) => [id, presentStatus(rows[i])]));
    const balance = await this.balanceFor(actor);
    const body = { status: 'OK', status_code: OK, sms, ...(balance !== undefined && { balance }) };
    return { status: 200, body };
  }

  private async balance(call: Call, { OwnerId }: Actor, given: Parameters): Promise<Answer> {
    this.calls.begin(call, billings.balance);
    const balance = await this.billings.balanceOf(OwnerId);
    if (!isJson(given)) return { status: 200, body: `${OK}\n${balance.toFixed(2)}` };
    return { status: 200, body: { status: 'OK', status_code: OK, balance } };
  }

  /** The results of lines in their order; `work` gets those that have a phone number, the same text to the same number once. */
  private async resultsOf(
    actor: Actor,
    lines: Line[],
    work: (phones: Line[]) => Promise<Result[]>,
  ): Promise<Result[]> {
    const read = await Promise.all(
      lines.map(async ({ phone, text, isPiece }) => {
        if (isPiece) return null;
        const { phones } = await this.calls.recipientsOf(actor, [phone]);
        return phones[0] === undefined ? null : { phone: phones[0], text };
      }),
    );
    const firsts = new Map<string, Line>();
    for (const line of read) if (line && !firsts.has(keyOf(line))) firsts.set(keyOf(line), line);
    const results = await work([...firsts.values()]);
    const byKey = new Map([...firsts.keys()].map((key, i) => [key, results[i]!]));
    return read.map((line) => (line ? byKey.get(keyOf(line))! : { code: WRONG_NUMBER }));
  }

  /** Checked, but not sent. */
  private async tested(call: Call, messages: Message[]): Promise<Result[]> {
    const results: Result[] = [];
    this.calls.countMore(call, sendings.create, messages.length);
    for (const message of messages) {
      const cost = await this.costOf(call, { ...message, at: undefined });
      results.push(cost instanceof AppError ? { code: codeOf(cost) } : accepted(uuidv7()));
    }
    return results;
  }

  private async costOf(call: Call, message: Message): Promise<number | AppError> {
    try {
      return (await this.calls.estimate(call, message)).amount;
    } catch (error) {
      if (error instanceof AppError && !isServerError(error)) return error;
      throw error;
    }
  }

  /** Messages by their ids, and bulks that have no messages yet. */
  private async found(actor: Actor, ids: string[]): Promise<Map<string, Sending>> {
    const own = ids.filter(isUuid).map((id) => id.toLowerCase());
    const rows = await this.sendings.presentedAll(actor.scope, own, actor.level);
    const found = new Map(rows.map((row) => [row.id, row]));
    for (const id of own.filter((one) => !found.has(one))) {
      const row = await this.sendings.get(actor, id).catch((error: unknown) => {
        if (error instanceof AppError && error.code === 'not_found') return null;
        throw error;
      });
      if (row) found.set(id, row);
    }
    return found;
  }

  /** Only for those who may read it. */
  private async balanceFor(actor: Actor): Promise<number | undefined> {
    return may(actor, 'billings.find') ? this.billings.balanceOf(actor.OwnerId) : undefined;
  }
}

const isJson = (given: Parameters | undefined): boolean => given?.text('json', 'latin1') === '1';

const codeOf = (error: AppError): number => smsruRefusal(error.code, reasonOf(error).field);

const errorOf = (code: number) => ({
  status: 'ERROR',
  status_code: code,
  status_text: SMSRU_TEXTS[code],
});

const accepted = (id: string): Result => ({ fields: { sms_id: id }, lines: [id] });

const listOf = (text = ''): string[] =>
  text
    .split(',', MOST + 1)
    .map((one) => one.trim())
    .filter(Boolean);

/** `to[phone]=text`, or one text for several numbers. */
function readLines(given: Parameters): Line[] {
  const own = given.names().flatMap((name) => {
    const phone = TO.exec(name)?.[1]?.trim();
    return phone ? [{ phone, text: given.text(name) ?? '' }] : [];
  });
  const text = given.first('msg', 'text') ?? '';
  const list = listOf(given.text('to'));
  const isPiece = arePieces(list);
  const lines = own.length ? own : list.map((phone) => ({ phone, text, isPiece }));
  if (lines.length > MOST) throw new Numbered(TOO_MANY_NUMBERS);
  if (!lines.length) throw new Numbered(WRONG_NUMBER);
  if (lines.some((line) => !line.text)) throw new Numbered(NO_TEXT);
  return lines;
}

function readOptions(given: Parameters, now: Date): Pick<Message, 'at' | 'validSeconds'> {
  if (UNSUPPORTED.some((name) => given.text(name) === '1')) throw new Numbered(OTHER);
  const time = given.text('time')?.trim() || '0';
  if (!/^\d{1,10}$/.test(time)) throw invalid('schedule.delay', 'time', 'The time is invalid');
  const at = new Date(Number(time) * 1000);
  const ttl = given.text('ttl')?.trim() || '0';
  if (!/^\d{1,4}$/.test(ttl) || Number(ttl) > MAX_TTL_MINUTES) throw new Numbered(OTHER);
  return {
    // A time in the past is now, as there.
    ...(at > now && { at }),
    ...(Number(ttl) && { validSeconds: Number(ttl) * 60 }),
  };
}

function presented(
  given: Parameters,
  lines: Line[],
  results: Result[],
  more: { fields: Record<string, unknown>; lines: string[] },
): Answer {
  if (!isJson(given)) {
    const texts = results.flatMap((one) => ('code' in one ? [one.code] : one.lines));
    return { status: 200, body: [OK, ...texts, ...more.lines].join('\n') };
  }
  const sms = Object.fromEntries(
    results.map((one, i) => [
      lines[i]!.phone,
      'code' in one ? errorOf(one.code) : { status: 'OK', status_code: OK, ...one.fields },
    ]),
  );
  return { status: 200, body: { status: 'OK', status_code: OK, sms, ...more.fields } };
}

const statusOf = (row: Sending | undefined): number =>
  row ? smsruStatus(row.state.status, row.state.code) : MISSING;

function presentStatus(row: Sending | undefined): object {
  const code = statusOf(row);
  if (!row) return errorOf(code);
  return {
    status: 'OK',
    status_code: code,
    cost: row.meta.billing?.amount ?? 0,
    status_text: SMSRU_TEXTS[code],
  };
}
