import { Injectable, type OnModuleInit } from '@nestjs/common';
import {
  findOperator,
  SENDING_ERRORS,
  statusOf,
  typeOf,
  type SendingErrorCode,
  type WebhookStatus,
} from '@heliograph/domain';
import { Db } from '../../core/db/db.ts';
import { Outbox, type StoredEvent } from '../../core/outbox.ts';
import { SettingsService } from '../settings/settings.service.ts';
import { operators } from './pricing/operators.ts';
import { presentLookup } from './queries/sending.row.ts';
import { StatusEventsStore, type EventSending } from './status-events.store.ts';

const EVENT = 'sendings.status';

interface Owned {
  id: string;
  OwnerId: string;
}

/** The status of a message at the time of the event. All else is read when it is delivered. */
interface StatusData {
  status: WebhookStatus;
  error?: string | null;
}

/** Events of statuses for webhooks, in the transaction of the change. */
@Injectable()
export class StatusEvents implements OnModuleInit {
  constructor(
    private readonly db: Db,
    private readonly outbox: Outbox,
    private readonly store: StatusEventsStore,
    private readonly settings: SettingsService,
  ) {}

  onModuleInit(): void {
    this.outbox.complete(EVENT, (OwnerId, events) => this.load(OwnerId, events));
  }

  created(rows: Owned[]): Promise<void> {
    return this.add(rows, () => ({ status: 'pending' }));
  }

  failed(rows: (Owned & { error: string })[]): Promise<void> {
    return this.add(rows, ({ error }) => ({ status: 'failed', error }));
  }

  reported(rows: (Owned & { status: number; error: string | null })[]): Promise<void> {
    return this.add(rows, ({ status, error }) => {
      const name = statusOf(status) as WebhookStatus;
      return { status: name, ...(name === 'failed' && { error }) };
    });
  }

  /** A worker submits the batch. */
  submitting(rows: Owned[]): Promise<void> {
    return this.ofBatch(rows, 'processing');
  }

  /** The carrier has taken the batch. */
  submitted(rows: Owned[]): Promise<void> {
    return this.ofBatch(rows, 'sent');
  }

  /** A status of the batch, which is not written on the rows of its messages. */
  private async ofBatch(rows: Owned[], status: WebhookStatus): Promise<void> {
    const wanted = await this.outbox.wanted(
      EVENT,
      rows.map((row) => ({ ...row, tag: status })),
    );
    if (!wanted.length) return;
    await this.db.transaction(async () => {
      const unreported = await this.store.lockUnreported(wanted.map(({ id }) => id));
      await this.add(
        wanted.filter(({ id }) => unreported.has(id)),
        () => ({ status }),
      );
    });
  }

  private async add<R extends Owned>(rows: R[], dataOf: (row: R) => StatusData): Promise<void> {
    if (!rows.length) return;
    await this.outbox.add(
      EVENT,
      rows.map((row) => {
        const data = dataOf(row);
        return { OwnerId: row.OwnerId, key: row.id, tag: data.status, data: { ...data } };
      }),
    );
  }

  private async load(
    OwnerId: string,
    events: StoredEvent[],
  ): Promise<(Record<string, unknown> | null)[]> {
    const rows = await this.store.byIds(
      OwnerId,
      events.map(({ key }) => key),
    );
    const { currency } = await this.settings.sendingRules(OwnerId);
    const byId = new Map(rows.map((row) => [row.id, row]));
    return events.map(({ key, data }) => {
      const row = byId.get(key);
      return row ? present(row, data as unknown as StatusData, currency) : null;
    });
  }
}

const ORDER: WebhookStatus[] = ['pending', 'processing', 'sent', 'delivered', 'seen', 'failed'];

function present(row: EventSending, { status, error }: StatusData, currency: string) {
  const operator = row.phone.startsWith('+') ? findOperator(operators(), row.phone) : null;
  // Times of later statuses would differ between the attempts of a call.
  const since = (first: WebhookStatus, at: Date | null) =>
    ORDER.indexOf(status) >= ORDER.indexOf(first) ? (at?.toISOString() ?? null) : null;
  const isAnswered = ORDER.indexOf(status) >= ORDER.indexOf('delivered');
  return {
    id: row.id,
    chainId: row.chainId,
    groupId: row.groupId,
    type: typeOf(row.type),
    recipient: row.phone,
    sender: row.sender,
    status,
    error: {
      code: error ?? null,
      message: error ? (SENDING_ERRORS[error as SendingErrorCode] ?? error) : null,
    },
    segments: row.segments,
    price: Number(row.amount),
    currency,
    operator: {
      mcc: operator?.mcc ?? null,
      mnc: operator?.mnc ?? null,
      name: operator?.name ?? null,
    },
    ...(row.lookup && isAnswered && { lookup: presentLookup(row.lookup) }),
    callbackData: row.callbackData,
    sentAt: since('sent', row.sentAt),
    deliveredAt: status === 'failed' ? null : since('delivered', row.deliveredAt),
    seenAt: status === 'failed' ? null : since('seen', row.seenAt),
  };
}
