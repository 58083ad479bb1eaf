import { describe, expect, it } from 'vitest';
import { formattedHtml, formattedPlain, withOpenImage } from './formatted-text.ts';
import { compileContent } from './message-content.ts';
import { findSuperlinear } from './testing/complexity.ts';
import { MAX_MARKDOWN_LENGTH } from './text-format.ts';

/** What stands in the body, without the styles. */
const bodyOf = (text: string): string =>
  /<div[^>]*>\n([^]*)<\/div><\/body>/.exec(formattedHtml(text))![1]!.replace(/ style="[^"]*"/g, '');

describe('an e-mail in Markdown', () => {
  it.each([
    ['Hello', '<p>Hello</p>\n', 'Hello'],
    ['one\ntwo', '<p>one<br>\ntwo</p>\n', 'one\ntwo'],
    ['# Tea\n\nwaits', '<h1>Tea</h1>\n<p>waits</p>\n', 'Tea\n\nwaits'],
    [
      '**bold** and *italic*',
      '<p><strong>bold</strong> and <em>italic</em></p>\n',
      'bold and italic',
    ],
    ['- a\n- b', '<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n', '- a\n- b'],
    ['3. a\n4. b', '<ol start="3">\n<li>a</li>\n<li>b</li>\n</ol>\n', '3. a\n4. b'],
    ['- a\n  - b', '<ul>\n<li>a\n<ul>\n<li>b</li>\n</ul>\n</li>\n</ul>\n', '- a\n  - b'],
    ['> a\n> b', '<blockquote>\n<p>a<br>\nb</p>\n</blockquote>\n', '> a\n> b'],
    ['a\n\n---\n\nb', '<p>a</p>\n<hr>\n<p>b</p>\n', 'a\n\n---\n\nb'],
    [
      '[shop](https://tea.example/?a=1&b=2)',
      '<p><a href="https://tea.example/?a=1&amp;b=2">shop</a></p>\n',
      'shop (https://tea.example/?a=1&b=2)',
    ],
    [
      'at https://tea.example/a_b_c.',
      '<p>at <a href="https://tea.example/a_b_c">https://tea.example/a_b_c</a>.</p>\n',
      'at https://tea.example/a_b_c.',
    ],
    ['tea.example', '<p>tea.example</p>\n', 'tea.example'],
    [
      '[call](tel:+79161234567) [write](mailto:a@tea.example)',
      '<p><a href="tel:+79161234567">call</a> <a href="mailto:a@tea.example">write</a></p>\n',
      'call (+79161234567) write (a@tea.example)',
    ],
    [
      '![Tea](https://tea.example/i.png)',
      '<p><img src="https://tea.example/i.png" alt="Tea"></p>\n',
      'Tea',
    ],
    [
      '[Order](https://tea.example "button")',
      '<p><a href="https://tea.example">Order</a></p>\n',
      'Order (https://tea.example)',
    ],
  ])('%j', (text, html, plain) => {
    expect(bodyOf(text)).toBe(html);
    expect(formattedPlain(text)).toBe(plain);
  });

  it('has a button where a paragraph is a link with that title', () => {
    const looks = 'display:inline-block';
    expect(formattedHtml('[Order](https://tea.example "button")')).toContain(looks);
    for (const text of [
      '[Order](https://tea.example)',
      '[Order](https://tea.example "now")',
      'or [Order](https://tea.example "button")',
      '[Order](https://tea.example "button") or call',
      '[a](https://tea.example "button")[b](https://tea.example "button")',
    ])
      expect(formattedHtml(text)).not.toContain(looks);
  });

  it.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '<style>body{}</style>',
    '[x](javascript:alert(1))',
    '[x](JAVASCRIPT:alert(1))',
    '[x](java\u0000script:alert(1))',
    '[x](data:text/html,a)',
    '[x](vbscript:a)',
    '[x](/relative)',
    '![x](javascript:alert(1))',
    '![x](file:///etc/passwd)',
    '![x](data:image/svg+xml,a)',
    '<https://tea.example"onclick=alert(1)>',
    '[x](https://tea.example"onclick=alert(1))',
    '[x](https://tea.example "a" onclick="alert(1)")',
    "[x](https://tea.example '\"><script>alert(1)</script>')",
    '&lt;script&gt;alert(1)&lt;/script&gt;',
  ])('has no program and no other address from %j', (text) => {
    const body = bodyOf(text);
    const tags = [...body.matchAll(/<[^<>]*>/g)].map(([tag]) => tag);
    for (const tag of tags)
      expect(tag).toMatch(
        /^<(?:\/?p|br|\/a|a href="https:\/\/[^"<>]*"(?: title="[^"<>]*")?|img src="" alt="[^"<>]*")>$/,
      );
  });

  it('loads images only from sites', () => {
    expect(bodyOf('![x](mailto:a@tea.example)')).toBe('<p><img src="" alt="x"></p>\n');
  });
});

