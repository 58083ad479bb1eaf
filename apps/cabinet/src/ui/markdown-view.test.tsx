import { screen, within } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { draw } from '../../test/draw.tsx';
import { linkTarget } from './markdown-links.ts';
import { parseMarkdown, slugOf } from './markdown-parser.ts';
import { MarkdownView } from './markdown-view.tsx';

const show = (text: string) =>
  draw(
    <MarkdownView
      nodes={parseMarkdown(text).nodes}
      source="/docs/en/platform/user/instruction.md"
    />,
  );

const HOSTILE = [
  '<script>globalThis.hacked = 1</script>',
  '<img src=x onerror="globalThis.hacked = 1">',
  '<svg onload="globalThis.hacked = 1"></svg>',
  '[a](javascript:globalThis.hacked=1)',
  '[a](JaVaScRiPt:globalThis.hacked=1)',
  '[a](java&#115;cript:globalThis.hacked=1)',
  '[a](vbscript:x) [b](data:text/html,<script>1</script>)',
  '![x](javascript:alert(1)) ![x](https://evil.example/x.png) ![x](//evil.example/x.png)',
  '[a](//evil.example "onclick=alert(1)")',
  '<a href="javascript:alert(1)">a</a>',
  '## <b onclick=alert(1)>x</b>',
  '```html\n<script>globalThis.hacked = 1</script>\n```',
  '::: tip <img src=x onerror=alert(1)>\n<iframe src=//evil.example></iframe>\n:::',
];

it.each(HOSTILE)('draws %j as text', async (text) => {
  await show(text);
  expect('hacked' in globalThis).toBe(false);
  for (const one of document.querySelectorAll('body *')) {
    expect(['SCRIPT', 'IFRAME', 'OBJECT', 'EMBED', 'B', 'IMG']).not.toContain(one.tagName);
    for (const { name } of one.attributes) expect(name).not.toMatch(/^on/);
    expect(one.getAttribute('href') ?? '').not.toMatch(/^\s*(javascript|vbscript|data):/i);
  }
});

it('headings have ids of letters of any script, each once; the title is taken out', () => {
  const { title, headings } = parseMarkdown(
    '# Name\n\n## Ошибки и что делать\n\n### `GET` /sendings/{id}\n\n## Ошибки и что делать',
  );
  expect(title).toBe('Name');
  expect(headings).toEqual([
    { id: 'ошибки-и-что-делать', level: 2, text: 'Ошибки и что делать' },
    { id: 'get-sendings-id', level: 3, text: 'GET /sendings/{id}' },
    { id: 'ошибки-и-что-делать-1', level: 2, text: 'Ошибки и что делать' },
  ]);
  expect(slugOf('Ёлка, день 2!')).toBe('ёлка-день-2');
});

it.each([
  ['../../api/HTTP-REST.md#errors', { to: '/documentation/api/HTTP-REST?id=errors' }],
  [
    '#главное',
    {
      to: '/documentation/platform/user/instruction?id=%D0%B3%D0%BB%D0%B0%D0%B2%D0%BD%D0%BE%D0%B5',
    },
  ],
  ['/send', { to: '/send' }],
  ['/api/openapi.json', { href: '/api/openapi.json', isExternal: true }],
  ['https://example.com/a', { href: 'https://example.com/a', isExternal: true }],
  ['//example.com/a', { href: 'https://example.com/a', isExternal: true }],
  ['mailto:help@example.com', { href: 'mailto:help@example.com', isExternal: false }],
  ['javascript:alert(1)', null],
  ['data:text/html,x', null],
  ['https://[', null],
])('the link %j leads to %j', (href, target) => {
  expect(linkTarget(href, '/docs/en/platform/user/instruction.md')).toEqual(target);
});

it('code in the text copies itself by click and by key; code blocks have a button', async () => {
  const { user } = await show('Send `POST /sendings`.\n\n```sh\ncurl example\n```');
  const copied = vi.spyOn(navigator.clipboard, 'writeText');
  await user.click(screen.getByRole('button', { name: 'POST /sendings' }));
  expect(copied).toHaveBeenLastCalledWith('POST /sendings');
  copied.mockClear();
  screen.getByRole('button', { name: 'POST /sendings' }).focus();
  await user.keyboard('{Enter}');
  expect(copied).toHaveBeenLastCalledWith('POST /sendings');
  await user.click(screen.getByRole('button', { name: /^Copy/ }));
  expect(copied).toHaveBeenLastCalledWith('curl example');
});

it('external links open in a new tab without a referrer, pictures are lazy and keep their place', async () => {
  await show('[out](https://example.com) ![Home](../../../images/en/home.webp "1280x800")');
  const link = screen.getByRole('link', { name: 'out' });
  expect([link.getAttribute('target'), link.getAttribute('rel')]).toEqual([
    '_blank',
    'noopener noreferrer',
  ]);
  const image = screen.getByRole('img', { name: 'Home' });
  expect(image.getAttribute('src')).toBe('/docs/images/en/home.webp');
  expect([image.getAttribute('loading'), image.getAttribute('width')]).toEqual(['lazy', '1280']);
});

it('containers and tables', async () => {
  await show('::: warning Careful\nMind the `gap`.\n:::\n\n| a | b |\n| --- | --- |\n| `x` | y |');
  expect(within(screen.getByRole('note')).getByText('Careful')).toBeDefined();
  // Nothing that a click does and no key can.
  expect(within(screen.getByRole('table')).queryByRole('button')).toBeNull();
  expect(screen.getByRole('cell', { name: 'x' }).querySelector('code')).not.toBeNull();
  expect(screen.getByRole('cell', { name: 'y' })).toBeDefined();
});
