import { WEBHOOK_EVENT_NAMES, webhookExample } from '@heliograph/domain';
import { webhookSchemaName } from '../webhook-events.ts';
import { as, dated, id, inEach, sum, time, type Description } from './description.ts';

export const WEBHOOKS: Record<string, Description> = {
  '?webhook-id': as('Id of the call, the same when it is repeated.', 'msg_01930000'),
  '?webhook-timestamp': as('Unix time of the call, in seconds.', '1763802902'),
  '?webhook-signature': as(
    'Signatures `v1,<base64>`, separated by spaces: HMAC-SHA256 of id, timestamp and body, joined by dots.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
  ...Object.fromEntries(
    WEBHOOK_EVENT_NAMES.flatMap((event) => {
      const name = webhookSchemaName(event);
      return [
        [name, as(`Body of a call for the event \`${event}\`.`)],
        [`${name}.type`, as('Name of the event.')],
        [`${name}.timestamp`, time('Time of the event; of a batch, of its last event.')],
        [
          `${name}.data`,
          as(
            'The object of the event; an array with a `batchSize` above 1.',
            webhookExample(event).data,
          ),
        ],
        [`${name}.data.timestamp`, time('Time of this event of the batch.')],
      ] as [string, Description][];
    }),
  ),
  ...inEach(['SendingsStatusEventData'], {
    chainId: id('Id of the first attempt of the chain.'),
    recipient: as('Recipient of the message.', '+79990000000'),
    sender: as('Sender name, or the number for calls.', 'MIRTEA'),
    status: as('Status of the message that the event is about.'),
    error: as('Why it failed. Null values in other statuses.'),
    'error.code': as('Error code of the failure.', 'unknown_subscriber'),
    'error.message': as('The reason in English.', 'The number does not exist.'),
    segments: as('Number of billed segments.', 1),
    price: sum('Amount that the message was charged.'),
    operator: as('Operator of the recipient, by its number.'),
    lookup: as('What a look-up of the number (`hlr`) found out, once it was answered.'),
    sentAt: dated('Time at which the carrier accepted the message.'),
    deliveredAt: dated('Time of the delivery.'),
    seenAt: dated('Time at which it was read.'),
  }),
  ...inEach(['SendingsIncomingCreatedEventData', 'InboundRulesMatchedEventData'], {
    from: as('Phone of the person who wrote.', '+79990000000'),
    SendingId: id('Id of the message to which it is a reply. Null if there is none.'),
  }),
  'InboundRulesMatchedEventData.rule': as('The rule that the message matched.'),
  'TasksStateEventData.state': as('New state of the task.'),
  'SendernamesModerationEventData.name': as('Sender name.', 'MIRTEA'),
  ...inEach(['SendernamesModerationEventData', 'TemplatesModerationEventData'], {
    comment: as('Comment of the moderator.', 'Attach a letter of the brand owner.'),
  }),
  ...inEach(['OtpSessionsStateEventData'], {
    widgetId: id('Id of the widget.'),
    recipient: as('Phone that is confirmed.', '+79990000000'),
    state: as('Result of the one-time code.'),
    channel: as('Channel by which the code was confirmed. Null if it was not.'),
    reason: as('Why it failed: it was `closed`, or has `expired`. Null if it was confirmed.'),
  }),
  ...inEach(['WapiStateEventData'], {
    state: as('New state of the instance.'),
    isPaid: as('Whether the instance is paid.'),
    expiredAt: time('Until then the instance is paid.'),
  }),
  'BillingsBalanceEventData.amount': sum(
    'By how much the balance changed; negative if it fell.',
    1000,
  ),
  Webhook: as('A URL of the account that is called when an event happens, without its secret.'),
  WebhookWithSecret: as('Webhook with its secret, which is in no other response.'),
  WebhookInput: as('Data of a new webhook.'),
  WebhookUpdate: as('Changes to a webhook. Its event cannot be changed.'),
  WebhookRotation: as('Rotation of the secret of a webhook.'),
  WebhookEventName: as('Event that the webhook reports.'),
  WebhookDelivery: as('Delivery of an event to a webhook.'),
  WebhookDeliveryDetails: as('Delivery of an event with its request and its attempts.'),
  ...inEach(['Webhook', 'WebhookWithSecret', 'WebhookInput', 'WebhookUpdate'], {
    title: as('Title, shown in lists.', 'Online shop'),
    url: as(
      'URL to call. Its path and query can contain variables of the event, `{{ id }}`, which are percent-encoded.',
      'https://shop.example/hooks/statuses',
    ),
    method: as(
      'Method of the call. A GET without variables in its URL has the fields as query parameters.',
      'POST',
    ),
    headers: as(
      'Additional headers. Responses show only values that are not secret; a header that is sent without a value keeps the stored one.',
    ),
    body: as(
      'Template of the body with variables of the event, escaped for its media type. Null for the standard body `{ type, timestamp, data }`.',
      '{"id": "{{ id }}", "state": "{{ status }}"}',
    ),
    statuses: as('Statuses that `sendings.status` reports. Null for other events.', ['delivered']),
    batchSize: as(
      'Maximum number of events of one call. If it is above 1, `data` of the body is an array.',
      1,
    ),
    maxConnections: as('Maximum number of simultaneous calls.', 5),
    successOn: as(
      'Regular expressions (RE2) of a successful answer. Null if any status from 200 to 299 is a success. In a change an absent pattern stays as it is.',
    ),
  }),
  ...inEach(
    [
      'Webhook',
      'WebhookWithSecret',
      'WebhookInput',
      'WebhookUpdate',
      'WebhookSetting',
      'WebhookSettingInput',
    ],
    {
      'headers.name': as('Name of the header.', 'X-Shop'),
      'headers.value': as('Value of the header. Null if it is stored and not shown.', 'tea'),
      'successOn.status': as('Pattern of the HTTP status. Null for any.', '^2'),
      'successOn.body': as('Pattern of the first 16 kB of the body. Null for any.', '^OK'),
    },
  ),
  ...inEach(['Webhook', 'WebhookWithSecret', 'WebhookUpdate'], {
    state: as(
      '`active`; `paused`: events are kept until it is resumed; `disabled`: no events are recorded.',
    ),
  }),
  ...inEach(['Webhook', 'WebhookWithSecret', 'WebhookInput'], {
    event: as('Event that the webhook reports.'),
  }),
  'WebhookUpdate.event': as('Event that the webhook reports. Only that of the row is accepted.'),
  ...inEach(['Webhook', 'WebhookWithSecret'], {
    reason: as(
      'Why it is not active: `manual`, `failing` (no call has succeeded for a day), `gone` (its server answered 410) or `forbidden` (the API token that configured it was removed, has expired or may no longer read what it reports). Null if it is active.',
    ),
    failures: as('Number of calls that failed in a row.', 0),
    failingSince: time('Time of the first of these failures. Null if there is none.'),
    blockedUntil: time('No call is made before this time. Null without a limit.'),
    lastSuccessAt: dated('Time of the last successful call.'),
    previousSecretUntil: time(
      'Until then calls are also signed with the former secret. Null if there is none.',
    ),
  }),
  'WebhookWithSecret.secret': as(
    'Secret of the signature (Standard Webhooks). Store it: it cannot be retrieved again.',
    'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=',
  ),
  'WebhookRotation.overlapHours': as(
    'Hours for which calls are signed with both secrets, 0 to 168.',
    24,
  ),
  ...inEach(['WebhookDelivery', 'WebhookDeliveryDetails'], {
    WebhookId: id('Webhook to which the event is delivered.'),
    event: as('The event.'),
    key: id('Object that the event is about, such as the message.'),
    state: as('`waiting` for the next attempt, `delivered`, or `failed` after the last attempt.'),
    tries: as('Number of attempts.', 1),
    status: as('HTTP status of the last answer. Null without an answer.', 200),
    error: as('Why the last attempt failed. Null if it succeeded.'),
    ms: as('Duration of the last attempt in milliseconds. Null before it.', 84),
    isBatch: as('True if the event was part of a batch.'),
    isTest: as('True for a test with example data.'),
    attemptedAt: dated('Time of the last attempt.'),
    nextAt: time('Time of the next attempt. Null if there is none.'),
  }),
  ...inEach(['WebhookDeliveryDetails'], {
    callId: id('Value of `webhook-id`, the same for all attempts.'),
    request: as('The request, composed of the current data of the object and the webhook.'),
    'request.method': as('Method of the request.'),
    'request.url': as('URL of the request.', 'https://shop.example/hooks/statuses'),
    'request.headers': as('Additional headers.'),
    'request.headers.name': as('Name of the header.', 'X-Shop'),
    'request.headers.value': as('Value of the header. Null if it is not shown.', 'tea'),
    'request.body': as(
      'Body of the request, for this event only. Null if there is none.',
      '{"type":"tasks.state","timestamp":"2026-11-22T09:15:00.000Z","data":{}}',
    ),
    response: as('Beginning of the last answer. Null without one.', 'OK'),
    attempts: as('The attempts, oldest first.'),
    'attempts.at': time('Time of the attempt.'),
    'attempts.status': as('HTTP status. Null without an answer.', 200),
    'attempts.error': as('Why the attempt failed. Null if it succeeded.'),
    'attempts.ms': as('Duration in milliseconds.', 84),
  }),
  'webhooks.replay.ids': as('Deliveries to repeat.', ['01930000-0000-7000-8000-0000000000a1']),
  'webhooks.replay.from': time(
    'Repeat the deliveries of events since this time. Without effect if `ids` is given.',
  ),
  'webhooks.replay.to': time('Up to this time; by default until now.'),
  'webhooks.replay.state': as('Repeat only deliveries in this state.'),
  'webhooks.replay.count': as('Number of deliveries that are repeated.', 3),
  'webhooks.replay.isMore': as('True if there are more: repeat the call.'),
  '?deliveryId': id('Id of the delivery.'),
  'webhooks.deliveries.data': as('Deliveries on this page.'),
  'webhooks.deliveries.total': as('Number of matching deliveries, at most 10,000.', 3),
  'webhooks.deliveries.totalIsCapped': as(
    'True if more deliveries match than `total` counts.',
    false,
  ),
  'webhooks.deliveries.limit': as('Deliveries per page.', 20),
  'webhooks.deliveries.offset': as('Number of skipped deliveries.', 0),
  'webhooks.find.?event': as('Return only webhooks of these events.'),
  'webhooks.find.?state': as('Return only webhooks in these states.'),
  'webhooks.deliveries.?state': as('Return only deliveries in this state.'),
  'webhooks.deliveries.?key': id('Return only deliveries about this object, such as a message.'),
};
