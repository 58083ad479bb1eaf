import { Injectable } from '@nestjs/common';
import {
  sendings,
  type Endpoint,
  type ErrorCode,
  type Estimate,
  type Permission,
  type SendingInput,
  type SendingReceipt,
} from '@heliograph/contract';
import {
  literalText,
  MAX_VALID_SECONDS,
  MIN_VALID_SECONDS,
  normalizePhone,
} from '@heliograph/domain';
import { ownScope, requirePermission, type Actor } from '../../core/auth/actor.ts';
import { ApiTokens } from '../../core/auth/api-tokens.ts';
import { parseBind } from '../../core/auth/token-secret.ts';
import { AppError } from '../../core/errors.ts';
import { Concurrency } from '../../core/http/concurrency.ts';
import { RequestRates } from '../../core/http/request-rates.ts';
import { parse } from '../../core/http/validation.ts';
import { visitorOf } from '../../core/http/visitor.ts';
import { logContext } from '../../core/log.ts';
import { SendingsService, type SendingOrigin } from '../sendings/sendings.service.ts';
import { SettingsService } from '../settings/settings.service.ts';
import type { Call } from './call.ts';

const SERVER_ERROR = 500;

/** What a call asks to send. */
export interface Message {
  sender: string;
  recipients: string[];
  text: string;
  /** When it is sent; undefined for at once. */
  at?: Date;
  /** For how many seconds from then it is valid. */
  validSeconds?: number;
  /** The client's own id. */
  callbackData?: string;
}

/** As of `+1 9161234567`, `(495) 1234567` or `+62 21 5551234,5` where spaces and commas separate numbers. */
const PART_OF_NUMBER = /^\(?(?:\+\d{0,4}|\d{1,4})\)?$/;

/** Whether recipients may be the pieces of fewer numbers: what stands beside a piece would be the number of a stranger. */
export const arePieces = (recipients: string[]): boolean =>
  recipients.some((one) => PART_OF_NUMBER.test(one));

/** Calls in the form of other services: who makes them, and their messages through the intake of `POST /sendings`. */
@Injectable()
export class CallsService {
  constructor(
    private readonly tokens: ApiTokens,
    private readonly rates: RequestRates,
    private readonly concurrency: Concurrency,
    private readonly sendings: SendingsService,
    private readonly settings: SettingsService,
  ) {}

  /** The actor of an API token. As over SMPP, an account sees itself alone. */
  async authenticate({ request, response }: Call, token: string): Promise<Actor> {
    const client = { ...visitorOf(request), requestId: request.requestId };
    const found = await this.rates.countRefusals(request, response, () =>
      this.tokens.actor(token, client),
    );
    const actor = { ...found, scope: ownScope(found.OwnerId) };
    request.actor = actor;
    const { userId, OwnerId } = actor;
    Object.assign(logContext.getStore() ?? {}, { userId, OwnerId });
    return actor;
  }

  /** Counts a call that does what an endpoint does, and checks that its caller may. */
  begin({ request, response }: Call, def: Endpoint): void {
    this.rates.count(def, request, response);
    requirePermission(request.actor!, def.can as Permission);
  }

  /** Does what an endpoint does, under its limits of concurrent calls. */
  run<T>({ request, response }: Call, def: Endpoint, work: () => Promise<T>): Promise<T> {
    return this.concurrency.run(def, request, response, work);
  }

  /**
   * The recipients that are phone numbers, and the others. International numbers may lack their plus. Of recipients with a part of a
   * number among them none is one: what stands beside it may be its rest.
   */
  async recipientsOf(
    { OwnerId }: Actor,
    given: string[],
  ): Promise<{ phones: string[]; denied: string[] }> {
    if (arePieces(given)) return { phones: [], denied: given };
    const country = await this.settings.countryOf(OwnerId);
    const phones = new Set<string>();
    const denied = new Set<string>();
    for (const one of given) {
      const phone =
        normalizePhone(one, country) ??
        (/^\d{7,15}$/.test(one) ? normalizePhone(`+${one}`, country) : null);
      if (phone) phones.add(phone);
      else denied.add(one);
    }
    return { phones: [...phones], denied: [...denied] };
  }

