import { as, dated, id, inEach, payload, time, type Description } from './description.ts';

export const CHANNELS: Record<string, Description> = {
  Channel: as('Channel: a connection to a carrier, with its driver, options and message types.'),
  'Channel.id': as('Name of the channel. It cannot be changed.', 'carrier'),
  'Channel.name': as('Same value as `id`.', 'carrier'),
  'channels.remove.id': as('Name of the removed channel.', 'carrier'),
  driver: as('Driver of the channel.', 'http'),
  types: as('Message types of the channel.', ['sms', 'viber']),
  'Channel.isActive': as('True if the channel is active: messages are submitted to it.'),
  priority: as(
    'Priority of the channel. Messages of a type use the active channel of that type with the highest priority.',
    10,
  ),
  needsRegistration: as(
    'True if the channel carries only sender names that are registered there.',
    false,
  ),
  rate: as(
    'Segments per second that the carrier takes. Below 1 for one segment in several seconds. Null if there is no limit.',
    25,
  ),
  burst: as(
    'Segments that may be submitted at once after a pause. Null: as many as the rate allows per second.',
    50,
  ),
  perDay: as(
    'Segments per day that the carrier takes. The day begins at midnight UTC. Null if there is no limit.',
    100_000,
  ),
  warmUp: as(
    'Segments that a new channel may submit on the first day on which it is used. On each later day of use it is twice as many, up to `perDay`. Null if it need not warm up.',
    500,
  ),
  limits: as(
    'Limits of some sender names and destinations, each with a rate, a number per day, or both. A message counts against all limits whose conditions it meets, and against the rate of the channel. What exceeds a limit waits, and holds up no other message.',
    [{ sender: 'MIRTEA', country: null, mccmnc: null, rate: 1, burst: null, perDay: null }],
  ),
  ChannelLimit: as('Limit of some messages of a channel.'),
  'limits.sender': as('Sender name of the messages. Null for any.', 'MIRTEA'),
  'limits.country': as('Country of the recipients (ISO 3166-1 alpha-2). Null for any.', 'KZ'),
  ...inEach(['limits', 'ChannelLimit'], {
    mccmnc: as(
      'Network of the recipients: `25001` is a network, `401*` all of a country. Null for any.',
      '40101',
    ),
  }),
  'limits.rate': as('Segments per second. Null if there is no limit.', 1),
  'limits.burst': as(
    'Segments that may be submitted at once after a pause. Null: as many as the rate allows per second.',
    2,
  ),
  'limits.perDay': as(
    'Segments per day. The day begins at midnight UTC. Null if there is no limit.',
    2000,
  ),
  'Channel.options': as('Options of the channel by name, without secrets.', {
    url: 'https://carrier.example.com/messages',
  }),
  'Channel.secrets': as('Names of the secret options with a value.', ['secret']),
  'Channel.state': as('Operating state of the channel.'),
  ChannelState: as('Operating state of a channel.'),
  'ChannelState.status': as(
    'Status of the channel. `working`: the last submission succeeded. `failing`: the last submission failed. `idle`: no submissions yet. `off`: inactive.',
  ),
  'ChannelState.failingSince': time(
    'Time since which all submissions have failed. Null if the last submission succeeded.',
  ),
  'ChannelState.error': as(
    'Error of the last failed submission. Null if there was none.',
    'answered 502',
  ),
  'ChannelState.errorAt': dated('Time of the last failed submission.'),
  'ChannelState.submitted': as('Number of messages submitted.', 1200),
  'ChannelState.submittedAt': dated('Time of the last successful submission.'),
  'ChannelState.reportedAt': dated('Time of the last delivery report.'),
  'ChannelState.sessions': as(
    'Sessions that the carrier allows, of a channel whose driver keeps sessions open.',
  ),
  'ChannelState.sessions.worker': as(
    'Worker that has the session. `null` if none has.',
    'host:4711',
  ),
  'ChannelState.sessions.connectedAt': dated('Time since which the session is connected.'),
  'ChannelState.sessions.error': as(
    'Reason why the session is not connected.',
    'the bind was refused',
  ),
  ChannelInput: as('Data of a new channel.'),
  'ChannelInput.name': as(
    'Name of the channel: lowercase Latin letters, digits, hyphens and underscores.',
    'carrier',
  ),
  'ChannelInput.isActive': as('True if the channel is active: messages are submitted to it.'),
  'ChannelInput.rate': as(
    'Segments per second that the carrier takes. Below 1 for one segment in several seconds. Null: as many as the carrier of the driver takes of anybody (30 of `telegram-bot` and of `max-bot`), else without a limit.',
    25,
  ),
  'ChannelInput.options': as(
    'Options of the driver by name. `GET /channels/drivers` lists the options of each driver.',
    {
      url: 'https://carrier.example.com/messages',
    },
  ),
  'channels.update.options': as(
    'Complete set of options. Omitted secrets are kept, unless a URL among the options changes; null removes a secret.',
    {
      url: 'https://carrier.example.com/messages',
    },
  ),
  'channels.update.isActive': as('True if the channel is active: messages are submitted to it.'),
  ChannelDriver: as('Channel driver.'),
  'ChannelDriver.name': as('Name of the driver.', 'http'),
  'ChannelDriver.options': as('Options of the driver.'),
  ChannelOption: as('Option of a channel driver.'),
  'ChannelOption.name': as('Name of the option.', 'timeoutMs'),
  'ChannelDriver.presets': as('Options of known carriers to begin with.'),
  'ChannelDriver.types': as('Message types that it carries.', ['sms']),
  'ChannelDriver.canRehearse': as(
    'True if options can be tried without a connection (`POST /channels/rehearsal`).',
  ),
  ChannelDomain: as('DNS records of the senders of a channel.'),
  'ChannelDomain.records': as('Records that the channel needs. Empty if its driver needs none.'),
  'ChannelDomain.records.kind': as('What the record is for.', 'spf'),
  'ChannelDomain.records.type': as('Type of the record.', 'TXT'),
  'ChannelDomain.records.name': as('Name of the record.', 'mail.example.com'),
  'ChannelDomain.records.wanted': as('Value that would do.', 'v=spf1 a:mx.example.com -all'),
  'ChannelDomain.records.found': as('Values that were found, up to five.', [
    'v=spf1 a:mx.example.com -all',
  ]),
  'ChannelDomain.records.state': as(
    'Result of the comparison. `unknown`: the record could not be looked up.',
  ),
  ChannelPreset: as('Options of a known carrier to begin with.'),
  'ChannelPreset.name': as('Name of the carrier.', 'kannel'),
  'ChannelPreset.title': as('Name of the carrier for people.', 'Kannel'),
  'ChannelPreset.types': as('Message types of the carrier.', ['sms']),
  'ChannelPreset.options': as('Options of the driver by name.', {
    url: 'http://127.0.0.1:13013/cgi-bin/sendsms',
  }),
  ChannelRehearsal: as('Options of a driver, and what they are tried on.'),
  'ChannelRehearsal.driver': as('Driver of the channel.', 'http-mapping'),
  'ChannelRehearsal.options': as('Options of the driver by name. Secrets are not needed.', {
    url: 'https://carrier.example.com/messages',
  }),
  'ChannelRehearsal.recipient': as(
    'Recipient: a phone number or an e-mail address.',
    '+79990000000',
  ),
  'ChannelRehearsal.answer': as('Answer of the carrier to the request.'),
  'ChannelRehearsal.answer.status': as('HTTP status.', 200),
  'ChannelRehearsal.answer.body': as('Body of the answer.', '{"id":"c-7781"}'),
  'ChannelRehearsal.callback': as(
    'Body or query of a callback of the carrier.',
    '{"id":"c-7781","status":"delivered"}',
  ),
  ChannelRehearsed: as('What the options make of the message, the answer and the callback.'),
  'ChannelRehearsed.request': as('Request to the carrier. Secrets are replaced by their names.'),
  'ChannelRehearsed.request.method': as('HTTP method.', 'POST'),
  'ChannelRehearsed.request.url': as('URL.', 'https://carrier.example.com/messages'),
  'ChannelRehearsed.request.headers': as('Headers.', { authorization: 'Bearer TOKEN' }),
  'ChannelRehearsed.request.body': as('Body. Null if there is none.', '{"to":"+79990000000"}'),
  'ChannelRehearsed.result': as('What the answer means. Null if no answer was given.'),
  'ChannelRehearsed.result.result': as('What became of the message.'),
  'ChannelRehearsed.result.externalId': as(
    'Id of the message at the carrier. Null if there is none.',
    'c-7781',
  ),
  'ChannelRehearsed.result.code': as(
    'Error code. Null if the message was not rejected.',
    'rejected',
  ),
  'ChannelRehearsed.result.text': as('Reason in words. Null if there is none.', 'No route found'),
  'ChannelRehearsed.callback': as('What the callback says. Null if none was given.'),
  'ChannelRehearsed.callback.reports': as('Delivery reports.'),
  'ChannelRehearsed.callback.reports.reference': id(
    'Id of the message. Null if the carrier names its own.',
  ),
  'ChannelRehearsed.callback.reports.externalId': as(
    'Id of the message at the carrier. Null if it names ours.',
    'c-7781',
  ),
  'ChannelRehearsed.callback.reports.status': as('Status of the message.', 'delivered'),
  'ChannelRehearsed.callback.reports.code': as(
    'Error code. Null if the message did not fail.',
    'expired',
  ),
  'ChannelRehearsed.callback.reports.at': time('Time of the event.'),
  'ChannelRehearsed.callback.messages': as('Incoming messages.'),
  'ChannelRehearsed.callback.messages.id': as(
    'Id of the message at the carrier. Null if there is none.',
    'm-12',
  ),
  'ChannelRehearsed.callback.messages.from': as('Sender.', '+79990000000'),
  'ChannelRehearsed.callback.messages.to': as('Recipient.', '1234'),
  'ChannelRehearsed.callback.messages.text': as('Text.', 'STOP'),
  'ChannelRehearsed.callback.messages.at': time('Time of the message.'),
  'ChannelRehearsed.callback.ignored': as('Number of items that mean nothing here.', 0),
  'ChannelRehearsed.callback.answer': as('Body of our answer.', 'OK'),
  '?carrier': as('Name of the channel.', 'carrier'),
  'ChannelOption.kind': as('Type of the value. `json` and `lines` are texts of several lines.'),
  'ChannelOption.isSecret': as('True if the value is write-only.'),
  'ChannelOption.isRequired': as('True if the option is required.'),
  'ChannelOption.default': as('Default value.', 15000),
  'ChannelOption.minimum': as('Minimum value.', 100),
  'ChannelOption.maximum': as('Maximum value.', 120000),
  'ChannelOption.choices': as('Allowed values.', ['one', 'two']),
  ChannelTest: as('Test message for a channel.'),
  'statuses.statuses': as(
    'Delivery reports: `{ reference | externalId, status, code?, text?, at? }`. An invalid report does not affect the others.',
    [{ reference: '01930000-0000-7000-8000-0000000000a1', status: 'delivered' }],
  ),
  'statuses.results': as('Result of each report.'),
  ReportResult: as('Result of one delivery report.'),
  'ReportResult.index': as('Index of the report in the request, starting from 0.', 0),
  'ReportResult.reference': as(
    'Reference from the report. Null if there was none.',
    '01930000-0000-7000-8000-0000000000a1',
  ),
  'ReportResult.result': as(
    '`applied`: the message was updated. `ignored`: the report has no new information. `unmatched`: the message is unknown; the report is kept for up to 24 hours. `invalid`: the report is malformed.',
  ),
  'ReportResult.reason': as(
    'Reason why the report is invalid.',
    'A reference or an externalId is required.',
  ),

  // Socket events.
  'event.items': as('Changed objects, with the fields visible to the subscriber.'),
  'event.ids': as('Ids of the removed objects.', ['01930000-0000-7000-8000-0000000000a1']),
  'event.groupId': id(
    'Common group of the objects: the task of messages, the list of contacts. Null if there is none.',
  ),
  'event.count': as('Number of changes. Request the objects to get their current values.', 250),

  // Requests to carriers.
  'CarrierMessage.validity': as('How long the message is valid. Absent: without a limit.'),
  'CarrierMessage.validity.until': time('Time after which it is not delivered.'),
  'CarrierMessage.validity.seconds': as('The same in seconds from the submission.', 600),
  CarrierBatch: as('Batch of messages for a carrier.'),
  'CarrierBatch.channel': as('Name of the channel.', 'carrier'),
  'CarrierBatch.messages': as('Messages of the batch, up to the channel option `maxBatch`.'),
  CarrierAnswer: as('Response of a carrier to a batch.'),
  'CarrierAnswer.results': as(
    'A result for each message. The outcome of omitted messages is unknown.',
  ),
  CarrierResult: as('Result of one message.'),
  CarrierAccepted: as('The message was accepted.'),
  CarrierRejected: as('The message was refused, and is not sent again.'),
  CarrierThrottled: as('The message was not accepted, and is sent again later.'),
  ...inEach(['CarrierAccepted', 'CarrierRejected', 'CarrierThrottled'], {
    reference: id('`reference` of the message.'),
    result: as('What became of the message.'),
  }),
  'CarrierAccepted.externalId': as('Id of the message at the carrier.', 'c-7781'),
  'CarrierAccepted.externalIds': as(
    'Ids of the parts of the message at the carrier, in order, if each part is reported: the message is delivered when all parts are.',
    ['c-7781', 'c-7782'],
  ),
  'CarrierRejected.code': as(
    'Reason: one of the error codes of messages, or a code of the carrier, which only managers see. Defaults to `rejected`.',
    'unknown_subscriber',
  ),
  'CarrierRejected.text': as(
    'Reason in words. Managers see the first 500 characters in one line.',
    'Absent subscriber',
  ),
  'CarrierThrottled.retryAfter': as('Time to wait in milliseconds.', 1000),
  CarrierMessage: as('Message for a carrier.'),
  'CarrierMessage.reference': id(
    'Id of the message. Delivery reports refer to it, and repeated submissions have the same value.',
  ),
  'CarrierMessage.sender': as('Sender name, or the number for calls.', 'MIRTEA'),
  'CarrierMessage.recipient': as(
    'Recipient: a phone number in E.164 or an e-mail address.',
    '+79990000000',
  ),
  'CarrierMessage.payload': as(
    'Content of the message, as `Payload`, with variables replaced.',
    payload,
  ),
  'CarrierMessage.payload.text': as('Text of the message.', 'Your order is ready'),
  'CarrierMessage.headers': as(
    'Header fields of an e-mail, such as `List-Unsubscribe` with the link of the message. Absent for other types.',
    { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
  ),
  'CarrierMessage.segments': as('Number of billed segments.', 1),
  'CarrierMessage.tries': as('Number of previous submissions. 0 for the first one.', 0),

  // Health.
  'health.get.status': as(
    'Status of the process. `ready`: fully operational. `degraded`: operational without Redis or without the store of files. `starting`, `stopping` and `unavailable`: requests are not served.',
  ),
  'health.ready.status': as(
    'Status of the process. `ready`: fully operational. `degraded`: operational without Redis or without the store of files. `starting`, `stopping` and `unavailable`: requests are not served.',
  ),
  'health.live.status': as('Always `live`: the process responds.'),
  checks: as('Results of the checks.'),
  'checks.database': as('True if the database responds.'),
  'checks.migrations': as('True if all migrations are applied.'),
  'checks.redis': as('True if Redis responds.'),
  'checks.files': as('True if files can be stored.'),
  'health.get.build': as('The commit of which this build was made.', '523c8d2a1f09'),
};
