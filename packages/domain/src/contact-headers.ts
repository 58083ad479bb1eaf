import type { ContactVariable } from './variables.ts';

/** Content of an import column: a field of a contact, its tags, or all names of a person in one cell (`fullName`). */
export type ContactField = ContactVariable | 'fullName' | 'tags';

/** Longer headers are not recognized. */
const MAX_HEADER_LENGTH = 100;

/**
 * Known column headers in Russian, English, Spanish, German, French, Portuguese and Italian, and of exports of Google Contacts,
 * Outlook, 1C, amoCRM and Bitrix24. Of dates, `date` as the API writes it is the birthday, unless another column is: `Дата`, `Date` or `Fecha` may be that of anything. If several columns match one field, the earliest line of this table wins: a mobile phone over
 * a work phone. Case, accents, ё or е, spaces and punctuation are ignored.
 */
const HEADERS: [field: ContactField, ...lines: string[]][] = [
  [
    'phone',
    `телефон для рассылок, телефон переносной, переносной телефон, мобильный, моб, моб номер, моб тел, моб телефон, тел моб, телефон моб, мобильный телефон, телефон мобильный,
     мобильный номер, номер мобильного, номер мобильного телефона, личный мобильный, сотовый, сот тел, сотовый телефон, телефон сотовый,
     номер сотового, mobile, mobile phone, mobile number, mobile phone number, mobile telephone, mobile no, phone mobile, primary mobile,
     cell, cell phone, cell number, cellular, msisdn, móvil, teléfono móvil, tel móvil, número de móvil, celular, teléfono celular,
     número de celular, mobil, mobiltelefon, mobilnummer, mobilfunk, mobilfunknummer, mobiltelefonnummer, telefon mobil, handy, handynummer,
     portable, téléphone portable, tél portable, numéro de portable, téléphone mobile, tél mobile, gsm, telemóvel, telefone celular, n° de portable, no de portable, numéro de mobile, telefonnummer mobil, número de teléfono móvil, numero di telefono cellulare,
     мобильный телефон контактного лица, мобильный телефон клиента, whatsapp, viber,
     whatsapp номер, whatsapp nummer, número whatsapp, número de whatsapp, numéro whatsapp, numero whatsapp, sms phone, mobile sms, sms номер, sms nummer, número sms, numéro sms, numero sms,
     мобильный для sms, мобильный для смс, numero cell, num cell, gsm nr, n gsm, numéro gsm, numero gsm, recapito cellulare,
     telefone móvel, número de celular, número de telemóvel, cellulare, telefono cellulare, numero di cellulare, telefono mobile, telefonino, sms phone number, sms number, whatsapp number,
     номер whatsapp, номер для sms, номер для смс, телефон для sms, телефон для смс, мобильный тел, сот, сот номер, сотовый номер, номер сотового телефона, phone cell, cell no,
     mobilnr, mobilfunknr, handynr, tel mobil, n cellulare, nr cellulare, numero cellulare, tel cell, telefono cell, n móvil, no móvil, no de móvil, número móvil, tlf móvil, telf móvil, cel,
     n celular, no celular, número do celular, fone celular, n telemóvel, no telemóvel, no de telemóvel, número do telemóvel, telem, tlm, n portable, no portable, n mobile, no mobile,
     numéro portable, numéro mobile, numéro de téléphone mobile, numéro de téléphone portable`,
    `телефон, ваш телефон, ваш номер телефона, телефон обязательно, телефон контактного лица, телефон физ лица, телефон контрагента, телефон покупателя, телефон заказчика,
     телефон получателя, телефон абонента, телефон подписчика, контактные телефоны, тел факс, телефон факс, основной номер, mailing phone, newsletter phone, user phone, client phone,
     billing phone, shipping phone, default address phone, номер телефона, телефонный номер, тел, тел номер, контактный телефон, телефон контакта, телефон клиента,
     контактный номер, основной телефон, телефоны, номер абонента, абонент, phone, phone number, phone no, phone value, primary phone,
     main phone, contact phone, contact number, customer phone, tel, tel no, telephone, telephone number, teléfono,
     número de teléfono, teléfono de contacto, teléfono principal, telefon, telefonnummer, telefonnr, tel nr, rufnummer,
     haupttelefon, téléphone, tél, numéro de téléphone, n° de téléphone, no de téléphone, téléphone principal, telefone, fone,
     número de telefone, telefone principal, telefone de contato, telefone de contacto, telefono, numero di telefono,
     telefono principale, recapito telefonico, контактный номер телефона, номер тел, contact no, telephone no, phones, phone numbers, tfno, tlf, telf, teléf, n teléfono, no teléfono,
     no de teléfono, n tel, no tel, num tel, n de tél, no de tél, num telefono, numero telefono, n telefone, no telefone, no de telefone, contacto telefónico, rufnr,
     no тел, тел no, no телефона, телефон no, recapito`,
    `рабочий телефон, телефон рабочий, рабочий прямой телефон, прямой телефон, служебный телефон, телефон раб, домашний телефон,
     телефон домашний, телефон дом, городской телефон, другой телефон, work phone, phone work, business phone, office phone, home phone,
     phone home, private phone, other phone, phone other, teléfono del trabajo, teléfono de trabajo, teléfono trabajo, teléfono de oficina,
     teléfono particular, teléfono de casa, teléfono casa, teléfono fijo, otro teléfono, telefon geschäftlich, geschäftstelefon,
     diensttelefon, telefon dienstlich, telefon privat, festnetz, festnetznummer, weiteres telefon, téléphone bureau, tél bureau,
     téléphone professionnel, téléphone travail, téléphone domicile, tél domicile, téléphone fixe, autre téléphone, telefone comercial,
     telefone do trabalho, telefone residencial, telefone de casa, telefone fixo, outro telefone, telefono ufficio, telefono lavoro,
     telefono casa, telefono abitazione, telefono fisso, altro telefono, telefono uff, tel ufficio, ufficio, abitazione, téléphone autre, número de teléfono particular,
     número de teléfono del trabajo, teléfono oficina, company main phone, work direct phone, landline, landline number, particular,
     доп телефон, дополнительный телефон, второй телефон, additional phone, second phone, secondary phone, alternate phone, alternative phone, teléfono adicional, segundo teléfono,
     zweites telefon, téléphone secondaire, telefone adicional, segundo telefone, secondo telefono`,
    `номер, number, número, numéro, numero, nummer, sms`,
  ],
  [
    'email',
    `e-mail для рассылок, ваш email, эл почта адрес, электронная почта контрагента, электронная почта клиента, email покупателя, email заказчика, email обязательно,
     newsletter email, electronic mail, email principal, user email, client email, billing email, dirección del correo electrónico, endereço de correio eletrónico,
     endereço de correio electrónico, correio electrónico, email, mail, emails, email id, newsletters email, emailadressen, correo e, adresse courriel, endereço eletrônico, endereço eletrónico, email address, email value, primary email, contact email, customer email, почта, эл почта, емейл,
     имейл, имэйл, мейл, эл адрес, электронный адрес, электронная почта, адрес электронной почты, адрес эл почты, email адрес,
     почта контакта, email контакта, email клиента, correo, correo electrónico, dirección de correo, dirección de correo electrónico,
     dirección de email, emailadresse, mailadresse, courriel, mél, adresse email, adresse mail, adresse de messagerie,
     adresse électronique, endereço de email, correio eletrónico, correio eletrônico, posta elettronica, indirizzo email,
     indirizzo mail, indirizzo posta elettronica, indirizzo di posta elettronica`,
    `рабочий email, email рабочий, рабочая почта, личный email, email личный, личная почта, частный email, другой email, work email,
     email work, business email, home email, email home, personal email, private email, priv email, other email, email other, correo electrónico del trabajo,
     correo electrónico privado, correo electrónico personal, email geschäftlich, email privat, email professionnel, email personnel, email aziendale, email personale, email comercial,
     email pessoal, secondary email, alternate email, alternate email address, pec, emailadresse privat, emailadresse geschäftlich, adresse email personnelle, adresse email professionnelle, второй email, дополнительный email`,
  ],
  [
    'firstName',
    `имя, ваше имя, имя клиента, имя покупателя, имя заказчика, billing first name, shipping first name, customer first name, contact first name, first name, given name, forename, christian name, nombre de pila, primer nombre, nombres, vorname, prénom,
     primeiro nome, nome próprio, primo nome, nome di battesimo, first, forenames, given names, vorname kunde, prénom du client`,
    `name, nombre, nome, nom`,
  ],
  [
    'lastName',
    `фамилия, ваша фамилия, фамилия клиента, фамилия контакта, фамилия покупателя, billing last name, shipping last name, customer last name, contact last name, last name, surname, family name, apellido, apellidos, primer apellido, nachname, familienname, zuname, nom de famille,
     sobrenome, apelido, apelidos, último nome, cognome, last, surnames, apellido paterno`,
  ],
  [
    'middleName',
    `отчество, второе имя, ваше отчество, отчество клиента, отчество контакта, middle name, second name, patronymic, patronymic name, patronyme, patronímico,
     vatersname, additional name, segundo nombre, weitere vornamen, zweiter vorname, deuxième prénom,
     segundo nome, nome do meio, secondo nome`,
  ],
  [
    'fullName',
    `фио, ваше фио, фио клиента, фио контакта, фио контактного лица, фио покупателя, фио заказчика, фио получателя, название контакта, имя и отчество, фамилия имя отчество, фамилия и имя, фамилия имя, fio, full name, полное имя, полное имя контакта, имя и фамилия, имя фамилия, имя контакта,
     contact name, customer name, display name, first and last name, nombre completo, nombre y apellidos, nombre y apellido,
     apellidos y nombre, vollständiger name, voller name, vor und nachname, vorname und nachname, vorname nachname, name vorname,
     nachname vorname, nom complet, nom et prénom, prénom et nom, nom prénom, nome completo, nome e sobrenome, nome e cognome,
     cognome e nome, nome cognome, cognome nome, nominativo, фамилия и о, kundenname, name des kunden, prénom nom, apellidos nombre, apellidos nombres, apellidos y nombres, nombres y apellidos, vorname name, nombre cliente, nombre del cliente, nom client,
     nom du client, nome cliente, nome do cliente, nome del cliente, nome e apelido`,
    `контактное лицо, контакт, основной контакт, клиент, покупатель, получатель, заказчик, kunde, kontakt, kontaktperson, ansprechpartner, cliente, contacto, contatto, contato,
     persona de contacto, persona di contatto, pessoa de contato, name des kontakts, nom du contact, nombre del contacto, nome do contato, nome del contatto, физическое лицо, физлицо, контрагент, наименование, client, customer, contact`,
  ],
  [
    'date',
    `дата рождения, день рождения, рождение, дата рожд, день рожд, дата рождения клиента, др, birthday, birth, birth date, date birth,
     date of birth, day of birth, dob, bday, bdate, born, born on, дата рождения контакта, дата рождения покупателя, ваша дата рождения, fecha de nacimiento, fecha nacimiento, fecha de nac, fecha nac, día de nacimiento,
     cumpleaños, fecha de cumpleaños, nacimiento, geburtstag, geburtsdatum, geburt, datum der geburt, geboren, geboren am, geb, geb am, geb datum,
     date de naissance, date naissance, jour de naissance, date naiss, né le, née le, né(e) le, anniversaire, date anniversaire,
     date d’anniversaire, naissance, data de nascimento, data nascimento, dia de nascimento, data de nasc, data nasc, dt nascimento, dt nasc,
     data de aniversário, birthday date, user birthday, nascimento, data di nascita, data nascita, giorno di nascita, nato il, nata il, nato/a il, compleanno,
     data di compleanno, nascita, geb dat, geburtsdat, f nacimiento, f nac, fecha nacim, date de naiss, ddn, d nascimento, nasc, data di nasc`,
    `aniversário`,
  ],
  [
    'gender',
    `пол, ваш пол, пол клиента, пол контакта, gender, sex, género, sexo, geschlecht, sexe, genre, gênero, sesso, genere`,
  ],
  [
    'tags',
    `теги, тег, тэги, тэг, теги клиента, теги контакта, tags, tag, contact tags, customer tags, schlagwörter, schlagwort, étiquettes, étiquette, etiquetas,
     etiqueta, etichette, etichetta, marcadores`,
    `метки, метка, ярлыки, ярлык, labels, label`,
  ],
];

