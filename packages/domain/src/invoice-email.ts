import type { InvoiceType } from './invoices.ts';
import type { Locale } from './locales.ts';
import type { EmailMessage } from './recovery-email.ts';

interface InvoiceTexts {
  invoice: string;
  act: string;
  from: string;
  amount: string;
  attached: string;
  label: string;
}

const TEXTS: Record<Locale, InvoiceTexts> = {
  ru: {
    invoice: 'Счёт {number}: {title}',
    act: 'Акт {number}: {title}',
    from: 'Документ от {company}.',
    amount: 'Сумма: {amount}.',
    attached: 'PDF приложен к письму.',
    label: 'Открыть в личном кабинете',
  },
  en: {
    invoice: 'Invoice {number}: {title}',
    act: 'Statement of services {number}: {title}',
    from: 'A document from {company}.',
    amount: 'Amount: {amount}.',
    attached: 'The PDF is attached.',
    label: 'Open in your account',
  },
  es: {
    invoice: 'Factura {number}: {title}',
    act: 'Acta de servicios {number}: {title}',
    from: 'Documento de {company}.',
    amount: 'Importe: {amount}.',
    attached: 'El PDF va adjunto.',
    label: 'Abrir en su cuenta',
  },
  pt: {
    invoice: 'Fatura {number}: {title}',
    act: 'Termo de serviços {number}: {title}',
    from: 'Documento de {company}.',
    amount: 'Valor: {amount}.',
    attached: 'O PDF está em anexo.',
    label: 'Abrir na sua conta',
  },
  fr: {
    invoice: 'Facture {number} : {title}',
    act: 'Relevé de prestations {number} : {title}',
    from: 'Document de {company}.',
    amount: 'Montant : {amount}.',
    attached: 'Le PDF est joint à ce message.',
    label: 'Ouvrir dans votre compte',
  },
  de: {
    invoice: 'Rechnung {number}: {title}',
    act: 'Leistungsnachweis {number}: {title}',
    from: 'Ein Dokument von {company}.',
    amount: 'Betrag: {amount}.',
    attached: 'Das PDF ist angehängt.',
    label: 'Im Konto öffnen',
  },
  it: {
    invoice: 'Fattura {number}: {title}',
    act: 'Attestazione dei servizi {number}: {title}',
    from: 'Documento di {company}.',
    amount: 'Importo: {amount}.',
    attached: 'Il PDF è allegato.',
    label: 'Apri nel tuo account',
  },
};

interface InvoiceEmailData {
  type: InvoiceType;
  /** Of the installation. */
  title: string;
  number: string;
  company: string;
  amount: string;
  url: string;
}

/** The e-mail to which the document is attached. */
export function invoiceEmail(
  locale: Locale,
  { type, url, ...data }: InvoiceEmailData,
): EmailMessage {
  const values: Record<string, string> = data;
  const fill = (text: string) => text.replace(/\{(\w+)\}/g, (_, name: string) => values[name]!);
  const { from, amount, attached, label, ...subjects } = TEXTS[locale];
  return {
    locale,
    subject: fill(subjects[type]),
    before: [fill(from), fill(amount), attached],
    link: { label, url },
    after: [],
  };
}
