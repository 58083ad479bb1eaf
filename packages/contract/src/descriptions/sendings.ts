import {
  as,
  dated,
  id,
  inEach,
  list,
  payload,
  PRICE,
  sum,
  time,
  type Description,
} from './description.ts';

const fallback = {
  type: 'viber',
  payload,
  options: { onStatus: ['failed'], onTimeout: { timeout: 50, except: ['delivered', 'seen'] } },
};

export const SENDINGS: Record<string, Description> = {
  SendingType: as('Message type.'),
  Status: as(
    'Status of a message. `pending`: queued. `processing`: being submitted to the carrier. `paused`: its task is paused. `sent`: accepted by the carrier. `delivered`: delivered to the recipient. `seen`: read by the recipient. `failed`: not delivered.',
  ),
  Payload: as('Content of a message. The allowed fields depend on the message type.', payload),
  payload: as('Content of the message. The allowed fields depend on the message type.', payload),
  sender: as('Sender name, or the number for calls.', 'MIRTEA'),
  subject: as('Subject line of an e-mail.', 'Your order'),
  text: as(
    'Text of the message. Can contain variables, such as `{firstName|friend}`. For `flashcall` and `telegramcode`, the code of 4 to 8 digits.',
    'Your order is ready',
  ),
  format: as(
    'How the text of an e-mail is written: `plain`, as it is, or `markdown`, which is sent as HTML beside a plain text. At most 20,000 characters then.',
    'markdown',
  ),
  ...inEach(['FlashcallPayload', 'TelegramcodePayload'], {
    text: as('The code of 4 to 8 digits.', '123456'),
  }),
  image: id('Id of the stored image. An empty string means no image.'),
  file: id('Id of the stored attachment. An empty string means no attachment.'),
  video: id('Id of the stored video. An empty string means no video.'),
  audio: id('Id of the stored recording for a call. An empty string means no recording.'),
  tts: as(
    'Voice for the text of a call: an `id` from `tools.speech.voices` of the settings.',
    'ru-anna',
  ),
  button: as('Button of a Viber message.', {
    text: 'To the order',
    url: 'https://example.com/orders/1001',
  }),
  'button.text': as('Label of the button.', 'To the order'),
  'button.url': as(
    'URL of the button. The scheme is http, https, viber, tel or callto.',
    'https://example.com/orders/1001',
  ),
  buttons: as('Buttons of the message: up to 10 for VK and OK, up to 3 for WhatsApp.', [
    { text: 'Yes', action: 'yes' },
  ]),
  'buttons.text': as('Label of the button.', 'Yes'),
  'buttons.action': as('Reply that the button sends, or URL that it opens.', 'yes'),
  SendingInput: as('Message to one recipient, or a bulk to many.', {
    type: 'sms',
    recipient: '+79990000000',
    payload,
    fallbacks: [fallback],
    callbackData: 'order-1001',
  }),
  'SendingInput.recipient': as(
    'Recipient of the message: a phone number or e-mail address; several of them in one string, separated by commas, semicolons or line breaks; an array of them; an object with included and excluded recipients; or one that names a bulk whose failed recipients are meant, or those who did not click or open it.',
    '+79990000000',
  ),
  FailedRecipients: as(
    'Failed recipients of a bulk at the time of the call, in any number. Left out are people who have opted out, and those whom a bulk to the same recipients, or the same text, has reached since or may still reach.',
    { failedOf: '01930000-0000-7000-8000-0000000000a1', exclude: [] },
  ),
  failedOf: id('Task of the bulk. Needs the permission `tasks.get`.'),
  UnclickedRecipients: as(
    'Recipients of a bulk with `tellsWhoClicked` whom it has reached and who have not clicked, when the call is made and when the new bulk starts. Left out are the same as of `failedOf`.',
    { unclickedOf: '01930000-0000-7000-8000-0000000000a1', exclude: [] },
  ),
  unclickedOf: id('Task of the bulk. Needs the permission `tasks.get`.'),
  UnseenRecipients: as(
    'Recipients of a bulk whom it has reached and who are not known to have opened it, when the call is made and when the new bulk starts. Left out are the same as of `failedOf`.',
    { unseenOf: '01930000-0000-7000-8000-0000000000a1', exclude: [] },
  ),
  unseenOf: id('Task of the bulk. Needs the permission `tasks.get`.'),
  RecipientSet: as('Recipients of the message.'),
  RecipientSetOutput: as('Recipients of the message.'),
  include: as('Ids of contact lists, phone numbers in any format and e-mail addresses.', [list]),
  exclude: as('Recipients to exclude, in the same format as `include`.', ['+79990000006']),
  fallbacks: as(
    'Up to three further attempts. Each starts when one of its triggers applies to the previous attempt.',
    [fallback],
  ),
  'FallbackInput.payload': as('Content of the message of this attempt.', payload),
  'FallbackInput.options': as('Triggers of this attempt. Any one of them starts it.'),
  FallbackOptions: as('Triggers of a fallback. Any one of them starts it.', fallback.options),
  'FallbackOptions.onStatus': as('Statuses of the previous attempt that start this one.', [
    'failed',
  ]),
  'FallbackOptions.onTimeout': as(
    'Starts this attempt if the previous one has not reached an expected status in time. Null for no timer.',
  ),
  'onTimeout.timeout': as(
    'Timeout in seconds, counted from the submission of the previous attempt.',
    50,
  ),
  'onTimeout.except': as(
    'Statuses of the previous attempt at which the timeout does not start this one.',
    ['delivered', 'seen'],
  ),
  'FallbackOptions.onIncomingPayload': as(
    'Starts this attempt if the recipient replies with the given text. Null to ignore replies.',
  ),
  'onIncomingPayload.text': as(
    'Complete text of the reply, case-insensitive. An empty string disables the trigger.',
    'yes',
  ),
  Schedule: as('Schedule of the submission to the carrier.'),
  'SendingInput.schedule': as(
    'Schedule of the submission to the carrier. If absent, messages are sent immediately.',
  ),
  'Schedule.delay': as('Start time in ISO 8601, or 0 to start immediately.', 0),
  'Schedule.until': as(
    'Period over which messages are evenly spread: a number of hours up to 12, or the end time in ISO 8601. 0 sends as fast as possible.',
    0,
  ),
  'Schedule.validUntil': as(
    'Until when messages are given to the carrier: seconds from the time at which each is due (30 to 604800), or a time in ISO 8601. A message that waits longer fails with `expired` and is refunded. Absent: no limit.',
    600,
  ),
  'ScheduleOutput.validUntil': as('Requested validity. Absent: no limit.', 600),
  sendAt: as(
    'When a single message is sent, in ISO 8601, up to 366 days from now. It is stored and charged at once, and can be cancelled until then. Not for bulks, which have `schedule.delay`. Absent: at once.',
    '2026-12-24T09:00:00+03:00',
  ),
  'SendingInput.priority': as(
    'Which of single messages that wait for the same channel is sent first: `high` ones as if they had waited ten times as long, `low` ones a tenth. Not for bulks. Absent: `normal`.',
    'high',
  ),
  'EachInput.priority': as(
    'Which of single messages that wait for the same channel is sent first: `high` ones as if they had waited ten times as long, `low` ones a tenth. Absent: `normal`.',
    'low',
  ),
  'SendingInput.options': as('Options of the request.'),
  'SendingOptions.title': as('Title of the task of a bulk.', 'Orders of November'),
  'SendingOptions.tellsWhoClicked': as(
    'Whether the short links of a bulk tell who clicked: each of them is 18 characters longer, as it has a code of its own for each recipient. Only for bulks, and not with an external shortener. Without effect on texts that have no short link of the account. Absent: clicks are counted by link.',
    true,
  ),
  'SendingInput.variants': as(
    'A second text of a bulk. Both are sent to a share of the recipients, and the better one some hours later to the rest. Three tasks are created, and the response is that of the first text; its `data.sending.variants.tasks` names the others. Not for single messages, failed recipients of a bulk, and types without a text. Absent: one text.',
  ),
  VariantsInput: as('A second text of a bulk, and how the better one is chosen.', {
    text: 'Your order is waiting for you',
    share: 20,
    by: 'replied',
    hours: 4,
  }),
  'VariantsInput.text': as(
    'The second text, in place of that of the first attempt. What else is in the payload is the same.',
    'Your order is waiting for you',
  ),
  'VariantsInput.share': as(
    'Percent of the recipients that get the two texts: half of them the first, half the second, at least 20 each.',
    20,
  ),
  'VariantsInput.by': as(
    'What decides. `delivered`: recipients who were reached, of those with a result. `replied`: recipients with a reply, of all of the text. `clicked`: clicks of its short links, for each recipient who was reached; each text needs a short link of the account that the other does not have.',
  ),
  'VariantsInput.hours': as(
    'Hours from the start of the two texts until the rest starts with the better one.',
    4,
  ),
  callbackData: as(
    'Custom text. Returned with every message that the request creates.',
    'order-1001',
  ),
  'SendingInput.OwnerId': id(
    'Account that sends and pays. The caller must have access to it. Defaults to the account of the caller.',
  ),
  EachInput: as('Messages to many recipients, with values of their own.', {
    type: 'sms',
    payload: { sender: 'MIRTEA', text: 'Order {order} is ready, {name|friend}' },
    recipients: [
      { to: '+79990000000', values: { order: 'A-1001', name: 'Anna' }, callbackData: 'order-1001' },
      { to: '+79990000001', values: { order: 'A-1002' }, callbackData: 'order-1002' },
    ],
  }),
  'EachInput.templateId': id(
    'Template to send; needs the permission `templates.get`. Its recipients are not used.',
  ),
  'EachInput.templateVersion': as(
    'Version of the template, as it was written. Absent: the present one.',
    2,
  ),
  'EachInput.locale': as(
    'Language of the recipients that name none: the translation of the template into it is sent, if there is one.',
    'de',
  ),
  'EachInput.type': as('Message type. Required without a template, and only then allowed.'),
  'EachInput.payload': as(
    'Content of the message; its texts may have variables of any names, such as `{order}`. With a template, the fields that take the place of the template’s.',
    payload,
  ),
  'EachInput.fallbacks': as(
    'Up to three further attempts, in whose texts the same values are replaced. With a template, they take the place of the template’s.',
    [fallback],
  ),
  'EachInput.values': as('Values of the variables for all recipients that have no own ones.', {
    shop: 'MIRTEA',
  }),
  'EachInput.recipients': as(
    'Recipients, at most 10,000, and at most 40,000 fields in the body. A recipient that is listed twice gets two messages. Values of fallbacks to another kind of address are `phone` and `email`.',
    [{ to: '+79990000000', values: { order: 'A-1001' }, callbackData: 'order-1001' }],
  ),
  'EachInput.recipients.to': as('Phone number in any format, or e-mail address.', '+79990000000'),
  'EachInput.recipients.values': as('Values of the variables for this recipient, by name.', {
    order: 'A-1001',
  }),
  'EachInput.recipients.locale': as(
    'Language of this recipient, such as `de`, `pt-BR` or `pt_BR`: the translation of the template into it is sent, else one into the same language, else the text of the template.',
    'de',
  ),
  'EachInput.recipients.callbackData': as(
    'Custom text. Returned with this message and its fallbacks.',
    'order-1001',
  ),
  'EachInput.schedule.validUntil': as(
    'Until when messages are given to the carrier: seconds from the time at which they are sent (30 to 604800), or a time in ISO 8601. Absent: no limit.',
    600,
  ),
  'EachInput.options': as('Options of the messages.', { title: 'Orders' }),
  'EachInput.schedule': as('How long the messages are valid.', {
    validUntil: 600,
  }),
  'EachInput.callbackData': as(
    'Custom text of all recipients that have no own one. Returned with every message.',
    'order-1001',
  ),
  'EachInput.OwnerId': id(
    'Account that sends and pays. The caller must have access to it. Defaults to the account of the caller.',
  ),
  EachReceipt: as('Result for one recipient, in the order of the request.', {
    id: '01930000-0000-7000-8000-0000000000a1',
    recipient: '+79990000000',
    status: 'pending',
    error: null,
  }),
  'EachReceipt.recipient': as('Recipient: a phone number in E.164.', '+79990000000'),
  'EachReceipt.error': as(
    'Reason of the refusal in English. Null if the message was accepted.',
    'A variable of the message has neither a value for this recipient nor a default.',
  ),
  'EachReceipt.code': as('Error code of the refusal.', 'no_value'),
  'EachReceipt.status': as('`failed` if the message was refused, otherwise its status.'),
  'EachReceipt.cap': as('Cap that refused the message; only with the code `spend_cap_reached`.'),
  'EachReceipt.id': id('Id of the message. Null for one that is refused: it is not kept.'),
  'EachReceipt.missing': as('Variables without a value, with the code `no_value`.', ['order']),
  'Sending.live': as(
    'False for a message of a test token, which reaches nobody and costs nothing.',
    true,
  ),
  'Sending.cancellable': as(
    'Whether it can be cancelled: a single message that waits, such as a scheduled one. One-time codes and messages of bulks cannot.',
    false,
  ),
  'sendings.find.?clicked': as(
    'Only messages to recipients who clicked a short link (`true`), or of bulks that tell who clicked those to recipients who did not (`false`). Returns first attempts only, one for each recipient.',
    'true',
  ),
  'sendings.find.?live': as(
    'Only messages of test tokens (`false`), or none of them (`true`).',
    'true',
  ),
  SendingReceipt: as('Result for one recipient of a request.', {
    id: '01930000-0000-7000-8000-0000000000a1',
    recipient: '+79990000000',
    status: 'pending',
    error: null,
  }),
  'sendings.create.400': as('A refused message.', {
    id: '01930000-0000-7000-8000-0000000000a1',
    recipient: '+79990000000',
    status: 'failed',
    error: 'The balance does not cover the message.',
    code: 'insufficient_funds',
  }),
  'SendingReceipt.id': id('Id of the message.'),
  'SendingReceipt.recipient': as('Recipient: a phone number in E.164.', '+79990000000'),
  'SendingReceipt.error': as(
    'Reason for the refusal, in English. Null if the message was accepted.',
    'The balance does not cover the message.',
  ),
  'SendingReceipt.code': as(
    'Error code of the refusal. Null or absent if the message was accepted.',
    'insufficient_funds',
  ),
  groupId: id('Id of the group of the bulk. Null for a single message.'),
  'SendingReceipt.docs': as(
    'Address of the page about the code, of the only message of a call that was refused.',
    'https://example.com/documentation/api/errors/sender_not_approved',
  ),
  'SendingReceipt.status': as('`failed` if the message was refused, otherwise its status.'),
  Sending: as('Message to one recipient: one attempt of its chain.'),
  'Sending.recipient': as(
    'Recipient: a phone number in E.164 or an e-mail address.',
    '+79990000000',
  ),
  'ChannelTest.recipient': as(
    'Recipient: a phone number in any format or an e-mail address.',
    '+79990000000',
  ),
  'Sending.fallbacks': as('Fallbacks of the message.', [fallback]),
  'Sending.state': as('State of the message.', {
    status: 'delivered',
    outcome: 'delivered',
    error: null,
    code: null,
  }),
  'state.status': as('Status of the message.'),
  Outcome: as('Result for a recipient, from all attempts of the chain.'),
  'state.outcome': as(
    'Result for the recipient, from all attempts of the chain. It can differ from the status of this attempt.',
  ),
  'state.error': as(
    'Reason for the failure, in English. Null if the message has not failed.',
    'The subscriber is absent or the number is not in service.',
  ),
  'state.code': as(
    'Error code of the failure. Null if the message has not failed.',
    'absent_subscriber',
  ),
  'Sending.chainId': id('Chain of the attempt: the id of its first message.'),
  attempt: as('Number of the attempt in its chain, starting from 0.', 0),
  'Sending.meta': as('Price and size of the message.'),
  'meta.billings': as('Ledger entries of the message.'),
  'meta.billing': as('Charge for the message. Null if nothing was charged.'),
  'billing.amount': sum(
    'Amount charged. Of a call that is charged by its length: the reserve, and once its length is known what it costs.',
  ),
  'billing.call': as(
    'How the call is charged by its length. Absent for other messages, and for calls that cost what the length of their text or recording says.',
  ),
  'call.reserved': sum('Reserve that was charged when the call was accepted.', 2),
  'call.seconds': as(
    'Seconds for which the call was answered, by the report of the carrier. Null while there is none: then the reserve stays charged.',
    17,
  ),
  'call.first': as(
    'Seconds that are charged as soon as the call is answered. A call that is not answered costs nothing.',
    60,
  ),
  'call.interval': as('Seconds of each later interval, which is charged when it has begun.', 1),
  'billing.volumeStep': as('Volume step of the tariff that the price has. Absent without one.'),
  'billing.package': as(
    'Name of the prepaid package that covers the message, whose amount is 0 then. Absent for others.',
    'A thousand SMS',
  ),
  'billing.refunded': as('True if the charge was refunded.'),
  price: as(PRICE, 3.5),
  multiplier: as('Number of units charged: segments of an SMS, seconds of a call, otherwise 1.', 1),
  'meta.stats': as('Size of the text.'),
  'stats.segments': as('Number of billed segments.', 1),
  'stats.characters': as('Number of characters in the text.', 19),
  'stats.encoding': as(
    'Encoding of the text. `ascii`: GSM 7-bit alphabet (3GPP TS 23.038), up to 160 characters in one segment. `unicode`: UCS-2, up to 70 characters.',
  ),
  'meta.operator': as('Mobile network of the recipient. Null if unknown.'),
  'operator.mcc': as('Mobile country code.', '250'),
  'operator.mnc': as('Mobile network code.', '01'),
  'operator.name': as('Name of the operator. Null if only the country is known.', 'MTS'),
  'meta.counters': as('Number of recipients by result.'),
  'counters.expected': as('Expected number of recipients.', 984),
  'counters.total': as(
    'Number of recipients so far. Grows to `expected` while the recipients are loaded.',
    984,
  ),
  'counters.completed': as('Number of recipients with a delivered message.', 950),
  'counters.cancelled': as(
    'Number of recipients cancelled by stopping the task. Their charges are refunded.',
    4,
  ),
  'counters.errored': as('Number of recipients for whom all attempts failed.', 30),
  'counters.unknownOutcomes': as(
    'Number of recipients for whom the carrier has not confirmed whether it accepted the message.',
    0,
  ),
  skipped: as('Number of skipped recipients by reason.', { duplicate: 3, blacklisted: 1 }),
  'Sending.lookup': as('What a look-up of the number (`hlr`) found out.'),
  LookupFacts: as('What a look-up of a number found out. Null: the carrier did not say.'),
  ...inEach(['LookupFacts', 'LookupFactsOutput'], {
    network: as('Network that serves the number now.'),
    origin: as('Network to which the number was given first.'),
    ported: as('True if the number was taken to another network.', true),
    roaming: as('True if the phone is in a foreign network.', false),
  }),
  'network.mcc': as('Mobile country code.', '250'),
  'network.mnc': as('Mobile network code.', '01'),
  'network.name': as('Name of the network. Null if it is not known.', 'MTS'),
  'origin.mcc': as('Mobile country code.', '250'),
  'origin.mnc': as('Mobile network code.', '02'),
  'origin.name': as('Name of the network. Null if it is not known.', 'MegaFon'),
  'Sending.timeline': as('Events of the chain, oldest first; only in scope `full`.'),
  'Sending.attempts': as(
    'All attempts of the chain in order; only when a single message is retrieved.',
  ),
  'attempts.status': as('Status of the attempt.'),
  'attempts.code': as(
    'Error code of the failure. Null if the message has not failed.',
    'absent_subscriber',
  ),
  TimelineEvent: as('Event of an attempt.'),
  'TimelineEvent.id': id('Id of the attempt.'),
  'TimelineEvent.event': as(
    'Type of the event. `fallback` is the start of another attempt; `clicked` the first click on a short link, with its target as the detail, in a bulk that tells who clicked.',
  ),
  'TimelineEvent.at': time('Time of the event.'),
  'TimelineEvent.detail': as(
    'Details of the event, such as the reason for a failure. Null if there are none.',
    'The subscriber is absent or the number is not in service.',
  ),
  'TimelineEvent.code': as('Error code of a failure, otherwise null.', 'absent_subscriber'),
  'TimelineEvent.carrier': as(
    'For managers only: what the carrier said about a failure in its own words, one line each. Absent if it said nothing.',
  ),
  'TimelineEvent.carrier.code': as('Code of the carrier. Null if it is one of ours.', 'E_17'),
  'TimelineEvent.carrier.text': as('Reason of the carrier.', 'Route closed'),
  'TimelineEvent.way': as(
    'For managers only: the channel of the attempt, and the route that has chosen it. With `sent`, or with the beginning of an attempt that waits.',
  ),
  'TimelineEvent.way.channel': as('Name of the channel.', 'simulator'),
  'TimelineEvent.way.route': as(
    'Title of the route. Null if no route matched, or if it was removed.',
    'Codes to Russia',
  ),
  'TimelineEvent.amount': sum('Amount charged or refunded. Null for other events.'),
  'TimelineEvent.seconds': as(
    'Of `settled`: seconds for which the call was answered. The amount is what was given back of the reserve. Absent for other events.',
    17,
  ),
  'TimelineEvent.package': as(
    'Of `charged` and `refunded`: name of the prepaid package that covers the message, whose amount is 0 then. Absent for others.',
    'A thousand messages',
  ),
  'Sending.dueAt': dated(
    'Time at which the message is sent at the earliest, such as the end of quiet hours. Null once it is submitted.',
  ),
  'Sending.sentAt': dated('Time at which the carrier accepted the message.'),
  'Sending.deliveredAt': dated('Time of delivery.'),
  'Sending.seenAt': dated('Time at which the recipient read the message.'),
  'Sending.failedAt': dated('Time of the failure.'),
  Estimate: as('Estimated price and recipients of a request.'),
  'Estimate.exact': as('False if the estimate is based on a sample of a large audience.'),
  'Estimate.recipients': as('Number of recipients that would receive a message.', 984),
  'TemplateInput.group': as(
    'Traffic group of messages with this text. Tariffs can set a price for each group. Applies once the template is approved.',
  ),
  'templates.update.group': as(
    'Traffic group of messages with this text. Tariffs can set a price for each group. A change requires moderation.',
  ),
  'TemplateModeration.group': as(
    'Approved traffic group, if it differs from the requested one. Only managers can approve a group other than advertising.',
  ),
  'TemplateRow.group': as(
    'Traffic group of messages with this text. Tariffs can set a price for each group.',
  ),
  'Template.group': as(
    'Traffic group of messages with this text. Tariffs can set a price for each group.',
  ),
  'Sending.payload.recipient': as('The recipient again; only in scope `full`.', '+79990000000'),
  'Sending.recipients': as(
    'Recipients of the request: contact lists and the first 1,000 individual addresses. Only in scope `full` of a single message.',
  ),
  'Sending.schedule': as('Schedule of the request; only in scope `full`.'),
  'Sending.options': as('Options of the request; only in scope `full`.'),
  'Sending.meta.recipientGroup': as(
    'Traffic group of the message, from the approved template that its text matched on creation. Advertising if no template matched.',
  ),
  'ScheduleOutput.delay': as('Requested start time in ISO 8601. 0 for an immediate start.', 0),
  'ScheduleOutput.until': as(
    'Requested period: a number of hours, or the end time in ISO 8601. 0 if the messages were not spread.',
    0,
  ),
  'Estimate.assumed': as(
    'Number of phone numbers without a calling code, by the country that was assumed.',
    [{ country: 'RU', count: 3 }],
  ),
  'assumed.country': as('Country whose calling code was added, ISO 3166-1 alpha-2.', 'RU'),
  'assumed.count': as('Number of phone numbers.', 3),
  'Estimate.segments': as('Number of segments of all first attempts.', 984),
  'Estimate.amount': sum(
    'Total price of the first attempts by the tariff, also of those that packages cover.',
    3444,
  ),
  'Estimate.byLength': as(
    'True if first attempts are calls that are charged by their length: `amount` is what they cost at most. Absent for others.',
    true,
  ),
  max: sum(
    'Total price if all fallbacks start, and calls charged by their length take their whole reserve.',
    3444,
  ),
  'Estimate.balanceAfter': sum(
    'Balance after the charges for the first attempts. Absent for an API token, or a member, without `billings.find`.',
    1556,
  ),
  'Estimate.enough': as(
    'True if packages, the balance and the overdraft cover the first attempts.',
  ),
  'Estimate.templates': as(
    'Estimate by the template that the texts match, at most 20. Empty for an account without templates.',
  ),
  'Estimate.templates.title': as('Title of the template. Null for texts that match none.', 'Codes'),
  'Estimate.templates.group': as('Traffic group of these messages, which determines the price.'),
  'Estimate.templates.count': as('Number of messages.', 400),
  'Estimate.templates.amount': sum('Total price of these messages.', 1400),
  'Estimate.operators': as('Estimate by mobile network.'),
  'operators.mccmnc': as('Network code: MCC followed by MNC. Null if unknown.', '25001'),
  'operators.name': as('Name of the operator. Null if only the country is known.', 'MTS'),
  'operators.count': as('Number of recipients in this network.', 400),
  'operators.amount': sum('Total price of the first attempts in this network.', 1400),
  'operators.lines': as('Messages grouped by price. `amount` is `count` × `multiplier` × `price`.'),
  EstimateLine: as('Group of messages with the same price.'),
  'EstimateLine.count': as('Number of messages.', 400),
  'EstimateLine.amount': sum('Total price of these messages.', 1400),
  SendingTask: as('Task of a bulk, with the `groupId` of its messages.'),
  'SendingTask.groupId': id(
    'Group of the messages. Use it as the filter `groupId` of `GET /sendings`.',
  ),
};