/** Latin headers of full names that begin with the family name. Cyrillic ones do, unless they begin with the first name. */
const FAMILY_FIRST =
  /^(?:fio|apellidos|namevorname|nachnamevorname|nomet?prenom|nomprenom|cognome)/;
const CYRILLIC_FIRST_NAME = /^(?:полное)?имя/;

/** How a date or a gender is to be typed: `(дд.мм.гггг)`, `(M/F)`. */
const HINT = /\([dmyjagtfhwдмгж]{1,4}[./-][dmyjagtfhwдмгж./-]{1,9}\)/;
/** Whose field it is: `Guest phone`, `Телефон пациента`, `Person - Email`. */
const OF_PERSON =
  /^(?:customer|client[ea]?|kunden?|contact|contato|contatto|contacto|member|guest|gast|patiente?n?|pa[cz]iente|buyer|attendee|invitee|subscriber|recipient|student|billing|shipping|person|клиент|покупатель|контрагент|лид|lead)|(?:billing|shipping|клиента|гостя|пациента|ученика|студента|участника|посетителя|покупателя|заказчика|получателя|подписчика|абонента|контрагента|(?:d[eou]l?|della|des)?(?:client[ea]?|kunden?|contact|contacto|contatto|contato|gast(?:es)?|patient(?:en)?|pa[cz]iente))$/;
