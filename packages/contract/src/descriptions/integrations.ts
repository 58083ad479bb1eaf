import { as, dated, id, inEach, list, time, type Description } from './description.ts';

export const INTEGRATIONS: Record<string, Description> = {
  Integration: as('A program that sends messages as the account, without its URL.'),
  IntegrationRefusal: as('Why a call of an integration was refused.'),
  ...inEach(['IntegrationRefusal'], {
    code: as('Error code.', 'validation'),
    fields: as('Refused fields of the call.'),
    'fields.field': as('Name of the field.', 'client.phone'),
    'fields.rule': as('Rule that the field violates.', 'no_value'),
    'fields.message': as('The same in English.', 'The call has no value in the field client.phone'),
    reason: as('What the portal said. Null if it refused nothing.', null),
  }),
  IntegrationWithUrl: as('Integration with its URL, which is in no other response.'),
  IntegrationInput: as('Data of a new integration.'),
  IntegrationUpdate: as('Changes to an integration. Its kind and portal cannot be changed.'),
  ...inEach(['Integration', 'IntegrationWithUrl', 'IntegrationInput', 'IntegrationUpdate'], {
    title: as('Title, shown in lists.', 'Online shop'),
    type: as('Type of the messages.', 'sms'),
    sender: as('Sender name of the messages.', 'MIRTEA'),
    clientId: as('Code of the local application of the portal. Null without one.', null),
    recipient: as('Name of the field with the phone number. Null for Bitrix24.', 'client.phone'),
    text: as(
      'Text of the messages, with fields of the call: `{{ order.id }}`. Null for Bitrix24.',
      'Order {{ order.id }} is ready',
    ),
    key: as(
      'Name of the field that identifies a call; a repeated one sends nothing. Null if calls are not compared.',
      'order.id',
    ),
  }),
  ...inEach(['Integration', 'IntegrationWithUrl', 'IntegrationInput'], {
    kind: as(
      '`bitrix24`: message service of a Bitrix24 portal. `crm`: URL that any program calls.',
      'crm',
    ),
    portal: as('Address of the portal. Null for other kinds.', null),
  }),
  'IntegrationUpdate.kind': as('Kind of the integration. Only that of the row is accepted.', 'crm'),
  'IntegrationUpdate.portal': as('Address of the portal. Only that of the row is accepted.', null),
  ...inEach(['IntegrationInput', 'IntegrationUpdate'], {
    clientSecret: as(
      'Key of the local application of the portal; with it access is renewed. Stored encrypted.',
      null,
    ),
  }),
  ...inEach(['Integration', 'IntegrationWithUrl', 'IntegrationUpdate'], {
    isActive: as('False refuses all calls.', true),
  }),
  ...inEach(['Integration', 'IntegrationWithUrl'], {
    hasClientSecret: as('True if the key of the local application is stored.', false),
    state: as(
      '`waiting` for the first call, `working`, `failing`: the last call was refused or statuses cannot be reported, `off`.',
    ),
    error: as('Why the last call was refused, in English. Null if it was not.', null),
    refusal: as('The same as an error code. Null if the last call was not refused.', null),
    errorAt: time('Time of that call. Null if there is none.'),
    lastMessageAt: dated('Time of the last message, to ten seconds.'),
    statuses: as('State of the reports of statuses. Null for kinds without them.', null),
  }),
  'IntegrationWithUrl.url': as(
    'URL to call, with its secret. Store it: it cannot be retrieved again.',
    'https://example.com/api/integrations/01930000-0000-7000-8000-0000000000a1/messages/q3S2gk1y7xwq3S2gk1y7xwq3S2gk1y7xwq3S2gk1y7x',
  ),
  '?secret': as('Secret of the URL.', 'q3S2gk1y7xwq3S2gk1y7xwq3S2gk1y7xwq3S2gk1y7x'),
  'integrations.receive.id': id('Id of the message. Null for a test call.'),
  'integrations.receive.status': as(
    '`failed` if the message was refused, otherwise its status. Null for a test call.',
  ),
  'integrations.receive.error': as('Why the message was refused. Null if it was not.', null),
  'integrations.receive.isRepeated': as(
    'True if the key was known: the message is that of the first call, and nothing was sent.',
    false,
  ),
  'integrations.bitrix24.result': as('True.', true),
  'integrations.find.?kind': as('Return only integrations of these kinds.'),
  HookInput: as('A new subscription.'),
  ...inEach(['HookInput', 'hooks.subscribe'], {
    event: as('Event that is reported.', 'sendings.status'),
    target_url: as('URL to call.', 'https://hooks.zapier.com/hooks/standard/1/2/'),
  }),
  'HookInput.title': as('Title, shown in the list of webhooks.', 'Zapier'),
  'hooks.subscribe.id': id('Id of the subscription, which is also that of the webhook.'),
  'hooks.subscribe.secret': as(
    'Secret of the signature (Standard Webhooks).',
    'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=',
  ),
  '?event': as('Name of an event.', 'sendings.status'),
  'hooks.sample.type': as('Name of the event.', 'sendings.status'),
  'hooks.sample.timestamp': time('Time of the event.'),
  'hooks.sample.data': as('Fields of the event.', { id: list, status: 'delivered' }),
};
