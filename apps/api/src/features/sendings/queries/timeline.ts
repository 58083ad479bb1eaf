import type { Level, Sending } from '@heliograph/contract';
import {
  moneyToNumber,
  parseMoney,
  SENDING_ERRORS,
  typeOf,
  type SendingErrorCode,
} from '@heliograph/domain';
import type { FirstClick } from '../../links/click-codes.service.ts';
import { decisiveAttempt } from './group.ts';
import { sentAt, type SendingRow } from './sending.row.ts';

type Event = NonNullable<Sending['timeline']>[number];

/** The events of all attempts of a chain and the first click on each of its links, by time. What carriers say in their own words, and which way messages went, is for managers. */
export function timelineOf(
  attempts: SendingRow[],
  level: Level,
  ways: ReadonlyMap<string, Event['way']>,
  clicks: FirstClick[],
): Event[] {
  const decisive = decisiveAttempt(attempts);
  return attempts
    .flatMap((row) => eventsOf(row, level, ways.get(row.id)))
    .concat(clicks.map((click) => clickedEvent(decisive, click)))
    .sort((a, b) => a.at.localeCompare(b.at) || a.attempt - b.attempt);
}

function eventsOf(row: SendingRow, level: Level, way: Event['way']): Event[] {
  const amount = row.call?.reserved ?? Number(row.amount);
  const events: Event[] = [];
  const beginning = row.attempt === 0 ? 'created' : 'fallback';
  const wayEvent = sentAt(row) ? 'sent' : beginning;
  const add = (
    event: Event['event'],
    at: Date | null,
    detail: string | null = null,
    charged: number | null = null,
  ) => {
    if (at)
      events.push({
        id: row.id,
        attempt: row.attempt,
        type: typeOf(row.type),
        event,
        at: at.toISOString(),
        detail,
        code: event === 'failed' ? row.error : null,
        amount: charged,
        ...(charged !== null && row.package !== null && { package: row.package }),
        ...(level === 'manager' && event === 'failed' && carrierOf(row)),
        ...(level === 'manager' && event === wayEvent && way && { way }),
      });
  };
  add(beginning, row.createdAt);
  if (amount > 0 || row.package !== null) add('charged', row.createdAt, null, amount);
  add('sent', sentAt(row));
  // `error` of a delivered sending holds the carrier's remark.
  add('delivered', row.deliveredAt, row.error);
  add('seen', row.seenAt);
  add('failed', row.failedAt, SENDING_ERRORS[row.error as SendingErrorCode] ?? null);
  add('refunded', row.refundedAt, null, amount);
  const { settledAt, seconds } = row.call ?? {};
  if (settledAt) {
    add(
      'settled',
      new Date(settledAt),
      null,
      moneyToNumber(parseMoney(amount) - parseMoney(row.amount)),
    );
    events.at(-1)!.seconds = seconds!;
  }
  return events;
}

const clickedEvent = ({ id, attempt, type }: SendingRow, { url, firstAt }: FirstClick): Event => ({
  id,
  attempt,
  type: typeOf(type),
  event: 'clicked',
  at: firstAt.toISOString(),
  detail: url,
  code: null,
  amount: null,
});

const carrierOf = ({ carrierCode: code, carrierText: text }: SendingRow): Pick<Event, 'carrier'> =>
  code || text ? { carrier: { code, text } } : {};