/** Before a field in exports of several tables, and behind one that needs not be filled in. */
const TABLE =
  /^\s*(?:контакт|contact|контрагент|клиент|покупатель|лид|lead|client|cliente|kunde)\s?[:.]\s?(?=\p{L})/u;
const NOTE =
  /\((?:при наличии|если есть|обязательно|необязательно|полностью|required|mandatory|optional|if any|opcional|obligatorio|obrigatório|opzionale|obbligatorio|facultatif|obligatoire|pflichtfeld|erforderlich)\)/;

interface HeaderMatch {
  field: ContactField;
  /** Line of the table, from 0. */
  rank: number;
}

const known = /* @__PURE__ */ tableOf();

function tableOf(): Map<string, HeaderMatch> {
  const table = new Map<string, HeaderMatch>();
  for (const [field, ...lines] of HEADERS) {
    lines.forEach((line, rank) => {
      for (const header of line.split(',')) table.set(keyOf(header), { field, rank });
    });
  }
  return table;
}

/** Lookup key of a header: letters and digits in lower case, without accents (`ё` as `е`, `й` as `и`) and without the suffix of amoCRM. */
function keyOf(header: string): string {
  return header
    .toLowerCase()
    .replace(/\((?:основной )?контакта?\)|\(contact\)/, '')
    .replace(TABLE, '')
    .replace(NOTE, '')
    .replace(HINT, '')
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+|\p{Lm}+/gu, '');
}

