import { as, id, time, type Description } from './description.ts';

export const CHANNEL_WATCH: Record<string, Description> = {
  ChannelLive: as('What a channel does now, and did in the last hour.'),
  'ChannelLive.waiting': as('Number of messages that are due and wait for the channel.', 1200),
  inFlight: as('Number of messages that are being submitted.', 40),
  rateNow: as('Messages per second that the carrier accepted, in the last whole minute.', 24.6),
  rateAllowed: as('Segments per second that the carrier takes. Null if there is no limit.', 25),
  'ChannelLive.failures': as('Number of failed calls in a row.', 0),
  'ChannelLive.pausedUntil': time(
    'Time until which the channel is left alone after failed calls. Null if it is not.',
  ),
  'ChannelLive.minutes': as(
    'Results of submissions in the last hour by minute, the oldest first. Minutes without submissions are missing.',
  ),
  'minutes.at': time('Start of the minute.'),
  'minutes.accepted': as('Number of messages that the carrier accepted.', 1480),
  'minutes.rejected': as('Number of messages that the carrier rejected.', 3),
  'minutes.throttled': as(
    'Number of messages that are submitted again later, because the carrier limits the rate.',
    0,
  ),
  'minutes.unsent': as('Number of messages that did not leave.', 0),
  'minutes.unknown': as('Number of messages with an unknown outcome.', 0),
  'ChannelLive.receipts': as('Final receipts of the last hour.'),
  'receipts.count': as('Number of receipts.', 1400),
  'receipts.p50': as(
    'Time from the submission to the receipt that half of the messages took at most, in seconds. Null without receipts.',
    3.2,
  ),
  'receipts.p95': as(
    'Time from the submission to the receipt that 95 % of the messages took at most, in seconds. Null without receipts.',
    18,
  ),
  'ChannelLive.networks': as('Final receipts by network, those with the most first.'),
  'networks.mccmnc': as('Network code. Null for numbers of unknown networks.', '25001'),
  'networks.hour': as('Receipts of the last hour.'),
  'networks.day': as('Receipts of the last day.'),
  'hour.delivered': as('Number of delivered messages.', 950),
  'hour.failed': as('Number of failed messages.', 50),
  'day.delivered': as('Number of delivered messages.', 19_000),
  'day.failed': as('Number of failed messages.', 1000),
  'ChannelLive.alarms': as('What is or was wrong with the channel, the newest first.'),
  'alarms.kind': as(
    '`down`: the carrier takes nothing. `silent`: no receipts, though messages were accepted. `delivery`: fewer messages to a network are delivered than in the day before. `full`: the rate is used up while messages wait.',
  ),
  'alarms.mccmnc': as('Network of the kind `delivery`. Null for other kinds.', '25001'),
  'alarms.since': time('Time at which it began.'),
  'alarms.endedAt': time('Time at which it ended. Null while it lasts.'),
  ChannelExchange: as('Call of a carrier and its answer, without texts, numbers and secrets.'),
  'ChannelExchange.id': id('Id of the exchange.'),
  'ChannelExchange.at': time('Time of the call.'),
  'ChannelExchange.outcome': as(
    'The worst result of the messages. `down`: the carrier took nothing. `unknown`: its answer is missing.',
  ),
  'ChannelExchange.SendingIds': as('Ids of the first messages of the call.', [
    '01930000-0000-7000-8000-0000000000a1',
  ]),
  tails: as('Last four digits of their numbers.', ['4567']),
  'ChannelExchange.messages': as('Number of messages of the call.', 1),
  'ChannelExchange.request': as(
    'What was sent: an HTTP request, or PDUs by name and fields. Instead of a text it has its length.',
    'submit_sm destination_addr=…4567 source_addr=MIRTEA data_coding=0 sm_length=5',
  ),
  'ChannelExchange.answer': as(
    'What the carrier answered.',
    'submit_sm_resp command_status=ESME_ROK message_id=7',
  ),
  'ChannelExchange.ms': as('Duration of the call in milliseconds.', 84),
  'channels.exchanges.data': as('Exchanges of the page.'),
  'channels.exchanges.?SendingId': id('Return only exchanges about this message.'),
  'channels.exchanges.?tail': as(
    'Return only exchanges about numbers with these last four digits.',
    '4567',
  ),
  'channels.exchanges.?isFailed': as('Return only exchanges that were not accepted.', 'true'),
  'channels.exchanges.?cursor': id('Return only exchanges before this one.'),
  'channels.exchanges.?$limit': as('Number of exchanges, 50 by default.', 50),
};
