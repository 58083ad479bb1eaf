import { describe, expect, it } from 'vitest';
import {
  contactField,
  contactFields,
  isFamilyFirst,
  type ContactField,
} from './contact-headers.ts';
import { findSuperlinear } from './testing/complexity.ts';

/** Headers of real files, by program or language; `null` is skipped. */
const REAL: [from: string, field: ContactField | null, headers: string[]][] = [
  ['Google Contacts', 'phone', ['Phone 1 - Value', 'Phone 2 - Value']],
  ['Google Contacts', 'email', ['E-mail 1 - Value', 'E-mail 2 - Value']],
  ['Google Contacts', 'firstName', ['First Name', 'Given Name', 'Name']],
  ['Google Contacts', 'lastName', ['Last Name', 'Family Name']],
  ['Google Contacts', 'middleName', ['Middle Name', 'Additional Name']],
  ['Google Contacts', 'date', ['Birthday']],
  ['Google Contacts', 'gender', ['Gender']],
  ['Google Contacts', 'tags', ['Labels']],
  [
    'Google Contacts',
    null,
    [
      'Phone 1 - Type',
      'Phone 1 - Label',
      'E-mail 1 - Label',
      'Yomi Name',
      'Phonetic First Name',
      'Nickname',
      'Notes',
      'Photo',
    ],
  ],
  [
    'Outlook',
    'phone',
    [
      'Mobile Phone',
      'Home Phone',
      'Business Phone',
      'Business Phone 2',
      'Primary Phone',
      'Other Phone',
    ],
  ],
  ['Outlook', 'email', ['E-mail Address', 'E-mail 2 Address', 'E-mail 3 Address']],
  [
    'Outlook',
    null,
    ['Business Fax', 'E-mail Type', 'E-mail Display Name', 'Pager', 'Title', 'Suffix', 'Company'],
  ],
  [
    'Outlook, German',
    'phone',
    ['Mobiltelefon', 'Telefon geschäftlich', 'Telefon (privat)', 'Weiteres Telefon'],
  ],
  ['Outlook, German', 'email', ['E-Mail-Adresse', 'E-Mail 2: Adresse']],
  ['Outlook, German', 'middleName', ['Weitere Vornamen']],
  ['Outlook, French', 'phone', ['Tél. mobile', 'Téléphone (bureau)', 'Téléphone (domicile)']],
  ['Outlook, French', 'email', ['Adresse de messagerie']],
  ['Outlook, Spanish', 'phone', ['Teléfono móvil', 'Teléfono del trabajo']],
  ['Outlook, Italian', 'email', ['Indirizzo posta elettronica']],
  [
    'amoCRM',
    'phone',
    [
      'Рабочий телефон (контакт)',
      'Мобильный телефон (контакт)',
      'Рабочий прямой телефон',
      'Домашний телефон',
      'Другой телефон',
    ],
  ],
  ['amoCRM', 'email', ['Рабочий email', 'Личный email (контакт)', 'Другой email']],
  ['amoCRM', 'fullName', ['Полное имя контакта', 'Полное имя', 'Основной контакт', 'Наименование']],
  ['amoCRM', 'tags', ['Теги', 'Теги контакта']],
  ['amoCRM', null, ['Ответственный', 'Факс', 'Рабочий телефон (компания)', 'ID']],
  ['Bitrix24', 'phone', ['Рабочий телефон', 'Мобильный телефон', 'Телефон для рассылок']],
  ['Bitrix24', 'email', ['Рабочий e-mail', 'Частный e-mail', 'E-mail для рассылок']],
  ['Bitrix24', 'middleName', ['Отчество', 'Второе имя']],
  ['Bitrix24', null, ['Тип контакта', 'Источник', 'Сайт', 'Корпоративный сайт']],
  [
    '1C',
    'fullName',
    ['ФИО', 'Ф.И.О.', 'Физическое лицо', 'Контрагент', 'Клиент', 'Контактное лицо', 'Покупатель'],
  ],
  [
    '1C',
    'phone',
    ['Телефон', 'Контактный телефон', 'Тел.', 'Моб. тел.', 'НомерТелефона', 'Телефон моб.'],
  ],
  ['1C', 'email', ['Адрес электронной почты', 'Эл. почта', 'Email', 'Эл. адрес']],
  ['1C', 'date', ['ДатаРождения', 'Дата рождения', 'Д/р', 'День рождения']],
  [
    '1C',
    null,
    [
      'ИНН',
      'Код',
      'Адрес',
      'Дата регистрации',
      'Пол помещения',
      'Номер договора',
      'Телефонная книга',
    ],
  ],
  [
    'Russian',
    'phone',
    [
      'Номер',
      'Номер телефона',
      'Моб',
      'Мобильный',
      'Сотовый',
      'Сотовый телефон',
      'Телефон 1',
      'телефон_2',
      'Номер мобильного',
    ],
  ],
  ['Russian', 'email', ['Почта', 'Электронная почта', 'Имейл', 'Емейл', 'E-mail']],
  ['Russian', 'fullName', ['Фамилия Имя Отчество', 'Фамилия, имя', 'Имя и фамилия', 'ФИО:']],
  ['Russian', 'gender', ['Пол', 'ПОЛ:']],
  [
    'English',
    'phone',
    [
      'phone',
      'tel',
      'telephone',
      'mobile',
      'MSISDN',
      'number',
      'Phone number',
      'Cell phone',
      'phone_number',
      'PhoneNumber',
      'Mobile No.',
    ],
  ],
  [
    'English',
    'email',
    ['email', 'e-mail', 'mail', 'email address', 'EmailAddress', 'primary_email'],
  ],
  [
    'English',
    'firstName',
    ['name', 'firstname', 'first name', 'first_name', 'FirstName', 'forename'],
  ],
  ['1C', 'phone', ['Телефон контрагента', 'Мобильный телефон контактного лица', 'Тел./факс']],
  ['Bitrix24', 'phone', ['Mailing phone', 'Newsletter phone']],
  ['Bitrix24', 'email', ['Private e-mail', 'E-Mail geschäftlich', 'Correo electrónico privado']],
  ['Bitrix24', 'middleName', ['Second name', 'Vatersname']],
  ['Kommo', 'phone', ['Teléfono oficina', 'Celular']],
  ['VK', 'date', ['bdate', 'birthday']],
  ['HubSpot', 'phone', ['Numéro de téléphone portable', 'Número do celular']],
  ['Mailchimp', 'phone', ['SMS Phone Number']],
  ['Bitrix24', 'email', ['Newsletters email']],
  ['Kommo', 'phone', ['Work direct phone']],
  ['Pipedrive', 'phone', ['Person - Phone', 'Person - Phone - Mobile']],
  ['Pipedrive', 'email', ['Person - Email - Work']],
  ['Brevo', 'phone', ['SMS', 'WHATSAPP', 'LANDLINE_NUMBER']],
  ['a shop', 'phone', ['Phone (Billing)', 'Номер телефона клиента']],
  ['a visit', 'phone', ['Телефон гостя', 'Мобильный телефон пациента', 'Attendee Phone']],
  ['a visit', 'fullName', ['ФИО пациента', 'Guest Name', 'Invitee name', 'Person - Name']],
  ['a visit', 'date', ['Дата рождения гостя', 'Дата рождения (дд.мм.гггг)', 'DOB (MM/DD/YYYY)']],
  ['a visit', 'gender', ['Пол пациента', 'Sex (M/F)', 'Пол (м/ж)']],
  ['Russian', 'phone', ['Сот.', 'Номер WhatsApp', 'Контактный номер телефона', 'Номер тел.']],
  ['German', 'phone', ['Handy-Nr.', 'Mobilnr.', 'Rufnr.']],
  ['Spanish', 'phone', ['Tfno.', 'Tlf. móvil', 'Nº de móvil', 'N.º de teléfono', 'Cel.']],
  ['French', 'phone', ['N° portable', 'N° de tél.', 'Numéro mobile']],
  ['Portuguese', 'phone', ['Nº telemóvel', 'Telem.', 'Nº de telefone', 'Fone celular']],
  ['Italian', 'phone', ['N. cellulare', 'Numero telefono', 'Telefono cell.']],
  ['a form', 'fullName', ['Kundenname', 'Nombre del cliente', 'Nom du client', 'Nome cliente']],
  ['Outlook, Russian', 'email', ['Эл. почта 2 адрес', 'Адрес эл. почты']],
  ['Outlook, French', 'phone', ['Téléphone (autre)', 'Téléphone 2 (bureau)']],
  ['Outlook, Spanish', 'phone', ['Número de teléfono particular 2', 'Número de móvil']],
  ['Outlook, Spanish', 'email', ['Dirección del correo electrónico 2']],
  ['Outlook, Italian', 'phone', ['Ufficio 2', 'Abitazione', 'Cellulare']],
  ['a shop', 'phone', ['Billing Phone', 'Телефон получателя', 'Default Address Phone']],
  ['a form', 'lastName', ['Ваша фамилия', 'Billing Last Name']],
  ['German', 'fullName', ['Kunde', 'Ansprechpartner', 'Kontakt']],
  ['Romance', 'fullName', ['Cliente', 'Contacto', 'Contatto', 'Contato', 'Nom du contact']],
  ['English', 'lastName', ['lastname', 'surname', 'family name', 'last-name']],
  ['English', 'middleName', ['middlename', 'patronymic']],
  [
    'English',
    'date',
    ['birth', 'birthday', 'birthdate', 'dob', 'date of birth', 'D.O.B.', 'Birth Date'],
  ],
  ['Russian', 'date', ['Рождение', 'День рожд.', 'Дата рожд.']],
  ['Spanish', 'date', ['Fecha nacimiento', 'Fecha de nac.', 'Día de nacimiento']],
  ['Portuguese', 'date', ['Data nascimento', 'Data nasc.', 'Dt. nasc.']],
  ['French', 'date', ['Né(e) le', 'Née le', 'Date naissance']],
  ['German', 'date', ['Geburt', 'geb.', 'Geboren am']],
  ['Italian', 'date', ['Data nascita', 'Nato/a il', 'Nata il']],
  ['English', 'gender', ['sex', 'gender']],
  ['English', 'fullName', ['Full name', 'fullName', 'Contact Name', 'Display Name', 'Customer']],
  [
    'Spanish',
    'phone',
    ['Teléfono', 'Telefono', 'Móvil', 'Celular', 'Número de teléfono', 'TELÉFONO MÓVIL'],
  ],
  [
    'Spanish',
    'email',
    ['Correo', 'Correo electrónico', 'Correo electronico', 'Dirección de correo electrónico'],
  ],
  ['Spanish', 'lastName', ['Apellidos', 'Apellido', 'Primer apellido']],
  ['Spanish', 'fullName', ['Nombre completo', 'Nombre y apellidos', 'Apellidos y nombre']],
  ['Spanish', 'date', ['Fecha de nacimiento', 'Cumpleaños']],
  ['dates of anything', null, ['Дата', 'Fecha', 'Datum', 'Data', 'Date']],
  ['Spanish', 'phone', ['Teléfono del cliente', 'Cliente: teléfono', 'CLIENTE_TELEFONO']],
  ['German', 'phone', ['Telefon Kunde', 'Kundentelefon', 'Telefon des Kunden', 'WhatsApp-Nummer']],
  ['French', 'phone', ['Téléphone du client', 'Tél. client', 'Portable client', 'N° GSM']],
  ['Portuguese', 'phone', ['Telefone do cliente', 'Celular do cliente', 'Telefone adicional']],
  ['Italian', 'phone', ['Telefono del cliente', 'Cellulare cliente', 'Numero cell.', 'Recapito']],
  ['Russian', 'phone', ['№ тел.', 'Тел. №', 'Мобильный для смс', 'Доп. телефон']],
  ['whose e-mail it is', 'email', ['Correo del cliente', 'Kunden-E-Mail', 'E-mail cliente']],
  ['whose name it is', 'fullName', ['Nombre cliente', 'Prénom / Nom', 'Apellidos, Nombre']],
  ['with a table before it', 'phone', ['Контрагент.Телефон', 'Клиент: Телефон', 'Lead: Phone']],
  ['with a note', 'middleName', ['Отчество (при наличии)', 'Middle name (optional)']],
  ['with a note', 'fullName', ['ФИО (полностью)', 'Full name (required)']],
  ['with a letter for an apostrophe', 'date', ['Date d\u02bcanniversaire']],
  [
    'customers who are no people',
    null,
    ['Kundennummer', 'Numéro client', 'Número de cliente', 'Numero cliente'],
  ],
  [
    'German',
    'phone',
    [
      'Telefon',
      'Telefonnummer',
      'Handy',
      'Handynummer',
      'Rufnummer',
      'Mobil',
      'Festnetz',
      'Tel.-Nr.',
    ],
  ],
  ['German', 'firstName', ['Vorname']],
  ['German', 'lastName', ['Nachname', 'Familienname']],
  ['German', 'fullName', ['Vor- und Nachname', 'Name, Vorname', 'Vollständiger Name']],
  ['German', 'date', ['Geburtsdatum', 'Geburtstag', 'Geb.-Datum']],
  ['German', 'gender', ['Geschlecht']],
  [
    'French',
    'phone',
    [
      'Téléphone',
      'Telephone',
      'Portable',
      'Numéro de téléphone',
      'N° de téléphone',
      'Tél.',
      'Téléphone portable',
    ],
  ],
  ['French', 'email', ['Courriel', 'Adresse e-mail', 'Adresse mail']],
  ['French', 'firstName', ['Prénom', 'PRENOM']],
  ['French', 'lastName', ['Nom de famille']],
  ['French', 'fullName', ['Nom et prénom', 'Nom complet']],
  ['French', 'date', ['Date de naissance', 'Anniversaire']],
  ['French', 'gender', ['Sexe']],
  [
    'Portuguese',
    'phone',
    ['Telefone', 'Telemóvel', 'Celular', 'Número de telefone', 'Fone', 'Telefone celular'],
  ],
  ['Portuguese', 'email', ['Endereço de e-mail', 'Correio eletrónico', 'Correio eletrônico']],
  ['Portuguese', 'lastName', ['Sobrenome', 'Apelido']],
  ['Portuguese', 'fullName', ['Nome completo']],
  ['Portuguese', 'date', ['Data de nascimento', 'Aniversário']],
  ['Portuguese', 'gender', ['Sexo', 'Gênero', 'Género']],
  ['Italian', 'phone', ['Telefono', 'Cellulare', 'Numero di telefono', 'Numero di cellulare']],
  ['Italian', 'email', ['Posta elettronica', 'Indirizzo e-mail']],
  ['Italian', 'lastName', ['Cognome']],
  ['Italian', 'fullName', ['Nome e cognome', 'Cognome e nome', 'Nominativo']],
  ['Italian', 'date', ['Data di nascita', 'Compleanno']],
  ['Italian', 'gender', ['Sesso']],
  [
    'the product',
    'custom01',
    ['custom1', 'custom01', 'CUSTOM_1', 'Поле 1', 'Field 1', 'Campo 1', 'Feld 1', 'Champ 1'],
  ],
  ['the product', 'custom20', ['custom20', 'Поле 20']],
  [
    'nobody',
    null,
    [
      'Имя пользователя',
      'User name',
      'Номер клиента',
      'Customer number',
      'Guest number',
      'Patient',
      'Person',
      'Member date',
      'Contact date',
      'Телефон менеджера',
      'Email менеджера',
      'Manager phone',
      'Телефон компании',
      'Имя файла',
      'Company name',
      'Código',
      '',
      ' ',
      '-',
      'custom',
      'custom0',
      'custom21',
      'custom001',
      'custom100',
      'comment',
      'Поле',
      'Phone 100',
      '1',
      '79161234567',
      'x'.repeat(101),
    ],
  ],
];