/** Not a number, a date or a contact of any kind: `Customer number`, `Contact date`. */
const isCertain = ({ field, rank }: HeaderMatch) =>
  field === 'email' || rank < (field === 'phone' ? 3 : 1);

interface NumberedMatch extends HeaderMatch {
  /** Number in the header: `Phone 2` is weaker than `Phone 1` and `Phone`. */
  number: number;
}

function matchHeader(header: string): NumberedMatch | null {
  if (header.length > MAX_HEADER_LENGTH) return null;
  // The name of the field; `Date` is a date of anything.
  if (header.trim() === 'date') return { field: 'date', rank: 1, number: 1 };
  const key = keyOf(header);
  const custom = /^(?:custom|поле|field|campo|feld|champ)(?:0?([1-9])|(1\d|20))$/.exec(key);
  if (custom) {
    const name = `custom${(custom[1] ?? custom[2]!).padStart(2, '0')}`;
    return { field: name as ContactField, rank: 0, number: 1 };
  }
  const whole = known.get(key);
  if (whole) return { ...whole, number: 1 };
  const own = known.get(key.replace(OF_PERSON, ''));
  const isName = own?.field === 'firstName' && own.rank > 0;
  if (own && (isName || isCertain(own)))
    return isName ? { field: 'fullName', rank: 0, number: 1 } : { ...own, number: 1 };
  // `Phone 1 - Value`, `E-mail 2 Address`.
  const digits = /\d+/.exec(key)?.[0] ?? '';
  if (!digits || digits.length > 2) return null;
  const bare = known.get(key.replace(digits, ''));
  return bare ? { ...bare, number: Number(digits) } : null;
}

