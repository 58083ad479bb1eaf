import type { Locale } from './locales.ts';
import type { EmailMessage } from './recovery-email.ts';

interface Texts {
  subject: string;
  ready: string;
  rows: string;
  label: string;
  signIn: string;
  stop: string;
}

/** `{title}` is the name of the product, `{period}` two dates, `{date}` the day on which the file is removed. */
const TEXTS: Record<Locale, Texts> = {
  ru: {
    subject: 'Отчёт за {period}: {title}',
    ready: 'Отчёт по расписанию готов: {file}.',
    rows: 'Строк: {rows}. Файл хранится до {date}.',
    label: 'Открыть отчёты',
    signIn: 'Чтобы скачать файл, нужно войти в кабинет под логином {username}.',
    stop: 'Приостановить или удалить расписание можно на странице отчётов.',
  },
  en: {
    subject: 'Report for {period}: {title}',
    ready: 'A scheduled report is ready: {file}.',
    rows: 'Rows: {rows}. The file is kept until {date}.',
    label: 'Open reports',
    signIn: 'To download the file, sign in as {username}.',
    stop: 'You can pause or delete the schedule on the page of reports.',
  },
  es: {
    subject: 'Informe de {period}: {title}',
    ready: 'Un informe programado está listo: {file}.',
    rows: 'Filas: {rows}. El archivo se conserva hasta el {date}.',
    label: 'Abrir los informes',
    signIn: 'Para descargar el archivo, inicie sesión como {username}.',
    stop: 'Puede pausar o eliminar la programación en la página de informes.',
  },
  pt: {
    subject: 'Relatório de {period}: {title}',
    ready: 'Um relatório agendado está pronto: {file}.',
    rows: 'Linhas: {rows}. O arquivo fica guardado até {date}.',
    label: 'Abrir os relatórios',
    signIn: 'Para baixar o arquivo, entre como {username}.',
    stop: 'Você pode pausar ou excluir o agendamento na página de relatórios.',
  },
  fr: {
    subject: 'Rapport du {period} : {title}',
    ready: 'Un rapport programmé est prêt : {file}.',
    rows: 'Lignes : {rows}. Le fichier est conservé jusqu’au {date}.',
    label: 'Ouvrir les rapports',
    signIn: 'Pour télécharger le fichier, connectez-vous en tant que {username}.',
    stop: 'Vous pouvez suspendre ou supprimer la programmation sur la page des rapports.',
  },
  de: {
    subject: 'Bericht für {period}: {title}',
    ready: 'Ein geplanter Bericht ist fertig: {file}.',
    rows: 'Zeilen: {rows}. Die Datei bleibt bis {date} gespeichert.',
    label: 'Berichte öffnen',
    signIn: 'Zum Herunterladen melden Sie sich als {username} an.',
    stop: 'Den Zeitplan können Sie auf der Seite mit den Berichten pausieren oder löschen.',
  },
  it: {
    subject: 'Report del {period}: {title}',
    ready: 'Un report programmato è pronto: {file}.',
    rows: 'Righe: {rows}. Il file viene conservato fino al {date}.',
    label: 'Apri i report',
    signIn: 'Per scaricare il file, accedi come {username}.',
    stop: 'Puoi sospendere o eliminare la pianificazione nella pagina dei report.',
  },
};

export interface ReportEmailData {
  title: string;
  username: string;
  file: string;
  rows: number;
  /** The first and the last moment of the rows. */
  range: [Date, Date];
  expiresAt: Date;
  timeZone: string;
  url: string;
}

/** Tells that a scheduled report is ready. The file itself is not sent: it contains personal data. */
export function reportEmail(
  locale: Locale,
  { url, range, rows, expiresAt, timeZone, ...data }: ReportEmailData,
): EmailMessage {
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone });
  const values: Record<string, string> = {
    ...data,
    rows: rows.toLocaleString(locale),
    period: date.formatRange(...range),
    // In Russian it ends with a full stop, as does the sentence.
    date: date.format(expiresAt).replace(/\.$/, ''),
  };
  const fill = (text: string) => text.replace(/\{(\w+)\}/g, (_, name: string) => values[name]!);
  const texts = TEXTS[locale];
  return {
    locale,
    subject: fill(texts.subject),
    before: [fill(texts.ready), fill(texts.rows)],
    link: { label: texts.label, url },
    after: [fill(texts.signIn), texts.stop],
  };
}
