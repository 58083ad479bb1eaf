import { as, id, inEach, MANAGERS_ONLY, time, type Description } from './description.ts';

const REGISTERED_SENDER = 'Sender for which the template is registered. Null for any sender.';

const REGISTERED_TEXT =
  'Template text that the whole message must match. `%d{1,4}` matches one to four digits, `%l` letters, `%w` letters and digits, `%r` Russian letters, `%rd` Russian letters and digits; with `+`, also spaces. A variable matches any text.';

const REGISTERED_GROUP =
  'Traffic group of matching messages. Tariffs can set a price for each group.';

const REGISTERED_NETWORK =
  'Mobile network of the registration: MCC followed by MNC. `*` at the end matches all networks with this prefix. Null for all networks.';

export const TEMPLATES: Record<string, Description> = {
  'tokens.find.?UserId': id('Return only tokens of this user.'),
  Sendername: as('Sender name, or number for calls.'),
  SendernameType: as('Message type of a sender name.'),
  'Sendername.name': as(
    'Sender name: 4 to 11 characters for SMS, 6 to 15 digits for calls.',
    'MIRTEA',
  ),
  SendernameInput: as('Data of a new sender name. It requires moderation.'),
  'SendernameInput.name': as(
    '4 to 11 Latin letters, digits and `! ? - _ . ( )` for SMS; 6 to 15 digits for calls.',
    'MIRTEA',
  ),
  'Sendername.type': as('Message type of the sender name.'),
  'SendernameInput.type': as('Message type of the sender name.'),
  Moderation: as('Moderation state. `pending` awaits a decision.'),
  moderation: as('Moderation state.'),
  'Sendername.meta': as('Comments on the sender name.'),
  'SendernameInput.meta': as('Comment on the sender name.'),
  'SendernameUpdate.meta': as('Comment on the sender name.'),
  'Sendername.meta.comment': as(
    'Owner of the name: company and tax id.',
    'Mirtea LLC, tax id 7701234560',
  ),
  'SendernameInput.comment': as('Alias of `meta.comment`.', 'Mirtea LLC, tax id 7701234560'),
  'SendernameInput.meta.comment': as(
    'Owner of the name: company and tax id. Required, here or in `comment`.',
    'Mirtea LLC, tax id 7701234560',
  ),
  SendernameUpdate: as('Changes to a sender name. Name and type cannot be changed.'),
  'SendernameUpdate.name': as('Sender name. Only that of the row is accepted.', 'MIRTEA'),
  'SendernameUpdate.type': as('Message type of the sender name. Only that of the row is accepted.'),
  'SendernameUpdate.comment': as('Alias of `meta.comment`.', 'Mirtea LLC, tax id 7701234560'),
  'SendernameUpdate.meta.comment': as(
    'Owner of the name: company and tax id.',
    'Mirtea LLC, tax id 7701234560',
  ),
  'meta.adminComment': as(
    'Comment of a manager for the customer. Null if there is none.',
    'Approved by the operators',
  ),
  'meta.resellerComment': as(
    'Comment of the reseller for the customer. Null if there is none.',
    'Approved by the operators',
  ),
  'meta.adminPrivateComment': as(
    `Note of the managers. ${MANAGERS_ONLY}`,
    'Checked in the register',
  ),
  'meta.resellerPrivateComment': as(
    'Note of the reseller. Not visible to the customer.',
    'Checked in the register',
  ),
  SendernameModeration: as('Moderation decision on a sender name.'),
  'SendernameModeration.comment': as('Comment for the customer.', 'Approved by the operators'),
  'SendernameModeration.privateComment': as(
    'Internal note. Not visible to the customer.',
    'Checked in the register',
  ),
  Template: as('Message template.'),
  TemplateRow: as('Message template in lists and events, without its recipients.'),
  TemplateInput: as('Data of a new template.'),
  'TemplateInput.OwnerId': id(
    'Account of the template. The caller must have access to it. Defaults to the account of the caller.',
  ),
  'templates.update.title': as('Title of the template.', 'Order is ready'),
  'Template.title': as('Title of the template.', 'Order is ready'),
  'TemplateRow.title': as('Title of the template.', 'Order is ready'),
  'TemplateInput.title': as('Title of the template.', 'Order is ready'),
  'Template.recipient': as('Recipients. Null if the template has none.'),
  'TemplateInput.recipient': as('Recipients. Null for none.'),
  'templates.update.recipient': as('Recipients. Null for none.'),
  'SendingDraft.recipient': as('Recipients. Null if the template has none.'),
  'Template.recipients': as(
    'Number of entries in `recipient`. Null if the template has no recipients.',
  ),
  'TemplateRow.recipients': as(
    'Number of entries in `recipient`. Null if the template has no recipients.',
  ),
  'recipients.include': as('Number of included entries.', 1),
  'recipients.exclude': as('Number of excluded entries.', 1),
  'Template.comment': as(
    'Comment of the moderator. Null if there is none.',
    'Matches what the operators registered',
  ),
  'TemplateRow.comment': as(
    'Comment of the moderator. Null if there is none.',
    'Matches what the operators registered',
  ),
  translations: as(
    'Texts in other languages, at most ten. Calls with own values for each recipient choose one by the language of the recipient.',
    [{ locale: 'de', payload: { text: 'Ihre Bestellung {order} ist da' }, fallbacks: [] }],
  ),
  Translation: as('Texts in another language. Those that are absent are those of the template.'),
  TranslationOutput: as(
    'Texts in another language. Those that are absent are those of the template.',
  ),
  ...inEach(['Translation', 'TranslationOutput'], {
    locale: as(
      'Language: a tag of BCP 47, such as `de`, `pt-BR` or `zh-Hant`. Each language once.',
      'de',
    ),
    payload: as('Texts that take the place of those of the template.', {
      text: 'Ihre Bestellung {order} ist da',
    }),
    fallbacks: as('Texts of the fallbacks, in their order.', [{ text: 'Bestellung {order}' }]),
  }),
  'Template.version': as('Number of the version, from 1. A changed message is a new version.', 3),
  'TemplateRow.version': as(
    'Number of the version, from 1. A changed message is a new version.',
    3,
  ),
  TemplateVersion: as(
    'A version of a template. The last 50 earlier ones are kept, as far as they fit into 256 kB.',
  ),
  'TemplateVersion.version': as('Number of the version, from 1.', 2),
  'TemplateVersion.moderation': as(
    'Moderation state. Of an earlier version, as it was when it was replaced.',
  ),
  'TemplateVersion.Author': as(
    'Who wrote it. Null if it was somebody outside of the account, or is not known.',
  ),
  'TemplateVersion.writtenAt': time('When it was written.'),
  Pattern: as(
    'Template that operators have registered for an account. Messages whose whole text matches it belong to its traffic group.',
  ),
  PatternInput: as('Data of a new operator template.'),
  'PatternInput.title': as('Title of the operator template.', 'Codes'),
  'patterns.update.title': as('Title of the operator template.', 'Codes'),
  'Pattern.title': as('Title of the operator template.', 'Codes'),
  'PatternInput.sender': as(`${REGISTERED_SENDER} Defaults to any sender.`, 'MIRTEA'),
  'patterns.update.sender': as(REGISTERED_SENDER, 'MIRTEA'),
  'Pattern.sender': as(REGISTERED_SENDER, 'MIRTEA'),
  'PatternInput.text': as(REGISTERED_TEXT, 'Code %d{4,6}'),
  'patterns.update.text': as(REGISTERED_TEXT, 'Code %d{4,6}'),
  'Pattern.text': as(REGISTERED_TEXT, 'Code %d{4,6}'),
  'PatternInput.group': as(REGISTERED_GROUP),
  'patterns.update.group': as(REGISTERED_GROUP),
  'Pattern.group': as(REGISTERED_GROUP),
  'PatternInput.mccmnc': as(`${REGISTERED_NETWORK} Defaults to all networks.`, '25001'),
  'patterns.update.mccmnc': as(REGISTERED_NETWORK, '25001'),
  'Pattern.mccmnc': as(REGISTERED_NETWORK, '25001'),
  'patterns.find.?group': as('Return only operator templates of these traffic groups.', [
    'service',
  ]),
  TemplateModeration: as('Moderation decision on a template.'),
  'TemplateModeration.comment': as(
    'Comment for the customer.',
    'Matches what the operators registered',
  ),
  SendingDraft: as('Draft of a message from a template.'),
};