describe('contactField', () => {
  it.each(REAL)('%s: %s', (_, field, headers) => {
    for (const header of headers) {
      expect([header, contactField(header)]).toEqual([header, field]);
      expect([header, contactField(` ${header.toUpperCase()}: `)]).toEqual([header, field]);
    }
  });

  it('knows the headers of many programs', () => {
    expect(REAL.flatMap(([, field, headers]) => (field ? headers : [])).length).toBeGreaterThan(
      190,
    );
  });

  it('takes the name of the field of birthdays as it is written in the API only', () => {
    expect(['date', ' date ', 'Date', 'DATE'].map(contactField)).toEqual([
      'date',
      'date',
      null,
      null,
    ]);
  });

  it('recognizes a header after a byte order mark', () => {
    expect(contactField('\ufeffphone')).toBe('phone');
  });

  it('ignores ё, accents and case', () => {
    expect(contactField('Телёфон')).toBe('phone');
    expect(contactField('TELEFONO MOVIL')).toBe('phone');
  });

  it('takes linear time for adversarial headers', () => {
    expect(findSuperlinear(contactField)).toEqual([]);
    expect(findSuperlinear((text) => contactFields([text, 'phone', text]))).toEqual([]);
    expect(findSuperlinear(isFamilyFirst)).toEqual([]);
  });
});