  /** The id of a message to one recipient, or of a bulk. Throws the refusal of a single message. */
  async send(
    call: Call,
    message: Message,
    origin: SendingOrigin = {},
  ): Promise<{ id: string; isBulk: boolean }> {
    const actor = call.request.actor!;
    const request = this.requestOf(call, message);
    const created = await this.run(call, sendings.create, () =>
      this.sendings.submit(actor, request, origin),
    );
    if (!('recipient' in created)) return { id: created.id, isBulk: true };
    const refusal = refusalOf(created);
    if (refusal) throw refusal;
    return { id: created.id, isBulk: false };
  }

  /**
   * Messages of one call, each with its own id or refusal. They are counted before the first is sent, so that all are sent or none
   * because of a limit.
   */
  async sendEach(call: Call, messages: Message[]): Promise<(string | AppError)[]> {
    this.countMore(call, sendings.create, messages.length);
    return Promise.all(
      messages.map((message) =>
        this.send(call, message).then(
          ({ id }) => id,
          (error: unknown) => {
            if (error instanceof AppError && !isServerError(error)) return error;
            throw error;
          },
        ),
      ),
    );
  }

  /** Counts what a call does besides the first, which was counted with it. */
  countMore({ request, response }: Call, def: Endpoint, all: number): void {
    for (let i = 1; i < all; i++) this.rates.count(def, request, response);
  }

  /** What a message would cost. Throws the refusal that it would get, except for lack of funds. */
  async estimate(call: Call, message: Message): Promise<Estimate> {
    const { request } = call;
    const body = bodyOf(message);
    request.call = { params: undefined, query: undefined, body };
    return this.run(call, sendings.estimate, () => this.sendings.estimate(request.actor!, body));
  }

  /** The sender of a message that names none: the only name that the account has approved for SMS. */
  async senderOf({ OwnerId }: Actor, given: string | undefined): Promise<string> {
    if (given) return given;
    const { approvedSenders, demoSender } = await this.settings.sendingRules(OwnerId);
    const names = [...approvedSenders].flatMap(([key, name]) =>
      key.startsWith('sms:') && name !== demoSender ? [name] : [],
    );
    if (names.length !== 1) throw new AppError('sender_not_approved');
    return names[0]!;
  }

  /** Checked as the body of `POST /sendings`, and counted as one. */
  private requestOf({ request, response }: Call, message: Message): SendingInput {
    const body = bodyOf(message);
    request.call = { params: undefined, query: undefined, body };
    this.rates.countBody(sendings.create, request, response);
    return body;
  }
}

/** The body of `POST /sendings` that a message is. Throws as its validation does. */
function bodyOf(message: Message): SendingInput {
  const { sender, recipients, text, at, validSeconds, callbackData } = message;
  const isSingle = recipients.length === 1;
  const schedule = {
    ...(at && !isSingle && { delay: at.toISOString() }),
    ...(validSeconds !== undefined && { validUntil: boundedValidity(validSeconds) }),
  };
  return parse(sendings.create.body, {
    type: 'sms',
    recipient: isSingle ? recipients[0] : recipients,
    payload: { sender, text: literalText(text) },
    ...(isSingle && at && { sendAt: at.toISOString() }),
    ...(Object.keys(schedule).length && { schedule }),
    ...(callbackData !== undefined && { callbackData }),
  }) as SendingInput;
}

/** Why a message was refused; null if it was not. */
const refusalOf = ({ status, code, error }: SendingReceipt): AppError | null =>
  status === 'failed' ? new AppError(code as ErrorCode, error ?? undefined) : null;

const boundedValidity = (seconds: number): number =>
  Math.min(Math.max(Math.round(seconds), MIN_VALID_SECONDS), MAX_VALID_SECONDS);

/** Whether the error is the server's, and may pass. */
export const isServerError = ({ status }: AppError): boolean => status >= SERVER_ERROR;

/** The API token that a name and a password are: its prefix, and its secret part or all of it. '' if they are none. */
export function tokenOf(name = '', password = ''): string {
  const given = parseBind(name, password);
  return given && 'token' in given ? given.token : '';
}

/** The field that a refusal is about, and what it says of it. */
export function reasonOf(error: AppError): { field: string; message: string } {
  const [issue] = error.detail.issues ?? [];
  return { field: issue?.field ?? '', message: issue?.message ?? error.message };
}
