import { as, id, list, time, type Description } from './description.ts';

export const COMMON: Record<string, Description> = {
  id: id('Unique identifier, a UUID.'),
  ids: as('Identifiers of the objects, UUIDs.', ['01930000-0000-7000-8000-0000000000a1']),
  title: as('Title, shown in lists.', 'Regular customers'),
  createdAt: time('Time at which the object was created.'),
  updatedAt: time('Time of the last change.'),
  OwnerId: id('Account that owns the object: the id of its account holder.'),
  Owner: as(
    'Account that owns the object. Absent for users who can access only their own account.',
  ),
  UserId: id('Id of the user in the account.'),
  ListId: as('Contact list that contains the contact.', list),
  isActive: as(
    'True if the object is active. An inactive object is kept and can be activated again.',
  ),
  type: as('Message type, which determines the channel.'),
  currency: as('Currency code, ISO 4217.', 'RUB'),
  country: as('Country code, ISO 3166-1 alpha-2.', 'RU'),
  phone: as(
    'Phone number. Requests accept any format of the country; responses use E.164.',
    '+79990000000',
  ),
  email: as('E-mail address, in lower case.', 'anna@example.com'),
  username: as('Username, used to sign in.', 'mirtea'),
  'Registration.password': as('Password.', 'correct horse 7'),
  firstName: as('Given name.', 'Anna'),
  middleName: as('Middle name or patronymic.', 'Pavlovna'),
  lastName: as('Family name.', 'Orlova'),
  locale: as('Language of the message. Defaults to the language of the `Accept-Language` header.'),
  'Session.token': as(
    'Session token, a JWT. Send it in the `Authorization` header.',
    'eyJhbGciOiJIUzI1NiJ9.eyJqdGkiOiJhMSJ9.c2lnbmF0dXJl',
  ),
  ip: as('IP address of the client. Null if the caller may not see it.', '203.0.113.7'),
  useragent: as("Value of the client's `User-Agent` header.", 'Mozilla/5.0'),
  requestId: as(
    'Identifier of the request, as in the `X-Request-Id` header of its response.',
    '7f1c2b34-0d7e-4a4e-9a51-2f1c6f0a9b10',
  ),
  version: as('Version of the server.', '1.2.3'),
  'find.total': as('Number of matching rows, counted up to 10,000.', 1),
  'find.totalIsCapped': as('True if more rows match than `total` counts.', false),
  'find.limit': as('Maximum number of rows on this page.', 16),
  'find.offset': as('Number of rows before this page.', 0),
  'find.data': as('Rows on this page.'),
  'phones.simulated.data': as('Messages, newest first.'),
  'operators.lookup.data': as('Known networks, in the order of the request.'),
  'channels.drivers.data': as('Available drivers.'),

  // Query parameters.
  '?id': id('Id of the object.'),
  'find.?id': id('Return only rows with these ids.'),
  'auth.loginAs.?id': id('Id of the user to sign in as.'),
  'auth.loginAsGet.?id': id('Id of the user to sign in as.'),
  'billings.balance.?id': id('Id of the account holder.'),
  'sendings.get.?id': id(
    'Id of a message, or of the group of a bulk. A group with one message returns that message; a larger group returns its totals.',
  ),
  '?$scope': as(
    'Optional fields to include in the response; `full` includes all of them. Repeat the parameter or index it: `$scope[0]=full`.',
    ['full'],
  ),
  'sendernames.find.?$scope': as(
    '`attached` returns only names that can be used now. `meta` and `full` have no effect.',
    ['attached'],
  ),
  'billings.find.?$search': as(
    'Id of an entry or of its cause, or a sum; for managers, also a part of the comment.',
    '1500',
  ),
  'billings.totals.?$search': as('Text to search for, as in the list.', '1500'),
  'payments.find.?$search': as(
    'Id of a payment or of its recurring payment, a sum, or a part of the card number or of the id at the acquirer.',
    '4242',
  ),
  'recurrentPayments.find.?$search': as('Id, a sum, or a part of the card number.', '4242'),
  'notifications.find.?$search': as(
    'Part of a title, in any language of the cabinet, or of a name or sum in a notification.',
    'Autumn',
  ),
  'telemetry.find.?$search': as(
    'Part of the IP address, user agent, country or city. The client of a session opened by login-as is not searched.',
    '203.0.113',
  ),
  '?$search': as('Text to search for; partial matches are found.', 'mirtea'),
  '?$offset': as('Number of rows to skip.', 0),
  '?$limit': as('Maximum number of rows to return.', 16),
  '?Idempotency-Key': as(
    'Unique key of the operation, kept for 24 hours. A repeated request with the same key and body has no further effect and returns the first response with the `Idempotency-Replay` header.',
    'order-1001',
  ),
  '?$order': as('Sort order: up to four fields, each with a direction.', 'createdAt:desc'),
  '?token': as(
    'Session token for links, which cannot send headers. Prefer the `Authorization` header.',
    'eyJhbGciOiJIUzI1NiJ9.eyJqdGkiOiJhMSJ9.c2lnbmF0dXJl',
  ),
  '?return': as(
    'For a stored file, `meta` returns its description instead of its contents. No effect on other objects.',
    'meta',
  ),
  'sendings.create.?return': as(
    '`each` returns one receipt per recipient, for up to 100 recipients.',
  ),
  '?OwnerId': id('Return only rows of this account. The caller must have access to it.'),
  '?ActorId': id('Return only actions of this user.'),
  '?ManagerId': id('Return only users assigned to this manager.'),
  '?TariffId': id('Return only charges priced by this tariff.'),
  '?ListId': as('Return only contacts of this list.', list),
  '?groupId': id('Return only messages of this bulk: the `groupId` of its task.'),
  'reports.find.?$preset': as(
    'Return the rows of this grouped report instead of the list of reports. `createdAt` is then the range of the rows, with the limit of lists.',
    'billings.byDay',
  ),
  'reports.find.?state': as('Return only reports in these states.'),
  '?chainId': id('Return only attempts of this chain: the first message and its fallbacks.'),
  '?cursor': id(
    'Id of the last row of the previous page. The next page starts after it, at any depth. Requires sorting by `createdAt`.',
  ),
  '?createdAt': as(
    'Creation time range: `createdAt[$gt]` is the lower bound, `createdAt[$lt]` the upper; both are exclusive. A row may become visible later than younger ones: to follow a list, use `updatedAt` where there is one, and begin each range before the last one elsewhere.',
    {
      $gt: '2026-11-01T00:00:00.000Z',
    },
  ),
  '?updatedAt': as(
    'Change time range: `updatedAt[$gt]` is the lower bound, `updatedAt[$lt]` the upper; both are exclusive. With the lower bound alone, messages are in the order of their changes: the next page is after the greatest `updatedAt`, there is no offset.',
    {
      $gt: '2026-11-01T00:00:00.000Z',
    },
  ),
  '?startsAt': as(
    'Start time range: `startsAt[$gt]` is the lower bound, `startsAt[$lt]` the upper; both are exclusive.',
    {
      $gt: '2026-11-01T00:00:00.000Z',
    },
  ),
  $gt: time('Lower bound, exclusive.'),
  $lt: time('Upper bound, exclusive.'),
  '?type': as('Return only these message types.'),
  'contactLists.find.?type': as('Return only lists of these types.'),
  'notifications.find.?type': as('Return only notifications of these types.'),
  'sendernames.find.?type': as('Return only names for these message types.'),
  'storage.find.?type': as('Return only files of these MIME types.', ['image/png']),
  'tasks.find.?type': as('Return only tasks of these types.'),
  'sendings.find.?status': as('Return only messages with these statuses.'),
  'billings.find.?status': as('Return only entries with these statuses.'),
  'billings.find.?source': as(
    'Return only entries with these sources. A message type without a prefix means `sendings.{type}`.',
  ),
  'tariffs.find.?source': as('Return only tariffs with this source.', 'base'),
  '?outcome': as('Return only first attempts whose recipient has one of these outcomes.'),
  '?state': as('Return only tasks in these states.'),
  '?moderation': as('Return only objects with these moderation states.'),
  '?isActive': as(
    '`true` or `1` returns only active objects, `false` or `0` only inactive ones.',
    'true',
  ),
  '?isRead': as(
    '`true` or `1` returns only read notifications, `false` or `0` only unread ones.',
    'false',
  ),
  '?isPublic': as('`true` makes the file public: it gets a URL that needs no session.', 'true'),
  '?level': as('Return only users of these levels.'),
  'audit.find.?action': as('Return only these actions: endpoint names or predefined actions.', [
    'auth.login',
  ]),
  'telemetry.find.?action': as('Return only visits with this action.', 'login'),
  '?ip': as(
    'Return only records from this IP address. For IPv6, the whole /64 network matches.',
    '203.0.113.7',
  ),
  '?phone': as('Return only contacts with this phone number, in any format.', '+79990000000'),
  '?email': as('Return only contacts with this e-mail address.', 'anna@example.com'),
  '?recipient': as(
    'Return only messages to this phone number, in any format, or e-mail address.',
    '+79990000000',
  ),
  'sendingsIncoming.find.?from': as(
    'Return only messages from this phone number, in any format, or e-mail address.',
    '+79990000000',
  ),
  'sendings.find.?mccmnc': as(
    'Return only messages to numbers of this network (MCC followed by MNC); empty for unknown networks.',
    '25001',
  ),
  'sendings.find.?country': as(
    'Return only messages to numbers of this country, ISO 3166-1 alpha-2; empty for unknown networks.',
    'RU',
  ),
  'sendings.find.?sender': as('Return only messages from this sender name.', 'MIRTEA'),
  'sendings.find.?TokenId': id('Return only messages requested with this API token.'),
  'analytics.get.?by': as(
    'What the messages are grouped by: a day or an hour of the day of the time zone, a message type, the operator or the country of the number, the sender name, the bulk, the API token, or the account.',
  ),
  'analytics.get.?from': time('Start of the period in which the messages were created.'),
  'analytics.get.?to': as(
    'End of the period, not included, up to 400 days after its start. Messages are counted by quarters of an hour: a period begins and ends at one. ISO 8601.',
    '2026-11-29T00:00:00.000Z',
  ),
  'analytics.get.?timeZone': as('Time zone of days and hours. Defaults to UTC.', 'Europe/Madrid'),
  'analytics.get.?beforeFrom': as(
    'Start of another period, to compare with. ISO 8601.',
    '2026-11-15T00:00:00.000Z',
  ),
  'analytics.get.?beforeTo': as(
    'End of the other period, not included, and not after the start of the first one. ISO 8601.',
    '2026-11-22T00:00:00.000Z',
  ),
  'analytics.get.?type': as('Count only messages of this type.'),
  'analytics.get.?mccmnc': as(
    'Count only messages to numbers of this network; empty for unknown networks.',
    '25001',
  ),
  'analytics.get.?country': as(
    'Count only messages to numbers of this country; empty for unknown networks.',
    'RU',
  ),
  'analytics.get.?sender': as('Count only messages from this sender name.', 'MIRTEA'),
  'analytics.get.?groupId': id('Count only messages of this bulk.'),
  'analytics.get.?TokenId': id('Count only messages requested with this API token.'),
  'analytics.get.?rows': as('Maximum number of groups.', 100),
  Analytics: as('Figures of messages by what they were grouped by.'),
  'Analytics.total': as('Figures of all messages of the period.'),
  'Analytics.before': as('Those of the other period. Null without one.'),
  'Analytics.data': as(
    'The groups with the most messages; days and hours in their order. Those without messages are left out.',
  ),
  'Analytics.isCut': as('True if there are more groups than were asked for.', false),
  AnalyticsRow: as('Figures of one group.'),
  'AnalyticsRow.key': as(
    'The group: a day, an hour from 0 to 23, a type, a network code, a country, a sender name or an id. Empty if it is not known, and for messages without a bulk or token.',
    '25001',
  ),
  'AnalyticsRow.title': as(
    'Name of the operator, the bulk, the token or the account. Null if there is none.',
    'MTS',
  ),
  'AnalyticsRow.figures': as('Figures of the period.'),
  'AnalyticsRow.before': as('Figures of the other period. Null without one.'),
  AnalyticsFigures: as('Figures of messages, under the time at which they were created.'),
  'AnalyticsFigures.messages': as('Number of messages.', 200),
  'AnalyticsFigures.submitted': as('Number of messages that were given to a carrier.', 198),
  'AnalyticsFigures.delivered': as(
    'Number of delivered messages, those that were read among them.',
    171,
  ),
  'AnalyticsFigures.seen': as('Number of messages that were read.', 90),
  'AnalyticsFigures.failed': as('Number of failed messages.', 27),
  'AnalyticsFigures.cancelled': as('Number of messages cancelled by stopping their bulk.', 0),
  'AnalyticsFigures.replies': as(
    'Number of incoming messages that answer them. Null without the permission `sendingsIncoming.get`.',
    4,
  ),
  'AnalyticsFigures.optOuts': as(
    'Number of opt-outs that answer them. Null without the permission `suppressions.get`.',
    1,
  ),
  'AnalyticsFigures.clicks': as(
    'Number of clicks on short links of the account, at the time of the click. Null where messages are filtered or grouped otherwise than by time or account, and without the permission `links.get`.',
    12,
  ),
  'AnalyticsFigures.cost': as(
    'Amount charged for the messages and not refunded. In the currency of the account. Null without the permission `billings.find`.',
    598.5,
  ),
  'AnalyticsFigures.covered': as(
    'Number of messages that packages cover, which are not in the cost. Null without the permission `billings.find`.',
    0,
  ),
  'AnalyticsFigures.median': as(
    'Seconds from the submit within which half of the deliveries arrived. Null without deliveries.',
    3.5,
  ),
  'AnalyticsFigures.p95': as(
    'Seconds from the submit within which 95 % of the deliveries arrived. Null without deliveries.',
    41,
  ),
  'summary.get.?timeZone': as(
    'Time zone in which the days before begin at midnight; by default each of them has 24 hours.',
    'Europe/Madrid',
  ),
  'summary.get.?from': time(
    'Start of the current day in the time zone of the caller. Defaults to midnight UTC.',
  ),
  '?channel': as('Name of the channel.', 'carrier'),
  'notifications.find.?channel': as(
    'Return only notifications sent over this channel; `web` is the cabinet.',
    'web',
  ),
  '?key': as('Key from the link in the e-mail.', 'q3S2gk1y7xw'),
  'storage.getPublic.?key': as('Key from the `url` of the file.', 'q3S2gk1y7xw'),
  '?mccmnc': as('Network codes (MCC followed by MNC). `401*` selects all networks of a country.', [
    '25001',
  ]),
  '?mcc': as('Mobile country code (MCC), three digits.', '250'),
  '?mnc': as(
    'Mobile network code (MNC), used together with `mcc`. Without it, all networks of the country are returned.',
    '01',
  ),

  // Errors.
  ErrorBody: as('Error response. Handle errors in code by `code`.'),
  ErrorCode: as('Error code.'),
  'ErrorBody.error': as('HTTP status.', 422),
  'ErrorBody.code': as('Error code, from a fixed list. Codes do not change between versions.'),
  'ErrorBody.name': as('Name of the error class.', 'ValidationError'),
  'ErrorBody.message': as('Description of the error, in English.', 'A sender is required.'),
  'ErrorBody.data': as('Invalid fields; only with status 422.'),
  'ErrorBody.data.field': as('Path of the field, in dot notation.', 'payload.sender'),
  'ErrorBody.data.message': as(
    'Description of the error in the field, in English.',
    'A sender is required.',
  ),
  'ErrorBody.data.type': as(
    'Validation rule that failed. The page of the rule in the documentation says its cause and what to do.',
    'required',
  ),
  'ErrorBody.docs': as(
    'URL of the page about this error in the documentation of the installation: its cause and what to do.',
    'https://example.com/documentation/api/errors/validation',
  ),
  'ErrorBody.errors': as(
    'The errors of `data` grouped by property and rule; only with status 422.',
  ),
  'errors.property': as('Path of the field, in dot notation.', 'payload.sender'),
  'errors.constraints': as('Failed rules and their descriptions.', {
    required: 'A sender is required.',
  }),
  'ErrorBody.payload': as('Additional data, such as `expires_at` of a rate limit.', {
    expires_at: '2026-11-22T09:15:00.000Z',
  }),
};
