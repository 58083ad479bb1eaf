import { expect, test } from 'vitest';
import { cpuTime } from './testing/complexity.ts';
import {
  nextWebhookTry,
  renderWebhook,
  standardWebhookBody,
  WEBHOOK_EVENT_NAMES,
  webhookBackoff,
  webhookBodyError,
  webhookEscape,
  webhookExample,
  webhookUrl,
  webhookUrlError,
  webhookVariables,
} from './webhooks.ts';

const first = new Date('2026-11-22T09:00:00.000Z');
const seconds = (tries: number, now = first) =>
  (nextWebhookTry(first, tries, now, 0)?.getTime() ?? NaN) / 1000 - first.getTime() / 1000;

test('a call is repeated for a day, counted from its first attempt', () => {
  expect([1, 2, 3, 4, 5, 6, 7, 8, 9].map((tries) => seconds(tries))).toEqual([
    5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400,
  ]);
  expect(nextWebhookTry(first, 10, first)).toBeNull();
  // An attempt that was late is not followed at once.
  expect(seconds(1, new Date(first.getTime() + 60_000))).toBe(61);
  expect(nextWebhookTry(first, 1, first, 1)!.getTime() - first.getTime()).toBe(5500);
});

test('an endpoint that fails gets single calls at growing intervals, up to 15 minutes', () => {
  expect([5, 6, 7, 12, 100].map((failures) => webhookBackoff(failures, 0))).toEqual([
    5, 10, 20, 640, 900,
  ]);
});

test.each([
  ['https://x.example/hooks/{{id}}/end?q={{id}}', '..', 'https://x.example/hooks//end?q=..'],
  ['https://x.example/hooks/.{{id}}', '.', 'https://x.example/hooks/'],
  ['https://x.example/hooks/%2e{{id}}#{{id}}', '.', 'https://x.example/hooks/#.'],
  ['https://x.example/hooks/{{id}}', '../a', 'https://x.example/hooks/..%2Fa'],
  ['https://x.example/hooks/{{id}}', '...', 'https://x.example/hooks/...'],
])('the path of %s stays with the value %s', (template, id, url) => {
  const called = webhookUrl(template, 'POST', { ...webhookExample('tasks.state'), data: { id } });
  expect(called).toBe(url);
});

test.each(WEBHOOK_EVENT_NAMES)('the example of %s fills all variables of a template', (event) => {
  const names = webhookVariables(event);
  const template = JSON.stringify(
    Object.fromEntries(
      names.filter((name) => name !== '$data').map((name) => [name, `{{${name}}}`]),
    ),
  );
  expect(webhookBodyError(template, event, null)).toBeNull();
  const body = renderWebhook(template, webhookExample(event), webhookEscape(null));
  expect(Object.keys(JSON.parse(body) as object)).toHaveLength(names.length - 1);
  expect(JSON.parse(standardWebhookBody([webhookExample(event)], false))).toMatchObject({
    type: event,
  });
});

test('values are escaped for the media type of the body', () => {
  const report = { ...webhookExample('tasks.state'), data: { title: `"a" & <b>\n` } };
  const render = (type: string | null) => renderWebhook('{{title}}', report, webhookEscape(type));
  expect(render(null)).toBe(String.raw`\"a\" & <b>\n`);
  expect(render('application/x-www-form-urlencoded')).toBe('%22a%22%20%26%20%3Cb%3E%0A');
  expect(render('text/xml; charset=utf-8')).toBe('&quot;a&quot; &amp; &lt;b&gt;\n');
  expect(renderWebhook('{{constructor}}{{__proto__}}{{none}}', report, String)).toBe('');
  expect(renderWebhook('{"d": {{$data}}}', report, webhookEscape(null))).toBe(
    `{"d": ${JSON.stringify(report.data)}}`,
  );
});

test('a value that looks like a variable is not replaced again', () => {
  const report = { ...webhookExample('tasks.state'), data: { title: '{{id}}', id: '1' } };
  expect(renderWebhook('{{title}}', report, String)).toBe('{{id}}');
});

test('a GET without variables has the fields as parameters', () => {
  const report = { ...webhookExample('tasks.state'), data: { id: 'a b', none: null } };
  expect(webhookUrl('https://x.example/a?b=1#c', 'GET', report)).toBe(
    'https://x.example/a?b=1&event=tasks.state&timestamp=2026-11-22T09%3A15%3A02.000Z&id=a%20b',
  );
  expect(webhookUrl('https://x.example/{{id}}', 'GET', report)).toBe('https://x.example/a%20b');
});

test.each([
  ['https://x.example/{{id}}?a={{status}}', null],
  ['http://[::1]:8080/', null],
  ['https://{{id}}.example/', 'webhook_variable'],
  ['https://x.example:{{id}}/', 'webhook_variable'],
  ['https://a:b@x.example/', 'webhook_credentials'],
  ['ftp://x.example/', 'url'],
  ['x.example', 'url'],
  ['https://x.example/ a', 'url'],
  ['https://x.example\\a', 'url'],
  ['https://', 'url'],
])('the URL %s: %s', (url, rule) => {
  expect(webhookUrlError(url)).toBe(rule);
});

test('long inputs take linear time', () => {
  const startedAt = cpuTime();
  const long = '{{'.repeat(50_000);
  webhookUrlError(`https://x.example/${long}`);
  renderWebhook(long, webhookExample('tasks.state'), String);
  expect(cpuTime() - startedAt).toBeLessThan(5000);
});
