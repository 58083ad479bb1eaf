import type { EmailMessage } from '@heliograph/domain';
import escapeHtml from 'escape-html';

export function emailText({ before, link, after }: EmailMessage): string {
  return [...before, link.url, ...after].join('\n\n') + '\n';
}

/** Without images and external styles, which e-mail clients block. */
export function emailHtml({ locale, subject, before, link, after }: EmailMessage): string {
  const paragraph = (text: string) => `<p>${escapeHtml(text).replaceAll('\n', '<br>\n')}</p>`;
  const url = escapeHtml(link.url);
  return `<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(subject)}</title>
</head>
<body style="font: 16px/1.5 system-ui, sans-serif; max-width: 34em; margin: 24px auto; padding: 0 16px; overflow-wrap: anywhere">
${before.map(paragraph).join('\n')}
<p><a href="${url}" style="display: inline-block; padding: 10px 18px; border-radius: 8px; background: #1c6dd0; color: #ffffff; text-decoration: none">${escapeHtml(link.label)}</a></p>
<p style="font-size: 13px; word-break: break-all">${url}</p>
${after.map(paragraph).join('\n')}
</body>
</html>
`;
}
