import { as, id, inEach, time, type Description } from './description.ts';

const FIELDS: Record<string, Description> = {
  title: as('Title of the route.', 'Codes to Russia'),
  isActive: as('True if the route is used.', true),
  priority: as(
    'Priority of the route. A message takes the route with the highest priority that matches it and has an active channel.',
    10,
  ),
  types: as('Message types of the route. Empty: all types.', ['sms']),
  countries: as('Countries of the recipients, ISO 3166-1 alpha-2. Empty: all countries.', ['RU']),
  operators: as(
    'Mobile networks of the recipients: `25001` is a network, `401*` all networks of a country. Ported numbers keep their original network. Empty: all networks.',
    ['25001', '401*'],
  ),
  senders: as('Sender names of the route. Empty: all sender names.', ['MIRTEA']),
  OwnerIds: as('Accounts of the route. Empty: all accounts.', [
    '01930000-0000-7000-8000-000000000001',
  ]),
  GroupIds: as('Routing groups whose accounts take the route. Empty: all accounts.', [
    '01930000-0000-7000-8000-0000000000a1',
  ]),
  kinds: as(
    'Kinds of traffic: one-time codes (`code`), messages to one recipient (`single`), messages of a task (`bulk`). Empty: all kinds.',
    ['code'],
  ),
  channels: as('Channels of the route, the preferred first.', [
    { ChannelId: 'simulator', weight: 1 },
  ]),
  isWeighted: as(
    'True if each channel gets its share of the messages. Otherwise all take the first one that works.',
    false,
  ),
  failoverAfter: as(
    'Seconds after which waiting messages leave a channel that is down for the next one of the route. They return when it works again. Null: they wait for it.',
    60,
  ),
  shiftsShares: as(
    'True if the shares of a weighted route shift away from channels that deliver worse or later than the others, and back.',
    true,
  ),
  lateAfter: as('Seconds from which a receipt is late, for a route that shifts shares.', 300),
};

export const ROUTES: Record<string, Description> = {
  RouteProbeInput: as('Message whose way is asked for.'),
  RouteProbe: as('Way of a message, and why it takes that.'),
  'RouteProbe.recipient': as('Address of the recipient.', '+79161234567'),
  'RouteProbe.country': as('Country of the number, ISO 3166-1 alpha-2. Null if unknown.', 'RU'),
  'RouteProbe.mccmnc': as('Mobile network of the number. Null if unknown.', '25001'),
  'RouteProbe.operator': as('Operator of the number. Null if unknown.', 'MTS'),
  'RouteProbe.lookedUpAt': time(
    'When the account has looked up the network of the number. Null if the network is that of the prefix.',
  ),
  'RouteProbe.route': as(
    'Route of the message. Null if none matches: then the channel is that of the routing groups of the account, or the one of the type with the highest priority.',
  ),
  'RouteRef.title': as('Title of the route.', 'Codes to Russia'),
  'RouteProbe.channel': as('Channel of the message. Null if none takes it.', 'simulator'),
  'RouteProbe.channels': as(
    'Channels of the route for this message, the preferred first, and those that were left out. Without a route: the channel, and those of the type where the sender name is not registered.',
  ),
  'RouteProbe.channels.name': as('Name of the channel.', 'simulator'),
  'RouteProbe.channels.weight': as('Weight of the channel. Null if the route is not weighted.', 1),
  'RouteProbe.channels.share': as(
    'Part of the messages that the channel gets now, in parts of a thousand. Null if the route does not shift shares.',
    500,
  ),
  'RouteProbe.channels.state': as(
    'State of the channel. `working`, `down`: its carrier takes nothing, `off`: inactive, `otherType`: it does not take the message type, `notRegistered`: it carries only registered sender names and that of the message is none, `removed`.',
  ),
  'RouteProbe.passed': as('Routes with a higher priority that the message does not take.'),
  'RouteProbe.passed.title': as('Title of the route.', 'Germany'),
  'RouteProbe.passed.unmet': as(
    'First condition that the message does not meet. `channels`: none of its channels takes the message. `registration`: at none of those that take the type the sender name is registered.',
  ),
  'RouteProbe.amount': as('Price of the message for the account. Null if it has no price.', 3.5),
  'RouteProbe.currency': as('Currency of the account.', 'RUB'),
  'RouteProbeInput.OwnerId': as(
    'Account that sends. Absent: the own account.',
    '01930000-0000-7000-8000-000000000001',
  ),
  'RouteProbeInput.kind': as('Kind of traffic.', 'single'),
  'RouteProbeInput.sender': as('Sender name of the message.', 'MIRTEA'),
  'RouteProbeInput.recipient': as('Recipient of the message.', '+79161234567'),
  'RouteProbeInput.text': as('Text of the message, by which it is priced.', 'Your order is ready'),
  Route: as('Route: the channels of messages that match its conditions.'),
  'Route.Owners': as('Accounts of `OwnerIds` that exist.'),
  'Route.Groups': as('Groups of `GroupIds` that exist.'),
  'Route.shares': as(
    'Parts of the messages that the channels get now. Empty if the route does not shift shares.',
  ),
  RouteShare: as('Part of the messages of a route that a channel gets now.'),
  'RouteShare.ChannelId': as('Name of the channel.', 'simulator'),
  'RouteShare.share': as('Parts of a thousand.', 500),
  RouteInput: as('Data of a new route.'),
  RouteChannel: as('Channel of a route.'),
  ...inEach(['RouteChannel', 'RouteChannelOutput'], {
    ChannelId: as('Name of the channel.', 'simulator'),
    weight: as(
      'Share of the channel in a weighted route, relative to the weights of the others. 0: only while the others are down.',
      1,
    ),
  }),
  ...inEach(['Route', 'RouteInput', 'routes.update'], FIELDS),
  ShareShift: as('Change of the share of a channel in a weighted route, by how it delivers.'),
  'ShareShift.id': id('Id of the change.'),
  'ShareShift.route': as('Route whose shares changed.'),
  'ShareShift.ChannelId': as('Name of the channel.', 'simulator'),
  'ShareShift.before': as('Share before, in parts of a thousand.', 500),
  'ShareShift.after': as('Share since, in parts of a thousand.', 400),
  'ShareShift.reason': as(
    'Why. `delivery`: it delivered fewer messages than the others, `late`: its receipts came later, `silent`: fewer than half of the receipts came at all, `others`: another channel lost this share, `back`: on the way to the weights of the route.',
    'delivery',
  ),
  'ShareShift.figures': as('What a loss was decided by. Null for other changes.'),
  'ShareShift.figures.own': as(
    'Part of the messages of the channel that was delivered, had a receipt in time, or had one at all, from 0 to 1.',
    0.62,
  ),
  'ShareShift.figures.others': as('The same of the other channels, for the same networks.', 0.95),
  'ShareShift.figures.count': as('Number of messages of the channel.', 340),
  'ShareShift.createdAt': time('Time of the change.'),
  'shareShifts.find.data': as('Changes of the page.'),
  'shareShifts.find.?RouteId': as(
    'Return only changes of these routes.',
    '01930000-0000-7000-8000-0000000000a1',
  ),
  'shareShifts.find.?ChannelId': as('Return only changes of these channels.', 'simulator'),
};
