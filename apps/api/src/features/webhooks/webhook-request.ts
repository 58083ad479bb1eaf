import {
  renderWebhook,
  standardWebhookBody,
  webhookEscape,
  webhookUrl,
  type WebhookReport,
} from '@heliograph/domain';
import type { Webhook } from './webhook.entity.ts';

export interface WebhookRequest {
  method: 'GET' | 'POST';
  url: string;
  body: string | null;
}

type Target = Pick<Webhook, 'url' | 'method' | 'body' | 'batchSize' | 'headers'>;

export const contentTypeOf = ({ headers }: Pick<Webhook, 'headers'>): string | null =>
  headers.find(({ name }) => name.toLowerCase() === 'content-type')?.value ?? null;

/** Method, URL and body of a call. A body with a template reports one event. */
export function requestOf(
  webhook: Target,
  reports: WebhookReport[],
  isBatch: boolean,
): WebhookRequest {
  const { method } = webhook;
  const url = webhookUrl(webhook.url, method, reports[0]!);
  if (method === 'GET') return { method, url, body: null };
  const body =
    webhook.body === null
      ? standardWebhookBody(reports, isBatch)
      : renderWebhook(webhook.body, reports[0]!, webhookEscape(contentTypeOf(webhook)));
  return { method, url, body };
}
