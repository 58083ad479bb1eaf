/**
 * Descriptions and examples of fields and parameters, for the documents that the server generates from the contract
 * (`/api/openapi.json`, `/api/asyncapi.json`). Only the server imports this file, so browsers do not load it.
 *
 * A key is the name of a field, preceded by as much of its path as distinguishes it from other fields of that name: `amount`,
 * `Billing.amount`, `counters.total`. The path begins with the name of a schema (`Sending`) or an operation (`tts.generate`).
 * The longest matching key applies. Parameters have a question mark before their name: `?status`, `billings.find.?status`.
 * Fields with `.describe` in their schema need an entry only for an example.
 */
export interface Description {
  /** Meaning, unit and format, in one or two sentences. */
  description: string;
  /** A valid value of the field. Not needed for enumerations, booleans and named schemas. */
  example?: unknown;
}

const as = (description: string, example?: unknown): Description =>
  example === undefined ? { description } : { description, example };

/** The same fields in several schemas. */
const inEach = (schemas: string[], fields: Record<string, Description>) =>
  Object.fromEntries(
    schemas.flatMap((schema) =>
      Object.entries(fields).map(([name, about]) => [`${schema}.${name}`, about]),
    ),
  );

const id = (description: string) => as(description, '01930000-0000-7000-8000-0000000000a1');
const list = '01930000-0000-7000-8000-000000000111';
const time = (description: string) =>
  as(`${description} ISO 8601, in UTC.`, '2026-11-22T09:15:00.000Z');
const dated = (description: string) => time(`${description} Null until then.`);
const sum = (description: string, example = 3.5) =>
  as(`${description} In the currency of the account, with up to four decimals.`, example);
const MANAGERS_ONLY = 'Visible to managers only.';

/** The message of the examples, valid for every channel with texts. */
const payload = { sender: 'MIRTEA', text: 'Your order is ready' };
const fallback = {
  type: 'viber',
  payload,
  options: { onStatus: ['failed'], onTimeout: { timeout: 50, except: ['delivered', 'seen'] } },
};
const PRICE =
  'Price of one unit: a segment of an SMS or MMS, or a message of another type. For calls, two numbers: per call and per started second.';

const ROUTES =
  'Routes in order of precedence. A message uses the first route of its type whose channel is active. If there is none, it uses the active channel with the highest priority.';
const ROUTE_CHANNEL = 'Name of the channel for messages of this type.';
const REGISTERED_SENDER = 'Sender for which the template is registered. Null for any sender.';
const REGISTERED_TEXT =
  'Template text that the whole message must match. `%d{1,4}` matches one to four digits, `%l` letters, `%w` letters and digits, `%r` Russian letters, `%rd` Russian letters and digits; with `+`, also spaces. A variable matches any text.';
const REGISTERED_GROUP =
  'Traffic group of matching messages. Tariffs can set a price for each group.';
const REGISTERED_NETWORK =
  'Mobile network of the registration: MCC followed by MNC. `*` at the end matches all networks with this prefix. Null for all networks.';

