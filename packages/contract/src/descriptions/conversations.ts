import { as, id, time, type Description } from './description.ts';

export const CONVERSATIONS: Record<string, Description> = {
  SendingIncoming: as('Incoming message.'),
  SendingIncomingInput: as('Incoming message.'),
  IncomingPayload: as('Content of the message.'),
  'SendingIncoming.from': as(
    'Sender of the message: a phone number in E.164 or an e-mail address.',
    '+79990000000',
  ),
  'SendingIncomingInput.from': as(
    'Sender of the message: a phone number in any format or an e-mail address.',
    '+79990000000',
  ),
  'SendingIncoming.payload': as('Content of the message.', { text: 'yes' }),
  'SendingIncomingInput.payload': as('Content of the message.', { text: 'yes' }),
  to: as('Sender name or number that received the message.', 'MIRTEA'),
  'IncomingPayload.text': as('Text of the message.', 'yes'),
  'IncomingPayload.image': as('URL of an image.', 'https://example.com/image.png'),
  'IncomingPayload.file': as('URL of a file.', 'https://example.com/file.pdf'),
  'SendingIncoming.SendingId': id('Message to which this is a reply. Null if none was found.'),
  'CarrierIncoming.from': as(
    'Phone number, short number or e-mail address of the person.',
    '+79161234567',
  ),
  'CarrierIncoming.payload': as('Content of the message.', { text: 'yes' }),
  'channels.incoming.ignored': as(
    'Names of the fields that are unknown and were ignored, up to 20.',
    ['payload.encoding'],
  ),
  'channels.incoming.id': id(
    'Id of the incoming message. Null if no account matches it, or if it was already received.',
  ),

  // Conversations.
  Conversation: as('The messages of an account with a person.'),
  ConversationState: as(
    'State: it waits for an answer (`waiting`), was answered, or is closed. An incoming message makes it wait, a reply answers it.',
  ),
  'Conversation.state': as(
    'State: it waits for an answer (`waiting`), was answered, or is closed. An incoming message makes it wait, a reply answers it.',
  ),
  'Conversation.address': as(
    'The person: a phone number in E.164 or an e-mail address.',
    '+79990000000',
  ),
  'Conversation.contact': as(
    'Name of the person in a contact list of the account. Null if there is none; absent for callers who may not read contacts.',
    'Anna Petrova',
  ),
  'Conversation.unread': as('Number of incoming messages that nobody has read.', 1),
  'Conversation.Assignee': as(
    'User of the account who answers. Null if the conversation is assigned to nobody.',
  ),
  'Conversation.labels': as('Words by which the team sorts its conversations.', ['Complaint']),
  ConversationLabels: as('Labels of a conversation.'),
  'ConversationLabels.labels': as(
    'All labels that the conversation has from now on. Of those that differ only in case or accents the first is kept.',
    ['Complaint'],
  ),
  ConversationUser: as('User who answers, or has written a note.'),
  'ConversationUser.name': as(
    'First and last name of the user; the username without one.',
    'Anna Petrova',
  ),
  'Conversation.lastMessage': as('Last incoming message or reply.'),
  'lastMessage.direction': as('Whether it is an incoming message or a reply.'),
  'lastMessage.text': as('First 200 characters of the text. Null if there is none.', 'yes'),
  'lastMessage.attachment': as('What an incoming message has with it. Null for none.'),
  'Conversation.type': as('Type of the last incoming message.'),
  'Conversation.sender': as('Name or number to which the person wrote last.', 'MIRTEA'),
  'Conversation.channels': as(
    'Types and names to which the person wrote, the last first. Only when one conversation is retrieved.',
  ),
  'channels.sender': as('Name or number to which the person wrote.', 'MIRTEA'),
  'Conversation.optOuts': as(
    'Types of messages that the person gets none of; null is all types. Only when one conversation is retrieved.',
    [null],
  ),
  'Conversation.lastMessageAt': time('Time of the last incoming message or reply.'),
  ConversationMessage: as('Message of a conversation, incoming or sent, or a note.'),
  'ConversationMessage.id': id('Id of the message or note.'),
  'ConversationMessage.incoming': as('The incoming message. Null if it is none.'),
  'ConversationMessage.sending': as('The sent message. Null if it is none.'),
  'ConversationMessage.note': as('The note. Null if it is none.'),
  ConversationNote: as('What the team has written beside the messages. The person never gets it.'),
  'ConversationNote.id': id('Id of the note.'),
  'ConversationNote.text': as('Text of the note.', 'She asked for the green one before.'),
  'ConversationNote.Author': as('Who wrote the note.'),
  'ConversationNote.mayRemove': as(
    'Whether the caller can remove the note: its author, or an owner of the account.',
  ),
  NoteInput: as('Note.'),
  'NoteInput.text': as('Text of the note.', 'She asked for the green one before.'),
  '?noteId': id('Note of the conversation.'),
  ConversationRead: as('What was read.'),
  messageId: id(
    'Last message that the reader has seen. Later ones stay unread, and the conversation waits for an answer. Without it, all messages count as seen.',
  ),
  ConversationAssignment: as('Who answers.'),
  AssigneeId: id(
    'User of the account of the conversation who may read conversations. Null for nobody. Somebody else than the caller is notified.',
  ),
  ReplyInput: as('Reply to a person.'),
  'ReplyInput.text': as(
    'Text of the reply. It is sent as it is: braces are not variables.',
    'Yes, until nine in the evening.',
  ),
  'ReplyInput.type': as('Type of the reply. Default: the type of the last incoming message.'),
  'ReplyInput.sender': as(
    'Sender of the reply. Default: the name to which the person wrote last.',
    'MIRTEA',
  ),
  'conversations.find.?state': as('Return only conversations in these states.'),
  'conversations.find.?type': as(
    'Return only conversations whose last incoming message has this type.',
  ),
  'conversations.find.?assigned': as(
    'Return only conversations that are assigned to the caller (`me`) or to nobody.',
  ),
  'conversations.find.?label': as(
    'Return only conversations with this label, in any case.',
    'Complaint',
  ),
  'conversations.labels.data': as(
    'At most 100 labels of the last 1000 conversations that have any.',
    ['Complaint'],
  ),
  'conversations.find.?cursor': id(
    'Id of the last message of the last conversation on the previous page. Requires sorting by `lastMessageAt`.',
  ),
  'conversations.assignees.data': as('Users to whom the conversation can be assigned.'),
  'conversations.messages.?cursor': id('Id of the last message or note on the previous page.'),
  'conversations.messages.?$limit': as('Maximum number of messages and notes.', 30),
  'conversations.messages.?notes': as('Whether notes are listed among the messages.', 'true'),
  'conversations.messages.data': as(
    'The messages, and the notes if they are asked for, the newest first.',
  ),
  'conversations.messages.hasMore': as('Whether there are earlier messages.'),
  'conversations.readAll.read': as('Number of conversations that were marked.', 12),
  'conversations.readAll.hasMore': as(
    'Whether there are more: one call marks at most 10,000. Repeat it then.',
  ),
};