describe('contactFields', () => {
  const all = (text: string) => contactFields(text.split(';'));

  it.each([
    // Outlook lists the work phone first.
    ['Business Phone;Home Phone;Mobile Phone', [null, null, 'phone']],
    ['Рабочий телефон;Мобильный телефон;Телефон', [null, 'phone', null]],
    ['Phone 2 - Value;Phone 1 - Value', [null, 'phone']],
    ['phone;phone', ['phone', null]],
    ['Дата;Дата рождения', [null, 'date']],
    // VK; Spanish Outlook, where `Aniversario` is that of a wedding; a shop.
    [
      'lead_id;date;first_name;last_name;patronymic_name;phone_number;email;birthday',
      [null, null, 'firstName', 'lastName', 'middleName', 'phone', 'email', 'date'],
    ],
    ['Aniversario;Cumpleaños', [null, 'date']],
    ['Номер;Дата;Телефон покупателя;ФИО получателя', [null, null, 'phone', 'fullName']],
    ['Number;Phone', [null, 'phone']],
    ['Клиент;ФИО;Телефон', [null, 'fullName', 'phone']],
    ['phone;email;name;lastname;', ['phone', 'email', 'firstName', 'lastName', null]],
    ['Name;Given Name;Additional Name;Family Name', [null, 'firstName', 'middleName', 'lastName']],
    ['Name;Vorname;Telefon', ['lastName', 'firstName', 'phone']],
    ['Nom;Prénom', ['lastName', 'firstName']],
    ['Nome;Cognome', ['firstName', 'lastName']],
    ['Nombre;Apellidos', ['firstName', 'lastName']],
    ['Name;Phone', ['fullName', 'phone']],
    ['Nome;Telefone', ['fullName', 'phone']],
    ['Имя;Телефон', ['firstName', 'phone']],
    ['First Name;Phone', ['firstName', 'phone']],
  ] as const)('%s', (headers, fields) => {
    expect(all(headers)).toEqual(fields);
  });
});

describe('isFamilyFirst', () => {
  it.each([
    ['ФИО', true],
    ['Ф. И. О.', true],
    ['Клиент', true],
    ['Фамилия и имя', true],
    ['Имя и фамилия', false],
    ['Полное имя', false],
    ['Имя контакта', false],
    ['Full name', false],
    ['Name', false],
    ['Name, Vorname', true],
    ['Nom et prénom', true],
    ['Nom complet', false],
    ['Apellidos y nombre', true],
    ['Nombre y apellidos', false],
    ['Cognome e nome', true],
    ['Nome e cognome', false],
    ['', false],
  ])('%s: %s', (header, first) => {
    expect(isFamilyFirst(header)).toBe(first);
  });
});
