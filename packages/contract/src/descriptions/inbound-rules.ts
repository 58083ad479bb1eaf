import { as, dated, id, inEach, list, time, type Description } from './description.ts';

export const INBOUND_RULES: Record<string, Description> = {
  QuietHours: as('Hours in which messages of the account wait, by the clock of the recipient.'),
  QuietHoursInput: as('Hours in which messages of the account are to wait.'),
  ...inEach(['QuietHours', 'QuietHoursInput'], {
    isActive: as('Whether messages wait.'),
    from: as('Beginning, in minutes since midnight.', 1260),
    until: as(
      'End, in minutes since midnight. Before the beginning: the hours cross midnight.',
      540,
    ),
    groups: as('Traffic groups of the messages that wait.', ['advertising']),
    singles: as(
      'Whether single messages wait, too. Those of the group `service`, codes and checks of numbers never do.',
    ),
    timeZone: as(
      'Time zone of recipients whose own is not known, such as those of e-mails.',
      'Europe/Moscow',
    ),
  }),
  FrequencyCap: as(
    'How many advertising messages of the account one person, a phone number or an e-mail address, gets within a period.',
  ),
  FrequencyCapInput: as(
    'How many advertising messages of the account one person is to get within a period.',
  ),
  ...inEach(['FrequencyCap', 'FrequencyCapInput'], {
    isActive: as('Whether the cap applies.'),
    messages: as(
      'Number of messages within the period, over all types. One with fallbacks is one.',
      3,
    ),
    days: as('Period, in days of 24 hours before a message.', 7),
    singles: as(
      'Whether single messages count and are refused, too. Those of the groups `service` and `transactional`, codes, checks of numbers and replies never are.',
    ),
  }),
  EmailSettings: as('How the e-mails of the account are sent.'),
  EmailSettingsInput: as('How the e-mails of the account are to be sent.'),
  ...inEach(['EmailSettings', 'EmailSettingsInput'], {
    tellsOpened: as(
      'Whether formatted e-mails have an image by which a message becomes `seen` when its e-mail is opened. False by default. A change applies to what is sent afterwards; while it is false, nothing is recorded of earlier e-mails either.',
      true,
    ),
  }),
  'Estimate.quiet': as('Messages that wait for the end of the quiet hours. Null if none waits.'),
  'Estimate.quiet.count': as('Number of messages that wait.', 120),
  'Estimate.quiet.until': time('Time at which the last of them is sent.'),
  Suppression: as('Recipient to whom the account sends nothing.'),
  SuppressionInput: as('Recipient to whom nothing is to be sent.'),
  SuppressionImport: as('Recipients to whom nothing is to be sent.'),
  SuppressionReason: as(
    'Who asked for it: the person by a word (`stop`) or by the link of a message (`link`), the account (`manual`, `import`), or the carrier: the address does not exist (`bounce`), or the person complained there (`complaint`).',
  ),
  ...inEach(['Suppression', 'SuppressionInput', 'SuppressionImport'], {
    type: as('Type of messages that are not sent. Null for all types.'),
  }),
  ...inEach(['Suppression', 'SuppressionInput'], {
    note: as('What the person wrote, or a note of the account.', 'STOP'),
  }),
  'Suppression.reason': as('Why nothing is sent.'),
  'Suppression.address': as('Phone number or e-mail address.', '+79161234567'),
  'Suppression.SendingId': id(
    'Message that the person answered, or whose link was followed. Null if it is not known.',
  ),
  'SuppressionInput.address': as(
    'Phone number in any format, or an e-mail address.',
    '+79161234567',
  ),
  'SuppressionImport.addresses': as('Phone numbers in any format and e-mail addresses.', [
    '+79161234567',
    'anna@example.com',
  ]),
  'suppressions.import.added': as('Number of added addresses.', 2),
  'suppressions.import.known': as('Number of addresses that were there already.', 0),
  'suppressions.import.invalid': as('Number of entries that are not addresses.', 0),
  'suppressions.import.refused': as('These entries, as they were sent.', []),
  'suppressions.find.?reason': as('Return only those of these reasons.'),
  'suppressions.find.?type': as(
    'Return only those that end these types of messages. `all` returns those that end all types, which no other value does.',
  ),
  PushKind: as(
    'What brings push messages to the device: Firebase Cloud Messaging (`fcm`), or the push service of a browser (`web-push`).',
  ),
  PushDevice: as('App or browser that gets the push messages to a phone number.'),
  PushDeviceInput: as(
    'Device with either a token or a subscription. One that is known already is moved to the phone number.',
  ),
  PushSubscription: as(
    'Subscription of a browser, as `PushSubscription.toJSON()` gives it. Its key is the public key of the channel.',
  ),
  ...inEach(['PushDevice', 'PushDeviceInput'], {
    title: as('Name of the device for people.', 'Pixel 9'),
  }),
  'PushDevice.kind': as('What brings push messages to it.'),
  'PushDevice.phone': as('Phone number whose push messages it gets.', '+79161234567'),
  'PushDevice.updatedAt': time('Time of its last registration.'),
  'PushDeviceInput.phone': as(
    'Phone number in any format. Its push messages go to the twenty devices that registered last.',
    '+79161234567',
  ),
  'PushDeviceInput.token': as(
    'Registration token of Firebase Cloud Messaging.',
    'dQw4w9WgXcQ:APA91bHPRgkF3JUikC4ENAHEeMrd41Zxv3hVZjC9KtT8OvPVGJ',
  ),
  'PushDeviceInput.subscription': as('Subscription of a browser.'),
  'PushSubscription.endpoint': as(
    'Address of the push service.',
    'https://push.example.net/push/JzLQ3raZJfFBR0aqvOMsLrt54w4rJUsV',
  ),
  'PushSubscription.expirationTime': as('Not used: an expired subscription is removed.', null),
  'PushSubscription.keys': as('Keys with which messages are encrypted.'),
  'PushSubscription.keys.p256dh': as(
    'Public key of the browser in base64url.',
    'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  ),
  'PushSubscription.keys.auth': as('Secret of the browser in base64url.', 'BTBZMqHH6r4Tts7J_aSIgg'),
  'pushDevices.find.?kind': as('Return only those of these kinds.'),
  InboundRule: as('Rule for incoming messages.'),
  InboundRuleInput: as('Data of a new rule. It becomes the last one.'),
  InboundRuleUpdate: as('Changes to a rule.'),
  InboundAction: as(
    'What happens to a matching message: it is given to a webhook (`webhook`), answered (`reply`), its sender is added to a contact list or removed from it (`list`), or the account is notified that a person waits for an answer (`task`).',
  ),
  InboundMode: as(
    'How keywords are looked for: the message consists of one (`equals`), begins with one (`starts`) or contains one (`contains`), as whole words. Case, accents, `ё` and punctuation are ignored. With `any` every message matches.',
  ),
  InboundHold: as(
    'Why an action had no effect. For replies: the rule has just replied to the person (`cooldown`), limits (`person_limit`, `account_limit`), the message is of the account itself (`own_number`) or equals a text that was just sent (`echo`), another rule has replied (`already_replied`), there is nobody to reply to (`no_address`, `no_text_type`), the person has opted out (`unsubscribed`), or the code with which the message was refused. For other actions: `webhook_off`, `list_missing`, `list_full`. For all: the API token that configured the rule, or the caller that added the message, has not the permission for the action (`forbidden`).',
  ),
  ...inEach(['InboundRule', 'InboundRuleInput', 'InboundRuleUpdate'], {
    title: as('Title.', 'Prices'),
    isActive: as('Whether the rule is applied.'),
    isContinued: as('Whether later rules see a matching message, too.'),
    types: as('Types of messages. Empty for all types.', ['sms', 'viber']),
    sender: as('Sender name to which the message is. Null for any.', 'MIRTEA'),
    mode: as('How the keywords are looked for.'),
    keywords: as('Keywords, of which one is enough. Ignored with the mode `any`.', ['price']),
    actions: as('What happens to a matching message.', ['reply', 'task']),
    WebhookId: id(
      'Webhook of the action `webhook`, of the event `inboundRules.matched`. Null without one, or if it was removed.',
    ),
    replyText: as(
      'Text of the reply, with variables. It is sent on the channel and from the sender name of the message, and charged.',
      'Our prices: example.com',
    ),
    replyMinutes: as('A person gets one reply of the rule in so many minutes.', 60),
    ListId: as('Contact list of the action `list`. Null without one, or if it was removed.', list),
    listChange: as('Whether the sender is added to the list or removed from it.'),
  }),
  'InboundRule.position': as('Rules are tried in the order of their positions.', 1),
  'InboundRule.matched': as('Number of messages that matched.', 42),
  'InboundRule.matchedAt': dated('Time of the last one.'),
  'InboundRule.replies': as('Number of sent replies.', 40),
  'InboundRule.held': as('Number of actions without an effect, by the reason.', { cooldown: 2 }),
  'InboundRule.hold': as('The last of these reasons.', 'cooldown'),
  'InboundRule.heldAt': dated('Time of the last action without an effect.'),
  'inboundRules.reorder.ids': as('All rules of the account in their new order.', [
    '01930000-0000-7000-8000-0000000000a1',
  ]),
  InboundTrial: as('Message of a trial.'),
  InboundTrialResult: as('What would happen to the message.'),
  'InboundTrial.type': as('Type of the message.'),
  'InboundTrial.to': as('Sender name to which it would be.', 'MIRTEA'),
  'InboundTrial.from': as(
    'Phone number or e-mail address of the person. Without it, what depends on the person is not checked.',
    '+79161234567',
  ),
  'InboundTrial.text': as('Text of the message.', 'What is the price?'),
  'InboundTrialResult.optOut': as(
    'Whether the message is an opt-out (`stop`) or takes one back (`start`): rules do not see it. Else null.',
    null,
  ),
  'InboundTrialResult.matches': as('Rules that would be applied, in their order.'),
  'InboundTrialResult.matches.title': as('Title of the rule.', 'Prices'),
  'InboundTrialResult.matches.actions': as('What would happen.'),
  'InboundTrialResult.matches.actions.action': as('The action.'),
  'InboundTrialResult.matches.actions.hold': as('Why it would have no effect; else null.', null),
  'InboundTrialResult.matches.replyText': as(
    'The reply with its variables filled in. Null without one.',
    'Our prices: example.com',
  ),
  OptOutSettings: as('How replies that ask to end messages are treated.'),
  OptOutSettingsInput: as('How replies that ask to end messages are to be treated.'),
  ...inEach(['OptOutSettings', 'OptOutSettingsInput'], {
    stopWords: as(
      'Words that end messages when a reply consists of nothing else. Case, accents and punctuation are ignored.',
      ['STOP', 'СТОП'],
    ),
    startWords: as('Words that start messages again.', ['START']),
    covers: as(
      'Whether an opt-out covers `all` types of messages or only the type that was answered (`channel`).',
    ),
    isConfirmed: as('Whether the person gets a confirmation, which is charged like a message.'),
    stopText: as('Confirmation of an opt-out.', 'You are unsubscribed. START: return'),
    startText: as('Confirmation of the return.', 'You are subscribed again.'),
    type: as(
      'Type of the confirmation. Null, or a type of another kind of address: as the message that was answered.',
    ),
    sender: as('Sender of the confirmation. Null if `type` is.', 'MIRTEA'),
  }),
};