/**
 * The contact field of a column by its header alone; null if the column is to be skipped.
 * `contactField('Номер телефона')` is 'phone', `contactField('custom_1')` is 'custom01'.
 */
export function contactField(header: string): ContactField | null {
  return matchHeader(header)?.field ?? null;
}

/** Headers that mean the family name next to a column `Vorname` or `Prénom`. */
const FAMILY_NAME_NEXT_TO: Record<string, string[]> = { name: ['vorname'], nom: ['prenom'] };

/**
 * The contact fields of all columns of a table by their headers; null for columns to skip. Each field is assigned to one column at
 * most: the best match (mobile before work, first before second), otherwise the first. `Name` is the first name next to a last
 * name, the last name next to `Vorname`, skipped next to both, and otherwise the full name.
 */
export function contactFields(headers: readonly string[]): (ContactField | null)[] {
  const resolved = matchHeaders(headers);
  const best = new Map<ContactField, number>();
  resolved.forEach((one, i) => {
    const before = one && best.get(one.field);
    if (one && (typeof before !== 'number' || weight(one) < weight(resolved[before]!)))
      best.set(one.field, i);
  });
  return resolved.map((one, i) => (one && best.get(one.field) === i ? one.field : null));
}

/** The columns of phones (or e-mails), the best first: a contact without the first has that of the next. */
export function columnsOfField(headers: readonly string[], field: 'phone' | 'email'): number[] {
  return matchHeaders(headers)
    .flatMap((one, column) => (one?.field === field ? [{ column, weight: weight(one) }] : []))
    .sort((a, b) => a.weight - b.weight)
    .map(({ column }) => column);
}

const weight = ({ rank, number }: NumberedMatch) => rank * 100 + number;

function matchHeaders(headers: readonly string[]): (NumberedMatch | null)[] {
  const found = headers.map(matchHeader);
  const isBare = (one: NumberedMatch | null) => one?.field === 'firstName' && one.rank > 0;
  const has = (field: ContactField) => found.some((one) => one?.field === field && !isBare(one));
  const keys = headers.map((header) => (header.length > MAX_HEADER_LENGTH ? '' : keyOf(header)));
  return found.map((one, i): NumberedMatch | null => {
    if (!isBare(one)) return one;
    const family = FAMILY_NAME_NEXT_TO[keys[i]!]?.some((other) => keys.includes(other));
    if (has('lastName')) return has('firstName') ? null : one;
    return { ...one!, field: family ? 'lastName' : 'fullName' };
  });
}

/** Whether full names in a column begin with the family name, by its header: true for `ФИО` and `Nom et prénom`, false for `Полное имя` and `Full name`. */
export function isFamilyFirst(header: string): boolean {
  const key = header.length > MAX_HEADER_LENGTH ? '' : keyOf(header);
  return /\p{Script=Cyrillic}/u.test(key) ? !CYRILLIC_FIRST_NAME.test(key) : FAMILY_FIRST.test(key);
}
