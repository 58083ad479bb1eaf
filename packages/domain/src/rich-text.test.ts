import { describe, expect, test } from 'vitest';
import {
  parseRichText,
  plainRichText,
  renderRichText,
  telegramRichText,
  telegramText,
} from './rich-text.ts';

const stored = (html: string) => renderRichText(parseRichText(html));

test('keeps the subset, and text as it is', () => {
  expect(stored('<p>Messages to <strong>Tea</strong> are <em>late</em>.<br>Until 12:00</p>')).toBe(
    '<p>Messages to <b>Tea</b> are <i>late</i>.<br>Until 12:00</p>',
  );
  expect(stored('a < b && c > d')).toBe('a &#60; b &#38;&#38; c &#62; d');
  expect(stored('one\ntwo')).toBe('one<br>two');
});

test.each([
  ['<script>alert(1)</script>Hi', 'Hi'],
  ['<script>alert(1)', ''],
  ['<style>p{}</style ><b onclick=alert(1)>Hi</b>', '<b>Hi</b>'],
  ['<img src=x onerror=alert(1)>Hi', 'Hi'],
  ['<svg><script>alert(1)</script></svg>Hi', 'Hi'],
  ['<iframe src="javascript:alert(1)">x</iframe>Hi', 'Hi'],
  ['<a href="javascript:alert(1)">Hi</a>', 'Hi'],
  ['<a href=" java\tscript:alert(1)">Hi</a>', 'Hi'],
  ['<a href="data:text/html,x">Hi</a>', 'Hi'],
  ['<a href="&#106;avascript:alert(1)">Hi</a>', 'Hi'],
  [`<a href='https://tea.example/" onmouseover="x'>Hi</a>`, 'Hi'],
  ['<b><i>Hi</b></i> there', '<b><i>Hi</i></b> there'],
  ['<!-- <b> -->Hi<!-- ', 'Hi'],
  ['<scr<script>x</script>ipt>alert(1)</script>', 'xipt&#62;alert(1)'],
  ['<b/onclick=x>Hi', '<b>Hi</b>'],
  ['<p title="a>b">Hi</p>', '<p>Hi</p>'],
  ['<constructor>Hi</constructor>', 'Hi'],
  ['\u202eHi\u0000', 'Hi'],
])('%j is %j', (html, expected) => {
  const once = stored(html);
  expect(once).toBe(expected);
  // What is stored is parsed again where it is shown.
  expect(stored(once)).toBe(once);
});

test('links are http, https and mailto', () => {
  expect(parseRichText('<a href="https://tea.example/?a=1&amp;b=2">Tea</a>')).toEqual([
    { tag: 'a', href: 'https://tea.example/?a=1&b=2', children: ['Tea'] },
  ]);
  expect(stored('<a href=mailto:a@tea.example>Tea</a>')).toContain('href="mailto:a@tea.example"');
});

test('becomes plain text, and the HTML of Telegram', () => {
  const nodes = parseRichText(
    '<p>A <b>&lt;b&gt;</b></p><ul><li>one</li><li><a href="https://tea.example">two</a></li></ul>',
  );
  expect(plainRichText(nodes)).toBe('A <b>\n• one\n• two (https://tea.example)');
  expect(telegramRichText(nodes)).toBe(
    'A <b>&lt;b&gt;</b>\n• one\n• <a href="https://tea.example">two</a>',
  );
  expect(telegramText('<b>"&')).toBe('&lt;b&gt;&quot;&amp;');
});

describe('unfinished markup is read once', () => {
  test.each([
    ['opened tags', '<b>'.repeat(1300)],
    ['brackets', '<'.repeat(4000)],
    ['quotes', '<a href="'.repeat(440)],
    ['comments', '<!--'.repeat(1000)],
    ['dropped tags', '<script>'.repeat(500)],
    ['entities', '&#1'.repeat(1300)],
    ['links', '<a href=x'.repeat(440)],
  ])('%s', (_, html) => {
    const once = stored(html);
    expect(once).not.toMatch(/<(?!\/?b>)/);
  });
});
