import { as, id, inEach, list, time, type Description } from './description.ts';

export const CONTACTS: Record<string, Description> = {
  ContactFields: as('Names of the additional fields of contacts.'),
  'ContactFields.fields': as('The fields that have a name.'),
  ContactFieldsInput: as('Names of the additional fields of contacts.'),
  'NamedField.type': as(
    'Type of the values: `text`, `number` (a plain decimal), `date` (`yyyy-MM-dd`), `boolean` (`true` or `false`) or `choice`. All of them are strings.',
    'text',
  ),
  'NamedField.values': as('Values of a `choice`; empty for other types.', []),
  'ContactFieldsInput.fields.type': as(
    'Type of the values. Without it the field keeps its type, which is `text` for a field without a name. Values that do not fit stay as they are.',
    'text',
  ),
  'ContactFieldsInput.fields.values': as(
    'Values of a `choice`, at most 100. Cases and accents make no difference.',
    [],
  ),
  FieldTypeCheck: as('Type that a field may get.'),
  'FieldTypeCheck.field': as('Field of contacts.', 'custom01'),
  'FieldTypeCheck.type': as('Type of the values.', 'number'),
  'FieldTypeCheck.values': as('Values of a `choice`.', []),
  FieldTypeChecked: as('Values of a field that fit a type.'),
  'FieldTypeChecked.filled': as('Number of contacts with a value in the field.', 980),
  'FieldTypeChecked.misfits': as(
    'Number of contacts whose value does not fit the type. Such values stay, and conditions on numbers and dates do not find them.',
    12,
  ),
  'ContactFieldsInput.fields': as('All fields that are to have a name. Others have none any more.'),
  'ContactFieldsInput.fields.field': as('Field of contacts.', 'custom01'),
  'ContactFieldsInput.fields.title': as('Name of the field in the cabinet.', 'City'),
  NamedField: as('Field of contacts with its name.'),
  'NamedField.field': as('Field of contacts.', 'custom01'),
  'NamedField.title': as('Name of the field in the cabinet.', 'City'),
  ContactList: as('Contact list or blacklist.'),
  ContactListInput: as('Data of a new contact list.'),
  ContactListType: as(
    'Type of the list. Messages of the account are never sent to phone numbers and addresses of a `blacklist`.',
  ),
  'ContactList.type': as(
    'Type of the list: `regular` can be used as recipients, `blacklist` excludes its contacts from all messages of the account.',
  ),
  'ContactListInput.type': as(
    'Type of the list: `regular` can be used as recipients, `blacklist` excludes its contacts from all messages of the account.',
  ),
  'contactLists.update.type': as(
    'Type of the list: `regular` can be used as recipients, `blacklist` excludes its contacts from all messages of the account.',
  ),
  'ContactList.count': as('Number of contacts in the list.', 984),
  Contact: as('Contact: a person or company with a phone number, an e-mail address or both.'),
  ContactInput: as('Data of a new contact. A phone number or an e-mail address is required.'),
  ContactUpdate: as('Changes to a contact. Absent fields are left unchanged; null clears a field.'),
  gender: as('Gender, the value of the variable `{gender}`. Null if unknown.'),
  date: as('Date of the contact, such as the birthday, in the format `yyyy-MM-dd`.', '1990-12-31'),
  ...Object.fromEntries(
    Array.from({ length: 20 }, (_, i) => `custom${String(i + 1).padStart(2, '0')}`).map((name) => [
      name,
      as(`Text of your own, for the variable \`{${name}}\`.`, name === 'custom01' ? 'Gold' : ''),
    ]),
  ),
  'Contact.tags': as('Tags of the contact.', ['vip']),
  'ContactInput.tags': as(
    'Tags of the contact, at most 20. Of those that differ only in case or accents the first is kept.',
    ['vip'],
  ),
  'ContactUpdate.tags': as(
    'Tags of the contact, at most 20. Of those that differ only in case or accents the first is kept. Replaces all tags.',
    ['vip'],
  ),
  'contacts.find.?tag': as(
    'Return only contacts with this tag, whatever its case and accents.',
    'vip',
  ),
  ContactImport: as('Import of a stored file into a contact list.'),
  from: as('Stored file to import.'),
  'from.key': id('Id of the uploaded spreadsheet: the `key` of the stored file.'),
  'ContactImport.columns': as(
    'Contact field by column number, starting from 0. `fullName` is split into the three names, `tags` at commas and semicolons outside of quotes. Detected from the headers if absent.',
    { 0: 'phone', 1: 'firstName' },
  ),
  'ContactImport.hasHeader': as(
    'True if the file has a header row. Detected if absent. Used only together with `columns`.',
  ),
  sheet: as(
    'Name of the sheet in the workbook. Defaults to the first sheet with recipients.',
    'Contacts',
  ),
  'ContactImport.existing': as('Handling of contacts that are already in the list.'),
  'ContactImport.phones': as(
    'Handling of cells with several phone numbers: `first` saves the first one, `each` a contact for each of them.',
  ),
  ContactPreview: as('Preview of an import.'),
  'ContactPreview.columns': as('Columns of the file with the detected contact fields.'),
  'columns.name': as('Header of the column.', 'Phone'),
  'columns.field': as(
    'Detected contact field, `tags`, or `fullName`, which is split into the three names. Null if the column is skipped.',
  ),
  'ContactPreview.hasHeader': as('True if a header row was detected.'),
  'ContactPreview.rows': as(
    'First rows below the header, with cells in the order of the columns.',
    [['+79990000000']],
  ),
  'ContactPreview.sheets': as(
    'Sheets of the workbook that can be imported, in order. Empty for text files.',
    ['Contacts', 'Archive'],
  ),
  'ContactPreview.dateOrder': as(
    'What comes first in dates such as 05/12/1990, by the first thousand rows. Null if it makes no difference.',
    'day',
  ),
  'ContactPreview.several': as(
    'Number of rows with several phone numbers in one cell, of the first thousand.',
    2,
  ),
  'ContactPreview.sheet': as('Previewed sheet. Null for text files.', 'Contacts'),
  'recipients.phones': as(
    'Handling of people with several phone numbers: `first` returns the first one, mobile ones before others, `each` all of them.',
  ),
  FileRecipients: as('Recipients of a file.'),
  'FileRecipients.phones': as('Phone numbers, each once, in the order of the file.', [
    '+79990000000',
  ]),
  'FileRecipients.emails': as('E-mail addresses, each once, in the order of the file.', [
    'anna@example.org',
  ]),
  'FileRecipients.refused': as(
    'Cells that are neither a phone number nor an e-mail address, up to 100.',
    ['+7 495 123-45-67 ext. 12'],
  ),
  'FileRecipients.refusedCount': as('Number of rows with such a cell.', 1),
  'FileRecipients.several': as('Number of cells with several phone numbers.', 2),
  'FileRecipients.hidden': as('Number of rows that a filter hides in the sheet. They count.', 0),
  'FileRecipients.sheet': as('Sheet that was read. Null for text files.', 'Contacts'),
  ImportReport: as('Result of an import.'),
  'ImportReport.total': as('Number of saved contacts, created and updated.', 980),
  'ImportReport.created': as('Number of created contacts.', 900),
  'ImportReport.updated': as('Number of updated contacts.', 80),
  'ImportReport.skipped': as(
    'Number of contacts that were already in the list and were left unchanged.',
    0,
  ),
  'ImportReport.repeated': as(
    'Number of rows replaced by a later row of the file with the same phone number (or e-mail address).',
    3,
  ),
  'ImportReport.rejected': as('Number of rejected rows.', 4),
  'ImportReport.rejectedFileId': id(
    'Stored file with the rejected rows, their numbers and reasons, to correct and import again. Null if no row was rejected.',
  ),
  'ImportReport.reasons': as('Number of rejected rows by reason.', { phone: 3, required: 1 }),
  'ImportReport.dropped': as(
    'Number of cells without a valid date or gender, by field. The cells were left empty and their rows imported.',
    { date: 2 },
  ),
  'ImportReport.dateOrder': as(
    'What comes first in dates such as 05/12/1990, decided for the whole column: by the dates that are days in one order only, else by the country of the account. Null if it makes no difference.',
    'day',
  ),
  'ImportReport.several': as(
    'Number of rows with several phone numbers in one cell. The first one was saved, or each, as requested by `phones`.',
    2,
  ),
  'ImportReport.hidden': as('Number of imported rows that a filter hides in the sheet.', 0),
  'ImportReport.assumed': as(
    'Number of phone numbers without a calling code, by the country that was assumed.',
    [{ country: 'RU', count: 3 }],
  ),
  'ImportReport.passedOver': as('Names of the skipped columns, up to 100.', ['Comment']),
  'ImportReport.sheet': as('Imported sheet. Null for text files.', 'Contacts'),
  'event.key': id('Id of the imported file.'),
  'event.done': as('Number of rows read so far.', 12_000),
  'event.left': as(
    'Estimated number of rows left to read. 0 while the rows are being saved.',
    8000,
  ),
  'removeMany.removed': as(
    'Number of removed contacts. Contacts that no longer existed are not counted.',
    2,
  ),
  'removeMany.next': id('`after` of the next call. Null when there are no more contacts.'),
  SignupForm: as(
    'Form by which people enter themselves into a list. They confirm their address first.',
  ),
  SignupFormInput: as('Data of a new sign-up form.'),
  SignupFormUpdate: as('Changes to a sign-up form. Its type cannot be changed.'),
  Consent: as('What a person has agreed to.'),
  ...inEach(['SignupForm', 'SignupFormInput', 'SignupFormUpdate'], {
    title: as('Title. People see it on the page, and as the subject of an e-mail.', 'Tea club'),
    isActive: as(
      'False if the form is switched off: its page is unknown. Links that were sent stay valid.',
      true,
    ),
    sender: as('Sender name of the message.', 'tea@example.com'),
    text: as(
      'Text of the message, with `{link}` once: it stands for the address of the page on which the person confirms. Other braces are text. The account pays for the message as for any other.',
      'You have signed up for the tea club. Confirm it here: {link}',
    ),
    fields: as(
      'What the form asks for besides, in this order. Fields without a name of their own are not shown.',
      [{ field: 'firstName', isRequired: true }],
    ),
    tags: as('Tags that the contact gets.', ['website']),
    consent: as(
      'What the person agrees to by a tick. Addresses with https:// are links. What was agreed to is kept as it was.',
      'I agree to get news of the tea house by e-mail. https://tea.example/privacy',
    ),
    returnUrl: as(
      'Page to which the page after the confirmation links. Null for none.',
      'https://tea.example/thanks',
    ),
    origins: as(
      'Sites that may show the form in a frame, or send a form of their own to its page: the beginnings of their addresses.',
      ['https://tea.example'],
    ),
    countries: as(
      'Countries whose numbers are accepted (ISO 3166-1 alpha-2). Null for that of the account only.',
      null,
    ),
  }),
  ...inEach(['SignupForm', 'SignupFormInput'], {
    type: as(
      'Way of the message by which an address is confirmed: the person becomes a contact with an e-mail address (`email`) or a phone number (`sms`).',
    ),
  }),
  'SignupFormUpdate.type': as(
    'Way of the message by which an address is confirmed. Only that of the row is accepted.',
  ),
  ...inEach(['SignupFormInput', 'SignupFormUpdate'], {
    ListId: as('Regular contact list of the account.', list),
  }),
  ...inEach(['SignupForm', 'SignupFormInput', 'SignupFormUpdate'], {
    'fields.field': as('Field of the contact.'),
    'fields.isRequired': as('True if it must be filled in.', true),
  }),
  'SignupForm.ListId': as(
    'Contact list that people enter. Null if it was removed; the page is unknown then.',
    list,
  ),
  'SignupForm.url': as(
    'Address of its page.',
    'https://example.com/f/01930000-0000-7000-8000-0000000000a1',
  ),
  'SignupForm.asked': as('Number of messages that were sent.', 120),
  'SignupForm.confirmed': as('Number of people who have confirmed.', 96),
  'signupForms.consents.data': as('What the person has agreed to.'),
  'Consent.FormId': id('Sign-up form. It may have been removed.'),
  'Consent.title': as('Title of the form at that time.', 'Tea club'),
  'Consent.address': as('Address that was confirmed.', 'anna@example.com'),
  'Consent.text': as(
    'Text that the person has agreed to.',
    'I agree to get news of the tea house.',
  ),
  'Consent.hash': as(
    'SHA-256 of the text, in hexadecimal.',
    '2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae',
  ),
  'Consent.ip': as('Address from which the person confirmed.', '203.0.113.7'),
  'Consent.confirmedAt': time('Time of the confirmation.'),
  Segment: as('Segment: the contacts in regular lists that all conditions hold for.'),
  SegmentInput: as('Data of a new segment.'),
  SegmentRules: as('Conditions of a segment.'),
  SegmentCount: as('Number of contacts in a segment.'),
  'SegmentCount.count': as('Number of contacts.', 12_400),
  'SegmentCount.exact': as(
    'False if the number is estimated by a sample, because an activity of more than 50,000 contacts was asked for.',
  ),
  where: as(
    'Filters of the list of contacts, all of which must hold. Without `ListId` contacts of all regular lists belong to the segment.',
    { tag: 'vip' },
  ),
  activity: as('What must have happened, or not, within a number of days.', [
    { event: 'delivered', happened: false, days: 90 },
  ]),
  'activity.event': as(
    '`delivered`: a message of the account was delivered to the contact. `replied`: the contact has written to the account. `clicked`: the contact has clicked a short link in a bulk that tells who clicked.',
  ),
  'activity.happened': as('True: within the last `days` days. False: not within them.'),
  'activity.days': as('Number of days.', 90),
  segments: as('Segments, as they were when the bulk was created.', [
    { id: list, title: 'Regulars', where: { tag: 'vip' }, activity: [] },
  ]),
  'where.tag': as('Only contacts with this tag, whatever its case and accents.', 'vip'),
  'where.search': as('Only contacts that the search of the list finds.', 'Anna'),
  'where.createdAt': as('Only contacts created in this period.', {
    $gt: '2026-11-01T00:00:00.000Z',
  }),
  'where.fields': as(
    'Conditions on the fields of contacts, up to 10, all of which must hold. `is` says how a field is compared: `equals` and `begins` (`value`), `oneOf` (`values`), `greater` and `less` (`number`), `between` (`from`, `to`), `before` and `after` (`day`), `lastDays` and `nextDays` (`days`, with today), `anniversary` (day and month of today), `anniversaryNextDays` (day and month of one of the next `days`, with today), `empty`, `filled`.',
    [{ field: 'custom02', is: 'greater', number: 1000 }],
  ),
  'where.fields.field': as('Field of contacts: `date`, or one of the additional ones.', 'custom02'),
  'where.fields.is': as('How the field is compared.'),
  'where.fields.value': as(
    'The value, or how it begins. Cases and accents make no difference.',
    'Gold',
  ),
  'where.fields.values': as('The value is one of these.', ['Gold', 'Silver']),
  'where.fields.number': as('The value is more or less than this number.', 1000),
  'where.fields.from': as('The smallest number.', 10),
  'where.fields.to': as('The largest number.', 20),
  'where.fields.day': as('The value is a day before or after this one.', '2026-11-22'),
  'where.fields.days': as('Number of days, with today.', 30),
  ContactRemoval: as('Contacts to remove.'),
  'ContactRemoval.ids': as('Contacts to remove, up to 1,000.', [list]),
  'ContactRemoval.where': as(
    'Instead of `ids`: all contacts of a list that these filters find. One call removes some thousands of them; repeat it with `after` until `next` is null.',
    { ListId: list, tag: 'gone' },
  ),
  'ContactRemoval.after': id('`next` of the previous call.'),
  ContactTagging: as('Tags to add to contacts, and to remove from them.'),
  'ContactTagging.ids': as('Contacts to change, up to 1,000.', [list]),
  'ContactTagging.where': as(
    'Instead of `ids`: all contacts of a list that these filters find. One call changes some thousands of them; repeat it with `after` until `next` is null.',
    { ListId: list, tag: 'vip' },
  ),
  'ContactTagging.after': id('`next` of the previous call.'),
  'ContactTagging.add': as(
    'Tags that the contacts get, unless they have them, whatever their case and accents.',
    ['vip'],
  ),
  'ContactTagging.remove': as('Tags that the contacts lose, whatever their case and accents.', [
    'new',
  ]),
  ContactMove: as('Contacts to move or copy to another list.'),
  'ContactMove.ids': as(
    'Contacts to move, up to 1,000, of any lists of the account that `to` is of. Others are ignored.',
    [list],
  ),
  'ContactMove.where': as(
    'Instead of `ids`: all contacts of a list that these filters find. One call moves some thousands of them; repeat it with `after` until `next` is null.',
    { ListId: list, tag: 'customer' },
  ),
  'ContactMove.after': id('`next` of the previous call.'),
  'ContactMove.to': id('List that the contacts go to.'),
  'ContactMove.copy': as(
    'True if the contacts also stay where they are. By default they are moved and keep their ids, which takes the permission `contacts.remove` as well.',
    false,
  ),
  ContactsMoved: as('Result of moving or copying contacts.'),
  'ContactsMoved.added': as('Number of contacts that the list got.', 980),
  'ContactsMoved.existing': as(
    'Number of contacts that were left as they are, because the list has their phone number already, or, for those without one, their e-mail address.',
    20,
  ),
  'ContactsMoved.next': id('Last contact of this step, for `after`. Null if no contacts are left.'),
  ContactsTagged: as('Result of changing the tags of contacts.'),
  'ContactsTagged.changed': as('Number of contacts whose tags have changed.', 980),
  'ContactsTagged.full': as(
    'Number of contacts left unchanged, because they would have more than 20 tags.',
    0,
  ),
  'ContactsTagged.next': id(
    'Last contact of this step, for `after`. Null if no contacts are left.',
  ),
  Removed: as('Reference to the removed object.'),
};
