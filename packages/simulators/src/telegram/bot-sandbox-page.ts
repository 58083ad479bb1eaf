import { escapeHtml, parseRichText, renderRichText } from '@heliograph/domain';

export const SANDBOX_BOT = 'HeliographDemoBot';

/** A message of a chat in the sandbox. */
export interface SandboxMessage {
  isFromBot: boolean;
  /** As it was sent: HTML of the bot, plain text of the person. */
  text: string;
  /** With a message of the bot: the button by which the person shares its number; empty if it is taken away. */
  shareButton?: string;
}

const STYLE =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:32rem;margin:2rem auto;padding:0 1rem;color:#212529;background:#fff}' +
  'h1{font-size:1.5rem}ol{list-style:none;padding:0}li{border:1px solid #ced4da;border-radius:10px;padding:.5rem .75rem;margin:.5rem 3rem .5rem 0;white-space:pre-line;overflow-wrap:anywhere}' +
  'li.own{margin:.5rem 0 .5rem 3rem;background:#e7f5ff}form{display:flex;gap:.5rem;margin:.5rem 0}input{font:inherit;flex:1;min-width:0;padding:.5rem}' +
  'button,.a{font:inherit;padding:.5rem 1rem;border-radius:6px;border:1px solid #1864ab;background:#1864ab;color:#fff}.a{display:inline-block;background:#fff;color:#1864ab;text-decoration:none}p{color:#495057}';

/** A chat with the bot. It has no scripts. */
export function botSandboxPage(
  messages: SandboxMessage[],
  draft: string,
  { bot, messenger } = { bot: SANDBOX_BOT, messenger: 'Telegram' },
): string {
  const share = messages.findLast(({ shareButton }) => shareButton !== undefined)?.shareButton;
  const sharing = share
    ? `<form method="post"><input name="phone" type="tel" aria-label="Your number" autocomplete="tel" maxlength="30" placeholder="+79990000000"><button>${escapeHtml(share)}</button></form>`
    : '';
  const items = messages.map(({ isFromBot, text }) =>
    isFromBot
      ? `<li>${renderRichText(parseRichText(text))}</li>`
      : `<li class="own">${escapeHtml(text)}</li>`,
  );
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">` +
    `<title>${bot}</title><style>${STYLE}</style></head><body><main><h1>@${bot}</h1>` +
    `<p>A chat of the demo installation. Nothing is sent to ${messenger}. Keep the address of this page: it is your chat.</p>` +
    `<ol aria-label="Messages">${items.join('')}</ol>` +
    sharing +
    `<form method="post"><input name="text" aria-label="Message" autocomplete="off" maxlength="4096" value="${escapeHtml(draft)}"><button>Send</button></form>` +
    `<p><a class="a" href="?">Refresh</a></p></main></body></html>`
  );
}
