import { parseOperationAmount, type OperationReason } from './bulk-operations.ts';
import { cutText } from './cut-text.ts';
import { parseBoolean } from './field-types.ts';
import { foldText } from './fold-text.ts';
import { restoreCell } from './formulas.ts';
import { stripInvisible } from './invisible.ts';
import { moneyToNumber, type Money } from './money.ts';
import { isUuid } from './recipients.ts';
import { isTimeZone } from './time-zones.ts';
import { SENDING_TYPES, type SendingType } from './types.ts';

/** The columns of a file of changes: the account, and what may change in it. */
export const ACCOUNT_FILE_FIELDS = [
  'account',
  'tariff',
  'overdraft',
  'types',
  'sendernamesCheck',
  'lookupDays',
  'manager',
  'isTest',
  'day',
  'month',
  'timeZone',
  'suspension',
] as const;
export type AccountFileField = (typeof ACCOUNT_FILE_FIELDS)[number];

/** Why a cell of such a file is refused, and with it the row. */
export const ACCOUNT_FILE_REASONS = [
  'no_account',
  'unknown_account',
  'ambiguous_account',
  'repeated_account',
  'forbidden',
  'formula',
  'too_long',
  'not_cleared',
  'number',
  'ambiguous_number',
  'decimals',
  'too_big',
  'overdraft_used',
  'types',
  'not_granted',
  'yes_no',
  'time_zone',
  'unknown_tariff',
  'ambiguous_tariff',
  'unknown_manager',
  'ambiguous_manager',
  'text',
] as const;
export type AccountFileReason = (typeof ACCOUNT_FILE_REASONS)[number];

/** Headers in the languages of the cabinet, folded, without punctuation. */
const HEADERS: Record<AccountFileField, string> = {
  account:
    'account,account id,accountid,ownerid,owner id,user,userid,user id,username,user name,login,customer,client,email,e mail,mail,id,' +
    'аккаунт,id аккаунта,пользователь,имя пользователя,логин,клиент,почта,эл почта,электронная почта,' +
    'cuenta,id de cuenta,usuario,nombre de usuario,cliente,correo,correo electronico,conta,id da conta,utilizador,nome de usuario,' +
    'compte,id du compte,utilisateur,nom d utilisateur,konto,konto id,kontoid,benutzer,benutzername,kunde,utente,nome utente,id account',
  tariff: 'tariff,tariffs,price plan,plan,тариф,тарифный план,tarifa,tarifas,tarif,tarife,tariffa',
  overdraft:
    'overdraft,credit,credit limit,овердрафт,кредит,кредитный лимит,descubierto,limite de credito,limite de crédito,credito,' +
    'decouvert,uberziehung,uberziehungsrahmen,dispo,scoperto,fido',
  types:
    'types,message types,allowed types,allowed message types,channels,типы,типы сообщений,разрешенные типы,разрешенные типы сообщений,каналы,' +
    'tipos,tipos de mensaje,tipos de mensaje permitidos,tipos de mensagem,tipos de mensagem permitidos,types de messages,types de messages autorises,' +
    'typen,nachrichtentypen,erlaubte nachrichtentypen,tipi,tipi di messaggio,tipi di messaggio consentiti',
  sendernamesCheck:
    'sendernamescheck,sender names required for,sender name required,sender name check,approved sender names,' +
    'имя отправителя обязательно для,проверка имен,проверка имени отправителя,одобренные имена,' +
    'nombre de remitente obligatorio para,remitente obligatorio,nome do remetente obrigatorio para,remetente obrigatorio,' +
    'nom d expediteur obligatoire pour,expediteur obligatoire,absendername pflicht fur,absenderprufung,nome mittente obbligatorio per,mittente obbligatorio',
  lookupDays:
    'lookupdays,look up days,lookup days,route by look ups for days,days of look ups,дни запросов hlr,дни hlr,маршруты по hlr дней,' +
    'dias de consultas hlr,dias hlr,jours hlr,jours de consultations hlr,hlr tage,tage der hlr abfragen,giorni hlr,giorni delle consultazioni hlr,dias de consulta hlr',
  manager:
    'manager,managerid,account manager,менеджер,gestor,gestora,gerente,gestionnaire,kundenbetreuer,betreuer,responsabile',
  isTest:
    'test,istest,test account,тест,тестовый,тестовый аккаунт,prueba,cuenta de prueba,teste,conta de teste,compte de test,testkonto,prova,account di prova',
  day:
    'day,cap per day,spend cap per day,daily cap,daily limit,limit per day,лимит в день,лимит расходов в день,дневной лимит,' +
    'tope diario,tope de gasto al dia,limite diario,limite de gastos por dia,plafond par jour,plafond de depenses par jour,' +
    'tageslimit,ausgabenlimit pro tag,limite giornaliero,limite di spesa al giorno',
  month:
    'month,cap per month,spend cap per month,monthly cap,monthly limit,limit per month,лимит в месяц,лимит расходов в месяц,месячный лимит,' +
    'tope mensual,tope de gasto al mes,limite mensal,limite de gastos por mes,plafond par mois,plafond de depenses par mois,' +
    'monatslimit,ausgabenlimit pro monat,limite mensile,limite di spesa al mese',
  timeZone:
    'timezone,time zone,time zone of caps,часовой пояс,часовой пояс лимитов,zona horaria,fuso horario,fuseau horaire,zeitzone,fuso orario',
  suspension:
    'suspension,suspend,suspension reason,reason,reason of the suspension,приостановка,причина,причина приостановки,блокировка,причина блокировки,' +
    'motivo,motivo de la suspension,motivo da suspensao,suspensao,motif,motif de la suspension,sperre,sperrgrund,grund,grund der sperre,' +
    'sospensione,motivo della sospensione',
};

