/**
 * What fields and parameters mean, for the documents that the server makes of the contract (`/api/openapi.json`,
 * `/api/asyncapi.json`). Only the server imports this file, so that none of it comes to a browser.
 *
 * A key is the name of a field, after as much of the path to it as tells it from others of its name: `amount`,
 * `Billing.amount`, `counters.total`. The path begins with the name of a schema (`Sending`), else with an operation (`tts.generate`);
 * of the keys that fit, the longest holds. A parameter's name has a question mark in front: `?status`, `billings.find.?status`.
 * What is described where it is defined, by `.describe`, needs no entry here unless it needs an example.
 */
export interface Description {
  /** Meaning, unit and format, in a sentence. */
  description: string;
  /** A value that the schema of the field takes. Enumerations, yes-or-no fields and named schemas need none. */
  example?: unknown;
}

const as = (description: string, example?: unknown): Description =>
  example === undefined ? { description } : { description, example };

const id = (description: string) => as(description, '01930000-0000-7000-8000-0000000000a1');
const list = '01930000-0000-7000-8000-000000000111';
const time = (description: string) =>
  as(`${description} ISO 8601, in UTC.`, '2026-11-22T09:15:00.000Z');
const dated = (description: string) => time(`${description} Null until then.`);
const sum = (description: string, example = 3.5) =>
  as(`${description} In the currency of the account, with at most four decimals.`, example);
const secret = 'Only managers see and write it.';

/** The message of the examples: the shortest that any channel of texts takes. */
const payload = { sender: 'MIRTEA', text: 'Your order is ready' };
const fallback = {
  type: 'viber',
  payload,
  options: { onStatus: ['failed'], onTimeout: { timeout: 50, except: ['delivered', 'seen'] } },
};
const PRICE =
  'Price of one unit: of a segment of an SMS or MMS, of a message of other types. Of a call two numbers: per call and per started second.';

const ROUTES =
  'Of the routes of a type the first counts whose channel is switched on; messages of a type without one go by the channel of highest priority.';
const ROUTE_CHANNEL = 'Channel that messages of the type go by: its name.';
const REGISTERED_SENDER = 'Sender it is registered for; null: any.';
const REGISTERED_TEXT =
  'What a message must say, as a whole. `%d{1,4}` stands for one to four digits, `%l` for letters, `%w` for both, `%r` for Russian letters, `%rd` for both of them; with `+` for spaces too. A variable stands for anything.';
const REGISTERED_GROUP =
  'What messages that match it are for operators; tariffs may price each group apart.';
const REGISTERED_NETWORK =
  'Network it is registered with, by the codes of country and network; with `*`, all that begin so; null: all.';