describe('values of variables', () => {
  const rendered = (text: string, values: Record<string, string>) =>
    compileContent('email', { text, format: 'markdown' }, 'any').render(values)!.text;

  it.each([
    '*Anna*',
    '[x](https://evil.example)',
    '<b>Anna</b>',
    '# Anna',
    '- Anna',
    '1. Anna',
    '> Anna',
    '&amp; Anna',
    '\\*Anna\\*',
    'https://evil.example',
    '`Anna`',
    '![x](https://evil.example/i.png)',
    '_Anna_ ~Anna~ |Anna|',
    '---',
    '===',
  ])('stand as they are: %j', (value) => {
    for (const text of [
      '{name}',
      'Hi {name}!',
      '**{name}**',
      '- {name}',
      '# {name}',
      'a\n{name}',
    ]) {
      const whole = rendered(text, { name: value });
      expect(formattedPlain(whole)).toContain(value);
      expect(formattedHtml(whole)).not.toMatch(/<a |<img |<hr/);
    }
  });

  it('of several lines stay on their line', () => {
    expect(bodyOf(rendered('Hi {name}', { name: 'a\n\n# b\r\n- c' }))).toBe(
      '<p>Hi a # b - c</p>\n',
    );
  });

  it.each([
    [
      '[x](https://tea.example/?n={name})',
      'Анна & Co)',
      '?n=%D0%90%D0%BD%D0%BD%D0%B0%20%26%20Co%29',
    ],
    ['https://tea.example/?n={name}', 'a b*', '?n=a%20b%2A'],
    ['[x](https://tea.example/{name}/{name})', 'a/b', '/a%2Fb/a%2Fb'],
    ['[x]({name})', 'https://shop.example/?a=1&b=(2) "3"', '?a=1&amp;b=%282%29%20%223%22'],
    ['[x](https://tea.example/?n={name})', 'half \ud83c', '?n=half%20%EF%BF%BD'],
  ])('in an address of %j', (text, name, end) => {
    expect(bodyOf(rendered(text, { name }))).toContain(`${end}">`);
  });

  it('is our link to unsubscribe as it is', () => {
    const unsubscribe = 'https://app.example/u/a_b-C_d';
    const link = `<a href="${unsubscribe}">`;
    expect(bodyOf(rendered('[No more]({unsubscribe})', { unsubscribe }))).toContain(link);
    expect(bodyOf(rendered('{unsubscribe}', { unsubscribe }))).toContain(link);
  });

  it('are not changed in the subject, nor in a plain text', () => {
    const content = compileContent('email', {
      text: '[{firstName}]',
      subject: 'For {firstName}',
      format: 'plain',
    });
    expect(content.render({ firstName: '*A*' })).toEqual({
      text: '[*A*]',
      parts: { subject: 'For *A*' },
    });
  });
});

it('takes linear time for texts that are hard to read', () => {
  const rows = [
    '[',
    '[a](',
    '*a ',
    '**a*',
    '>',
    '- ',
    '1. a\n',
    '![[',
    '\\',
    '_a',
    '[x](<',
    '[a](b "c',
  ];
  const more = [
    'https://a.b ',
    'http://',
    'a@',
    'a.b@c.d ',
    'www.',
    'a.',
    'https:',
    '<a',
    '&#',
    '\n',
  ];
  const texts = Object.fromEntries(
    [...rows, ...more].map((row) => [row, (n: number) => row.repeat(Math.ceil(n / row.length))]),
  );
  const read = (text: string) => {
    const kept = text.slice(0, MAX_MARKDOWN_LENGTH);
    return [formattedHtml(kept), formattedPlain(kept)];
  };
  expect(findSuperlinear(read, texts)).toEqual([]);
});

it('has an image that nobody sees as the last of an e-mail, whatever its text is', () => {
  for (const text of ['Hello', '![Tea](https://tea.example/i.png)', '</div></body></html>']) {
    const html = formattedHtml(text);
    const image =
      '<img src="https://a.example/o/x" alt="" width="1" height="1" style="display:block;border:0">';
    const opened = withOpenImage(html, 'https://a.example/o/x');
    expect(opened.replace(image, '')).toBe(html);
    expect(opened.endsWith(`${image}</div></body></html>\n`)).toBe(true);
  }
});
