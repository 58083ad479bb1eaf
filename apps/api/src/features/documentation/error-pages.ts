import { ERRORS, OTP_ERRORS, type ErrorCode } from '@heliograph/contract';
import {
  CODE_ERRORS,
  CODES,
  FAILURE_CURES,
  RULES,
  type Explanation,
} from '@heliograph/contract/descriptions';
import { failureAdvice, SENDING_ERRORS } from '@heliograph/domain';
import { ERROR_PAGES, otpTypeOf } from '../../core/http/page-of-error.ts';

/** Where an error is met. */
type Kind = 'request' | 'codes' | 'message' | 'field';

/** One name may be an error of requests, a failure of messages and a rule of fields. */
interface Meaning {
  kind: Kind;
  /** Of requests only. */
  status?: number;
  explanation: Explanation;
}

interface ErrorTexts {
  title: string;
  intro: string;
  kinds: Record<Kind, string>;
  /** Headings of the list. */
  lists: Record<Kind, string>;
  status: string;
  name: string;
  cause: string;
  cure: string;
  all: string;
}

const en: ErrorTexts = {
  title: 'Errors by name',
  intro:
    'Each error body has the address of its page here as `docs`. A page says why the error happens and what to do. How errors are shaped, and which calls to repeat: [Errors](HTTP-REST.md#errors).',
  kinds: {
    request: 'Error of a request',
    codes: 'Error of one-time codes',
    message: 'Failure of a message',
    field: 'Rule of a field',
  },
  lists: {
    request: 'Errors of requests',
    codes: 'Errors of one-time codes',
    message: 'Failures of messages',
    field: 'Rules of fields',
  },
  status: 'Status',
  name: 'Name',
  cause: 'Cause',
  cure: 'What to do',
  all: 'All errors',
};

const ru: ErrorTexts = {
  title: 'Ошибки по именам',
  intro:
    'В теле каждой ошибки поле `docs` содержит адрес её страницы. На странице описано, почему возникает ошибка и что делать. Как устроены ошибки и какие вызовы повторять: [Ошибки](HTTP-REST.md#ошибки).\n\n::: tip Язык описаний\nПричины и советы приведены на английском языке.\n:::',
  kinds: {
    request: 'Ошибка запроса',
    codes: 'Ошибка одноразовых кодов',
    message: 'Ошибка сообщения',
    field: 'Правило поля',
  },
  lists: {
    request: 'Ошибки запросов',
    codes: 'Ошибки одноразовых кодов',
    message: 'Ошибки сообщений',
    field: 'Правила полей',
  },
  status: 'Статус',
  name: 'Имя',
  cause: 'Причина',
  cure: 'Что делать',
  all: 'Все ошибки',
};

const es: ErrorTexts = {
  title: 'Errores por nombre',
  intro:
    'El cuerpo de cada error tiene en `docs` la dirección de su página. La página dice por qué ocurre el error y qué hacer. Cómo son los errores y qué llamadas repetir: [Errores](HTTP-REST.md#errores).\n\n::: tip Idioma de las descripciones\nLas causas y los consejos están en inglés.\n:::',
  kinds: {
    request: 'Error de una petición',
    codes: 'Error de los códigos de un solo uso',
    message: 'Fallo de un mensaje',
    field: 'Regla de un campo',
  },
  lists: {
    request: 'Errores de las peticiones',
    codes: 'Errores de los códigos de un solo uso',
    message: 'Fallos de los mensajes',
    field: 'Reglas de los campos',
  },
  status: 'Estado',
  name: 'Nombre',
  cause: 'Causa',
  cure: 'Qué hacer',
  all: 'Todos los errores',
};

const TEXTS: Record<string, ErrorTexts> = { en, ru, es };

const codes = Object.keys(CODES) as ErrorCode[];
const failures = Object.keys(SENDING_ERRORS) as (keyof typeof SENDING_ERRORS)[];

/** All errors in the order of the list. */
const ERROR_LIST: readonly (Meaning & { name: string })[] = [
  ...codes.map((name) => ({
    name,
    kind: 'request' as const,
    status: ERRORS[name],
    explanation: CODES[name],
  })),
  ...OTP_ERRORS.map((name) => ({
    name: otpTypeOf(name),
    kind: 'codes' as const,
    explanation: CODE_ERRORS[name],
  })),
  ...failures.map((name) => ({
    name,
    kind: 'message' as const,
    explanation: [SENDING_ERRORS[name], FAILURE_CURES[failureAdvice(name)]] as const,
  })),
  ...Object.entries(RULES).map(([name, explanation]) => ({
    name,
    kind: 'field' as const,
    explanation,
  })),
];

const byName = Map.groupBy(ERROR_LIST, ({ name }) => name);

/** The names of all errors that have a page. */
export const ERROR_NAMES: readonly string[] = [...byName.keys()];

/** The error of a page; undefined for the list. */
const errorOf = (name: string): string | undefined =>
  name.startsWith(`${ERROR_PAGES}/`) ? name.slice(ERROR_PAGES.length + 1) : undefined;

/** Whether the language has the page: the list of errors, or that of one. */
export const isErrorPage = (locale: string, name: string): boolean =>
  Object.hasOwn(TEXTS, locale) && (name === ERROR_PAGES || byName.has(errorOf(name) ?? ''));

/** The text of a page that the language has. */
export function errorPage(locale: string, name: string): string {
  const texts = TEXTS[locale]!;
  const error = errorOf(name);
  return error ? onePage(error, byName.get(error)!, texts) : listPage(texts);
}

function onePage(name: string, meanings: readonly Meaning[], texts: ErrorTexts): string {
  const sections = meanings.map(({ kind, status, explanation: [cause, cure] }) => {
    const title = status ? `${texts.kinds[kind]}, HTTP ${status}` : texts.kinds[kind];
    return `## ${title}\n\n**${texts.cause}.** ${cause}\n\n**${texts.cure}.** ${cure}`;
  });
  return `# ${name}\n\n${sections.join('\n\n')}\n\n[${texts.all}](../errors.md)\n`;
}

function listPage(texts: ErrorTexts): string {
  const kinds = Object.entries(texts.lists).map(([kind, title]) => {
    const rows = ERROR_LIST.filter((one) => one.kind === kind).map(
      ({ name, explanation: [cause] }) => `| [\`${name}\`](errors/${name}.md) | ${cell(cause)} |`,
    );
    return `## ${title}\n\n| ${texts.name} | ${texts.cause} |\n| --- | --- |\n${rows.join('\n')}`;
  });
  return `# ${texts.title}\n\n${texts.intro}\n\n${kinds.join('\n\n')}\n`;
}

/** The table of the guide: what to do about each error of requests. */
export function errorTable(): string {
  const rows = ERROR_LIST.filter(({ kind }) => kind === 'request').map(
    ({ name, status, explanation: [, cure] }) =>
      `| ${status} | [\`${name}\`](errors/${name}.md) | ${cell(cure)} |`,
  );
  const head = `| ${en.status} | ${en.name} | ${en.cure} |\n| --- | --- | --- |`;
  return `${head}\n${rows.join('\n')}`;
}

const cell = (text: string) => text.replaceAll('|', String.raw`\|`);