/** How types are named, apart from the API: as in the cabinet, folded, without punctuation. */
const TYPE_NAMES: Partial<Record<SendingType, string>> = {
  smsping: 'sms ping,sms пинг,ping sms',
  voice: 'voice call,call,звонок,голос,llamada,appel,chiamata,chamada,sprachanruf,anruf',
  email: 'e mail,почта,correo',
  chat_telegram: 'telegram chat,чат telegram,chat de telegram,chat do telegram',
  chat_vk: 'vk chat,чат vk,chat de vk,chat do vk',
  chat_ok: 'ok chat,чат ok,chat de ok,chat do ok',
  chat_facebook: 'facebook chat,чат facebook,chat de facebook,chat do facebook',
  chat_instagram: 'instagram chat,чат instagram,chat de instagram,chat do instagram',
  chat_whatsapp: 'whatsapp chat,чат whatsapp,chat de whatsapp,chat do whatsapp',
  telegramcode:
    'telegram code,код в telegram,codigo por telegram,codigo no telegram,code telegram,codice telegram',
};

const MAX_HEADER_LENGTH = 100;
/** No username and no e-mail is longer. */
const MAX_NAME_LENGTH = 254;
const MAX_TYPES_LENGTH = 500;

const keyOf = (text: string): string =>
  foldText(stripInvisible(text))
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

const fields = /* @__PURE__ */ tableOf(ACCOUNT_FILE_FIELDS, HEADERS);
const types = /* @__PURE__ */ tableOf(SENDING_TYPES, TYPE_NAMES);

function tableOf<Name extends string>(
  names: readonly Name[],
  words: Partial<Record<Name, string>>,
): Map<string, Name> {
  return new Map(
    names.flatMap((name) =>
      [name, ...(words[name]?.split(',') ?? [])].map((word) => [keyOf(word), name] as const),
    ),
  );
}

/** The field that a header names; null for a column that is not read. A currency behind it is left out: `Overdraft, EUR`. */
export function accountFileField(header: string): AccountFileField | null {
  if (header.length > MAX_HEADER_LENGTH) return null;
  const key = keyOf(header);
  return fields.get(key) ?? fields.get(key.replace(/ \p{L}{3}$/u, '')) ?? null;
}

export interface AccountFileColumns {
  /** The first column of each field. */
  columns: Partial<Record<AccountFileField, number>>;
  /** Headers of the other columns. */
  unread: string[];
}

/** The columns of a header; null for a row that names no account, or nothing to be changed. */
export function accountFileColumns(cells: readonly string[]): AccountFileColumns | null {
  const columns: AccountFileColumns['columns'] = {};
  const unread: string[] = [];
  for (const [at, cell] of cells.entries()) {
    const field = accountFileField(cell);
    if (field && columns[field] === undefined) columns[field] = at;
    else if (plain(cell)) unread.push(cutText(plain(cell), MAX_HEADER_LENGTH));
  }
  return columns.account !== undefined && Object.keys(columns).length > 1
    ? { columns, unread }
    : null;
}

/** What the cells of a row say. Absent is left as it is; null is cleared. */
export interface AccountFileValues {
  /** Title or id. */
  tariff?: string | null;
  overdraft?: number;
  types?: SendingType[] | null;
  sendernamesCheck?: SendingType[] | null;
  lookupDays?: number | null;
  /** Username, e-mail or id. */
  manager?: string | null;
  isTest?: boolean;
  day?: number | null;
  month?: number | null;
  timeZone?: string;
  /** The reason; null ends the suspension. */
  suspension?: string | null;
}

export interface AccountFileError {
  field: AccountFileField;
  reason: AccountFileReason;
}