export const DESCRIPTIONS: Record<string, Description> = {
  // What many things have.
  id: id('Identifier, a UUID.'),
  ids: as('Identifiers, UUIDs.', ['01930000-0000-7000-8000-0000000000a1']),
  title: as('Name that people know it by.', 'Regular customers'),
  createdAt: time('When it was created.'),
  updatedAt: time('When it last changed.'),
  OwnerId: id('Account that it belongs to: the id of the account holder.'),
  Owner: as('Account that it belongs to; absent for those who see their own account only.'),
  UserId: id('Person: the id of a user of the account.'),
  ListId: as('Contact list that the contact belongs to.', list),
  isActive: as('Whether it is in use; what is switched off is kept.'),
  type: as('Message type: the channel that carries it.'),
  currency: as('Currency, ISO 4217.', 'RUB'),
  country: as('Country, ISO 3166-1 alpha-2.', 'RU'),
  phone: as('Phone number. Taken in any format of its country, answered in E.164.', '+79990000000'),
  email: as('E-mail address, in lower case.', 'anna@example.com'),
  username: as('Name that the person signs in with.', 'mirtea'),
  'Registration.password': as('Password.', 'correct horse 7'),
  firstName: as('Given name.', 'Anna'),
  middleName: as('Middle name or patronymic.', 'Pavlovna'),
  lastName: as('Family name.', 'Orlova'),
  locale: as(
    'Language of the text that is sent; that of the request’s `Accept-Language` when absent.',
  ),
  'Session.token': as(
    'Session token, a JWT: the value of the header `Authorization`.',
    'eyJhbGciOiJIUzI1NiJ9.eyJqdGkiOiJhMSJ9.c2lnbmF0dXJl',
  ),
  ip: as('Address that the call came from; null where the reader may not know.', '203.0.113.7'),
  useragent: as('Program that called, as its header `User-Agent` says.', 'Mozilla/5.0'),
  requestId: as(
    'Identifier of the call, as in the header `X-Request-Id` of its answer.',
    '7f1c2b34-0d7e-4a4e-9a51-2f1c6f0a9b10',
  ),
  version: as('Version of the installation.', '1.49.0'),
  'find.total': as('How many there are in all; counted up to 10,000.', 1),
  'find.totalIsCapped': as('True when there are more than `total` says.', false),
  'find.limit': as('How many rows this page has at most.', 16),
  'find.offset': as('How many rows were passed over before this page.', 0),
  'find.data': as('Rows of this page.'),
  'phones.simulated.data': as('Messages, newest first.'),
  'operators.lookup.data': as(
    'The networks that are known, in the order in which they were asked for.',
  ),
  'channels.drivers.data': as('The drivers.'),

  // Parameters of lists and of single rows.
  '?id': id('Identifier of the row.'),
  'find.?id': id('Only rows with these ids.'),
  'auth.loginAs.?id': id('User to sign in as.'),
  'auth.loginAsGet.?id': id('User to sign in as.'),
  'billings.balance.?id': id('Account holder.'),
  'sendings.get.?id': id(
    'Sending, or the group of a bulk: a group of one answers its message, another answers as a whole.',
  ),
  '?$scope': as(
    'What to answer beside the plain fields; `full` is everything. Repeated or with an index: `$scope[0]=full`.',
    ['full'],
  ),
  '?scope': as('The same as `$scope`.', ['full']),
  'sendernames.find.?$scope': as(
    '`attached`: only names that may be used now. `meta` and `full` change nothing.',
    ['attached'],
  ),
  '?$search': as('A part of what is looked for.', 'mirtea'),
  '?$offset': as('How many rows to pass over.', 0),
  '?$limit': as('How many rows to answer at most.', 16),
  '?Idempotency-Key': as(
    'Of calls with the same key and body only the first has an effect, for 24 hours; a repeat is answered with `Idempotency-Replay`.',
    'order-1001',
  ),
  '?$order': as('Fields to order by, each with its direction; up to four.', 'createdAt:desc'),
  '?token': as(
    'Session token, for links that can send no header; the header `Authorization` is the better place.',
    'eyJhbGciOiJIUzI1NiJ9.eyJqdGkiOiJhMSJ9.c2lnbmF0dXJl',
  ),
  '?return': as(
    'Of a stored file `meta` answers its description in place of its bytes; of other rows it changes nothing.',
    'meta',
  ),
  'sendings.create.?return': as('`each` answers a receipt for every recipient; up to 100 of them.'),
  '?OwnerId': id('Only rows of this account, within reach of the caller.'),
  '?ActorId': id('Only what this user did.'),
  '?ManagerId': id('Only users whom this manager looks after.'),
  '?TariffId': id('Only charges by this tariff.'),
  '?ListId': as('Only contacts of this list.', list),
  '?groupId': id('Only messages of this bulk: the `groupId` of its task.'),
  '?chainId': id('Only attempts of this chain: a first message and its fallbacks.'),
  '?cursor': id(
    'Last id of the page before: the next one begins after it, however far. With the order of `createdAt` only.',
  ),
  '?createdAt': as('Created within these times: `createdAt[$gt]` after, `createdAt[$lt]` before.', {
    $gt: '2026-11-01T00:00:00.000Z',
  }),
  '?updatedAt': as('Changed within these times: `updatedAt[$gt]` after, `updatedAt[$lt]` before.', {
    $gt: '2026-11-01T00:00:00.000Z',
  }),
  '?startsAt': as('Starting within these times: `startsAt[$gt]` after, `startsAt[$lt]` before.', {
    $gt: '2026-11-01T00:00:00.000Z',
  }),
  $gt: time('After this time.'),
  $lt: time('Before this time.'),
  '?type': as('Only these message types.'),
  'contactLists.find.?type': as('Only lists of these kinds.'),
  'notifications.find.?type': as('Only notifications of these events.'),
  'sendernames.find.?type': as('Only names for these message types.'),
  'storage.find.?type': as('Only files of these MIME types.', ['image/png']),
  'tasks.find.?type': as('Only tasks of these kinds.'),
  'sendings.find.?status': as('Only messages in these statuses.'),
  'billings.find.?status': as('Only entries in these statuses.'),
  'billings.find.?source': as(
    'Only entries of these sources; a bare message type means `sendings.{type}`.',
  ),
  'tariffs.find.?source': as('Only tariffs of this origin.', 'base'),
  '?outcome': as('Only first attempts whose recipient has one of these outcomes.'),
  '?state': as('Only tasks in these states.'),
  '?moderation': as('Only what is in these states of moderation.'),
  '?isActive': as(
    '`true` or `1`: only what is in use. `false` or `0`: only what is switched off.',
    'true',
  ),
  '?isRead': as('`true` or `1`: only what was read. `false` or `0`: only what was not.', 'false'),
  '?isPublic': as(
    '`true`: the file gets an address at which it is read without a session.',
    'true',
  ),
  '?level': as('Only users of these levels.'),
  'audit.find.?action': as('Only these actions: names of endpoints or of the closed list.', [
    'auth.login',
  ]),
  'telemetry.find.?action': as('Only visits of this kind.', 'login'),
  '?ip': as('Only what came from this address; of an IPv6 address, from its /64.', '203.0.113.7'),
  '?phone': as('Only contacts with this phone, in any format.', '+79990000000'),
  '?email': as('Only contacts with this e-mail address.', 'anna@example.com'),
  '?recipient': as(
    'Only messages to this phone, in any format, or to this address.',
    '+79990000000',
  ),
  'sendingsIncoming.find.?from': as(
    'Only messages from this phone, in any format, or address.',
    '+79990000000',
  ),
  'summary.get.?from': time('When the day of the caller began; midnight UTC when absent.'),
  '?channel': as('Name of the channel.', 'carrier'),
  'notifications.find.?channel': as(
    'Only what was told over this channel; the cabinet is `web`.',
    'web',
  ),
  '?key': as('Key of the letter, as its link has it.', 'q3S2gk1y7xw'),
  'storage.getPublic.?key': as('Key of the address that `url` of the file has.', 'q3S2gk1y7xw'),
  '?mccmnc': as('Codes of networks, country code first; `401*` asks for all of a country.', [
    '25001',
  ]),
  '?mcc': as('Mobile country code, three digits.', '250'),
  '?mnc': as('Mobile network code beside `mcc`; without it all networks of the country.', '01'),

  // Errors.
  ErrorBody: as('A refusal. Clients act on `code`.'),
  ErrorCode: as('Closed list of error codes.'),
  'ErrorBody.error': as('HTTP status.', 422),
  'ErrorBody.code': as('What is wrong, from a closed list; stays the same over versions.'),
  'ErrorBody.name': as('Name of the kind of error.', 'ValidationError'),
  'ErrorBody.message': as('What is wrong, as an English sentence.', 'A sender is required.'),
  'ErrorBody.data': as('Every field that was refused; on 422 only.'),
  'ErrorBody.data.field': as('Path of the field, with points.', 'payload.sender'),
  'ErrorBody.data.message': as(
    'What is wrong with the field, as an English sentence.',
    'A sender is required.',
  ),
  'ErrorBody.data.type': as('The rule that the value breaks.', 'required'),
  'ErrorBody.errors': as('The same as `data`, by property and rule; on 422 only.'),
  'errors.property': as('Path of the field, with points.', 'payload.sender'),
  'errors.constraints': as('What is wrong with it: rule to sentence.', {
    required: 'A sender is required.',
  }),
  'ErrorBody.payload': as('Facts beside the code, such as `expires_at` of a limit.', {
    expires_at: '2026-11-22T09:15:00.000Z',
  }),

  // Sessions.
  Credentials: as('What a person signs in with.'),
  'Credentials.username': as('Name that the person signs in with.', 'customer'),
  'Credentials.password': as('Password of the account.', 'heliograph'),
  Session: as('An open session.'),
  'Session.id': id('User who is signed in.'),
  'logout.ended': as('How many sessions have ended.', 1),
  'logout.everywhere': as('True ends every session of the user, not this one alone.'),

  // Registration, recovery, confirmation.
  Registration: as('A new account.'),
  'Registration.data': as('Who opens the account.'),
  'Registration.captcha': as(
    'Solved challenge of `GET /captcha`, JSON in base64; asked for with `captcha_required`.',
    'eyJjaGFsbGVuZ2UiOnt9fQ==',
  ),
  'Registration.data.email': as(
    'E-mail address; may be left out when the username is one.',
    'anna@example.com',
  ),
  'recovery.reset.password': as('New password: printable ASCII.', 'correct horse 7'),
  'RecoveryRequest.captcha': as(
    'Solved challenge of `GET /captcha`, JSON in base64; asked for with `captcha_required`.',
    'eyJjaGFsbGVuZ2UiOnt9fQ==',
  ),
  RecoveryRequest: as('Whose password was forgotten.'),
  'RecoveryRequest.login': as('Username or e-mail address.', 'anna@example.com'),
  expiresIn: as('For how many seconds the key or code is good.', 3600),
  'check.expiresAt': time('Until when the key is good.'),
  'persons.erase.address': as('Phone or e-mail of whom is forgotten.', '+79020000001'),
  'persons.erase.word': as(
    'What stands in place of the address from now on.',
    'erased-0f1e2d3c4b5a6978',
  ),
  'phones.confirm.code': as('Code of the SMS.', '123456'),
  'phones.simulated.data.text': as('Text of the message.', 'Your code is 123456'),
  'phones.simulated.data.sender': as('Sender that the phone shows.', 'MIRTEA'),
  'phones.simulated.data.recipient': as('Phone that the message came to, E.164.', '+79990000000'),
  Survey: as('What the person came for.'),
  'Survey.survey': as(
    'Target and type: `batchMailing`, `dialog` or `integration`, a colon, a type.',
    'batchMailing:sms',
  ),
  UserMeta: as('Where an account came from.'),
  'UserMeta.source': as('Source that the address of the registration page named.', 'newsletter'),
  'UserMeta.survey': as('Answer to the survey, as target and type.', 'batchMailing:sms'),
  'UserMeta.salon_id': as('Salon that the address of the registration page named.', '4711'),
  'UserMeta.usedReferralCode': as('Referral code that the account was opened with.', 'MIRTEA10'),
  CaptchaChallenge: as('A challenge of ALTCHA’s proof of work, second version.'),
  'CaptchaChallenge.parameters': as(
    'What a solver needs: the counter is looked for whose derived key begins with `keyPrefix`.',
  ),
  'parameters.algorithm': as('Hash function.'),
  'parameters.nonce': as('Random bytes of the challenge, hexadecimal.', '9f86d081884c7d65'),
  'parameters.salt': as('Salt of the key derivation, hexadecimal.', '2c26b46b68ffc68f'),
  'parameters.cost': as('Rounds of the key derivation for one try.', 5000),
  'parameters.keyLength': as('Length of the derived key in bytes.', 32),
  'parameters.keyPrefix': as('What the derived key has to begin with, hexadecimal.', '00a1'),
  'parameters.keySignature': as(
    'Signature of the key that solves it, hexadecimal.',
    '7d865e959b2466918c98',
  ),
  'parameters.expiresAt': as('Until when a solution is taken, in Unix seconds.', 1795338900),
  'CaptchaChallenge.signature': as(
    'Signature of the parameters, hexadecimal; sent back as it is.',
    'e3b0c44298fc1c14',
  ),

  // Users.
  User: as('A person with a login. An account holder owns itself.'),
  OwnerRef: as('An account or a person, by name.'),
  'OwnerRef.id': id('User.'),
  'Owner.id': id('Account holder.'),
  'User.ResellerId': id('Reseller who looks after the account; null when none does.'),
  'User.level': as(
    'What the user may reach: its own account, its customers, or all that it manages.',
  ),
  'User.isActive': as('False when the user may not sign in.'),
  isTest: as('True while the account is on trial.'),
  $verified: as('True when the account was checked.'),
  'User.emailConfirmedAt': dated('When the e-mail address in `data` was confirmed.'),
  'User.phoneConfirmedAt': dated('When the phone in `data` was confirmed.'),
  'User.pendingEmail': as(
    'Address that was sent a letter and takes effect when it is confirmed; null when none waits.',
    'new@example.com',
  ),
  'User.pendingPhone': as(
    'Phone that takes the place of the confirmed one when it is confirmed itself; null when none waits.',
    '+79990000001',
  ),
  referralCode: as('Code that others may register with; null when there is none.', 'MIRTEA10'),
  'User.data': as('What is known about the person.'),
  'User.settings': as('Settings of the account; in the full scope only.', {}),
  'User.Tariffs': as('Tariffs of the account with their rules; in the full scope only.'),
  'User.Sendernames': as('Sender names of the account; in the full scope only.'),
  'User.RoutingGroups': as(
    'Routing groups that the account is in, in the order in which they are followed; in the full scope only.',
  ),
  'User.MessageRuleGroups': as(
    'Groups of rules that hold for the account beside its own; in the full scope only.',
  ),
  GroupRef: as('A group by its name.'),
  'GroupRef.title': as('Title of the group.', 'Tea houses'),
  RoutingGroup: as('By which channels the messages of the accounts in it go.'),
  'RoutingGroup.title': as('Title of the group.', 'Tea houses'),
  'RoutingGroup.accounts': as('Accounts that are in it.', 12),
  'RoutingGroup.routes': as(ROUTES),
  'RoutingGroup.routes.ChannelId': as(ROUTE_CHANNEL, 'simulator'),
  RoutingGroupInput: as('A new routing group.'),
  'RoutingGroupInput.title': as('Title of the group.', 'Tea houses'),
  'RoutingGroupInput.routes': as(ROUTES, [{ type: 'sms', ChannelId: 'simulator' }]),
  'routingGroups.update.title': as('Title of the group.', 'Tea houses'),
  'routingGroups.update.routes': as(ROUTES, [{ type: 'sms', ChannelId: 'simulator' }]),
  Route: as('A message type and the channel that its messages go by.'),
  'Route.ChannelId': as(ROUTE_CHANNEL, 'simulator'),
  'routingGroups.assign.data': as('The groups that the account is in now, in their order.'),
  'messageRuleGroups.assign.data': as('The groups that the account is in now, in their order.'),
  'routingGroups.assign.ids': as(
    'Routing groups of the account, the first to be followed first; it is taken out of all others.',
    ['01930000-0000-7000-8000-0000000000a1'],
  ),
  MessageRuleGroup: as(
    'Rules that hold for the accounts in it beside their own: the stricter wins.',
  ),
  'MessageRuleGroup.title': as('Title of the group.', 'Tea houses'),
  'MessageRuleGroup.accounts': as('Accounts that are in it.', 12),
  'MessageRuleGroup.rules': as('What they say.'),
  MessageRuleGroupInput: as('A new group of rules.'),
  'MessageRuleGroupInput.title': as('Title of the group.', 'Tea houses'),
  'MessageRuleGroupInput.rules': as('What they say.'),
  'messageRuleGroups.update.title': as('Title of the group.', 'Tea houses'),
  'messageRuleGroups.update.rules': as('What they say; replaced as a whole.'),
  MessageRules: as('Rules of an account, as in its settings.'),
  'MessageRules.types': as(
    'Types that may be sent, none of which the account’s own rules forbid; absent: those of the account.',
    ['sms', 'viber'],
  ),
  'MessageRules.sendernamesCheck': as(
    'Types that need a registered, approved sender name, beside those of the account.',
    ['viber'],
  ),
  'User.Patterns': as(
    'Templates that operators have registered for the account; in the full scope only.',
  ),
  'User.Manager': as(
    'Who looks after the account, for those who administer users; null when nobody does.',
  ),
  'User.currency': as('Currency of the balance, the prices and the charges, ISO 4217.', 'RUB'),
  balance: sum('Balance.', 1000),
  overdraft: sum('How far below zero the balance may go.', 0),
  UserData: as('What is known about a person.'),
  'UserData.meta': as('Where the account came from.'),
  'Registration.data.meta': as('Where the account comes from.'),
  'UserData.partnership': as('How the account is looked after.'),
  'partnership.hasContract': as('Whether a contract was made with the account.'),
  'partnership.ManagerId': id('Manager who looks after the account; null when none does.'),
  UserUpdate: as('What is to change; what is absent stays.'),
  'UserUpdate.username': as(
    'New login. One that is an e-mail address takes effect when it is confirmed by the letter to it.',
    'mirtea',
  ),
  'UserUpdate.password': as(
    'Password of the caller, asked for when the login, the e-mail or a confirmed phone changes.',
    'heliograph',
  ),
  'UserUpdate.data': as('What is known about the person; what is absent stays, null clears.'),

  // Contacts.
  ContactList: as('A list of contacts, or of phones that are never written to.'),
  ContactListInput: as('A new list.'),
  ContactListType: as(
    '`blacklist`: its phones and addresses are passed over by every sending of the account.',
  ),
  'ContactList.type': as('`regular` is written to, `blacklist` never.'),
  'ContactListInput.type': as('`regular` is written to, `blacklist` never.'),
  'contactLists.update.type': as('`regular` is written to, `blacklist` never.'),
  'ContactList.count': as('How many contacts it has.', 984),
  Contact: as('A person or company to write to, by phone, e-mail or both.'),
  ContactInput: as('A new contact; a phone or an e-mail address is required.'),
  ContactUpdate: as('What is to change; what is absent stays, null clears.'),
  gender: as('Gender, for the variable `{gender}`; null when unknown.'),
  date: as('A date of the contact, such as the birthday, `yyyy-MM-dd`.', '1990-12-31'),
  ...Object.fromEntries(
    Array.from({ length: 20 }, (_, i) => `custom${String(i + 1).padStart(2, '0')}`).map((name) => [
      name,
      as(`Text of your own, for the variable \`{${name}}\`.`, name === 'custom01' ? 'Gold' : ''),
    ]),
  ),
  ContactImport: as('Which file goes into which list, and how.'),
  from: as('The stored file to read.'),
  'from.key': id('Uploaded spreadsheet: `key` of the file.'),
  'ContactImport.columns': as(
    'Contact field of each column, or `fullName`, which is split, by the number of the column from 0; found from the headers when absent.',
    { 0: 'phone', 1: 'firstName' },
  ),
  'ContactImport.hasHeader': as(
    'Whether a row names the columns; found out when absent. Counts beside `columns` only.',
  ),
  sheet: as(
    'Sheet of the workbook, by its name; the first with recipients when absent.',
    'Contacts',
  ),
  'ContactImport.existing': as('What happens to contacts that the list has already.'),
  ContactPreview: as('What an import would make of a file.'),
  'ContactPreview.columns': as('The columns of the file and what each is taken for.'),
  'columns.name': as('Header of the column.', 'Phone'),
  'columns.field': as(
    'Contact field that it is taken for, or `fullName`, which is split; null is passed over.',
  ),
  'ContactPreview.hasHeader': as('Whether the first row was taken for headers.'),
  'ContactPreview.rows': as('The first rows below the header, cells in the order of the columns.', [
    ['+79990000000'],
  ]),
  'ContactPreview.sheets': as(
    'Sheets of the workbook that can be chosen, in its order; none of a text.',
    ['Contacts', 'Archive'],
  ),
  'ContactPreview.sheet': as('The sheet that is shown; null of a text.', 'Contacts'),
  ImportReport: as('What became of the rows of a file.'),
  'ImportReport.total': as('Contacts that were saved, new and updated.', 980),
  'ImportReport.created': as('Contacts that are new in the list.', 900),
  'ImportReport.updated': as('Contacts that the list had and that were changed.', 80),
  'ImportReport.skipped': as('Contacts that the list had and that stayed as they were.', 0),
  'ImportReport.repeated': as(
    'Rows whose phone (or e-mail) a later row of the file has again: that one counts.',
    3,
  ),
  'ImportReport.rejected': as('Rows that no contact was made of.', 4),
  'ImportReport.rejectedFileId': id(
    'File of the rejected rows with number and reason, to be corrected and imported again; null when none was.',
  ),
  'ImportReport.reasons': as('Rejected rows by reason.', { phone: 3, required: 1 }),
  'ImportReport.dropped': as(
    'Cells that were left empty because they hold no date or gender, by field; their rows were taken.',
    { date: 2 },
  ),
  'ImportReport.assumed': as('Phones without a calling code, by the country they were taken for.', [
    { country: 'RU', count: 3 },
  ]),
  'ImportReport.passedOver': as('Names of the columns that were passed over, a hundred at most.', [
    'Comment',
  ]),
  'ImportReport.sheet': as('The sheet that was read; null of a text.', 'Contacts'),
  'event.key': id('The file that is imported.'),
  'event.done': as('Rows that were read.', 12_000),
  'event.left': as(
    'Rows that are still to be read, by what is left of the file; 0 while they are saved.',
    8000,
  ),
  'removeMany.removed': as('How many were removed; what was gone already is not counted.', 2),
  Removed: as('What was removed.'),

  // Messages.
  SendingType: as('Message types.'),
  Status: as(
    '`pending` waits, `processing` is being handed over, `paused` waits for its task, `sent` is with the carrier, `delivered` arrived, `seen` was read, `failed` did not arrive.',
  ),
  Payload: as('What a message says. Which fields there may be depends on the type.', payload),
  payload: as('What the message says. Which fields there may be depends on the type.', payload),
  sender: as('Sender: a registered name, or a number for calls.', 'MIRTEA'),
  subject: as('Subject line of an e-mail.', 'Your order'),
  text: as(
    'Text of the message, with variables such as `{firstName|friend}`. Of `flashcall` and `telegramcode` the code of 4 to 8 digits.',
    'Your order is ready',
  ),
  image: id('Image: a stored file. An empty text is none.'),
  file: id('Attachment: a stored file. An empty text is none.'),
  video: id('Video: a stored file. An empty text is none.'),
  audio: id('Recording of a call: a stored file. An empty text is none.'),
  tts: as(
    'Voice that speaks the text of a call: an `id` of `tools.speech.voices` of the settings.',
    'ru-anna',
  ),
  button: as('The one button of a Viber message.', {
    text: 'To the order',
    url: 'https://example.com/orders/1001',
  }),
  'button.text': as('Label of the button.', 'To the order'),
  'button.url': as(
    'Where the button leads; begins with http, https, viber, tel or callto.',
    'https://example.com/orders/1001',
  ),
  buttons: as('Buttons: up to 10 of VK and OK, up to 3 of WhatsApp.', [
    { text: 'Yes', action: 'yes' },
  ]),
  'buttons.text': as('Label of the button.', 'Yes'),
  'buttons.action': as('What the button sends back or opens.', 'yes'),
  SendingInput: as('A message to one recipient, or a bulk.', {
    type: 'sms',
    recipient: '+79990000000',
    payload,
    fallbacks: [fallback],
    callbackData: 'order-1001',
  }),
  'SendingInput.recipient': as(
    'One phone or address, several with commas, semicolons or line breaks between them, a list of them, or what is included and excluded.',
    '+79990000000',
  ),
  RecipientSet: as('Who is written to.'),
  RecipientSetOutput: as('Who is written to.'),
  include: as('Ids of contact lists, phones in any format, e-mail addresses.', [list]),
  exclude: as('Those of them who are not written to, in the same form.', ['+79990000006']),
  fallbacks: as(
    'Up to three further attempts, each tried when what it waits for happens to the attempt before it.',
    [fallback],
  ),
  'fallbacks.payload': as('What the message of this attempt says.', payload),
  'fallbacks.options': as('What starts this attempt: any of the triggers.'),
  FallbackOptions: as('What starts a fallback: any of the triggers.', fallback.options),
  'FallbackOptions.onStatus': as('Statuses of the attempt before that start this one.', ['failed']),
  'FallbackOptions.onTimeout': as(
    'Starts this attempt when the one before has not come far enough in time; null: no timer.',
  ),
  'onTimeout.timeout': as('Seconds after the attempt before was handed over.', 50),
  'onTimeout.except': as(
    'Statuses in which the attempt before is left alone when the time is over.',
    ['delivered', 'seen'],
  ),
  'FallbackOptions.onIncomingPayload': as(
    'Starts this attempt when the recipient replies so; null: no reply does.',
  ),
  'onIncomingPayload.text': as('The whole reply, without regard to case; empty is off.', 'yes'),
  Schedule: as('When the messages are handed over.'),
  'SendingInput.schedule': as('When the messages are handed over; at once when absent.'),
  'Schedule.delay': as('When to begin: a time, ISO 8601, or 0 for now.', 0),
  'Schedule.until': as(
    'Spread evenly over so many hours, up to 12, or until a time, ISO 8601; 0: as fast as it goes.',
    0,
  ),
  'SendingInput.options': as('Settings of the sending as a whole.'),
  'SendingOptions.title': as('Title of the task of a bulk.', 'Orders of November'),
  callbackData: as(
    'Text of your own; comes back with every message that the call makes.',
    'order-1001',
  ),
  'SendingInput.OwnerId': id(
    'Account that sends and pays, within reach of the caller; its own when absent.',
  ),
  SendingReceipt: as('What became of one recipient of a call.', {
    id: '01930000-0000-7000-8000-0000000000a1',
    recipient: '+79990000000',
    status: 'pending',
    error: null,
  }),
  'sendings.create.400': as('A message that is refused.', {
    id: '01930000-0000-7000-8000-0000000000a1',
    recipient: '+79990000000',
    status: 'failed',
    error: 'The balance does not cover the message.',
    code: 'insufficient_funds',
  }),
  'SendingReceipt.id': id('The sending.'),
  'SendingReceipt.recipient': as('Recipient, a phone in E.164.', '+79990000000'),
  'SendingReceipt.error': as(
    'Why it was refused, as an English sentence; null when it was taken.',
    'The balance does not cover the message.',
  ),
  'SendingReceipt.code': as(
    'Why it was refused: error code; null or absent when it was taken.',
    'insufficient_funds',
  ),
  groupId: id('Group of the call that made it; null for a message of its own.'),
  'SendingReceipt.status': as('`failed` when it was refused, else the status of the message.'),
  Sending: as('A message to one recipient: one attempt of its chain.'),
  'Sending.recipient': as('Recipient: a phone in E.164 or an e-mail address.', '+79990000000'),
  'ChannelTest.recipient': as(
    'Recipient: a phone in any format or an e-mail address.',
    '+79990000000',
  ),
  'Sending.fallbacks': as('Further attempts that the message came with.', [fallback]),
  'Sending.state': as('How the message stands.', {
    status: 'delivered',
    outcome: 'delivered',
    error: null,
    code: null,
  }),
  'state.status': as('Status of the message.'),
  Outcome: as('What became of a recipient, whichever attempt decided it.'),
  'state.outcome': as(
    'What became of the recipient: that of the chain, which another attempt may have decided.',
  ),
  'state.error': as(
    'Why it failed, as an English sentence; null unless it did.',
    'The subscriber is absent or the number is not in service.',
  ),
  'state.code': as('Why it failed: error code; null unless it did.', 'absent_subscriber'),
  'Sending.chainId': id('Chain that the attempt belongs to: the id of its first message.'),
  attempt: as('Number of the attempt in its chain, from 0.', 0),
  'Sending.meta': as('What the message costs and consists of.'),
  'meta.billings': as('Entries of the ledger.'),
  'meta.billing': as('The charge; null when nothing was charged.'),
  'billing.amount': sum('What was charged.'),
  'billing.refunded': as('True when the charge was paid back.'),
  price: as(PRICE, 3.5),
  multiplier: as('How many units were charged: segments of an SMS, seconds of a call, else 1.', 1),
  'meta.stats': as('Size of the text.'),
  'stats.segments': as('Segments that operators bill.', 1),
  'stats.characters': as('Characters of the text.', 19),
  'stats.encoding': as(
    '`ascii`: GSM 03.38, 160 characters in one segment. `unicode`: UCS-2, 70 of them.',
  ),
  'meta.operator': as('Mobile network of the recipient; null when unknown.'),
  'operator.mcc': as('Mobile country code.', '250'),
  'operator.mnc': as('Mobile network code.', '01'),
  'operator.name': as('Operator; null when only the country is known.', 'MTS'),
  'meta.counters': as('Recipients by what became of them.'),
  'counters.expected': as('Recipients that there will be, as far as is known.', 984),
  'counters.total': as(
    'Recipients so far; grows towards `expected` while the audience is read.',
    984,
  ),
  'counters.completed': as('Recipients who were reached.', 950),
  'counters.cancelled': as('Recipients whom a stop dropped; what they cost is paid back.', 4),
  'counters.errored': as('Recipients whose every attempt failed.', 30),
  'counters.unknownOutcomes': as(
    'Recipients of whom the carrier has not said whether it took the message.',
    0,
  ),
  skipped: as('Recipients who were passed over, by reason.', { duplicate: 3, blacklisted: 1 }),
  'Sending.timeline': as('What happened to the chain, oldest first; in the full scope only.'),
  'Sending.attempts': as(
    'All attempts of the chain in their order, when one message is asked for.',
  ),
  'attempts.status': as('Status of the attempt.'),
  'attempts.code': as('Why it failed: error code; null unless it did.', 'absent_subscriber'),
  TimelineEvent: as('One thing that happened to an attempt.'),
  'TimelineEvent.id': id('Attempt that it happened to.'),
  'TimelineEvent.event': as('What happened; `fallback` is the start of a further attempt.'),
  'TimelineEvent.at': time('When it happened.'),
  'TimelineEvent.detail': as(
    'What stands beside it, such as why it failed; null when nothing does.',
    'The subscriber is absent or the number is not in service.',
  ),
  'TimelineEvent.code': as('Of a failure its error code, else null.', 'absent_subscriber'),
  'TimelineEvent.amount': sum('What was charged or paid back; null otherwise.'),
  'Sending.sentAt': dated('When it was handed over.'),
  'Sending.deliveredAt': dated('When it arrived.'),
  'Sending.seenAt': dated('When it was read.'),
  'Sending.failedAt': dated('When it failed.'),
  Estimate: as('What a sending would cost and whom it would reach.'),
  'Estimate.exact': as('False when it was computed from a sample of a large audience.'),
  'Estimate.recipients': as('Recipients who would be written to.', 984),
  'TemplateInput.group': as(
    'What messages with this text are for operators; tariffs may price each group apart. Counts once the template is approved.',
  ),
  'templates.update.group': as(
    'What messages with this text are for operators; tariffs may price each group apart. A change of it is moderated.',
  ),
  'TemplateModeration.group': as(
    'The group that is approved, where it is another than was asked for; only managers approve one that is no advertising.',
  ),
  'TemplateRow.group': as(
    'What messages with this text are for operators; tariffs may price each group apart.',
  ),
  'Template.group': as(
    'What messages with this text are for operators; tariffs may price each group apart.',
  ),
  'Sending.payload.recipient': as('In the full scope, the address once more.', '+79990000000'),
  'Sending.recipients': as(
    'In the full scope of one sending, whom the call named: contact lists, and the first thousand typed addresses.',
  ),
  'Sending.schedule': as('In the full scope, when the call wanted it sent.'),
  'Sending.options': as('In the full scope, how the call named it.'),
  'Sending.meta.recipientGroup': as(
    'What the message is for operators, by the approved template that its text matched when it was made; advertising when none did.',
  ),
  'ScheduleOutput.delay': as('When it was to start, ISO 8601; 0: at once.', 0),
  'ScheduleOutput.until': as(
    'Over how many hours, or until when, ISO 8601, it was to be spread; 0: not.',
    0,
  ),
  'Estimate.assumed': as(
    'Typed phones without a calling code, by the country they were taken for.',
    [{ country: 'RU', count: 3 }],
  ),
  'assumed.country': as('Country whose calling code was added, ISO 3166-1 alpha-2.', 'RU'),
  'assumed.count': as('How many phones.', 3),
  'Estimate.segments': as('Segments of all first attempts.', 984),
  'Estimate.amount': sum('Price of the first attempts.', 3444),
  max: sum('Price with every fallback that could start.', 3444),
  'Estimate.balanceAfter': sum('What the balance would be after the first attempts.', 1556),
  'Estimate.enough': as('Whether balance and overdraft cover the first attempts.'),
  'Estimate.operators': as('The same by mobile network.'),
  'operators.mccmnc': as('Mobile country and network code; null when unknown.', '25001'),
  'operators.name': as('Operator; null when only the country is known.', 'MTS'),
  'operators.count': as('Recipients in this network.', 400),
  'operators.amount': sum('Price of their first attempts.', 1400),
  'operators.lines': as(
    'Messages of one price each: `amount` is `count` times `multiplier` times `price`.',
  ),
  EstimateLine: as('So many messages of one price.'),
  'EstimateLine.count': as('Messages.', 400),
  'EstimateLine.amount': sum('Price of them.', 1400),
  SendingTask: as('The task of a bulk with its group at the top.'),
  'SendingTask.groupId': id('Group of the messages: the filter `groupId` of `GET /sendings`.'),

  // Incoming messages.
  SendingIncoming: as('A message that came in.'),
  SendingIncomingInput: as('A message that came in.'),
  IncomingPayload: as('What the message says.'),
  'SendingIncoming.from': as('Who wrote: a phone in E.164 or an e-mail address.', '+79990000000'),
  'SendingIncomingInput.from': as(
    'Who wrote: a phone in any format or an e-mail address.',
    '+79990000000',
  ),
  'SendingIncoming.payload': as('What the message says.', { text: 'yes' }),
  'SendingIncomingInput.payload': as('What the message says.', { text: 'yes' }),
  to: as('Sender name or number that it was written to.', 'MIRTEA'),
  'IncomingPayload.text': as('Text of the message.', 'yes'),
  'IncomingPayload.image': as('Address of an image.', 'https://example.com/image.png'),
  'IncomingPayload.file': as('Address of a file.', 'https://example.com/file.pdf'),
  'SendingIncoming.SendingId': id('Message that it answers; null when none was found.'),
  'channels.incoming.id': id(
    'Incoming message; null when it belongs to nobody here or was there already.',
  ),

  // Tasks.
  Task: as('A bulk and how far it has come.'),
  'Task.title': as('Title of the task.', 'Orders of November'),
  'SendingTask.title': as('Title of the task.', 'Orders of November'),
  'tasks.update.title': as('Title of the task.', 'Orders of November'),
  'Task.type': as('Kind of task.'),
  'SendingTask.type': as('Kind of task.'),
  'Task.state': as('How the task stands.'),
  'SendingTask.state': as('How the task stands.'),
  TaskState: as(
    '`scheduled` waits for its time, `running` hands over, `paused` waits, `stopped` was ended by somebody, `completed` and `failed` are over.',
  ),
  'tasks.update.state': as(
    '`paused` and `stopped` from scheduled or running; `scheduled` resumes a paused task. The state that the task has already is refused.',
  ),
  reason: as('Why it paused or failed: error code; null otherwise.', 'insufficient_funds'),
  'Task.data': as('What is sent to whom.'),
  'SendingTask.data': as('What is sent to whom.'),
  'data.sending': as('What is sent.'),
  'sending.type': as('Message type of the first attempt.', 'sms'),
  'sending.groupId': id('Group of the messages: the filter `groupId` of `GET /sendings`.'),
  'sending.payload': as('What the first attempt says.', payload),
  'data.recipients': as('Who is written to and who is not.'),
  'data.recipients.include': as('Who is written to.'),
  'data.recipients.exclude': as('Who is not.'),
  lists: as('Contact lists.', [list]),
  'include.recipients': as(
    'Recipients that were typed, the first thousand; of a single task only.',
    ['+79990000000'],
  ),
  'exclude.recipients': as(
    'Recipients that were typed, the first thousand; of a single task only.',
    ['+79990000006'],
  ),
  'include.count': as('How many recipients were typed.', 1),
  'exclude.count': as('How many recipients were typed.', 1),
  'Task.meta': as('Figures.'),
  'SendingTask.meta': as('Figures.'),
  'meta.amount': sum('What was charged for it and not paid back.', 3444),
  'Task.until': time('When the last of it is due; null when it is not spread over time.'),
  'SendingTask.until': time('When the last of it is due; null when it is not spread over time.'),
  startsAt: time('When it is to start; null: at once.'),
  startedAt: dated('When it started.'),
  finishedAt: dated('When it was over.'),
  TaskErrors: as('Why recipients of a task were not reached.'),
  'TaskErrors.data': as(
    'Recipients whose outcome is `failed`, by the code of their last attempt, the most frequent first.',
  ),
  'TaskErrors.data.code': as('Error code.', 'absent_subscriber'),
  'TaskErrors.data.count': as('Recipients that it failed for.', 30),
  'TaskErrors.others': as(
    'Attempts that failed while another of their chain was delivered, is under way or was stopped.',
    2,
  ),
  'TaskErrors.data.amount': sum('What was charged for their last attempts.', 105),
  'TaskErrors.refunded': sum('What was paid back for all attempts that failed.', 105),
  TaskUnsent: as('What stopping a task would drop.'),
  'TaskUnsent.count': as('Attempts that were not handed over.', 500),
  'TaskUnsent.submitted': as('Attempts with the carrier, which cannot be called back.', 20),
  'TaskUnsent.amount': sum('What would be paid back for them.', 1750),

  // Sender names and templates.
  Sendername: as('A name or number that messages come from.'),
  SendernameType: as('Message type that a name is for.'),
  'Sendername.name': as(
    'The name: 4 to 11 characters for SMS, 6 to 15 digits for calls.',
    'MIRTEA',
  ),
  SendernameInput: as('A new sender name, to be moderated.'),
  'SendernameInput.name': as(
    '4 to 11 Latin letters, digits and `! ? - _ . ( )` for SMS; 6 to 15 digits for calls.',
    'MIRTEA',
  ),
  'Sendername.type': as('Message type that the name is for.'),
  'SendernameInput.type': as('Message type that the name is for.'),
  Moderation: as('`pending` waits for a decision.'),
  moderation: as('What was decided.'),
  'Sendername.meta': as('What was said about it.'),
  'SendernameInput.meta': as('Place of the comment.'),
  'SendernameUpdate.meta': as('Place of the comment.'),
  'Sendername.meta.comment': as(
    'Whom the name stands for: company and tax id.',
    'Mirtea LLC, tax id 7701234560',
  ),
  'SendernameInput.comment': as('The same as `meta.comment`.', 'Mirtea LLC, tax id 7701234560'),
  'SendernameInput.meta.comment': as(
    'Whom the name stands for: company and tax id. Required here or beside `meta`.',
    'Mirtea LLC, tax id 7701234560',
  ),
  SendernameUpdate: as('What is to change; name and type never do.'),
  'SendernameUpdate.comment': as('The same as `meta.comment`.', 'Mirtea LLC, tax id 7701234560'),
  'SendernameUpdate.meta.comment': as(
    'Whom the name stands for: company and tax id.',
    'Mirtea LLC, tax id 7701234560',
  ),
  'meta.adminComment': as(
    'What a manager said to the customer; null when nothing.',
    'Approved by the operators',
  ),
  'meta.resellerComment': as(
    'What the reseller said to the customer; null when nothing.',
    'Approved by the operators',
  ),
  'meta.adminPrivateComment': as(`Note of the managers. ${secret}`, 'Checked in the register'),
  'meta.resellerPrivateComment': as(
    'Note of the reseller, which the customer does not see.',
    'Checked in the register',
  ),
  SendernameModeration: as('A decision about a sender name.'),
  'SendernameModeration.comment': as('What to say to the customer.', 'Approved by the operators'),
  'SendernameModeration.privateComment': as(
    'Note that the customer does not see.',
    'Checked in the register',
  ),
  Template: as('A message to start from.'),
  TemplateRow: as('A template as lists and events have it, without its recipients.'),
  TemplateInput: as('A new template.'),
  'TemplateInput.OwnerId': id(
    'Account that it is made for, within reach of the caller; its own when absent.',
  ),
  'templates.update.title': as('Title of the template.', 'Order is ready'),
  'Template.title': as('Title of the template.', 'Order is ready'),
  'TemplateRow.title': as('Title of the template.', 'Order is ready'),
  'TemplateInput.title': as('Title of the template.', 'Order is ready'),
  'Template.recipient': as('Who is written to; null when it names nobody.'),
  'TemplateInput.recipient': as('Who is written to; null: it names nobody.'),
  'templates.update.recipient': as('Who is written to; null: it names nobody.'),
  'SendingDraft.recipient': as('Who is written to; null when the template names nobody.'),
  'Template.recipients': as('How many entries `recipient` has; null when there is none.'),
  'TemplateRow.recipients': as(
    'How many entries `recipient` of the template has; null when there is none.',
  ),
  'recipients.include': as('Entries that are included.', 1),
  'recipients.exclude': as('Entries that are excluded.', 1),
  'Template.comment': as(
    'Why it was approved or rejected, in the words of who did it; null when nothing was said.',
    'Matches what the operators registered',
  ),
  'TemplateRow.comment': as(
    'Why it was approved or rejected, in the words of who did it; null when nothing was said.',
    'Matches what the operators registered',
  ),
  Pattern: as(
    'A template that operators have registered for an account: messages that match it as a whole are of its group.',
  ),
  PatternInput: as('A new pattern.'),
  'PatternInput.title': as('Title of the pattern.', 'Codes'),
  'patterns.update.title': as('Title of the pattern.', 'Codes'),
  'Pattern.title': as('Title of the pattern.', 'Codes'),
  'PatternInput.sender': as(`${REGISTERED_SENDER} By default any.`, 'MIRTEA'),
  'patterns.update.sender': as(REGISTERED_SENDER, 'MIRTEA'),
  'Pattern.sender': as(REGISTERED_SENDER, 'MIRTEA'),
  'PatternInput.text': as(REGISTERED_TEXT, 'Code %d{4,6}'),
  'patterns.update.text': as(REGISTERED_TEXT, 'Code %d{4,6}'),
  'Pattern.text': as(REGISTERED_TEXT, 'Code %d{4,6}'),
  'PatternInput.group': as(REGISTERED_GROUP),
  'patterns.update.group': as(REGISTERED_GROUP),
  'Pattern.group': as(REGISTERED_GROUP),
  'PatternInput.mccmnc': as(`${REGISTERED_NETWORK} By default all.`, '25001'),
  'patterns.update.mccmnc': as(REGISTERED_NETWORK, '25001'),
  'Pattern.mccmnc': as(REGISTERED_NETWORK, '25001'),
  'patterns.find.?group': as('Only those of these groups.', ['service']),
  TemplateModeration: as('A decision about a template.'),
  'TemplateModeration.comment': as(
    'What to say to the customer.',
    'Matches what the operators registered',
  ),
  SendingDraft: as('What a form or a sending starts from when a template is applied.'),

  // Money.
  Billing: as('An entry of the ledger.'),
  'Billing.source': as(
    'Where it comes from: by hand, a message type, or `transfer` between a reseller and its customer.',
  ),
  'Billing.amount': sum('What it does to the balance: a charge is negative.', -3.5),
  BillingStatus: as('`refunded` and `invalid` entries count for nothing.'),
  'Billing.status': as('Whether it counts.'),
  'Billing.data': as('How the amount comes about.'),
  'Billing.data.price': as(`${PRICE} Null for what was entered by hand.`, 3.5),
  'Billing.data.params': as(
    'The message that was charged; null for what was entered by hand, and when the message is kept no longer.',
  ),
  'params.type': as('Message type.'),
  'params.segments': as('Segments of the message.', 1),
  'params.attempt': as('Number of the attempt in its chain, from 0.', 0),
  'params.groupId': id('Task that the message is of; null for a message of its own.'),
  'Billing.meta': as('Entries of the same movement.'),
  'Billing.meta.billings': as(
    'Entries of the same movement: itself, and the other side of a transfer.',
  ),
  'data.multiplier': as(
    'How many units were charged: segments of an SMS, seconds of a call, else 1.',
    1,
  ),
  'data.hidden': as('What managers see, and who wrote it.'),
  'hidden.comment': as('Why it was entered; null when nothing was said.', 'Invoice 17 is paid'),
  'hidden.noRef': as('True keeps it out of the referral programme.'),
  'Billing.TariffId': id('Tariff that the price is of; null for what was entered by hand.'),
  'Billing.Counterpart': as('Of a transfer: the account on its other side.'),
  'Billing.refundedAt': dated('When it was paid back.'),
  BillingInput: as('An entry by hand.'),
  'BillingInput.source': as(
    '`accrual` adds; all others take away. A bare message type means `sendings.{type}`.',
  ),
  'BillingInput.amount': sum(
    'How much, above zero; of one unit where `data.multiplier` says how many.',
    1000,
  ),
  'BillingInput.OwnerId': id(
    'Account whose balance moves, within reach of the caller and not its own.',
  ),
  'BillingInput.data': as('What stands beside the amount.'),
  'billings.balance.result': sum('Balance and overdraft together: what can be spent.', 1000),
  Tariff: as('A price list.'),
  'Tariff.title': as('Title of the tariff.', 'Base'),
  'UserTariff.title': as('Title of the tariff.', 'Base'),
  source: as('Origin of the tariff.', 'base'),
  'Tariff.usersTariffs': as('The tariff as it holds for the account.'),
  UserTariff: as('A tariff of an account.'),
  'UserTariff.priority': as('Tariffs with the higher priority are asked first.', 0),
  'UserTariff.finalRules': as('Rules by priority, highest first.'),
  TariffRule: as('A price, or what is taken off it, where all conditions hold.'),
  'TariffRule.id': as('Identifier of the rule in its tariff.', '7'),
  'TariffRule.action': as('`increase` is a price, `decrease` is taken off it.'),
  'TariffRule.price': as(PRICE, 3.5),
  'TariffRule.conditions': as('What must hold, all of it.'),
  'conditions.tag': as(
    'What is looked at; `mccmnc` is the mobile network, `group` the kind of message, `keywords` whole words of the text.',
  ),
  'conditions.value': as('Value or values, any of which fits; `401*` is a whole country.', '25001'),
  'TariffRule.priority': as('Rules with the higher priority are asked first.', 10),
  Operator: as('A mobile network.'),
  'Operator.mccmnc': as('Code as it was asked for; `401*` for all networks of a country.', '25001'),
  'Operator.name': as(
    'Operator; null for a whole country and for a network of which only the country is known.',
    'MTS',
  ),

  // Files and links.
  StoredFile: as('A stored file.'),
  'StoredFile.key': id('The same as `id`: what an import takes as `from.key`.'),
  'StoredFile.title': as(
    'Title; the name of the file unless it was given another.',
    'price-list.xlsx',
  ),
  'storage.update.title': as('New title.', 'price-list.xlsx'),
  'StoredFile.filename': as('Name that the file was uploaded with.', 'price-list.xlsx'),
  'StoredFile.type': as('MIME type, found from the bytes, else as it was declared.', 'image/png'),
  'StoredFile.size': as('Size in bytes.', 20480),
  'StoredFile.hash': as(
    'SHA-256 of the bytes, hexadecimal.',
    '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  ),
  'StoredFile.seconds': as(
    'How long a recording plays, in started seconds; null for other files.',
    12,
  ),
  'StoredFile.isPublic': as('Whether it is read at `url` without a session.'),
  'storage.update.isPublic': as(
    'True gives it an address without a session, false takes the address away.',
  ),
  'StoredFile.meta': as('What is known of the content; empty when nothing is.', {
    width: 640,
    height: 480,
  }),
  'StoredFile.meta.width': as('Width of an image or a video in pixels.', 640),
  'StoredFile.meta.height': as('Height of an image or a video in pixels.', 480),
  'StoredFile.meta.duration': as('How long a sound or a video plays, in started seconds.', 12),
  'StoredFile.meta.pages': as('Pages of a PDF.', 3),
  'StoredFile.url': as(
    'Address at which a public file is read without a session; null for others.',
    'https://example.com/api/storage/public/q3S2gk1y7xw',
  ),
  'StoredFile.expiredAt': time('When the file is removed; null: it is kept.'),
  'StoredFile.locks': as(
    'Sendings and templates that need the file; while there are any it cannot be removed.',
    0,
  ),
  'storage.create.file': as('The file.'),
  'generate.fileId': id('The recording: a stored file.'),
  Link: as('A short link.'),
  LinkInput: as('A new short link.'),
  url: as('Where the link leads, http or https.', 'https://example.com/orders/1001'),
  'Link.shortUrl': as(
    'Short address: what is written into a message.',
    'https://example.com/s/q3S2gk',
  ),
  'Link.clicks': as('How often it was followed; null when another service answers it.', 12),
  'Link.clickedAt': dated('When it was last followed.'),

  // Speech and texts.
  'tts.generate.tts': as('Voice: an `id` of `tools.speech.voices` of the settings.', 'ru-anna'),
  'tts.generate.text': as('What to say.', 'Your order is ready'),
  'generate.formValues': as('What the text is to say and how.'),
  GeneratorForm: as('What a text is generated from.'),
  GeneratorLanguage: as('Language of the text.'),
  'textGenerator.generate.channel': as('Message type that the text is for.'),
  'GeneratorForm.messageTheme': as('What the message is about.', 'A new collection'),
  'GeneratorForm.occasion': as('Why it is sent now.', 'The season begins'),
  'GeneratorForm.smsSegments': as('Segments that an SMS may have.', 1),
  'GeneratorForm.otherChars': as('Characters that a message of another type may have.', 100),
  'GeneratorForm.additionalNotes1': as('What else to regard.', 'Mention free delivery'),
  'GeneratorForm.rephraseText': as('A text to say in other words.', 'The new collection is here'),
  'GeneratorForm.endQuestion': as('Whether it ends with a question.'),
  'GeneratorForm.emotionalTone': as('Tone of the text.'),
  'GeneratorForm.language': as('Language of the text.'),
  'GeneratorForm.addEmojis': as('Whether there may be emojis.'),
  'textGenerator.generate.result': as('The text.', 'The new collection is here: delivery is free.'),

  // Notifications, visits, the audit log.
  Notification: as('What a person was told.'),
  NotificationType: as('Events that a person is told of.'),
  'Notification.type': as('Event that it tells of.'),
  'Notification.title': as('Headline, in English.', 'Sender name approved'),
  'Notification.text': as(
    'Text, in English, with line breaks.',
    'The sender name MIRTEA (sms) may be used.',
  ),
  'Notification.data': as('Facts that the text is made of; they differ by type.', {
    name: 'MIRTEA',
    type: 'sms',
  }),
  'Notification.channel': as('Channel that it was told over; the cabinet is `web`.', 'web'),
  'Notification.isRead': as('Whether it was read.'),
  'Notification.targetUserId': id('Person who was told.'),
  'Notification.sentAt': dated('When it was sent.'),
  'Notification.deliveredAt': dated('When it arrived.'),
  'readAll.read': as('How many were marked as read.', 3),
  Visit: as('Who came from where with what.'),
  'Visit.action': as('Kind of visit.', 'login'),
  'Visit.data': as(
    'What is known of the visit beside; the place where the person lets it be noted.',
    {
      url: 'https://example.com/login',
      country: 'Russia',
      continent: 'Europe',
      city: 'Kazan',
      isoCode: 'RU',
    },
  ),
  'VisitInput.data.url': as('Address of the page.', 'https://example.com/login'),
  'VisitData.actorId': id('Who signed in as this user.'),
  'VisitData.url': as('Address of the page.', 'https://example.com/login'),
  VisitInput: as('A visit of the caller.'),
  'VisitInput.action': as('Kind of visit.'),
  'VisitInput.data': as('What the page knows of the visit.'),
  'data.country': as('Country, in English; kept where the person lets it be noted.', 'Russia'),
  'data.city': as('City; kept where the person lets it be noted.', 'Kazan'),
  LocationConsent: as('What a person decided of the places of its visits.'),
  isAllowed: as(
    'Whether country and city of sign-ins are noted; null while the person has not decided.',
    true,
  ),
  nextAt: time('From when on a place may be noted again; null: now.'),
  Coordinates: as('A point on the Earth, WGS 84.'),
  latitude: as('Degrees north, of the south negative.', 55.79),
  longitude: as('Degrees east, of the west negative.', 49.12),
  Place: as('Where a point lies; all null at sea.'),
  'Place.country': as('Country, in English.', 'Russia'),
  continent: as('Continent, in English.', 'Europe'),
  city: as('The biggest town within 30 km; null where there is none.', 'Kazan'),
  isoCode: as('Country, ISO 3166-1 alpha-2; `XK` is Kosovo.', 'RU'),
  AuditRecord: as('Something that was done or refused.'),
  'AuditRecord.action': as(
    'Name of the endpoint, or one of the closed list such as `auth.login`.',
    'auth.login',
  ),
  'AuditRecord.Actor': as('Who did it; null when nobody was signed in, and for the command line.'),
  'AuditRecord.User': as(
    'In whose name, where the actor had borrowed the session; null otherwise.',
  ),
  'AuditRecord.OwnerId': id('Account that it is about; null when none is.'),
  'AuditRecord.target': as('What it was done to; null when nothing in particular.'),
  'target.type': as('Noun of the row.', 'templates'),
  'target.id': id('Identifier of the row; null when it was none in particular.'),
  'AuditRecord.before': as('What differed before, without secrets; null when nothing is known.', {
    isActive: true,
  }),
  'AuditRecord.after': as('What differs since, without secrets; null when nothing is known.', {
    isActive: false,
  }),
  'AuditRecord.count': as('How often: refusals of one kind within a minute are one record.', 1),

  // Settings and the summary.
  Settings: as('What a session may and sees.'),
  'Settings.session': as('Who is signed in.'),
  'session.OwnerId': id('Account of the user.'),
  'session.level': as(
    'What the user may reach: its own account, its customers, or all that it manages.',
  ),
  'session.isRestricted': as(
    'True while what the account may send is limited, until its phone is confirmed.',
  ),
  'session.hasFreeCredit': as('True when the account got the free credit; once for a phone.'),
  'session.impersonator': as('Who opened the session in the user’s name; null when the user did.'),
  'Settings.frontend': as('What the product is called and looks like.'),
  Frontend: as('What the product is called and looks like, for everybody.'),
  'Frontend.title': as('Title of the cabinet.', 'Cabinet'),
  'Frontend.brand': as('Variant of the product.'),
  'Frontend.colors': as('Colours of the cabinet.'),
  'colors.primary': as('First colour, CSS.', '#1c7ed6'),
  'colors.accent': as('Second colour, CSS.', '#f59f00'),
  'Frontend.documents': as('Addresses of what has to be accepted and read.'),
  'documents.privacy': as(
    'Privacy policy; null when there is none.',
    'https://example.com/privacy',
  ),
  'documents.offer': as('Public offer; null when there is none.', 'https://example.com/offer'),
  'Frontend.recovery': as(
    'Whether a forgotten password can be recovered: the installation sends letters.',
  ),
  'Frontend.registration': as('Whether everybody may open an account.'),
  'Frontend.password': as('How long a new password must and may be.'),
  'password.min': as('Shortest, in characters.', 8),
  'password.max': as('Longest, in characters.', 64),
  'Settings.billings': as('How the account pays.'),
  'billings.processChildrenOperations': as('Whether the account may move money of its customers.'),
  'billings.creditLine': sum(
    'How far below zero transfers of a reseller may take its balance, within its overdraft.',
    0,
  ),
  'Settings.sendings': as('What the account may send.'),
  'sendings.sendernamesCheck': as('Message types that need a registered, approved sender name.', [
    'sms',
  ]),
  'Settings.sendings.types': as('Message types that the account may send.', ['sms', 'viber']),
  'sendings.country': as(
    'Country of the phone of the account, ISO 3166-1 alpha-2: numbers without a calling code are read by its plan.',
    'RU',
  ),
  'sendings.grantedSender': as('Sender that every new account has for its first messages.', 'DEMO'),
  'sendings.range': as('Longest span that messages are asked for at once, in days.', 31),
  'Settings.storage': as('What may be stored.'),
  'storage.maxSize': as('Largest file, in bytes.', 20971520),
  'Settings.tools': as('Services that the installation has beside its own work.'),
  'tools.textGenerator': as('Whether texts can be generated.'),
  'tools.simulator': as('True for a demonstration: `GET /simulator/messages` answers.'),
  'tools.speech': as('Voices that a text can be spoken with; null where nothing speaks.'),
  'speech.voices': as('The voices.'),
  'voices.id': as('Identifier of the voice: `payload.tts`.', 'ru-anna'),
  'voices.synthesizer': as('Provider of the voice.', 'local'),
  'voices.name': as('Name of the voice.', 'Anna'),
  'speech.voice': as('Voice that is taken unless another is chosen.', 'ru-anna'),
  'Settings.permissions': as(
    'Level at which each permission is held; one that is absent is not held.',
    {
      'sendings.get': 'me',
    },
  ),
  Summary: as('The last seven days of an account.'),
  'Summary.days': as('Six days and today, which is last.'),
  'days.from': time('When the day began.'),
  'days.total': as('Recipients who were written to on the day.', 120),
  'days.delivered': as('Those of them who were reached.', 110),
  'days.failed': as('Those of them who were not.', 4),
  'days.cancelled': as('Those of them whom a stop dropped.', 2),
  'days.spent': sum('What was charged on the day and not paid back.', 420),
  'Summary.money': as('Spending; null without the permission to see money.'),
  'money.average': sum('Spending on a day of the six before today.', 400),
  'money.daysLeft': as(
    'For how many days balance and overdraft last at that rate; null when nothing is spent.',
    12,
  ),
  'Summary.countedAt': time('When it was counted; large accounts are counted less often.'),

  // Channels.
  Channel: as(
    'A way out of the house: a driver with its options, and the message types that it takes.',
  ),
  'Channel.id': as('Name of the channel, which never changes.', 'carrier'),
  'Channel.name': as('The same as `id`.', 'carrier'),
  'channels.remove.id': as('Name of the removed channel.', 'carrier'),
  driver: as('Driver that speaks to the carrier.', 'http'),
  types: as('Message types that it takes.', ['sms', 'viber']),
  'Channel.isActive': as('Whether messages are submitted to it.'),
  priority: as(
    'Of the active channels that take a type, the one with the highest priority gets it.',
    10,
  ),
  'Channel.options': as('Options that are not secret, by name.', {
    url: 'https://carrier.example.com/messages',
  }),
  'Channel.secrets': as('Names of the secret options that are set.', ['secret']),
  'Channel.state': as('Whether it works.'),
  ChannelState: as('Whether a channel works.'),
  'ChannelState.status': as('`off` is switched off, `idle` has handed over nothing yet.'),
  'ChannelState.failingSince': time(
    'Since when no handover has succeeded; null when the last one did.',
  ),
  'ChannelState.error': as(
    'Why the last handover failed that did; null when none has.',
    'answered 502',
  ),
  'ChannelState.errorAt': dated('When a handover last failed.'),
  'ChannelState.submitted': as('Messages that its driver took.', 1200),
  'ChannelState.submittedAt': dated('When its driver last took a message.'),
  'ChannelState.reportedAt': dated('When the last delivery report came.'),
  ChannelInput: as('A new channel.'),
  'ChannelInput.name': as(
    'Name: lower-case Latin letters, digits, hyphens and underscores.',
    'carrier',
  ),
  'ChannelInput.isActive': as('Whether messages are submitted to it.'),
  'ChannelInput.options': as(
    'Options of the driver by name; `GET /channels/drivers` says which there are.',
    {
      url: 'https://carrier.example.com/messages',
    },
  ),
  'channels.update.options': as(
    'All options anew; a secret stays unless it is given, is null, or an address changes.',
    {
      url: 'https://carrier.example.com/messages',
    },
  ),
  'channels.update.isActive': as('Whether messages are submitted to it.'),
  ChannelDriver: as('A driver that a channel may have.'),
  'ChannelDriver.name': as('Name of the driver.', 'http'),
  'ChannelDriver.options': as('Options that it takes.'),
  ChannelOption: as('An option of a driver, as a form needs it.'),
  'ChannelOption.name': as('Name of the option.', 'timeoutMs'),
  'ChannelOption.kind': as('Kind of value.'),
  'ChannelOption.isSecret': as('Whether it goes in and is never shown.'),
  'ChannelOption.isRequired': as('Whether it has to be given.'),
  'ChannelOption.default': as('Value that holds unless another is given.', 15000),
  'ChannelOption.minimum': as('Least value.', 100),
  'ChannelOption.maximum': as('Greatest value.', 120000),
  'ChannelOption.choices': as('Values to choose from.', ['one', 'two']),
  ChannelTest: as('A message that shows whether a channel works.'),
  'statuses.statuses': as(
    'Reports, each `{ reference | externalId, status, code?, at? }`; a wrong one spoils no other.',
    [{ reference: '01930000-0000-7000-8000-0000000000a1', status: 'delivered' }],
  ),
  'statuses.results': as('What became of each report.'),
  ReportResult: as('What became of one report of a call.'),
  'ReportResult.index': as('Place of the report in the call, from 0.', 0),
  'ReportResult.reference': as(
    'Reference of the report as it was given; null when there was none.',
    '01930000-0000-7000-8000-0000000000a1',
  ),
  'ReportResult.result': as(
    '`ignored` says nothing new, `unmatched` waits up to 24 hours for its message, `invalid` cannot be read.',
  ),
  'ReportResult.reason': as('Why it is invalid.', 'A reference or an externalId is required.'),

  // Events of sockets.
  'event.items': as('The rows, as the level of the listener may see them.'),
  'event.ids': as('Ids of the rows that are gone.', ['01930000-0000-7000-8000-0000000000a1']),
  'event.groupId': id(
    'What the rows have in common: the task of messages, the list of contacts; null when nothing.',
  ),
  'event.count': as('How many changes there were; what they are has to be asked for.', 250),

  // What the product posts to a carrier.
  CarrierBatch: as('Messages for a carrier.'),
  'CarrierBatch.channel': as('Name of the channel.', 'carrier'),
  'CarrierBatch.messages': as(
    'The messages, as many as the option `maxBatch` of the channel says at most.',
  ),
  CarrierMessage: as('A message for a carrier.'),
  'CarrierMessage.reference': id(
    'Identifier of the message: reports name it, and a repeat has the same.',
  ),
  'CarrierMessage.sender': as('Sender: a registered name, or a number for calls.', 'MIRTEA'),
  'CarrierMessage.recipient': as(
    'Recipient: a phone in E.164 or an e-mail address.',
    '+79990000000',
  ),
  'CarrierMessage.payload': as(
    'What the message says, as `Payload`, with its variables filled in.',
    payload,
  ),
  'CarrierMessage.payload.text': as('Text of the message.', 'Your order is ready'),
  'CarrierMessage.segments': as('Segments that the message is billed for.', 1),
  'CarrierMessage.tries': as('How often it was handed over before: 0 the first time.', 0),

  // Health.
  'health.get.status': as(
    '`degraded` serves without Redis; `starting`, `stopping` and `unavailable` serve nothing.',
  ),
  'health.ready.status': as(
    '`degraded` serves without Redis; `starting`, `stopping` and `unavailable` serve nothing.',
  ),
  'health.live.status': as('The process answers.'),
  checks: as('What was looked at.'),
  'checks.database': as('The database answers.'),
  'checks.migrations': as('The database is migrated.'),
  'checks.redis': as('Redis answers.'),
};

/** What a noun of the contract is, one and many of it: for summaries, answers and the list of tags. */
export const NOUNS: Record<string, { one: string; many: string; about: string }> = {
  audit: {
    one: 'audit record',
    many: 'audit records',
    about: 'What was done in an account, by whom and from where.',
  },
  auth: { one: 'session', many: 'sessions', about: 'Signing in and out.' },
  billings: {
    one: 'ledger entry',
    many: 'ledger entries',
    about: 'Charges, refunds and what is entered by hand; the balance.',
  },
  captcha: {
    one: 'challenge',
    many: 'challenges',
    about: 'Proof of work that unknown callers are asked for.',
  },
  channels: {
    one: 'channel',
    many: 'channels',
    about: 'Ways to carriers, for who administers the installation; what carriers report.',
  },
  contactLists: {
    one: 'contact list',
    many: 'contact lists',
    about: 'Lists of contacts, and blacklists.',
  },
  contacts: {
    one: 'contact',
    many: 'contacts',
    about: 'Contacts and their import from spreadsheets.',
  },
  emails: {
    one: 'e-mail address',
    many: 'e-mail addresses',
    about: 'Confirmation of an e-mail address by letter.',
  },
  geocode: { one: 'place', many: 'places', about: 'Country and city of a point.' },
  health: {
    one: 'state of the process',
    many: 'states',
    about: 'Whether a process is well, for balancers and watchers.',
  },
  links: {
    one: 'short link',
    many: 'short links',
    about: 'Short links and how often they were followed.',
  },
  messageRuleGroups: {
    one: 'group of rules',
    many: 'groups of rules',
    about: 'Rules of what may be sent, kept once for many accounts.',
  },
  notifications: { one: 'notification', many: 'notifications', about: 'What the person was told.' },
  patterns: {
    one: 'pattern',
    many: 'patterns',
    about: 'Templates that operators have registered.',
  },
  persons: { one: 'person', many: 'persons', about: 'Forgetting a person on request.' },
  phones: { one: 'phone', many: 'phones', about: 'Confirmation of a phone by SMS.' },
  recovery: {
    one: 'recovery',
    many: 'recoveries',
    about: 'A new password in place of a forgotten one.',
  },
  registration: { one: 'account', many: 'accounts', about: 'Opening an account.' },
  operators: {
    one: 'mobile network',
    many: 'mobile networks',
    about: 'Mobile networks by their codes.',
  },
  routingGroups: {
    one: 'routing group',
    many: 'routing groups',
    about: 'By which channels the messages of accounts go.',
  },
  sendernames: {
    one: 'sender name',
    many: 'sender names',
    about: 'Sender names and their moderation.',
  },
  sendings: {
    one: 'message',
    many: 'messages',
    about: 'Sending messages, and what became of them.',
  },
  sendingsIncoming: {
    one: 'incoming message',
    many: 'incoming messages',
    about: 'Messages that came in.',
  },
  settings: { one: 'settings', many: 'settings', about: 'Settings and permissions of a session.' },
  storage: { one: 'file', many: 'files', about: 'Stored files.' },
  summary: { one: 'summary', many: 'summaries', about: 'Figures of the last days.' },
  tariffs: { one: 'tariff', many: 'tariffs', about: 'Prices.' },
  tasks: {
    one: 'task',
    many: 'tasks',
    about: 'Bulks: how far they have come; pause, resume, stop.',
  },
  telemetry: { one: 'visit', many: 'visits', about: 'Visits of the cabinet.' },
  templates: {
    one: 'template',
    many: 'templates',
    about: 'Templates of messages and their moderation.',
  },
  textGenerator: { one: 'text', many: 'texts', about: 'Texts for messages, generated.' },
  tts: { one: 'recording', many: 'recordings', about: 'Texts as recordings.' },
  users: { one: 'user', many: 'users', about: 'Users and their administration.' },
};

/** What an operation answers when it succeeds; those that lists and plain rows have are made of their noun. */
/** A bulk with all that can be asked for. */
const BULK = {
  type: 'sms',
  recipient: {
    include: ['01930000-0000-7000-8000-0000000000c1', '+79990000000'],
    exclude: ['+79990000001'],
  },
  payload: { sender: 'MIRTEA', text: 'Hello {firstName|there}, your order is ready.' },
};
const MESSAGES: Examples = {
  single: {
    summary: 'One message',
    value: {
      type: 'sms',
      recipient: '+79990000000',
      payload: { sender: 'MIRTEA', text: 'Your code is 1234' },
    },
  },
  commas: {
    summary: 'Several phones in one text',
    value: { ...BULK, recipient: '+79990000000, +79990000001' },
  },
  fallback: {
    summary: 'Phones, each by SMS when Viber has not delivered within two minutes',
    value: {
      ...BULK,
      type: 'viber',
      recipient: ['+79990000000', '+79990000001'],
      fallbacks: [
        {
          type: 'sms',
          payload: BULK.payload,
          options: {
            onStatus: ['failed'],
            onTimeout: { timeout: 120, except: ['delivered', 'seen'] },
          },
        },
      ],
    },
  },
  scheduled: {
    summary: 'A contact list at a time, spread over four hours',
    value: {
      ...BULK,
      recipient: { include: ['01930000-0000-7000-8000-0000000000c1'] },
      schedule: { delay: '2030-12-24T09:00:00.000Z', until: 4 },
    },
  },
  full: {
    summary: 'Everything that can be asked for',
    value: {
      ...BULK,
      fallbacks: [
        { type: 'viber', payload: BULK.payload, options: { onIncomingPayload: { text: 'yes' } } },
      ],
      schedule: { delay: 0, until: '2030-12-24T12:00:00.000Z' },
      options: { title: 'Autumn' },
      callbackData: 'order 17',
    },
  },
};

export type Examples = Record<string, { summary: string; value: unknown }>;
/** Of bodies that come in several shapes, by operation. */
export const EXAMPLES: Record<string, Examples> = {
  'sendings.create': MESSAGES,
  'sendings.estimate': MESSAGES,
};

export const RESPONSES: Record<string, string> = {
  'auth.login':
    'The new session. `x-ratelimit-limit`, `-remaining` and `-reset` (Unix seconds) tell of failures, also on a refusal.',
  'auth.renew': 'The new session, in place of the old one.',
  'auth.loginAs': 'A session of the other user.',
  'auth.loginAsGet': 'A session of the other user.',
  'auth.logout': 'How many sessions have ended.',
  'billings.balance': 'The balance.',
  'captcha.challenge': 'A challenge.',
  'channels.drivers': 'The drivers with their options.',
  'channels.test': 'The message that was sent.',
  'channels.statuses': 'What became of each report; all of it is kept by then.',
  'channels.incoming': 'The id of the message.',
  'contacts.removeMany': 'How many were removed.',
  'contacts.preview': 'The columns and the first rows.',
  'contacts.import': 'What became of the rows.',
  'emails.sendLetter': 'Where the letter goes.',
  'emails.check': 'Whose address the key confirms.',
  'emails.confirm': 'The address that took effect.',
  'geocode.lookup': 'The place.',
  'health.live': 'The process answers.',
  'health.ready': 'Calls may be sent here; 503 with the same body when not.',
  'messageRuleGroups.assign': 'The groups that the account is in now.',
  'routingGroups.assign': 'The groups that the account is in now.',
  'notifications.read': 'The notification as it is now.',
  'notifications.readAll': 'How many were marked.',
  'persons.erase': 'The word; a worker does the rest.',
  'phones.sendCode': 'Where the code goes.',
  'phones.confirm': 'The phone that is confirmed.',
  'phones.simulated': 'The last messages, newest first.',
  'recovery.request': 'A letter goes out if anybody is called so; the answer does not say.',
  'recovery.check': 'Whose password the key opens.',
  'recovery.reset': 'The new password holds; all sessions of the user have ended.',
  'registration.create': 'The new account.',
  'registration.survey': 'The answer as it is kept.',
  'operators.lookup': 'The networks that are known.',
  'sendernames.moderate': 'The sender name as it is now.',
  'sendings.create': 'The message, or a receipt for each recipient with `return=each`.',
  'sendings.create.201': 'The task of the bulk.',
  'sendings.estimate': 'The price, and whom it would reach.',
  'storage.get': 'The bytes as a download, or the file’s description with `return=meta`.',
  'storage.getPublic': 'The bytes.',
  'tasks.cancel': 'The task as it is now.',
  'tasks.errors': 'Why recipients were not reached.',
  'tasks.unsent': 'What would not be sent.',
  'telemetry.consent': 'What was decided, and when a place may be noted again.',
  'telemetry.decide': 'What is decided now.',
  'telemetry.locate': 'The visit as it is now.',
  'templates.apply': 'What to start from.',
  'templates.moderate': 'The template as it is now.',
  'textGenerator.generate': 'The text.',
  'tts.generate':
    'The recording; it is removed after ten minutes unless a sending or a template names it.',
  'users.me': 'The user who is signed in.',
};
