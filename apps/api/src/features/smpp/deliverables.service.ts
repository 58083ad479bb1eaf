import { Injectable } from '@nestjs/common';
import type { WebhookEvent } from '@heliograph/domain';
import { type PduInput, TEXT_OPTIONS, formatReceipt, partsOf } from '@heliograph/smpp';
import { randomInt } from 'node:crypto';
import { RECEIPTS, type QueuedEvent } from '../webhooks/receiver-queues.service.ts';
import type { StoredReceiptPart } from './parts.store.ts';
import { asAddress, errorNumber, messageState } from './receipts.ts';
import { DeliverablesStore, type ReceiptRow } from './deliverables.store.ts';

export type Delivery = Omit<PduInput<'deliver_sm'>, 'command' | 'sequence'>;

/** What an event of a receipt holds. */
interface StatusData {
  status: string;
  error?: string | null;
}

/** The PDUs of events: receipts, and messages of people. */
@Injectable()
export class DeliverablesService {
  constructor(private readonly store: DeliverablesStore) {}

  /** The PDUs that report each event: several for a message in parts, none if nobody wants to know or the object was removed. */
  pdusOf(event: WebhookEvent, OwnerId: string, events: QueuedEvent[]): Promise<Delivery[][]> {
    return event === RECEIPTS ? this.receiptsOf(OwnerId, events) : this.messagesOf(OwnerId, events);
  }

  private async receiptsOf(OwnerId: string, events: QueuedEvent[]): Promise<Delivery[][]> {
    const keys = events.map(({ key }) => key);
    const rows = await this.store.messages(OwnerId, keys);
    const byId = new Map(rows.map((row) => [row.id, row]));
    // Of messages in parts, and of those that never became messages.
    const inParts = keys.filter((key) => byId.get(key)?.smpp?.isJoined || !byId.has(key));
    const parts = inParts.length ? await this.store.parts(OwnerId, inParts) : [];
    const partsOfMessage = Map.groupBy(parts, ({ SendingId }) => SendingId);
    return events.map(({ key, data, at: doneAt }) => {
      const { status, error = null } = data as unknown as StatusData;
      const row = byId.get(key);
      const wanted = partsOfMessage.get(key) ?? (row ? wholeOf(row) : []);
      const facts = {
        state: messageState(status, error),
        error: status === 'failed' ? errorNumber(error ?? 'unknown') : 0,
        submittedAt: row?.createdAt ?? doneAt,
        doneAt,
      };
      return wanted
        .filter(({ receipt }) => receipt === 1 || (receipt === 2 && status === 'failed'))
        .map(({ id, source, destination }) => ({
          ...addressed(destination ?? asAddress(row?.phone ?? ''), source),
          ...formatReceipt({ ...facts, messageId: id }),
        }));
    });
  }

  private async messagesOf(OwnerId: string, events: QueuedEvent[]): Promise<Delivery[][]> {
    const rows = await this.store.received(
      OwnerId,
      events.map(({ key }) => key),
    );
    const byId = new Map(rows.map((row) => [row.id, row]));
    return events.map(({ key }) => {
      const row = byId.get(key);
      if (!row?.text) return [];
      const addresses = addressed(asAddress(row.from), asAddress(row.to));
      const parts = partsOf(row.text, TEXT_OPTIONS, randomInt(0x10000));
      return parts.map((part) => ({ ...addresses, ...part }));
    });
  }
}

/** The single receipt of a message that was submitted whole. */
function wholeOf({ id, groupId, smpp }: ReceiptRow): StoredReceiptPart[] {
  if (!smpp || smpp.isJoined) return [];
  const { receipt, source } = smpp;
  return [{ id: groupId ?? id, receipt, source, destination: null }];
}

function addressed(
  source: { ton: number; npi: number; address: string },
  destination: { ton: number; npi: number; address: string },
) {
  return {
    sourceAddrTon: source.ton,
    sourceAddrNpi: source.npi,
    sourceAddr: source.address.slice(0, 20),
    destAddrTon: destination.ton,
    destAddrNpi: destination.npi,
    destinationAddr: destination.address.slice(0, 20),
  };
}