export const DESCRIPTIONS: Record<string, Description> = {
  // Common fields.
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
  '?scope': as('Alias of `$scope`.', ['full']),
  'sendernames.find.?$scope': as(
    '`attached` returns only names that can be used now. `meta` and `full` have no effect.',
    ['attached'],
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
  'reports.find.?preset': as('Return only reports with these presets.', ['sendings.details']),
  '?chainId': id('Return only attempts of this chain: the first message and its fallbacks.'),
  '?cursor': id(
    'Id of the last row of the previous page. The next page starts after it, at any depth. Requires sorting by `createdAt`.',
  ),
  '?createdAt': as(
    'Creation time range: `createdAt[$gt]` is the lower bound, `createdAt[$lt]` the upper; both are exclusive.',
    {
      $gt: '2026-11-01T00:00:00.000Z',
    },
  ),
  '?updatedAt': as(
    'Change time range: `updatedAt[$gt]` is the lower bound, `updatedAt[$lt]` the upper; both are exclusive.',
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
  'ErrorBody.data.type': as('Validation rule that failed.', 'required'),
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

  // Sessions.
  Credentials: as('Credentials to sign in.'),
  'Credentials.username': as('Username, used to sign in.', 'customer'),
  'Credentials.password': as('Password of the user.', 'heliograph'),
  'Credentials.code': as(
    'For an account with a second factor: a code of the authenticator app, or a recovery code. Otherwise ignored.',
    '483920',
  ),
  SecondFactorState: as('State of the two-factor sign-in of the user.'),
  'SecondFactorState.isEnabled': as('True if signing in needs a code.'),
  enabledAt: time('Time at which the second factor was turned on. Null while it is off.'),
  codesLeft: as('Number of unused recovery codes.', 10),
  isRequired: as('True if the installation requires a second factor at the level of the user.'),
  SecondFactorSetup: as('Secret of an authenticator app, shown once.'),
  'SecondFactorSetup.secret': as(
    'Secret in base32, to be typed into an app.',
    'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
  ),
  'SecondFactorSetup.url': as(
    'URL of the secret, for a QR code.',
    'otpauth://totp/Cabinet:customer?issuer=Cabinet&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&algorithm=SHA1&digits=6&period=30',
  ),
  'SecondFactorSetup.expiresIn': as('Seconds until the setup expires.', 1800),
  RecoveryCodes: as('Recovery codes, each valid once. They are shown only in this response.'),
  'RecoveryCodes.codes': as('The codes.', ['7KX4M-Q2WPD']),
  'setUp.password': as('Password of the caller.', 'heliograph'),
  'disable.password': as('Password of the caller.', 'heliograph'),
  'replaceCodes.password': as('Password of the caller.', 'heliograph'),
  'secondFactor.reset.password': as('Password of the caller.', 'heliograph'),
  'disable.code': as('Code of the authenticator app, or a recovery code.', '483920'),
  'replaceCodes.code': as('Code of the authenticator app, or a recovery code.', '483920'),
  'secondFactor.enable.code': as('Code of the authenticator app.', '483920'),
  'secondFactor.reset.?id': id('Id of the user.'),
  OpenSession: as('Open session of the user.'),
  'OpenSession.isCurrent': as('True for the session of the request.'),
  browser: as('Browser of the user agent. Null if it is not known.', 'Chrome 141'),
  system: as('Operating system of the user agent. Null if it is not known.', 'Windows 10'),
  'OpenSession.device': as('Kind of device.'),
  'OpenSession.useragent': as(
    "Value of the client's `User-Agent` header. Null in a session opened by login-as by another user.",
    'Mozilla/5.0',
  ),
  'OpenSession.place': as('Place of the sign-in, stored only with the consent of the user.'),
  'place.country': as('Country, in English. Null if it is not known.', 'Russia'),
  'place.city': as('City. Null if it is not known.', 'Kazan'),
  signedInAt: time('Time at which the user signed in. Renewals keep it.'),
  lastUsedAt: time('Time of the last call, updated at most once a minute.'),
  'OpenSession.expiresAt': time('Time at which the session ends unless it is renewed.'),
  'OpenSession.Actor': as(
    'User who opened the session by login-as. Null for a session of the user itself.',
  ),
  'sessions.remove.ended': as('Number of sessions that were ended.', 1),
  'removeOthers.ended': as('Number of sessions that were ended.', 1),
  Session: as('Session of a user.'),
  'Session.id': id('Id of the signed-in user.'),
  'logout.ended': as('Number of sessions that were ended.', 1),
  'logout.everywhere': as(
    'True ends all sessions of the user; otherwise only the current one ends.',
  ),

  // Registration, recovery, confirmation.
  Registration: as('Data of a new account.'),
  'Registration.data': as('Data of the account holder.'),
  'Registration.captcha': as(
    'Solution of the challenge from `GET /captcha`, JSON encoded in base64. Required after the error `captcha_required`.',
    'eyJjaGFsbGVuZ2UiOnt9fQ==',
  ),
  'Registration.data.email': as(
    'E-mail address. Optional if the username is an e-mail address.',
    'anna@example.com',
  ),
  'recovery.reset.password': as('New password, printable ASCII characters.', 'correct horse 7'),
  'RecoveryRequest.captcha': as(
    'Solution of the challenge from `GET /captcha`, JSON encoded in base64. Required after the error `captcha_required`.',
    'eyJjaGFsbGVuZ2UiOnt9fQ==',
  ),
  RecoveryRequest: as('User whose password is to be reset.'),
  'RecoveryRequest.login': as('Username or e-mail address.', 'anna@example.com'),
  expiresIn: as('Lifetime of the key or code, in seconds.', 3600),
  'check.expiresAt': time('Time at which the key expires.'),
  'persons.erase.address': as(
    'Phone number or e-mail address of the person to erase.',
    '+79020000001',
  ),
  'persons.erase.word': as(
    'Pseudonym that replaces the address in all records.',
    'erased-0f1e2d3c4b5a6978',
  ),
  'phones.confirm.code': as('Confirmation code from the SMS.', '123456'),
  'phones.simulated.data.text': as('Text of the message.', 'Your code is 123456'),
  'phones.simulated.data.sender': as('Sender name shown on the phone.', 'MIRTEA'),
  'phones.simulated.data.recipient': as('Phone number of the recipient, E.164.', '+79990000000'),
  Survey: as('Answer to the registration survey.'),
  'Survey.survey': as(
    'Target and type, separated by a colon. The target is `batchMailing`, `dialog` or `integration`.',
    'batchMailing:sms',
  ),
  UserMeta: as('Acquisition source of the account.'),
  'UserMeta.source': as('Source, from the URL of the registration page.', 'newsletter'),
  'UserMeta.survey': as('Answer to the survey, as `target:type`.', 'batchMailing:sms'),
  'UserMeta.salon_id': as('Salon id, from the URL of the registration page.', '4711'),
  'UserMeta.usedReferralCode': as('Referral code used at registration.', 'MIRTEA10'),
  CaptchaChallenge: as('Proof-of-work challenge of ALTCHA, version 2.'),
  'CaptchaChallenge.parameters': as(
    'Parameters of the challenge. The solver searches for a counter whose derived key begins with `keyPrefix`.',
  ),
  'parameters.algorithm': as('Hash function.'),
  'parameters.nonce': as('Random bytes of the challenge, hexadecimal.', '9f86d081884c7d65'),
  'parameters.salt': as('Salt of the key derivation, hexadecimal.', '2c26b46b68ffc68f'),
  'parameters.cost': as('Number of key derivation rounds per attempt.', 5000),
  'parameters.keyLength': as('Length of the derived key in bytes.', 32),
  'parameters.keyPrefix': as('Required prefix of the derived key, hexadecimal.', '00a1'),
  'parameters.keySignature': as(
    'Signature of the derived key of the solution, hexadecimal.',
    '7d865e959b2466918c98',
  ),
  'parameters.expiresAt': as('Time at which the challenge expires, in Unix seconds.', 1795338900),
  'CaptchaChallenge.signature': as(
    'Signature of the parameters, hexadecimal. Return it unchanged.',
    'e3b0c44298fc1c14',
  ),

  // Users.
  User: as('User of an account. An account holder is its own owner.'),
  OwnerRef: as('Reference to an account or a user.'),
  'OwnerRef.id': id('Id of the user.'),
  'Owner.id': id('Id of the account holder.'),
  'User.ResellerId': id('Reseller of the account. Null if it has none.'),
  'User.level': as(
    'Access level: own account (`me`), own customers (`reseller`) or managed accounts (`manager`).',
  ),
  'User.isActive': as('False if the user cannot sign in.'),
  isTest: as('True if the account is a trial account.'),
  $verified: as('True if the account has been verified.'),
  'User.emailConfirmedAt': dated('Time at which the e-mail address in `data` was confirmed.'),
  'User.phoneConfirmedAt': dated('Time at which the phone number in `data` was confirmed.'),
  'User.pendingEmail': as(
    'New e-mail address that awaits confirmation. Null if there is none.',
    'new@example.com',
  ),
  'User.pendingPhone': as(
    'New phone number that awaits confirmation and then replaces the confirmed one. Null if there is none.',
    '+79990000001',
  ),
  referralCode: as(
    'Referral code of the user, for registrations of others. Null if there is none.',
    'MIRTEA10',
  ),
  'User.data': as('Personal data of the user.'),
  'User.settings': as('Settings of the account; only in scope `full`.', {}),
  'User.Tariffs': as('Tariffs of the account with their rules; only in scope `full`.'),
  'User.Sendernames': as('Sender names of the account; only in scope `full`.'),
  'User.RoutingGroups': as(
    'Routing groups of the account, in order of precedence; only in scope `full`.',
  ),
  'User.MessageRuleGroups': as('Rule groups of the account; only in scope `full`.'),
  GroupRef: as('Reference to a group.'),
  'GroupRef.title': as('Title of the group.', 'Tea houses'),
  RoutingGroup: as('Routing group: the channels for messages of its accounts.'),
  'RoutingGroup.title': as('Title of the group.', 'Tea houses'),
  'RoutingGroup.accounts': as('Number of accounts in the group.', 12),
  'RoutingGroup.routes': as(ROUTES),
  'RoutingGroup.routes.ChannelId': as(ROUTE_CHANNEL, 'simulator'),
  RoutingGroupInput: as('Data of a new routing group.'),
  'RoutingGroupInput.title': as('Title of the group.', 'Tea houses'),
  'RoutingGroupInput.routes': as(ROUTES, [{ type: 'sms', ChannelId: 'simulator' }]),
  'routingGroups.update.title': as('Title of the group.', 'Tea houses'),
  'routingGroups.update.routes': as(ROUTES, [{ type: 'sms', ChannelId: 'simulator' }]),
  Route: as('Route: a message type and the channel for its messages.'),
  'Route.ChannelId': as(ROUTE_CHANNEL, 'simulator'),
  'routingGroups.assign.data': as(
    'Groups of the account after the change, in order of precedence.',
  ),
  'messageRuleGroups.assign.data': as(
    'Groups of the account after the change, in order of precedence.',
  ),
  'routingGroups.assign.ids': as(
    'Routing groups of the account in order of precedence. The account is removed from all other groups.',
    ['01930000-0000-7000-8000-0000000000a1'],
  ),
  MessageRuleGroup: as(
    'Rule group: sending rules for its accounts. Where they differ from the rules of an account, the stricter rule applies.',
  ),
  'MessageRuleGroup.title': as('Title of the group.', 'Tea houses'),
  'MessageRuleGroup.accounts': as('Number of accounts in the group.', 12),
  'MessageRuleGroup.rules': as('Rules of the group.'),
  MessageRuleGroupInput: as('Data of a new rule group.'),
  'MessageRuleGroupInput.title': as('Title of the group.', 'Tea houses'),
  'MessageRuleGroupInput.rules': as('Rules of the group.'),
  'messageRuleGroups.update.title': as('Title of the group.', 'Tea houses'),
  'messageRuleGroups.update.rules': as('Rules of the group. The given value replaces all of them.'),
  MessageRules: as('Sending rules, as in the settings of an account.'),
  'MessageRules.types': as(
    'Allowed message types; types that the account itself does not allow stay forbidden. If absent, the types of the account apply.',
    ['sms', 'viber'],
  ),
  'MessageRules.sendernamesCheck': as(
    'Message types that require a registered and approved sender name, in addition to those of the account.',
    ['viber'],
  ),
  'User.Patterns': as('Operator templates registered for the account; only in scope `full`.'),
  'User.hasSecondFactor': as(
    'True if the two-factor sign-in of the user is on. Visible to resellers and managers.',
  ),
  'User.Manager': as(
    'Manager of the account. Visible to administrators only; null if the account has no manager.',
  ),
  'User.currency': as('Currency of the balance, prices and charges, ISO 4217.', 'RUB'),
  balance: sum('Balance of the account.', 1000),
  overdraft: sum('Maximum amount by which the balance can be below zero.', 0),
  UserData: as('Personal data of a user.'),
  'UserData.meta': as('Acquisition source of the account.'),
  'Registration.data.meta': as('Acquisition source of the account.'),
  'UserData.partnership': as('Account management data.'),
  'partnership.hasContract': as('True if the account has a contract.'),
  'partnership.ManagerId': id('Id of the manager of the account. Null if there is none.'),
  UserUpdate: as('Changes to a user. Absent fields are left unchanged.'),
  'UserUpdate.username': as(
    'New username. If it is an e-mail address, it takes effect after confirmation by e-mail.',
    'mirtea',
  ),
  'UserUpdate.password': as(
    'Password of the caller. Required to change the username, the e-mail address or a confirmed phone number.',
    'heliograph',
  ),
  'UserUpdate.data': as(
    'Personal data of the user. Absent fields are left unchanged; null clears a field.',
  ),

  // Contacts.
  ContactList: as('Contact list or blacklist.'),
  ContactListInput: as('Data of a new contact list.'),
  ContactListType: as(
    'Type of the list. Messages of the account are never sent to phone numbers and addresses of a `blacklist`.',
  ),
  'ContactList.type': as(
    'Type of the list: `regular` can be used as recipients, `blacklist` excludes its contacts from all messages of the account.',
  ),
  'ContactListInput.type': as(
    'Type of the list: `regular` can be used as recipients, `blacklist` excludes its contacts from all messages of the account.',
  ),
  'contactLists.update.type': as(
    'Type of the list: `regular` can be used as recipients, `blacklist` excludes its contacts from all messages of the account.',
  ),
  'ContactList.count': as('Number of contacts in the list.', 984),
  Contact: as('Contact: a person or company with a phone number, an e-mail address or both.'),
  ContactInput: as('Data of a new contact. A phone number or an e-mail address is required.'),
  ContactUpdate: as('Changes to a contact. Absent fields are left unchanged; null clears a field.'),
  gender: as('Gender, the value of the variable `{gender}`. Null if unknown.'),
  date: as('Date of the contact, such as the birthday, in the format `yyyy-MM-dd`.', '1990-12-31'),
  ...Object.fromEntries(
    Array.from({ length: 20 }, (_, i) => `custom${String(i + 1).padStart(2, '0')}`).map((name) => [
      name,
      as(`Text of your own, for the variable \`{${name}}\`.`, name === 'custom01' ? 'Gold' : ''),
    ]),
  ),
  ContactImport: as('Import of a stored file into a contact list.'),
  from: as('Stored file to import.'),
  'from.key': id('Id of the uploaded spreadsheet: the `key` of the stored file.'),
  'ContactImport.columns': as(
    'Contact field by column number, starting from 0. `fullName` is split into the three names. Detected from the headers if absent.',
    { 0: 'phone', 1: 'firstName' },
  ),
  'ContactImport.hasHeader': as(
    'True if the file has a header row. Detected if absent. Used only together with `columns`.',
  ),
  sheet: as(
    'Name of the sheet in the workbook. Defaults to the first sheet with recipients.',
    'Contacts',
  ),
  'ContactImport.existing': as('Handling of contacts that are already in the list.'),
  ContactPreview: as('Preview of an import.'),
  'ContactPreview.columns': as('Columns of the file with the detected contact fields.'),
  'columns.name': as('Header of the column.', 'Phone'),
  'columns.field': as(
    'Detected contact field, or `fullName`, which is split into the three names. Null if the column is skipped.',
  ),
  'ContactPreview.hasHeader': as('True if a header row was detected.'),
  'ContactPreview.rows': as(
    'First rows below the header, with cells in the order of the columns.',
    [['+79990000000']],
  ),
  'ContactPreview.sheets': as(
    'Sheets of the workbook that can be imported, in order. Empty for text files.',
    ['Contacts', 'Archive'],
  ),
  'ContactPreview.sheet': as('Previewed sheet. Null for text files.', 'Contacts'),
  ImportReport: as('Result of an import.'),
  'ImportReport.total': as('Number of saved contacts, created and updated.', 980),
  'ImportReport.created': as('Number of created contacts.', 900),
  'ImportReport.updated': as('Number of updated contacts.', 80),
  'ImportReport.skipped': as(
    'Number of contacts that were already in the list and were left unchanged.',
    0,
  ),
  'ImportReport.repeated': as(
    'Number of rows replaced by a later row of the file with the same phone number (or e-mail address).',
    3,
  ),
  'ImportReport.rejected': as('Number of rejected rows.', 4),
  'ImportReport.rejectedFileId': id(
    'Stored file with the rejected rows, their numbers and reasons, to correct and import again. Null if no row was rejected.',
  ),
  'ImportReport.reasons': as('Number of rejected rows by reason.', { phone: 3, required: 1 }),
  'ImportReport.dropped': as(
    'Number of cells without a valid date or gender, by field. The cells were left empty and their rows imported.',
    { date: 2 },
  ),
  'ImportReport.assumed': as(
    'Number of phone numbers without a calling code, by the country that was assumed.',
    [{ country: 'RU', count: 3 }],
  ),
  'ImportReport.passedOver': as('Names of the skipped columns, up to 100.', ['Comment']),
  'ImportReport.sheet': as('Imported sheet. Null for text files.', 'Contacts'),
  'event.key': id('Id of the imported file.'),
  'event.done': as('Number of rows read so far.', 12_000),
  'event.left': as(
    'Estimated number of rows left to read. 0 while the rows are being saved.',
    8000,
  ),
  'removeMany.removed': as(
    'Number of removed contacts. Contacts that no longer existed are not counted.',
    2,
  ),
  Removed: as('Reference to the removed object.'),

  // Messages.
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
    'Recipient of the message: a phone number or e-mail address; several of them in one string, separated by commas, semicolons or line breaks; an array of them; or an object with included and excluded recipients.',
    '+79990000000',
  ),
  RecipientSet: as('Recipients of the message.'),
  RecipientSetOutput: as('Recipients of the message.'),
  include: as('Ids of contact lists, phone numbers in any format and e-mail addresses.', [list]),
  exclude: as('Recipients to exclude, in the same format as `include`.', ['+79990000006']),
  fallbacks: as(
    'Up to three further attempts. Each starts when one of its triggers applies to the previous attempt.',
    [fallback],
  ),
  'fallbacks.payload': as('Content of the message of this attempt.', payload),
  'fallbacks.options': as('Triggers of this attempt. Any one of them starts it.'),
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
  'SendingInput.options': as('Options of the request.'),
  'SendingOptions.title': as('Title of the task of a bulk.', 'Orders of November'),
  callbackData: as(
    'Custom text. Returned with every message that the request creates.',
    'order-1001',
  ),
  'SendingInput.OwnerId': id(
    'Account that sends and pays. The caller must have access to it. Defaults to the account of the caller.',
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
  'billing.amount': sum('Amount charged.'),
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
  'TimelineEvent.event': as('Type of the event. `fallback` is the start of another attempt.'),
  'TimelineEvent.at': time('Time of the event.'),
  'TimelineEvent.detail': as(
    'Details of the event, such as the reason for a failure. Null if there are none.',
    'The subscriber is absent or the number is not in service.',
  ),
  'TimelineEvent.code': as('Error code of a failure, otherwise null.', 'absent_subscriber'),
  'TimelineEvent.amount': sum('Amount charged or refunded. Null for other events.'),
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
  'Estimate.amount': sum('Total price of the first attempts.', 3444),
  max: sum('Total price if all fallbacks start.', 3444),
  'Estimate.balanceAfter': sum('Balance after the charges for the first attempts.', 1556),
  'Estimate.enough': as('True if the balance and the overdraft cover the first attempts.'),
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

  // Incoming messages.
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
  'channels.incoming.id': id(
    'Id of the incoming message. Null if no account matches it, or if it was already received.',
  ),

  // Tasks.
  Task: as('Task: the progress of a bulk.'),
  'Task.title': as('Title of the task.', 'Orders of November'),
  'SendingTask.title': as('Title of the task.', 'Orders of November'),
  'tasks.update.title': as('Title of the task.', 'Orders of November'),
  'Task.type': as('Type of the task.'),
  'SendingTask.type': as('Type of the task.'),
  'Task.state': as('State of the task.'),
  'SendingTask.state': as('State of the task.'),
  TaskState: as(
    'State of a task. `scheduled`: waiting for its start time. `running`: sending messages. `paused`: paused until resumed. `stopped`: stopped by a user. `completed`: finished. `failed`: ended with an error.',
  ),
  'tasks.update.state': as(
    'New state. `paused` and `stopped` are allowed for a scheduled or running task; `scheduled` resumes a paused task. The current state of the task is rejected.',
  ),
  reason: as(
    'Error code that explains why the task is paused or failed. Null otherwise.',
    'insufficient_funds',
  ),
  'Task.data': as('Message and recipients of the task.'),
  'SendingTask.data': as('Message and recipients of the task.'),
  'data.sending': as('Message of the task.'),
  'sending.type': as('Message type of the first attempt.', 'sms'),
  'sending.groupId': id(
    'Group of the messages. Use it as the filter `groupId` of `GET /sendings`.',
  ),
  'sending.payload': as('Content of the first attempt.', payload),
  'data.recipients': as('Included and excluded recipients.'),
  'data.recipients.include': as('Recipients of the message.'),
  'data.recipients.exclude': as('Excluded recipients.'),
  lists: as('Ids of contact lists.', [list]),
  'include.recipients': as(
    'Individual recipients, the first 1,000. Only when a single task is retrieved.',
    ['+79990000000'],
  ),
  'exclude.recipients': as(
    'Individual recipients, the first 1,000. Only when a single task is retrieved.',
    ['+79990000006'],
  ),
  'include.count': as('Number of individual recipients.', 1),
  'exclude.count': as('Number of individual recipients.', 1),
  'Task.meta': as('Counters and costs of the task.'),
  'SendingTask.meta': as('Counters and costs of the task.'),
  'meta.amount': sum('Amount charged and not refunded.', 3444),
  'Task.until': time(
    'Time at which the last message is due. Null if the messages are not spread over time.',
  ),
  'SendingTask.until': time(
    'Time at which the last message is due. Null if the messages are not spread over time.',
  ),
  startsAt: time('Scheduled start. Null for an immediate start.'),
  startedAt: dated('Time of the start.'),
  finishedAt: dated('Time of the end.'),
  TaskErrors: as('Failures of a task by reason.'),
  'TaskErrors.data': as(
    'Recipients with the outcome `failed`, by the error code of their last attempt, most frequent first.',
  ),
  'TaskErrors.data.code': as('Error code.', 'absent_subscriber'),
  'TaskErrors.data.count': as('Number of recipients with this error.', 30),
  'TaskErrors.others': as(
    'Number of failed attempts whose recipient has not failed: another attempt was delivered, is in progress or was stopped.',
    2,
  ),
  'TaskErrors.data.amount': sum('Amount charged for their last attempts.', 105),
  'TaskErrors.refunded': sum('Amount refunded for all failed attempts.', 105),
  TaskUnsent: as('Messages that would be cancelled by stopping a task.'),
  'TaskUnsent.count': as('Number of attempts not yet submitted to the carrier.', 500),
  'TaskUnsent.submitted': as(
    'Number of attempts already submitted to the carrier, which cannot be cancelled.',
    20,
  ),
  'TaskUnsent.amount': sum('Amount that would be refunded.', 1750),

  // Sender names and templates.
  Token: as('API token, without its secret.'),
  TokenWithSecret: as('API token with its secret, which is in no other response.'),
  TokenInput: as('Data of a new API token.'),
  TokenUpdate: as('Changes to an API token. Only its user can make them.'),
  TokenRotation: as('Rotation of an API token.'),
  ...inEach(['Token', 'TokenWithSecret', 'TokenInput', 'TokenUpdate'], {
    description: as('What the token is used for.', 'Online shop'),
    ipWhitelist: as(
      'IPv4 and IPv6 addresses, and networks in CIDR notation, that can use the token. Empty for all addresses.',
      ['192.0.2.17', '2001:db8:12::/48'],
    ),
    permissions: as(
      'Permissions of the token, limited to those that its user has at the time of a request. Null for all permissions of the user.',
      ['sendings.get', 'sendings.generate'],
    ),
    expiredAt: time('Time at which the token expires, at most one year ahead. Null for never.'),
  }),
  ...inEach(['Token', 'TokenWithSecret'], {
    prefix: as('First characters of the secret, by which it can be recognized.', 'hg_k7m2qx9w4ctr'),
    previous: as('Former secret after a rotation. Null if there is none.'),
    'previous.prefix': as('First characters of the former secret.', 'hg_ab4dt8fyzh2m'),
    'previous.validUntil': time('Time at which the former secret ends.'),
    lastUsedAt: dated('Time of the last use, updated at most once a minute.'),
    lastUsedIp: as('Address of the last use. Null until then.', '192.0.2.17'),
    rotatedAt: dated('Time of the last rotation.'),
    UserId: id('User whose permissions the token has.'),
  }),
  'TokenWithSecret.token': as(
    'The secret, for the `Authorization` header. Store it: it cannot be retrieved again.',
    'hg_k7m2qx9w4ctr_vGPkKz5dWIXNzt0l0lbEM8Vx6DkLrq3nJ9hYcR2sQ4A',
  ),
  'TokenRotation.prefix': as(
    'Prefix of the secret to replace. If another request has replaced it already, this one fails with `conflict`.',
    'hg_k7m2qx9w4ctr',
  ),
  'TokenRotation.overlapDays': as(
    'Days for which the former secret stays valid, 0 to 7. With 0 all former secrets end at once; otherwise the rotation fails with `conflict` while an earlier overlap lasts.',
    1,
  ),
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

  // Money.
  Billing: as('Ledger entry.'),
  'Billing.source': as(
    'Source of the entry: `accrual` and `subtract` for manual entries, `sendings.{type}` for messages, `transfer` for payments between a reseller and its customer.',
  ),
  'Billing.amount': sum('Change of the balance. Charges are negative.', -3.5),
  BillingStatus: as(
    'Status of a ledger entry. Entries with `refunded` and `invalid` do not affect the balance.',
  ),
  'Billing.status': as('Status of the entry.'),
  'Billing.data': as('Composition of the amount.'),
  'Billing.data.price': as(`${PRICE} Null for manual entries.`, 3.5),
  'Billing.data.params': as(
    'Charged message. Null for manual entries and if the message is no longer stored.',
  ),
  'params.type': as('Message type.'),
  'params.segments': as('Number of segments of the message.', 1),
  'params.attempt': as('Number of the attempt in its chain, starting from 0.', 0),
  'params.groupId': id('Group of the bulk that contains the message. Null for a single message.'),
  'Billing.meta': as('Related ledger entries.'),
  'Billing.meta.billings': as(
    'Related ledger entries: this entry and the other side of a transfer.',
  ),
  'data.multiplier': as(
    'Number of units charged: segments of an SMS, seconds of a call, otherwise 1.',
    1,
  ),
  'data.hidden': as('Internal data, visible to managers and the author of the entry.'),
  'hidden.comment': as('Reason for the entry. Null if there is none.', 'Invoice 17 is paid'),
  'hidden.noRef': as('True excludes the entry from the referral programme.'),
  'Billing.TariffId': id('Tariff of the price. Null for manual entries.'),
  'Billing.Counterpart': as('Other account of a transfer.'),
  'Billing.refundedAt': dated('Time of the refund.'),
  BillingInput: as('Manual ledger entry.'),
  'BillingInput.source': as(
    'Source of the entry. `accrual` increases the balance; all other sources decrease it. A message type without a prefix means `sendings.{type}`.',
  ),
  'BillingInput.amount': sum(
    'Amount, greater than zero. With `data.multiplier`, the amount of one unit.',
    1000,
  ),
  'BillingInput.OwnerId': id(
    'Account whose balance changes. The caller must have access to it; it cannot be the account of the caller.',
  ),
  'BillingInput.data': as('Additional data of the entry.'),
  'billings.balance.result': sum('Available funds: the sum of balance and overdraft.', 1000),
  Tariff: as('Tariff.'),
  'Tariff.title': as('Title of the tariff.', 'Base'),
  'UserTariff.title': as('Title of the tariff.', 'Base'),
  source: as('Source of the tariff.', 'base'),
  'Tariff.usersTariffs': as('Tariff as assigned to the account.'),
  UserTariff: as('Tariff assigned to an account.'),
  'UserTariff.priority': as('Priority of the tariff. Higher values are evaluated first.', 0),
  'UserTariff.finalRules': as('Rules of the tariff, by priority, highest first.'),
  TariffRule: as(
    'Rule of a tariff: a price or a discount that applies if all its conditions are met.',
  ),
  'TariffRule.id': as('Id of the rule in its tariff.', '7'),
  'TariffRule.action': as('`increase` sets the price, `decrease` is a discount from it.'),
  'TariffRule.price': as(PRICE, 3.5),
  'TariffRule.conditions': as('Conditions of the rule. All of them must be met.'),
  'conditions.tag': as(
    'Property to compare. `mccmnc` is the mobile network, `group` the traffic group, `keywords` whole words of the text.',
  ),
  'conditions.value': as(
    'Expected value, or several values of which one must match. `401*` matches all networks of a country.',
    '25001',
  ),
  'TariffRule.priority': as('Priority of the rule. Higher values are evaluated first.', 10),
  Operator: as('Mobile network.'),
  'Operator.mccmnc': as(
    'Network code as requested: MCC followed by MNC, or `401*` for all networks of a country.',
    '25001',
  ),
  'Operator.name': as(
    'Name of the operator. Null for all networks of a country, and if only the country is known.',
    'MTS',
  ),

  // Personal settings.
  SettingsUser: as('Personal settings of a user, by key. Absent keys have their defaults.'),
  'SettingsUser.locale': as('Language of the cabinet.'),
  'SettingsUser.timeZone': as(
    'Time zone of all displayed times, a name of the IANA database. Defaults to that of the browser.',
    'Europe/Moscow',
  ),
  'SettingsUser.theme': as('Color scheme. `system` follows the operating system.'),
  'SettingsUser.density': as('Row spacing of lists.'),
  'SettingsUser.shortcuts': as('True if single-key shortcuts are enabled.'),
  'SettingsUser.hidePersonalData': as('True if personal data is blurred on all pages.'),
  'SettingsUser.reports': as('Default values of the report dialog.'),
  ReportDefaults: as('Default values of the report dialog.'),
  'ReportDefaults.encoding': as('Character encoding of the file.'),
  'ReportDefaults.delimiter': as('Column delimiter of the file.'),
  ListSettings: as('Columns and views of one list. The key is `list.` and the name of the list.'),
  'ListSettings.columns': as('Columns that the user showed (true) or hid (false), by name.', {
    price: true,
  }),
  'ListSettings.views': as('Named views.'),
  'ListSettings.views.name': as('Name of the view.', 'Failed today'),
  'ListSettings.views.query': as('Query string of the list page.', 'f.status=failed'),
  'ListSettings.views.columns': as('Columns of the view.', { price: true }),
  'Settings.personal': as('Personal settings of the user. Null in a session opened by login-as.'),
  'settingsUser.get.?accountId': id('Id of the signed-in user.'),
  'settingsUser.update.?accountId': id('Id of the signed-in user.'),
  'settingsUser.update.?key': as('Name of the setting.', 'theme'),
  'settingsUser.update.key': as('Name of the setting.', 'theme'),
  'settingsUser.update.value': as('Value of the setting. Null removes it.', 'dark'),
  'settingEvent.key': as('Name of the setting.', 'theme'),
  'settingEvent.value': as('Value of the setting. Null if it was removed.', 'dark'),
  'emails.cancel.cancelled': as('The address that does not take effect.', 'new@example.com'),
  PasswordChange: as('Change of the own password.'),
  'PasswordChange.userId': id('Id of the signed-in user.'),
  'PasswordChange.passwords': as('The former and the new password.'),
  'passwords.oldPassword': as('The current password.', 'correct horse 7'),
  'passwords.newPassword': as('The new password.', 'tea & 3 cups'),

  // Files and links.
  Report: as('Report: a file that a worker writes to the storage.'),
  'Report.key': id(
    'Same value as `id`: id of the file in the storage once the state is `completed`.',
  ),
  'reports.create.key': id(
    'Id of the report, and of its file in the storage once it is completed.',
  ),
  'Report.preset': as('What the report contains.', 'sendings.details'),
  'ReportInput.preset': as(
    'What the report contains. Presets with `details` in their name have a row for each entry or message.',
    'sendings.details',
  ),
  'Report.format': as('Format of the file.'),
  'ReportInput.format': as('Format of the file.'),
  'Report.encoding': as('Encoding of a CSV file. Workbooks are always UTF-8.'),
  'ReportInput.encoding': as(
    'Encoding of a CSV file. Characters that it lacks are written as similar ones. Workbooks are always UTF-8.',
  ),
  'Report.delimiter': as('Delimiter of a CSV file.'),
  'ReportInput.delimiter': as('Delimiter of a CSV file.'),
  'Report.locale': as(
    'Language of the headers. Also determines the decimal sign and the format of dates.',
  ),
  'ReportInput.locale': as(
    'Language of the headers. Also determines the decimal sign and the format of dates. Defaults to the language of the `Accept-Language` header.',
  ),
  'Report.timeZone': as('Time zone of the times, named in their headers.', 'Europe/Moscow'),
  'ReportInput.timeZone': as(
    'Time zone of the times, by its name in the IANA database. Defaults to UTC.',
    'Europe/Moscow',
  ),
  'Report.where': as('Filter of the rows, with both bounds of the time range.', {
    createdAt: { $gt: '2026-11-01T00:00:00.000Z', $lt: '2026-11-22T00:00:00.000Z' },
  }),
  'ReportInput.where': as(
    'Filter of the rows: the filters of the list of messages or of ledger entries, depending on the preset.',
    { createdAt: { $gt: '2026-11-01T00:00:00.000Z', $lt: '2026-11-22T00:00:00.000Z' } },
  ),
  'ReportWhere.createdAt': as(
    'Creation time range of the rows, at most 186 days. Defaults to the last 186 days.',
    { $gt: '2026-11-01T00:00:00.000Z', $lt: '2026-11-22T00:00:00.000Z' },
  ),
  'ReportWhere.status': as('Only messages, or ledger entries, with these statuses.', ['delivered']),
  'ReportWhere.source': as('Only ledger entries of these operations.', ['sendings.sms']),
  'ReportWhere.type': as('Only these message types.', ['sms']),
  'reports.find.data': as('Reports, or with `$preset` rows of the report.', []),
  'ReportWhere.outcome': as('Only recipients with these outcomes, one row for each.'),
  'ReportWhere.groupId': id('Only messages of this bulk.'),
  'ReportWhere.chainId': id('Only attempts of this chain.'),
  'ReportWhere.TariffId': id('Only charges priced by this tariff.'),
  'ReportWhere.recipient': as(
    'Only messages to this phone number or e-mail address, or to those that start with it.',
    '+79990000000',
  ),
  'ReportWhere.OwnerId': id('Only rows of this account.'),
  'ReportWhere.id': as('Only these rows.', ['01930000-0000-7000-8000-0000000000a1']),
  'Report.state': as('State of the report.'),
  'Report.progress': as('Progress of the report.'),
  'progress.rows': as('Rows written so far; in a completed report, all rows.', 120000),
  'progress.total': as(
    'Estimated number of rows while the report runs. Null while it is unknown.',
    1000000,
  ),
  'Report.replaced': as(
    'Number of characters that the encoding lacks and that were written as similar ones.',
    3,
  ),
  'Report.reason': as('Why the report failed. Null otherwise.'),
  'Report.filename': as('Name of the file.', 'sendings.details_2026-11-01_2026-11-22.csv'),
  'Report.size': as('Size of the file in bytes. Null while there is no file.', 2048000),
  'Report.hasFile': as('True while the file exists. It is removed at `expiresAt`.'),
  'Report.expiresAt': time('Time at which the file is removed. Null while there is no file.'),
  'Report.ScheduleId': id('Schedule that requested the report. Null if a user did.'),
  'Report.UserId': id('User who requested the report, and whose permissions apply.'),
  'Report.startedAt': dated('Time at which a worker started the report.'),
  'Report.finishedAt': dated('Time at which the report was completed, failed or cancelled.'),
  StoredFile: as('Stored file.'),
  'StoredFile.key': id('Same value as `id`. Use it as `from.key` of an import.'),
  'StoredFile.title': as('Title of the file. Defaults to its filename.', 'price-list.xlsx'),
  'storage.update.title': as('Title of the file.', 'price-list.xlsx'),
  'StoredFile.filename': as('Filename at upload.', 'price-list.xlsx'),
  'StoredFile.type': as(
    'MIME type detected from the contents, otherwise as declared at upload.',
    'image/png',
  ),
  DownloadTicket: as('Download link of a file.'),
  'DownloadTicket.url': as(
    'Path of the contents on the host of the API. Works without a session until `expiresAt`.',
    '/api/storage/01a20450-3c1e-7bb0-9a54-0f2a3c1e7bb0/content?ticket=1795367939.q3S2gk1y7xw',
  ),
  'DownloadTicket.expiresAt': time('Time at which the link expires, 15 minutes after the request.'),
  'storage.getByTicket.?ticket': as('Ticket of the link.', '1795367939.q3S2gk1y7xw'),
  'StoredFile.size': as('Size in bytes.', 20480),
  'StoredFile.hash': as(
    'SHA-256 hash of the contents, hexadecimal.',
    '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  ),
  'StoredFile.seconds': as(
    'Duration of a recording, in started seconds. Null for other files.',
    12,
  ),
  'StoredFile.isPublic': as('True if the file is available at `url` without a session.'),
  'storage.update.isPublic': as(
    'True makes the file public at `url`; false makes it private and removes the URL.',
  ),
  'StoredFile.meta': as('Metadata of the contents. Empty if unknown.', {
    width: 640,
    height: 480,
  }),
  'StoredFile.meta.width': as('Width of an image or a video in pixels.', 640),
  'StoredFile.meta.height': as('Height of an image or a video in pixels.', 480),
  'StoredFile.meta.duration': as('Duration of a recording or a video, in started seconds.', 12),
  'StoredFile.meta.pages': as('Number of pages of a PDF.', 3),
  'StoredFile.url': as(
    'Public URL of the file, which needs no session. Null for private files.',
    'https://example.com/api/storage/public/q3S2gk1y7xw',
  ),
  'StoredFile.expiredAt': time('Time at which the file is removed. Null if it does not expire.'),
  'StoredFile.locks': as(
    'Number of templates, unfinished tasks and unfinished messages that use the file. The file can be removed only when it is 0.',
    0,
  ),
  FilePreview: as('Beginning of a file.'),
  'FilePreview.kind': as('Which of `rows` and `text` is filled.'),
  'FilePreview.text': as('Beginning of a text. Null for tables.', 'Dear customers'),
  'FilePreview.sheets': as('Names of the visible sheets of a workbook.', ['Prices', 'Stock']),
  'FilePreview.sheet': as('Name of the sheet of `rows`. Null for text files.', 'Prices'),
  'FilePreview.rows': as(
    'First rows of the sheet that are not blank, up to 50 of up to 30 cells. Long cells are cut off.',
    [
      ['Name', 'Price'],
      ['Tea', '3.50'],
    ],
  ),
  'FilePreview.isTruncated': as('True if the file has more than the preview.'),
  'storage.preview.?sheet': as('Name of the sheet. Defaults to the first one.', 'Prices'),
  'storage.create.?preset': as('Refuses files whose detected type is not one of the preset.'),
  'storage.find.?preset': as('Return only files with the types of the preset.'),
  'storage.update.expiredAt': time(
    'Time at which the file is removed, within one year. Null if it does not expire. Refused with `in_use` while something uses the file.',
  ),
  StorageUsage: as('Storage of an account.'),
  'StorageUsage.used': as('Size of all files of the account, in bytes.', 1_048_576),
  'StorageUsage.limit': as('Quota of the account, in bytes. Null if there is none.', 5_242_880_000),
  'storage.create.file': as('File to upload.'),
  'generate.fileId': id('Id of the stored recording.'),
  Link: as('Short link.'),
  LinkInput: as('Data of a new short link.'),
  url: as('Target URL, http or https.', 'https://example.com/orders/1001'),
  'Link.shortUrl': as('Short URL, to be used in messages.', 'https://example.com/s/q3S2gk'),
  'Link.clicks': as('Number of clicks. Null if another service serves the short link.', 12),
  'Link.clickedAt': dated('Time of the last click.'),

  // Speech and texts.
  'tts.generate.tts': as('Voice: an `id` from `tools.speech.voices` of the settings.', 'ru-anna'),
  'tts.generate.text': as('Text to synthesize.', 'Your order is ready'),
  'generate.formValues': as('Parameters of the text.'),
  GeneratorForm: as('Parameters of a generated text.'),
  GeneratorLanguage: as('Language of the text.'),
  'textGenerator.generate.channel': as('Message type of the text.'),
  'GeneratorForm.messageTheme': as('Topic of the message.', 'A new collection'),
  'GeneratorForm.occasion': as('Occasion of the message.', 'The season begins'),
  'GeneratorForm.smsSegments': as('Maximum number of segments of an SMS.', 1),
  'GeneratorForm.otherChars': as('Maximum number of characters of other message types.', 100),
  'GeneratorForm.additionalNotes1': as('Additional instructions.', 'Mention free delivery'),
  'GeneratorForm.rephraseText': as('Text to rephrase.', 'The new collection is here'),
  'GeneratorForm.endQuestion': as('True to end the text with a question.'),
  'GeneratorForm.emotionalTone': as('Tone of the text.'),
  'GeneratorForm.language': as('Language of the text.'),
  'GeneratorForm.addEmojis': as('True to allow emojis.'),
  'textGenerator.generate.result': as(
    'Generated text.',
    'The new collection is here: delivery is free.',
  ),

  // Notifications, visits, the audit log.
  Notification: as('Notification to a user.'),
  NotificationType: as('Type of a notification.'),
  'Notification.type': as('Type of the notification.'),
  'Notification.title': as('Title, in English.', 'Sender name approved'),
  'Notification.text': as(
    'Text, in English. Can contain line breaks.',
    'The sender name MIRTEA (sms) may be used.',
  ),
  'Notification.data': as('Data of the notification, depending on the type.', {
    name: 'MIRTEA',
    type: 'sms',
  }),
  'Notification.channel': as('Channel of the notification; `web` is the cabinet.', 'web'),
  'Notification.isRead': as('True if the notification was read.'),
  'Notification.targetUserId': id('Id of the notified user.'),
  'Notification.sentAt': dated('Time of sending.'),
  'Notification.deliveredAt': dated('Time of delivery.'),
  'readAll.read': as('Number of notifications marked as read.', 3),
  Visit: as('Visit of the cabinet: user, IP address and client.'),
  'Visit.action': as('Action of the visit.', 'login'),
  'Visit.data': as(
    'Additional data of the visit. Contains the location only with the consent of the user.',
    {
      url: 'https://example.com/login',
      country: 'Russia',
      continent: 'Europe',
      city: 'Kazan',
      isoCode: 'RU',
    },
  ),
  'VisitInput.data.url': as('URL of the page.', 'https://example.com/login'),
  'VisitData.actorId': id('Id of the user who signed in as this user.'),
  'VisitData.url': as('URL of the page.', 'https://example.com/login'),
  VisitInput: as('Visit of the caller.'),
  'VisitInput.action': as('Action of the visit.'),
  'VisitInput.data': as('Additional data of the visit.'),
  'data.country': as('Country, in English. Stored only with the consent of the user.', 'Russia'),
  'data.city': as('City. Stored only with the consent of the user.', 'Kazan'),
  LocationConsent: as('Consent of a user to store the location of sign-ins.'),
  isAllowed: as(
    'True if country and city of sign-ins are stored. Null until the user has decided.',
    true,
  ),
  nextAt: time(
    'Earliest time at which a location can be stored again. Null if it can be stored now.',
  ),
  Coordinates: as('Geographic coordinates, WGS 84.'),
  latitude: as('Latitude in degrees. Southern latitudes are negative.', 55.79),
  longitude: as('Longitude in degrees. Western longitudes are negative.', 49.12),
  Place: as('Location of the coordinates. All fields are null at sea.'),
  'Place.country': as('Country, in English.', 'Russia'),
  continent: as('Continent, in English.', 'Europe'),
  city: as('Largest town within 30 km. Null if there is none.', 'Kazan'),
  isoCode: as('Country code, ISO 3166-1 alpha-2; `XK` is Kosovo.', 'RU'),
  AuditRecord: as('Audit log record.'),
  'AuditRecord.action': as(
    'Endpoint name, or a predefined action such as `auth.login`.',
    'auth.login',
  ),
  'AuditRecord.Actor': as(
    'User who performed the action. Null without a session and for the command line.',
  ),
  'AuditRecord.Token': as('API token of the request. Null for a session.'),
  'AuditRecord.Token.prefix': as('First characters of the secret at that time.', 'hg_k7m2qx9w4ctr'),
  'AuditRecord.Token.description': as(
    'Current description of the token. Null after it was removed.',
    'Online shop',
  ),
  'AuditRecord.User': as(
    'User on whose behalf the action was performed, in a session opened by login-as. Null otherwise.',
  ),
  'AuditRecord.OwnerId': id('Account affected by the action. Null if there is none.'),
  'AuditRecord.target': as('Object of the action. Null if there is none.'),
  'target.type': as('Resource name of the object.', 'templates'),
  'target.id': id('Id of the object. Null if the action has no single object.'),
  'AuditRecord.before': as(
    'Changed values before the action, without secrets. Null if not recorded.',
    {
      isActive: true,
    },
  ),
  'AuditRecord.after': as(
    'Changed values after the action, without secrets. Null if not recorded.',
    {
      isActive: false,
    },
  ),
  'AuditRecord.count': as(
    'Number of occurrences. Identical refusals within a minute are combined in one record.',
    1,
  ),

  // Settings and the summary.
  Settings: as('Settings and permissions of a session.'),
  'Settings.session': as('Signed-in user.'),
  'session.OwnerId': id('Id of the account of the user.'),
  'session.level': as(
    'Access level: own account (`me`), own customers (`reseller`) or managed accounts (`manager`).',
  ),
  'session.isRestricted': as(
    'True while sending is restricted because the phone number of the account is not confirmed.',
  ),
  'session.hasFreeCredit': as(
    'True if the account received the free credit, which is granted once per phone number.',
  ),
  'session.impersonator': as(
    'User who opened the session by login-as. Null for a session of the user itself.',
  ),
  'session.mustSetUpSecondFactor': as(
    'True if the level of the user requires a second factor that is not set up. Other calls are then refused.',
  ),
  'Settings.frontend': as('Branding of the cabinet.'),
  Frontend: as('Public settings of the cabinet.'),
  'Frontend.title': as('Title of the cabinet.', 'Cabinet'),
  'Frontend.brand': as('Product variant.'),
  'Frontend.colors': as('Colours of the cabinet.'),
  'colors.primary': as('Primary colour, CSS.', '#1c7ed6'),
  'colors.accent': as('Accent colour, CSS.', '#f59f00'),
  'Frontend.documents': as('URLs of legal documents.'),
  'documents.privacy': as(
    'URL of the privacy policy. Null if there is none.',
    'https://example.com/privacy',
  ),
  'documents.offer': as(
    'URL of the public offer. Null if there is none.',
    'https://example.com/offer',
  ),
  'Frontend.recovery': as('True if passwords can be recovered by e-mail.'),
  'Frontend.registration': as('True if registration is open.'),
  'Frontend.password': as('Length limits of a new password.'),
  'password.min': as('Minimum length, in characters.', 8),
  'password.max': as('Maximum length, in characters.', 64),
  'Settings.billings': as('Billing settings of the account.'),
  'billings.processChildrenOperations': as(
    'True if the account can transfer funds to and from its customers.',
  ),
  'billings.creditLine': sum(
    'Maximum amount by which transfers of a reseller can take its balance below zero, within its overdraft.',
    0,
  ),
  'Settings.sendings': as('Sending settings of the account.'),
  'sendings.sendernamesCheck': as(
    'Message types that require a registered and approved sender name.',
    ['sms'],
  ),
  'Settings.sendings.types': as('Allowed message types of the account.', ['sms', 'viber']),
  'sendings.country': as(
    "Country of the account's phone number, ISO 3166-1 alpha-2. Phone numbers without a calling code are parsed for this country.",
    'RU',
  ),
  'sendings.grantedSender': as('Sender name granted to every new account.', 'DEMO'),
  'sendings.range': as('Maximum date range of message filters, in days.', 31),
  'Settings.storage': as('File storage limits.'),
  'storage.maxSize': as('Maximum file size, in bytes.', 20971520),
  'Settings.tools': as('Optional services of the installation.'),
  'tools.textGenerator': as('True if texts can be generated.'),
  'tools.simulator': as('True for a demo installation. Enables `GET /simulator/messages`.'),
  'tools.speech': as('Voices for speech synthesis. Null if it is not available.'),
  'speech.voices': as('Available voices.'),
  'voices.id': as('Id of the voice, for `payload.tts`.', 'ru-anna'),
  'voices.synthesizer': as('Provider of the voice.', 'local'),
  'voices.name': as('Name of the voice.', 'Anna'),
  'speech.voice': as('Id of the default voice.', 'ru-anna'),
  'Settings.permissions': as(
    'Access level of each permission. Absent permissions are not granted.',
    {
      'sendings.get': 'me',
    },
  ),
  Summary: as('Statistics of the last seven days of an account.'),
  'Summary.days': as('The previous six days and, last, the current day.'),
  'days.from': time('Start of the day.'),
  'days.total': as('Number of recipients of messages created on this day.', 120),
  'days.delivered': as('Number of these recipients with a delivered message.', 110),
  'days.failed': as('Number of these recipients for whom all attempts failed.', 4),
  'days.cancelled': as('Number of these recipients cancelled by stopping a task.', 2),
  'days.spent': sum('Amount charged on this day and not refunded.', 420),
  'Summary.money': as('Spending. Null without the permission `billings.find`.'),
  'money.average': sum('Average daily spending of the previous six days.', 400),
  'money.daysLeft': as(
    'Number of days for which the balance and the overdraft last at this rate. Null without spending.',
    12,
  ),
  'Summary.countedAt': time('Time of the calculation. Large accounts are calculated less often.'),

  // Channels.
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
  ChannelInput: as('Data of a new channel.'),
  'ChannelInput.name': as(
    'Name of the channel: lowercase Latin letters, digits, hyphens and underscores.',
    'carrier',
  ),
  'ChannelInput.isActive': as('True if the channel is active: messages are submitted to it.'),
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
  'ChannelOption.kind': as('Type of the value.'),
  'ChannelOption.isSecret': as('True if the value is write-only.'),
  'ChannelOption.isRequired': as('True if the option is required.'),
  'ChannelOption.default': as('Default value.', 15000),
  'ChannelOption.minimum': as('Minimum value.', 100),
  'ChannelOption.maximum': as('Maximum value.', 120000),
  'ChannelOption.choices': as('Allowed values.', ['one', 'two']),
  ChannelTest: as('Test message for a channel.'),
  'statuses.statuses': as(
    'Delivery reports: `{ reference | externalId, status, code?, at? }`. An invalid report does not affect the others.',
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
  CarrierBatch: as('Batch of messages for a carrier.'),
  'CarrierBatch.channel': as('Name of the channel.', 'carrier'),
  'CarrierBatch.messages': as('Messages of the batch, up to the channel option `maxBatch`.'),
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
  'CarrierMessage.segments': as('Number of billed segments.', 1),
  'CarrierMessage.tries': as('Number of previous submissions. 0 for the first one.', 0),

  // Health.
  'health.get.status': as(
    'Status of the process. `ready`: fully operational. `degraded`: operational without Redis. `starting`, `stopping` and `unavailable`: requests are not served.',
  ),
  'health.ready.status': as(
    'Status of the process. `ready`: fully operational. `degraded`: operational without Redis. `starting`, `stopping` and `unavailable`: requests are not served.',
  ),
  'health.live.status': as('Always `live`: the process responds.'),
  checks: as('Results of the checks.'),
  'checks.database': as('True if the database responds.'),
  'checks.migrations': as('True if all migrations are applied.'),
  'checks.redis': as('True if Redis responds.'),
};

/** Singular, plural and description of each resource, for operation summaries, responses and the list of tags. */
export const NOUNS: Record<string, { one: string; many: string; about: string }> = {
  audit: {
    one: 'audit record',
    many: 'audit records',
    about: 'Audit log of an account.',
  },
  auth: { one: 'session', many: 'sessions', about: 'Sign-in and sign-out.' },
  billings: {
    one: 'ledger entry',
    many: 'ledger entries',
    about: 'Charges, refunds and manual ledger entries; the balance.',
  },
  captcha: {
    one: 'challenge',
    many: 'challenges',
    about: 'Proof-of-work challenges against automated requests.',
  },
  channels: {
    one: 'channel',
    many: 'channels',
    about:
      'Connections to carriers, for administrators; delivery reports and incoming messages from carriers.',
  },
  contactLists: {
    one: 'contact list',
    many: 'contact lists',
    about: 'Contact lists and blacklists.',
  },
  contacts: {
    one: 'contact',
    many: 'contacts',
    about: 'Contacts and their import from spreadsheets.',
  },
  emails: {
    one: 'e-mail address',
    many: 'e-mail addresses',
    about: 'Confirmation of e-mail addresses.',
  },
  geocode: { one: 'place', many: 'places', about: 'Country and city of coordinates.' },
  health: {
    one: 'state of the process',
    many: 'states',
    about: 'Health checks for load balancers and monitoring.',
  },
  links: {
    one: 'short link',
    many: 'short links',
    about: 'Short links and their clicks.',
  },
  messageRuleGroups: {
    one: 'rule group',
    many: 'rule groups',
    about: 'Sending rules that apply to groups of accounts.',
  },
  notifications: { one: 'notification', many: 'notifications', about: 'Notifications of a user.' },
  patterns: {
    one: 'pattern',
    many: 'patterns',
    about: 'Templates registered by mobile operators.',
  },
  passwords: { one: 'password', many: 'passwords', about: 'Change of the own password.' },
  persons: { one: 'person', many: 'persons', about: 'Erasure of personal data.' },
  phones: { one: 'phone', many: 'phones', about: 'Confirmation of phone numbers by SMS.' },
  recovery: {
    one: 'recovery',
    many: 'recoveries',
    about: 'Recovery of forgotten passwords.',
  },
  registration: { one: 'account', many: 'accounts', about: 'Registration of accounts.' },
  operators: {
    one: 'mobile network',
    many: 'mobile networks',
    about: 'Mobile networks by network code.',
  },
  routingGroups: {
    one: 'routing group',
    many: 'routing groups',
    about: 'Channels for the messages of groups of accounts.',
  },
  reports: { one: 'report', many: 'reports', about: 'Reports as files, and their progress.' },
  secondFactor: {
    one: 'second factor',
    many: 'second factors',
    about: 'Two-factor sign-in of the user.',
  },
  sendernames: {
    one: 'sender name',
    many: 'sender names',
    about: 'Sender names and their moderation.',
  },
  sendings: {
    one: 'message',
    many: 'messages',
    about: 'Sending of messages, their status and delivery.',
  },
  sendingsIncoming: {
    one: 'incoming message',
    many: 'incoming messages',
    about: 'Incoming messages.',
  },
  tokens: {
    one: 'API token',
    many: 'API tokens',
    about: 'Secrets with which programs call the API. They can be managed with a session only.',
  },
  sessions: {
    one: 'open session',
    many: 'open sessions',
    about: 'Open sessions of the user.',
  },
  settings: { one: 'settings', many: 'settings', about: 'Settings and permissions of a session.' },
  settingsUser: {
    one: 'setting',
    many: 'settings',
    about: 'Personal settings of a user: language, time zone, theme and views of lists.',
  },
  storage: { one: 'file', many: 'files', about: 'Stored files.' },
  summary: { one: 'summary', many: 'summaries', about: 'Statistics of the last days.' },
  tariffs: { one: 'tariff', many: 'tariffs', about: 'Tariffs and prices.' },
  tasks: {
    one: 'task',
    many: 'tasks',
    about: 'Tasks of bulks: progress, pause, resume and stop.',
  },
  telemetry: { one: 'visit', many: 'visits', about: 'Visits of the cabinet.' },
  templates: {
    one: 'template',
    many: 'templates',
    about: 'Templates of messages and their moderation.',
  },
  textGenerator: { one: 'text', many: 'texts', about: 'Text generation for messages.' },
  tts: { one: 'recording', many: 'recordings', about: 'Speech synthesis.' },
  users: { one: 'user', many: 'users', about: 'Users and their administration.' },
};

/** A bulk to a contact list and individual phone numbers. */
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
    summary: 'Several phone numbers in one string',
    value: { ...BULK, recipient: '+79990000000, +79990000001' },
  },
  fallback: {
    summary: 'Viber with an SMS fallback after two minutes without delivery',
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
    summary: 'A contact list at a scheduled time, spread over four hours',
    value: {
      ...BULK,
      recipient: { include: ['01930000-0000-7000-8000-0000000000c1'] },
      schedule: { delay: '2030-12-24T09:00:00.000Z', until: 4 },
    },
  },
  full: {
    summary: 'All options',
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
/** Examples of request bodies with several forms, by operation. */
export const EXAMPLES: Record<string, Examples> = {
  'sendings.create': MESSAGES,
  'sendings.estimate': MESSAGES,
};

/** Descriptions of successful responses by operation. Those of the common operations of a resource are generated from `NOUNS`. */
export const RESPONSES: Record<string, string> = {
  'auth.login':
    'The new session. The headers `x-ratelimit-limit`, `-remaining` and `-reset` (Unix seconds) describe the limit of failed attempts; error responses have them, too.',
  'auth.renew': 'The new session. The old one is no longer valid.',
  'auth.loginAs': 'A session of the given user.',
  'auth.loginAsGet': 'A session of the given user.',
  'auth.logout': 'Number of sessions that were ended.',
  'secondFactor.get': 'The state.',
  'secondFactor.setUp': 'The secret. It becomes valid with `enable`.',
  'secondFactor.enable': 'The recovery codes.',
  'secondFactor.disable': 'The state.',
  'secondFactor.replaceCodes': 'The new recovery codes.',
  'secondFactor.reset': 'The user.',
  'sessions.remove': 'Number of sessions that were ended.',
  'sessions.removeOthers': 'Number of sessions that were ended.',
  'billings.balance': 'The balance.',
  'captcha.challenge': 'A challenge.',
  'channels.drivers': 'The drivers with their options.',
  'channels.test': 'The sent message.',
  'channels.statuses':
    'The result of each report. All accepted reports are stored before the response.',
  'channels.incoming': 'The id of the incoming message.',
  'contacts.removeMany': 'The number of removed contacts.',
  'contacts.preview': 'The columns and the first rows.',
  'contacts.import': 'The result of the import.',
  'emails.sendConfirmation': 'The address to which the e-mail is sent.',
  'emails.cancel': 'The change was cancelled. The key in the e-mail is no longer valid.',
  'emails.check': 'The user and the address that the key confirms.',
  'emails.confirm': 'The confirmed address.',
  'geocode.lookup': 'The place.',
  'health.live': 'Always `live`: the process responds.',
  'health.ready': 'The process can serve requests. Otherwise 503 with the same body.',
  'messageRuleGroups.assign': 'The groups of the account after the change.',
  'routingGroups.assign': 'The groups of the account after the change.',
  'notifications.read': 'The updated notification.',
  'notifications.readAll': 'The number of notifications marked as read.',
  'passwords.change':
    'The password was changed. All sessions have ended; this is the session that replaces yours.',
  'persons.erase': 'The pseudonym. The erasure continues in the background.',
  'phones.sendCode': 'The phone number to which the code is sent.',
  'phones.confirm': 'The confirmed phone number.',
  'phones.simulated': 'The last messages, newest first.',
  'recovery.request':
    'An e-mail is sent if the user exists. The response is the same if it does not.',
  'recovery.check': 'The user whose password the key can reset.',
  'recovery.reset': 'The password was changed. All sessions of the user have ended.',
  'registration.create': 'The new account.',
  'registration.survey': 'The stored answer.',
  'operators.lookup': 'The known networks.',
  'reports.create':
    'The report was queued. Its file is in the storage under `key` once it is completed.',
  'reports.cancel': 'The cancelled report.',
  'sendernames.moderate': 'The updated sender name.',
  'tokens.create': 'The new token with its secret.',
  'tokens.rotate': 'The token with its new secret.',
  'sendings.create': 'The receipt of the message, or one receipt per recipient with `return=each`.',
  'sendings.create.201': 'The task of the bulk.',
  'sendings.estimate': 'The estimated price and recipients.',
  'settingsUser.get':
    'The settings by key. Keys without a value are absent and have the default of the cabinet.',
  'settingsUser.update': 'The stored value.',
  'storage.get': 'The contents as a download, or the description of the file with `return=meta`.',
  'storage.getPublic': 'The contents of the file.',
  'storage.getByTicket': 'The contents of the file.',
  'storage.preview': 'The beginning of the file.',
  'storage.ticket': 'The download link.',
  'storage.usage': 'The quota and the size of all files.',
  'tasks.cancel': 'The updated task.',
  'tasks.errors': 'The failures of the task by reason.',
  'tasks.unsent': 'The messages that would be cancelled.',
  'telemetry.consent':
    'The consent, and the earliest time at which a location can be stored again.',
  'telemetry.decide': 'The updated consent.',
  'telemetry.locate': 'The updated visit.',
  'templates.apply': 'The draft.',
  'templates.moderate': 'The updated template.',
  'textGenerator.generate': 'Generated text.',
  'tts.generate':
    'The recording. It is removed after ten minutes unless a message or a template uses it.',
  'users.me': 'The signed-in user.',
};
