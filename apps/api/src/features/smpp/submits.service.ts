import { Injectable } from '@nestjs/common';
import { BULK_WEIGHT, sendings, type SendingInput } from '@heliograph/contract';
import { literalText, normalizePhone } from '@heliograph/domain';
import { type Answer, type Unsuccessful, PduError, STATUS, textOf } from '@heliograph/smpp';
import { requirePermission, type Actor } from '../../core/auth/actor.ts';
import { Clock } from '../../core/clock.ts';
import { RequestRates } from '../../core/http/request-rates.ts';
import { parse } from '../../core/http/validation.ts';
import {
  SendingsService,
  type SmppAddress,
  type SmppOrigin,
} from '../sendings/sendings.service.ts';
import { SettingsService } from '../settings/settings.service.ts';
import { RECEIPTS, ReceiverQueues } from '../webhooks/receiver-queues.service.ts';
import { PartsService, type Joined } from './parts.service.ts';
import { readSubmit, recipientOf, type ReadSubmit, type Submit } from './read-submit.ts';
import { statusOfCode } from './refusals.ts';

/** Messages that are submitted over SMPP, through the intake of `POST /sendings`. */
@Injectable()
export class SubmitsService {
  constructor(
    private readonly sendings: SendingsService,
    private readonly parts: PartsService,
    private readonly queues: ReceiverQueues,
    private readonly rates: RequestRates,
    private readonly settings: SettingsService,
    private readonly clock: Clock,
  ) {}

  /** Answers when the message is stored and charged, or the part is stored. */
  async submit(actor: Actor, pdu: Submit): Promise<Answer> {
    requirePermission(actor, sendings.create.can as 'sendings.generate');
    this.rates.countMessages(actor.OwnerId);
    const submit = readSubmit(pdu, this.clock.now());
    // As a call for several recipients.
    if (submit.destinations.length > 1) this.rates.countMessages(actor.OwnerId, BULK_WEIGHT - 1);
    const { destinations, unsuccessful } = await this.reachable(actor, pdu, submit);
    if (submit.receipt) await this.queues.open(actor.OwnerId, [RECEIPTS]);
    const messageId = submit.part
      ? await this.addPart(actor, submit)
      : await this.create(actor, submit, destinations);
    return pdu.command === 'submit_multi' ? { messageId, unsuccessful } : { messageId };
  }

  /** Those of several destinations that are numbers, and refusals for the others. */
  private async reachable(actor: Actor, { command }: Submit, { destinations, part }: ReadSubmit) {
    if (command !== 'submit_multi') return { destinations, unsuccessful: [] };
    // A part for several people would have to be joined for each.
    if (part) throw new PduError('A part', STATUS.ESME_RINVESMCLASS);
    const country = await this.settings.countryOf(actor.OwnerId);
    const unsuccessful: Unsuccessful[] = [];
    const reachable = destinations.filter((one) => {
      const isReachable = normalizePhone(recipientOf(one), country) !== null;
      if (!isReachable) unsuccessful.push({ ...one, status: STATUS.ESME_RINVDSTADR });
      return isReachable;
    });
    if (!reachable.length) throw new PduError('No destination', STATUS.ESME_RINVDSTADR);
    return { destinations: reachable, unsuccessful };
  }

  private async create(
    actor: Actor,
    submit: ReadSubmit,
    destinations: ReadSubmit['destinations'],
  ): Promise<string> {
    const { source, receipt } = submit;
    const origin = receipt ? { receipt, source } : undefined;
    const text = textOf(submit.content);
    const { id, refusal } = await this.send(actor, submit, { destinations, text, origin });
    if (refusal !== null) throw new PduError('The message is refused', refusal);
    return id;
  }

  private addPart(actor: Actor, submit: ReadSubmit): Promise<string> {
    const { source, destinations, receipt, content, part: place } = submit;
    const [destination] = destinations as [SmppAddress];
    const { OwnerId, userId, tokenId } = actor;
    const by = tokenId ?? userId;
    const part = { OwnerId, by, source, destination, receipt, content, place: place! };
    return this.parts.add(part, (text, wantsReceipt) => {
      const joined = { receipt: 1, source, isJoined: true } as const;
      const origin = wantsReceipt ? joined : undefined;
      return this.send(actor, submit, { destinations, text, origin });
    });
  }

  private async send(
    actor: Actor,
    { source, at, validSeconds, priority }: ReadSubmit,
    message: {
      destinations: ReadSubmit['destinations'];
      text: string;
      origin: SmppOrigin | undefined;
    },
  ): Promise<Joined> {
    const recipients = message.destinations.map(recipientOf);
    const isSingle = recipients.length === 1;
    const schedule = {
      ...(at && !isSingle && { delay: at.toISOString() }),
      // Of a scheduled message, seconds count from the time at which it is due, as here.
      ...(validSeconds !== undefined && { validUntil: validSeconds }),
    };
    const body = {
      type: 'sms',
      recipient: isSingle ? recipients[0] : recipients,
      payload: { sender: source.address, text: literalText(message.text) },
      ...(isSingle && { priority }),
      ...(isSingle && at && { sendAt: at.toISOString() }),
      ...(Object.keys(schedule).length && { schedule }),
    };
    const request = parse(sendings.create.body, body) as SendingInput;
    const created = await this.sendings.submit(actor, request, { smpp: message.origin });
    const isRefused = 'recipient' in created && created.status === 'failed';
    return { id: created.id, refusal: isRefused ? statusOfCode(created.code!) : null };
  }
}
