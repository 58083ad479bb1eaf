/** Words of the generated reference. Descriptions of fields are the contract's and in English. */
export interface ReferenceTexts {
  title: string;
  intro: string;
  permission: string;
  noPermission: string;
  anySession: string;
  parameters: string;
  body: string;
  answer: string;
  errors: string;
  name: string;
  type: string;
  meaning: string;
  required: string;
  idempotent: string;
  file: string;
  seeErrors: string;
  alias: string;
}

const en: ReferenceTexts = {
  title: 'API reference',
  intro:
    'All calls of the HTTP API for integrations, generated from the definitions that validate the requests. Start with [the guide](HTTP-REST.md). Machine-readable descriptions: [OpenAPI](/api/openapi.json) for the calls, [AsyncAPI](/api/asyncapi.json) for socket events.',
  permission: 'Permission',
  noPermission: 'none, no token is needed',
  anySession: 'any token',
  parameters: 'Parameters',
  body: 'Request body',
  answer: 'Response',
  errors: 'Errors',
  name: 'Name',
  type: 'Type',
  meaning: 'Description',
  required: 'required',
  idempotent: 'Accepts [Idempotency-Key](HTTP-REST.md#idempotency).',
  file: 'A file: `multipart/form-data` with the field `file`, or the bytes with `Content-Type` and `X-Filename`.',
  seeErrors: 'Codes and what to do: [Errors](HTTP-REST.md#errors).',
  alias: 'The same with',
};

const ru: ReferenceTexts = {
  title: 'Справочник API',
  intro:
    'Все методы HTTP API для интеграций. Справочник создаётся из определений, по которым сервер проверяет запросы. Начните с [руководства](HTTP-REST.md). Описания для программ: [OpenAPI](/api/openapi.json) — методы, [AsyncAPI](/api/asyncapi.json) — события сокетов.\n\n::: tip Язык описаний\nОписания полей и параметров приведены на английском языке.\n:::',
  permission: 'Право',
  noPermission: 'не требуется, токен не нужен',
  anySession: 'любой токен',
  parameters: 'Параметры',
  body: 'Тело запроса',
  answer: 'Ответ',
  errors: 'Ошибки',
  name: 'Имя',
  type: 'Тип',
  meaning: 'Описание',
  required: 'обязательно',
  idempotent: 'Принимает [Idempotency-Key](HTTP-REST.md#идемпотентность).',
  file: 'Файл: `multipart/form-data` с полем `file` либо сами байты с заголовками `Content-Type` и `X-Filename`.',
  seeErrors: 'Коды и что делать: [Ошибки](HTTP-REST.md#ошибки).',
  alias: 'То же самое делает',
};

const es: ReferenceTexts = {
  title: 'Referencia de la API',
  intro:
    'Todas las llamadas de la API HTTP para integraciones, generadas a partir de las definiciones que validan las peticiones. Empiece por [la guía](HTTP-REST.md). Descripciones para programas: [OpenAPI](/api/openapi.json) para las llamadas y [AsyncAPI](/api/asyncapi.json) para los eventos de sockets.\n\n::: tip Idioma de las descripciones\nLas descripciones de campos y parámetros están en inglés.\n:::',
  permission: 'Permiso',
  noPermission: 'ninguno, no se necesita token',
  anySession: 'cualquier token',
  parameters: 'Parámetros',
  body: 'Cuerpo de la petición',
  answer: 'Respuesta',
  errors: 'Errores',
  name: 'Nombre',
  type: 'Tipo',
  meaning: 'Descripción',
  required: 'obligatorio',
  idempotent: 'Acepta [Idempotency-Key](HTTP-REST.md#idempotencia).',
  file: 'Un archivo: `multipart/form-data` con el campo `file`, o los bytes con `Content-Type` y `X-Filename`.',
  seeErrors: 'Códigos y qué hacer: [Errores](HTTP-REST.md#errores).',
  alias: 'Lo mismo hace',
};

export const REFERENCE_TEXTS: Record<string, ReferenceTexts> = { en, ru, es };
