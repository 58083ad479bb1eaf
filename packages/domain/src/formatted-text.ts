import MarkdownIt, { type Token } from 'markdown-it';

/**
 * E-mails in Markdown: headings, lists, quotations, lines, bold, italic, links, images and buttons, as CommonMark writes them. HTML in
 * a text is text. A paragraph that is only a link with the title `button` is a button: `[To the order](https://example.com "button")`.
 */
const parser = new MarkdownIt('zero', { html: false, breaks: true, linkify: true, maxNesting: 20 });
parser.enable([
  'heading',
  'list',
  'hr',
  'blockquote',
  'escape',
  'emphasis',
  'link',
  'image',
  'newline',
  'linkify',
]);
// An address without its scheme may be none, and to look for those takes longest.
parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });
/** Of pages, mail and calls; images only of pages. */
parser.validateLink = (url) => /^(?:https?:\/\/|mailto:|tel:)/i.test(url.trim());

const BUTTON_TITLE = 'button';
const FONT = "font-family:-apple-system,'Segoe UI',Roboto,Arial,sans-serif";
/** Mail clients drop style sheets. */
const STYLES: Record<string, string> = {
  p: 'margin:0 0 16px',
  h1: 'margin:0 0 16px;font-size:26px;line-height:1.25',
  h2: 'margin:24px 0 12px;font-size:21px;line-height:1.3',
  h3: 'margin:20px 0 8px;font-size:17px;line-height:1.35',
  h4: 'margin:16px 0 8px;font-size:16px',
  h5: 'margin:16px 0 8px;font-size:16px',
  h6: 'margin:16px 0 8px;font-size:16px',
  ul: 'margin:0 0 16px;padding-left:24px',
  ol: 'margin:0 0 16px;padding-left:24px',
  blockquote: 'margin:0 0 16px;padding-left:12px;border-left:3px solid #d0d7de;color:#57606a',
  hr: 'margin:24px 0;border:0;border-top:1px solid #d0d7de',
  a: 'color:#0b57d0',
  img: 'max-width:100%;height:auto;border:0',
};
const BUTTON =
  'display:inline-block;padding:12px 24px;border-radius:6px;background:#0b57d0;color:#ffffff;font-weight:600;text-decoration:none';

/** The HTML of an e-mail with a text in Markdown: a whole document, without scripts, forms or addresses but those of its links and images. */
export function formattedHtml(text: string): string {
  const tokens = parser.parse(text, {});
  for (const [i, token] of tokens.entries()) {
    dress(token);
    const parts = token.children ?? [];
    for (const part of parts) dress(part);
    if (token.type === 'inline' && tokens[i - 1]?.type === 'paragraph_open' && isButton(parts))
      parts[0]!.attrSet('style', BUTTON);
    for (const part of parts)
      if (part.attrGet('title') === BUTTON_TITLE) part.attrs = part.attrs!.filter(isNoTitle);
  }
  const body = parser.renderer.render(tokens, parser.options, {});
  return `<!doctype html><html><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"></head>
<body style="margin:0;padding:0;background:#ffffff"><div style="max-width:600px;margin:0 auto;padding:24px 16px;${FONT};font-size:16px;line-height:1.5;color:#1f2328">
${body}${END}`;
}

const END = '</div></body></html>\n';

/** An e-mail of `formattedHtml` with an image that nobody sees at its end, which is loaded when it is opened. */
export const withOpenImage = (html: string, src: string): string =>
  `${html.slice(0, -END.length)}<img src="${src}" alt="" width="1" height="1" style="display:block;border:0">${END}`;

const isNoTitle = ([name]: [string, unknown]) => name !== 'title';

function dress(token: Token): void {
  const style = token.nesting >= 0 ? STYLES[token.tag] : undefined;
  if (style) token.attrSet('style', style);
  if (token.type === 'image' && !/^https?:/i.test(String(token.attrGet('src'))))
    token.attrSet('src', '');
}

/** Whether a paragraph is only one link, with the title of buttons. */
const isButton = (parts: Token[]): boolean =>
  parts[0]?.attrGet('title') === BUTTON_TITLE &&
  parts.findIndex(({ type }) => type === 'link_close') === parts.length - 1;

/** The same text for those who read no HTML: without markup, addresses in brackets after what they belong to. */
export const formattedPlain = (text: string): string =>
  blocksOf(parser.parse(text, {}).values()).join('\n\n');

/** The blocks up to the end of the one that the tokens are in. */
function blocksOf(tokens: Iterator<Token>): string[] {
  const blocks: string[] = [];
  for (let one = tokens.next(); !one.done && one.value.nesting >= 0; one = tokens.next()) {
    const token = one.value;
    const inner = token.nesting > 0 ? blocksOf(tokens) : [];
    if (token.type === 'inline') blocks.push(wordsOf(token.children!.values()));
    else if (token.type === 'hr') blocks.push('---');
    else if (token.type === 'list_item_open') blocks.push(inner.join('\n'));
    else if (token.type === 'blockquote_open') blocks.push(prefixed(inner.join('\n\n'), '> '));
    else if (token.type === 'bullet_list_open')
      blocks.push(inner.map((item) => prefixed(item, '- ', '  ')).join('\n'));
    else if (token.type === 'ordered_list_open') {
      const start = Number(token.attrGet('start') ?? 1);
      blocks.push(inner.map((item, i) => prefixed(item, `${start + i}. `, '   ')).join('\n'));
    } else blocks.push(...inner);
  }
  return blocks;
}

const prefixed = (text: string, first: string, others = first): string =>
  first + text.replaceAll('\n', `\n${others}`);

/** The words up to the end of the element that the tokens are in. */
function wordsOf(tokens: Iterator<Token>): string {
  let words = '';
  for (let one = tokens.next(); !one.done && one.value.nesting >= 0; one = tokens.next()) {
    const { type, nesting, content, markup, children } = one.value;
    const inner = nesting > 0 ? wordsOf(tokens) : '';
    if (type === 'softbreak' || type === 'hardbreak') words += '\n';
    else if (type === 'image') words += wordsOf(children!.values());
    else if (nesting > 0) words += inner;
    else words += content;
    const href = type === 'link_open' && markup !== 'linkify' && one.value.attrGet('href');
    if (href) words += ` (${String(href).replace(/^(?:mailto|tel):/i, '')})`;
  }
  return words;
}
