/** Numbers of answers and statuses, with the texts of the service. */
export const SMSRU_TEXTS: Record<number, string> = {
  [-1]: 'Сообщение не найдено',
  100: 'Запрос выполнен или сообщение находится в очереди',
  101: 'Сообщение передается оператору',
  102: 'Сообщение отправлено (в пути)',
  103: 'Сообщение доставлено',
  104: 'Не может быть доставлено: время жизни истекло',
  105: 'Не может быть доставлено: удалено оператором',
  106: 'Не может быть доставлено: сбой в телефоне',
  107: 'Не может быть доставлено: неизвестная причина',
  108: 'Не может быть доставлено: отклонено',
  110: 'Сообщение прочитано',
  150: 'Не может быть доставлено: не найден маршрут на данный номер',
  200: 'Неправильный api_id',
  201: 'Не хватает средств на лицевом счету',
  202: 'Неправильно указан номер телефона получателя, либо на него нет маршрута',
  203: 'Нет текста сообщения',
  204: 'Имя отправителя не согласовано с администрацией',
  205: 'Сообщение слишком длинное',
  206: 'Будет превышен или уже превышен лимит на отправку сообщений',
  207: 'На этот номер нет маршрута для доставки сообщений',
  208: 'Параметр time указан неправильно',
  209: 'Вы добавили этот номер (или один из номеров) в стоп-лист',
  211: 'Метод не найден',
  212: 'Текст сообщения необходимо передать в кодировке UTF-8',
  213: 'Указано слишком много номеров в списке получателей',
  220: 'Сервис временно недоступен, попробуйте чуть позже',
  302: 'Пользователь авторизован, но аккаунт не подтвержден',
  500: 'Ошибка в запросе или на сервере. Повторите запрос.',
};

export const OK = 100;
export const MISSING = -1;
export const WRONG_KEY = 200;
export const NO_TEXT = 203;
export const WRONG_NUMBER = 202;
export const TOO_MANY_NUMBERS = 213;
export const WRONG_TIME = 208;
export const NO_METHOD = 211;
export const UNAVAILABLE = 220;
export const OTHER = 500;

/** Failures that have a status of their own. */
const FAILURES: Record<string, number> = {
  expired: 104,
  deleted: 105,
  stopped: 105,
  absent_subscriber: 106,
  memory_full: 106,
  rejected: 108,
  rejected_sender: 108,
  content_rejected: 108,
  blocked: 108,
  no_route: 150,
  landline: 150,
};
const UNKNOWN_FAILURE = 107;
const STATUSES: Record<string, number> = { processing: 101, sent: 102, delivered: 103, seen: 110 };

/** The number of a status. */
export function smsruStatus(status: string, code: string | null): number {
  if (status === 'failed') return FAILURES[code ?? ''] ?? UNKNOWN_FAILURE;
  return STATUSES[status] ?? OK;
}

const BY_CODE: Record<string, number> = {
  unauthorized: WRONG_KEY,
  address_not_allowed: WRONG_KEY,
  forbidden: WRONG_KEY,
  insufficient_funds: 201,
  spend_cap_reached: 206,
  invalid_recipient: WRONG_NUMBER,
  no_recipients: WRONG_NUMBER,
  landline: 207,
  no_price: 207,
  blacklisted: 209,
  unsubscribed: 209,
  frequency_cap_reached: 209,
  sender_not_approved: 204,
  too_long: 205,
  phone_not_confirmed: 302,
  account_inactive: 302,
  rate_limited: UNAVAILABLE,
  not_found: NO_METHOD,
};
const BY_FIELD: Record<string, number> = {
  recipient: WRONG_NUMBER,
  'payload.sender': 204,
  'payload.text': 205,
  'schedule.delay': WRONG_TIME,
  sendAt: WRONG_TIME,
};

/** The number of a refusal by its code and by the field that it is about. */
export const smsruRefusal = (code: string, field: string): number =>
  BY_FIELD[field] ?? BY_CODE[code] ?? OTHER;
