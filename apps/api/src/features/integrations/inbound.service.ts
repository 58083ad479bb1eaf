import { Injectable } from '@nestjs/common';
import {
  ERRORS,
  SendingInput,
  type ErrorCode,
  type IntegrationRefusal,
  type Sending,
  type SendingReceipt,
} from '@heliograph/contract';
import { inboundFields, isBlank, isTestCall, literalText, renderInbound } from '@heliograph/domain';
import { createHash } from 'node:crypto';
import { may, rightsOf, type Actor } from '../../core/auth/actor.ts';
import { Clock } from '../../core/clock.ts';
import { Db } from '../../core/db/db.ts';
import { AppError, invalid } from '../../core/errors.ts';
import { RequestRates } from '../../core/http/request-rates.ts';
import { parseWith } from '../../core/http/sentences.ts';
import { SendingsService } from '../sendings/sendings.service.ts';
import { IntegrationReportsService } from '../webhooks/integration-reports.service.ts';
import type { Integration } from './integration.entity.ts';
import { IntegrationsStore } from './integrations.store.ts';

const MAX_TEXT = 2000;
const MAX_EXTERNAL_ID = 200;

export interface Inbound {
  recipient: string;
  text: string;
  /** Null if repeated calls cannot be recognised. */
  externalId: string | null;
}
interface Accepted {
  receipt: Pick<SendingReceipt, 'id' | 'status' | 'error'>;
  isRepeated: boolean;
}

/** Messages that other programs send as an account. */
@Injectable()
export class InboundService {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly store: IntegrationsStore,
    private readonly sendings: SendingsService,
    private readonly reports: IntegrationReportsService,
    private readonly rates: RequestRates,
  ) {}

  /** Fills in the fields of a call as the integration's settings say. Null for a call that tests the URL. */
  async receive(row: Integration, body: object): Promise<Accepted | null> {
    const fields = inboundFields(body);
    if (isTestCall(fields)) return null;
    return this.noting(row, () => {
      const externalId = row.key && keyOf(fields.get(row.key) ?? '');
      if (row.key && !externalId) throw missing(row.key);
      const recipient = fields.get(row.recipient!)?.trim();
      if (!recipient) throw missing(row.recipient!);
      const { text, missing: unfilled } = renderInbound(row.text!, fields, MAX_TEXT);
      if (unfilled) throw missing(unfilled);
      return this.accept(row, { recipient, text, externalId: externalId || null });
    });
  }

  /** Stores a refusal, which the page of the integration shows. */
  async noting<T>(row: Integration, work: () => Promise<T>): Promise<T> {
    try {
      const result = await work();
      await this.store.accepted(row.id, this.clock.now());
      return result;
    } catch (error) {
      if (error instanceof AppError)
        await this.store.refused(row.id, clip(error.message), refusalOf(error), this.clock.now());
      throw error;
    }
  }

  /** Sends a message, once for each external id. One that was refused for money was not sent: a repeated call tries again. */
  async accept(row: Integration, { externalId, ...message }: Inbound): Promise<Accepted> {
    this.rates.countMessages(row.OwnerId);
    const actor = await this.actorOf(row);
    const request = requestOf(row, message);
    if (externalId === null) return { receipt: await this.send(actor, request), isRepeated: false };
    return this.db.transaction(async () => {
      if (!(await this.store.claim(row.id, externalId))) {
        const id = await this.store.sendingOf(row.id, externalId);
        const { state } = await this.sendings.get(actor, id);
        if (!isRefusedForMoney(state))
          return { receipt: { id, status: state.status, error: state.error }, isRepeated: true };
      }
      const receipt = await this.send(actor, request);
      await this.store.setSending(row.id, externalId, receipt.id);
      // Its refusal was reported before the message was known as one of the integration.
      if (receipt.status === 'failed') await this.reports.failed(row, receipt);
      return { receipt, isRepeated: false };
    });
  }

  private async send(actor: Actor, request: SendingInput): Promise<SendingReceipt> {
    return (await this.sendings.create(actor, request, false)) as SendingReceipt;
  }

  /** The account holder, whose rights the integration has. */
  private async actorOf({ OwnerId, id }: Integration): Promise<Actor> {
    const holder = await this.store.holderOf(OwnerId);
    if (!holder) throw new AppError('account_inactive');
    const { username, level, grants } = holder;
    const rights = rightsOf({ userId: OwnerId, OwnerId, level, grants, role: null });
    const actor: Actor = {
      userId: OwnerId,
      OwnerId,
      username,
      level,
      role: null,
      sessionId: id,
      tokenId: null,
      actorId: null,
      mustSetUpSecondFactor: false,
      ...rights,
    };
    if (!may(actor, 'sendings.generate'))
      throw new AppError('forbidden', undefined, { payload: { permission: 'sendings.generate' } });
    return actor;
  }
}

function requestOf(
  { type, sender }: Integration,
  { recipient, text }: Omit<Inbound, 'externalId'>,
): SendingInput {
  if (isBlank(text)) throw invalid('text', 'required', 'The text of the message is empty');
  const request = { type, recipient, payload: { sender, text: literalText(text) } };
  const parsed = parseWith(SendingInput, request);
  if ('issues' in parsed) {
    const [issue] = [...parsed.issues];
    throw invalid(issue!.field, issue!.rule, issue!.message);
  }
  // A separator would make several recipients of one value.
  if (typeof parsed.data.recipient !== 'string')
    throw invalid('recipient', 'phone', 'One recipient is required');
  return parsed.data;
}

const isRefusedForMoney = ({ status, code }: Sending['state']): boolean =>
  status === 'failed' && ERRORS[code as ErrorCode] === 402;

/** Keys that are longer than their column differ by what is cut off. */
const keyOf = (value: string): string =>
  value.length <= MAX_EXTERNAL_ID ? value : createHash('sha256').update(value).digest('hex');

const missing = (field: string) =>
  invalid(field, 'no_value', `The call has no value in the field ${field}`);

const MAX_REASON = 300;
const MAX_FIELDS = 5;
const clip = (text: string): string => text.slice(0, MAX_REASON);

function refusalOf({ code, detail: { issues = [], payload } }: AppError): IntegrationRefusal {
  const fields = issues
    .slice(0, MAX_FIELDS)
    .map(({ field, rule, message }) => ({ field, rule, message: clip(message) }));
  return { code, fields, reason: payload?.reason ? clip(String(payload.reason)) : null };
}
