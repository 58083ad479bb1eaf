import type { Webhook } from '@heliograph/contract';
import {
  renderWebhook,
  standardWebhookBody,
  webhookBodyError,
  webhookEscape,
  webhookExample,
  webhookUrl,
  webhookUrlError,
  type WebhookEvent,
  type WebhookStatus,
} from '@heliograph/domain';
import type { WebhookDraft } from './webhooks.api.ts';

/** In place of a stored value that is not shown. */
export const KEPT = '••••••••';

export interface WebhookValues {
  title: string;
  event: WebhookEvent;
  url: string;
  method: 'GET' | 'POST';
  statuses: WebhookStatus[];
  /** One per line: `Name: value`. */
  headers: string;
  isTemplate: boolean;
  body: string;
  batchSize: number | null;
  maxConnections: number | null;
  status: string;
  answer: string;
}

export const initialValues = (row: Webhook | null): WebhookValues => ({
  title: row?.title ?? '',
  event: row?.event ?? 'sendings.status',
  url: row?.url ?? '',
  method: row?.method ?? 'POST',
  statuses: row?.statuses ?? ['delivered', 'seen', 'failed'],
  headers: (row?.headers ?? []).map(({ name, value }) => `${name}: ${value ?? KEPT}`).join('\n'),
  isTemplate: typeof row?.body === 'string',
  body: row?.body ?? '',
  batchSize: row?.batchSize ?? 1,
  maxConnections: row?.maxConnections ?? 5,
  status: row?.successOn?.status ?? '',
  answer: row?.successOn?.body ?? '',
});

/** The headers of lines; a stored value that was not replaced is left out. */
export function headersOf(lines: string): NonNullable<WebhookDraft['headers']> {
  return lines
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .map((line) => {
      const at = line.includes(':') ? line.indexOf(':') : line.length;
      const value = line.slice(at + 1).trim();
      return { name: line.slice(0, at).trim(), ...(value !== KEPT && { value }) };
    });
}

export function bodyOf(values: WebhookValues): WebhookDraft {
  const { title, event, url, method, status, answer } = values;
  const isPost = method === 'POST';
  return {
    title: title.trim(),
    event,
    url: url.trim(),
    method,
    headers: headersOf(values.headers),
    body: isPost && values.isTemplate ? values.body : null,
    ...(event === 'sendings.status' && { statuses: values.statuses }),
    batchSize: isPost && !values.isTemplate ? (values.batchSize ?? 0) : 1,
    maxConnections: values.maxConnections ?? 0,
    successOn: status || answer ? { status: status || null, body: answer || null } : null,
  };
}

export interface Preview {
  url: string | null;
  body: string | null;
  /** Why the template cannot be sent: the name of a rule. */
  rule: 'webhook_unknown_variable' | 'webhook_json' | null;
}

/** The request of an example of the event. */
export function previewOf(values: WebhookValues): Preview {
  const report = webhookExample(values.event);
  const contentType =
    headersOf(values.headers).find(({ name }) => name.toLowerCase() === 'content-type')?.value ??
    null;
  const url = values.url.trim();
  const sent = webhookUrlError(url) ? null : webhookUrl(url, values.method, report);
  if (values.method === 'GET') return { url: sent, body: null, rule: null };
  if (!values.isTemplate) {
    const isBatch = (values.batchSize ?? 1) > 1;
    const body = JSON.parse(standardWebhookBody([report], isBatch)) as unknown;
    return { url: sent, body: JSON.stringify(body, null, 2), rule: null };
  }
  const problem = webhookBodyError(values.body, values.event, contentType);
  return {
    url: sent,
    body: renderWebhook(values.body, report, webhookEscape(contentType)),
    rule: problem?.rule ?? null,
  };
}
