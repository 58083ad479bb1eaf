import type { Request } from 'express';

/** Heading and text of the page for unknown links. */
const TEXTS = {
  en: ['This link does not work', 'It may have been deleted, or part of the address is missing.'],
  ru: ['Ссылка не работает', 'Возможно, её удалили или адрес скопирован не полностью.'],
  es: [
    'Este enlace no funciona',
    'Puede que se haya eliminado o que falte una parte de la dirección.',
  ],
  pt: ['Este link não funciona', 'Talvez tenha sido excluído ou falte uma parte do endereço.'],
  fr: [
    'Ce lien ne fonctionne pas',
    'Il a peut-être été supprimé, ou une partie de l’adresse manque.',
  ],
  de: [
    'Dieser Link funktioniert nicht',
    'Vielleicht wurde er gelöscht, oder ein Teil der Adresse fehlt.',
  ],
  it: ['Questo link non funziona', 'Forse è stato eliminato o manca una parte dell’indirizzo.'],
} as const;

export function missingPage(request: Request): string {
  const locale = request.acceptsLanguages(Object.keys(TEXTS)) || 'en';
  const [title, text] = TEXTS[locale as keyof typeof TEXTS];
  return `<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>body { font: 1rem/1.5 system-ui, sans-serif; max-width: 32rem; margin: 20vh auto; padding: 0 1.5rem }</style>
</head>
<body><main><h1>${title}</h1><p>${text}</p></main></body>
</html>
`;
}
