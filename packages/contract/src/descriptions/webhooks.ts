import { as, dated, id, inEach, time, type Description } from './description.ts';

export const WEBHOOKS: Record<string, Description> = {
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
    ),
    headers: as(
      'Additional headers. Responses show only values that are not secret; a header that is sent without a value keeps the stored one.',
    ),
    'headers.name': as('Name of the header.', 'X-Shop'),
    'headers.value': as('Value of the header. Null if it is stored and not shown.', 'tea'),
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
    'successOn.status': as('Pattern of the HTTP status. Null for any.', '^2'),
    'successOn.body': as('Pattern of the first 16 kB of the body. Null for any.', '^OK'),
  }),
  ...inEach(['Webhook', 'WebhookWithSecret', 'WebhookUpdate'], {
    state: as(
      '`active`; `paused`: events are kept until it is resumed; `disabled`: no events are recorded.',
    ),
  }),
  ...inEach(['Webhook', 'WebhookWithSecret', 'WebhookInput'], {
    event: as('Event that the webhook reports.'),
  }),
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
