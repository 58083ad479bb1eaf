import { LOCALES, type Locale } from '@heliograph/domain';
import escapeHtml from 'escape-html';
import type { AppRequest } from './endpoint.ts';

const STYLE = `body { font: 1rem/1.5 system-ui, sans-serif; max-width: 32rem; margin: 8vh auto; padding: 0 1.5rem; overflow-wrap: anywhere }
label { display: block } input, select { font: inherit; width: 100%; box-sizing: border-box; padding: .5rem }
fieldset { border: 0; margin: 0 0 1.5rem; padding: 0 } legend { padding: 0 } fieldset label { padding: .4rem 0 } [type=checkbox] { width: auto }
.consent { white-space: pre-line } .consent label { display: inline }
.fault { color: #c92a2a } @media (prefers-color-scheme: dark) { .fault { color: #ffa8a8 } }
button { font: inherit; padding: .6rem 1.2rem; border: 0; border-radius: .25rem; color: #fff; cursor: pointer }
button.other { background: none; color: inherit; border: 1px solid } form + form { margin-top: .75rem }`;

/** A page for a person without a session, who follows a link of a message or of a site. `title` and `body` are HTML. */
export const recipientPage = ({
  locale,
  title,
  body,
  color = '#1c6dd0',
}: {
  locale: Locale;
  title: string;
  body: string;
  /** Of buttons, whose text is white. */
  color?: string;
}): string => `<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>button { background: ${color} } ${STYLE}</style>
</head>
<body><main><h1>${title}</h1>
${body}</main></body>
</html>
`;

/** A text of the product with values of others, as HTML. */
export const put = (text: string, values: Record<string, string>): string =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => `<bdi>${escapeHtml(values[name] ?? '')}</bdi>`);

/** The language of the browser, if the product has it. */
export const acceptedLocale = (request: AppRequest): Locale =>
  (request.acceptsLanguages([...LOCALES]) || 'en') as Locale;