export interface AccountFileRow {
  /** Username, e-mail or id, as written; cut, if it is too long for one. */
  account: string;
  values: AccountFileValues;
  errors: AccountFileError[];
}

/** The greatest values that the fields of an account take, and the longest reason of a suspension. */
export interface AccountFileLimits {
  amount: Money;
  lookupDays: number;
  reason: number;
}

/** What clears a value; an empty cell leaves it. */
const CLEAR = /^[-−–—]$/;
/** The fields that can be cleared. */
const CLEARED: readonly AccountFileField[] = [
  'tariff',
  'types',
  'sendernamesCheck',
  'lookupDays',
  'manager',
  'day',
  'month',
  'suspension',
];

type Read = { value: AccountFileValues[keyof AccountFileValues] } | { reason: AccountFileReason };
const read = (value: AccountFileValues[keyof AccountFileValues]): Read => ({ value });
const refused = (reason: AccountFileReason): Read => ({ reason });

/**
 * A row below the header. `formulas` are the columns with a formula: its value is that of the last time when the file was saved, so
 * that it is refused, and so is a text that would be one.
 */
export function parseAccountFileRow(
  cells: readonly string[],
  formulas: readonly number[],
  { columns }: Pick<AccountFileColumns, 'columns'>,
  limits: AccountFileLimits,
): AccountFileRow {
  const row: AccountFileRow = { account: '', values: {}, errors: [] };
  for (const field of ACCOUNT_FILE_FIELDS) {
    const at = columns[field];
    if (at === undefined) continue;
    const cell = cells[at] ?? '';
    const text = plain(cell);
    const isFormula = formulas.includes(at) || cell.trimStart().startsWith('=');
    if (field === 'account') row.account = cutText(nameOf(text), MAX_NAME_LENGTH);
    const reason = isFormula ? 'formula' : field === 'account' ? accountFault(text) : null;
    if (reason) row.errors.push({ field, reason });
    if (reason || field === 'account' || !text) continue;
    const found = valueOf(field, text, limits);
    if ('reason' in found) row.errors.push({ field, reason: found.reason });
    else Object.assign(row.values, { [field]: found.value });
  }
  return row;
}

function accountFault(text: string): AccountFileReason | null {
  if (!text) return 'no_account';
  return text.length > MAX_NAME_LENGTH ? 'unknown_account' : null;
}

function valueOf(field: keyof AccountFileValues, text: string, limits: AccountFileLimits): Read {
  if (CLEAR.test(text)) return CLEARED.includes(field) ? read(null) : refused('not_cleared');
  switch (field) {
    case 'tariff':
    case 'manager':
      return within(nameOf(text), MAX_NAME_LENGTH);
    case 'suspension':
      return within(text, limits.reason);
    case 'types':
    case 'sendernamesCheck':
      return typesOf(text);
    case 'overdraft':
    case 'day':
    case 'month':
      return amountOf(text, limits.amount);
    case 'lookupDays':
      return daysOf(text, limits.lookupDays);
    case 'isTest': {
      const is = parseBoolean(text);
      return is === null ? refused('yes_no') : read(is === 'true');
    }
    case 'timeZone':
      return isTimeZone(text) ? read(text) : refused('time_zone');
  }
}

/** Ids are in lower case. */
const nameOf = (text: string) => (isUuid(text) ? text.toLowerCase() : text);

const within = (text: string, max: number): Read =>
  text.length > max ? refused('too_long') : read(text);

/** `SMS, Viber; voice call`, each once. */
function typesOf(text: string): Read {
  if (text.length > MAX_TYPES_LENGTH) return refused('types');
  const named = text.split(/[,;|]/).map(keyOf).filter(Boolean);
  const found = named.map((name) => types.get(name));
  if (!found.length || found.includes(undefined)) return refused('types');
  return read(SENDING_TYPES.filter((type) => found.includes(type)));
}

const OF_AMOUNT: Partial<Record<OperationReason, AccountFileReason>> = {
  ambiguous_amount: 'ambiguous_number',
  decimals: 'decimals',
  too_big: 'too_big',
};

function amountOf(text: string, max: Money): Read {
  const amount = parseOperationAmount(text, max);
  if (amount === 'zero') return read(0);
  if (typeof amount === 'string') return refused(OF_AMOUNT[amount] ?? 'number');
  return amount < 0n ? refused('number') : read(moneyToNumber(amount));
}

function daysOf(text: string, max: number): Read {
  if (!/^\d{1,9}$/.test(text)) return refused('number');
  return Number(text) > max ? refused('too_big') : read(Number(text));
}

/** Without control characters, and without the apostrophe that exports put before a formula. */
function plain(cell: string): string {
  return restoreCell(cell)
    .replace(/[\p{Cc}\ufeff\ufffe\uffff]+/gu, ' ')
    .toWellFormed()
    .trim();
}
