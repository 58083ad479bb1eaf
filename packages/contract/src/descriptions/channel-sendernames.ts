import { as, id, time, type Description } from './description.ts';

const SINCE = 'Time from which messages with the name are given to the channel.';

export const CHANNEL_SENDERNAMES: Record<string, Description> = {
  ChannelSendername: as('Sender name that is registered at the carrier of a channel.'),
  'ChannelSendername.id': id('Id of the registered name.'),
  'ChannelSendername.ChannelId': as('Name of the channel.', 'carrier'),
  'ChannelSendername.name': as('Sender name. Upper and lower case are the same.', 'MIRTEA'),
  'ChannelSendername.type': as(
    'Type of the name: `voice` is a number for calls; `sms` names are those of all other types.',
    'sms',
  ),
  'ChannelSendername.since': time(SINCE),
  'ChannelSendername.note': as('Note of the operator. Null if there is none.', 'Contract 17/2026'),
  'ChannelSendername.createdAt': time('Time at which the name was added.'),
  'channelSendernames.find.data': as('Registered names of the page.'),
  'channelSendernames.find.?type': as('Return only names of these types.'),
  'channelSendernames.remove.id': id('Id of the removed name.'),
  ChannelSendernamesInput: as('Sender names that the carrier of a channel has registered.'),
  'ChannelSendernamesInput.names': as('Sender names, up to 1000.', ['MIRTEA', 'MirTea Pro']),
  'ChannelSendernamesInput.type': as('Type of the names.', 'sms'),
  'ChannelSendernamesInput.since': time(
    `${SINCE} By default now. Of a name that is registered already a given value replaces the former one.`,
  ),
  'ChannelSendernamesInput.note': as(
    'Note for each of the names. Of a name that is registered already a given value replaces the former one.',
    'Contract 17/2026',
  ),
  ChannelSendernamesAdded: as('Results of a call that registers sender names.'),
  'ChannelSendernamesAdded.results': as('A result for each name, in their order.'),
  'ChannelSendernamesAdded.results.name': as('Sender name.', 'MIRTEA'),
  'ChannelSendernamesAdded.results.result': as(
    'Result. `repeated`: an earlier name of the call is the same. `invalid`: it cannot be a name of the type. `full`: the channel has 100,000 names.',
    'added',
  ),
  SendernameChannel: as('Channel where a sender name is registered, or needs to be.'),
  'SendernameChannel.ChannelId': as('Name of the channel.', 'carrier'),
  'SendernameChannel.isActive': as('True if the channel is active.'),
  'SendernameChannel.since': time(
    `${SINCE} Null if the name is not registered there, and the channel needs it to be.`,
  ),
  'SendernameChannel.note': as('Note of the operator. Null if there is none.', 'Contract 17/2026'),
  'sendernames.channels.data': as('Channels, those where the name is registered first.'),
};
