import { as, dated, id, sum, time, type Description } from './description.ts';

const LEVEL = 'Access level of the account. Only administrators create resellers and managers.';
const MAY_OPERATE = 'True if a reseller may change the balances of its customers. Null for true.';
const TYPES =
  'Message types that the account may send. A reseller grants only types of its own. Null for those of the installation.';

export const ACCOUNTS: Record<string, Description> = {
  AccountInput: as('Settings of an account. Absent fields are left unchanged.'),
  NewAccount: as('A new account.'),
  'accountChanges.apply.changes': as('Accounts with what changes in each.', [
    { id: '01930000-0000-7000-8000-0000000000a1', settings: { overdraft: 500 }, resume: true },
  ]),
  'accountChanges.apply.data': as('Results, in the order of the accounts.'),
  AccountChange: as('Change of an account. Absent parts are left unchanged.'),
  'AccountChange.id': id('Account to be changed: the id of its holder.'),
  'AccountChange.settings': as('Settings, as `PUT /users/:id/account` takes them.'),
  'AccountChange.settings.overdraft': sum(
    'Maximum amount by which the balance can be below zero. A reseller may grant up to its `maxCustomerOverdraft`.',
    0,
  ),
  'AccountChange.tariffs': as(
    'Tariffs in place of the former, as `PUT /users/:id/tariffs` takes them.',
  ),
  'AccountChange.caps': as('Spend caps of the account, as `PUT /spendCaps` takes them.'),
  'AccountChange.suspend': as('Suspends the account.'),
  'AccountChange.resume': as('Ends the suspension of the account.', true),
  AccountChanged: as('What became of the change of an account.'),
  'AccountChanged.id': id('Account that was named.'),
  'AccountChanged.error': as('Why nothing of the account was changed. Null if it was.', null),
  'AccountChanged.error.code': as('Error code, as of the call for one account.', 'conflict'),
  'AccountChanged.error.message': as(
    'What is wrong, for developers.',
    'The balance is further below zero than this overdraft.',
  ),
  'AccountChanged.error.field': as('Field that is refused. Null if it is none.', null),
  'AccountChanged.error.rule': as('Rule that the field breaks. Null if it is none.', null),
  'accountChanges.preview.from': as('Uploaded spreadsheet, an .xlsx or a text file.'),
  'accountChanges.preview.timeZone': as(
    'Time zone of the spend caps of accounts that have none yet, unless the file has a column for it.',
    'Europe/Berlin',
  ),
  AccountChangesPreview: as('What the rows of a file would change in accounts. Nothing is stored.'),
  'AccountChangesPreview.columns': as('Columns that were recognised by their headers.', [
    'account',
    'tariff',
    'overdraft',
  ]),
  'AccountChangesPreview.unread': as(
    'Headers of columns that are not read: those of no field, and the second ones of a field.',
    ['Turnover'],
  ),
  'AccountChangesPreview.rows': as('Rows of the file, in its order. At most 1,000.'),
  'rows.row': as('Number of the row in the file, from 1.', 2),
  'rows.account': as('Account as the file names it: username, e-mail or id.', 'mira@tea.example'),
  'rows.Owner': as('Account that is meant. Null if there is none within reach of the caller.'),
  'rows.change': as(
    'What `POST /users/changes` takes. Null if nothing would change, or if a cell is refused.',
    { id: '01930000-0000-7000-8000-0000000000a1', settings: { overdraft: 500 } },
  ),
  'rows.changes': as('Values that would change.'),
  'changes.field': as('Column of the value.', 'overdraft'),
  'rows.changes.before': as('Value now: null for none, or for that of the installation.', 0),
  'rows.changes.after': as('Value afterwards.', 500),
  'rows.errors': as('Cells that are refused. Nothing of such a row is changed.', [
    { field: 'tariff', reason: 'unknown_tariff' },
  ]),
  'errors.field': as('Column of the cell.', 'tariff'),
  'errors.reason': as('Why the cell is refused.', 'unknown_tariff'),
  AccountNote: as(
    'What those who run an account have written about it. Neither the account nor its members get it; a reseller gets the notes of its own side.',
  ),
  'AccountNote.id': id('Id of the note.'),
  'AccountNote.text': as('Text of the note.', 'Wants an offer for Viber in spring.'),
  'AccountNote.Author': as('Who wrote the note.'),
  'AccountNote.isOwn': as('Whether the caller has written the note, and can change it.'),
  'AccountNote.mayRemove': as(
    'Whether the caller can remove the note: its author, or an administrator.',
  ),
  'AccountNote.createdAt': time('Time at which the note was written.'),
  'AccountNote.changedAt': time('Time of the last change. Null if there was none.'),
  AccountNoteInput: as('Note about an account.'),
  'AccountNoteInput.text': as('Text of the note.', 'Wants an offer for Viber in spring.'),
  'accountNotes.update.?noteId': id('Note about the account.'),
  'accountNotes.remove.?noteId': id('Note about the account.'),
  'AccountInput.level': as(LEVEL),
  'NewAccount.level': as(LEVEL),
  ResellerId: id(
    'Reseller of the account. A reseller is that of each account that it creates; otherwise administrators set it. Null for none.',
  ),
  ManagerId: id(
    'Manager of the account. A manager is that of each account that it creates; otherwise administrators set it. Null for none.',
  ),
  'AccountInput.overdraft': sum(
    'Maximum amount by which the balance can be below zero. A reseller may grant up to its `maxCustomerOverdraft`.',
    0,
  ),
  'NewAccount.overdraft': sum(
    'Maximum amount by which the balance can be below zero. A reseller may grant up to its `maxCustomerOverdraft`.',
    0,
  ),
  'AccountInput.currency': as(
    'Currency of the account, ISO 4217. It cannot be changed once the account has ledger entries. Null for that of the installation.',
    'EUR',
  ),
  'NewAccount.currency': as(
    'Currency of the account, ISO 4217. Null for that of the installation, or of the reseller.',
    'EUR',
  ),
  'AccountInput.types': as(TYPES, ['sms', 'viber']),
  'NewAccount.types': as(TYPES, ['sms', 'viber']),
  sendernamesCheck: as(
    'Message types that require a registered and approved sender name. Null for those of the installation.',
    ['sms'],
  ),
  lookupDays: as(
    'For how many days a look-up (`hlr`) of a number counts: routes go by the network that it found and not by the prefix of the number. 0 or null: by the prefix.',
    7,
  ),
  lookupFirst: as(
    'True if numbers without a look-up of the last `lookupDays` are looked up before messages to them are sent, where routes ask for networks. Each look-up is a message of the type `hlr` with its own price, which estimates do not include.',
    true,
  ),
  creditLine: sum(
    'How far below zero transfers to customers may take the balance of a reseller, within its overdraft.',
    0,
  ),
  'AccountInput.processChildrenOperations': as(MAY_OPERATE, true),
  'NewAccount.processChildrenOperations': as(MAY_OPERATE, true),
  'users.create.user': as('The new account.'),
  'users.create.invitation': as('How its holder chooses the password.'),
  maySellBelowCost: as(
    'True if tariffs of a reseller may price messages below what it pays itself.',
    false,
  ),
  maxCustomers: as('Highest number of customers of a reseller. Null for 1,000.', 100),
  maxCustomerOverdraft: sum(
    'Highest overdraft that a reseller may grant each of its customers. Null for none.',
    0,
  ),
  'NewAccount.data': as('Personal data of the holder.'),
  Invitation: as('Link with which the invited person chooses the password. It works once.'),
  'Invitation.email': as(
    'Address to which the link was sent. Null if it was not sent.',
    'anna@example.com',
  ),
  'Invitation.url': as(
    'The link, if it was not sent by e-mail: give it to the person. It is not shown again.',
    'https://cabinet.example/recover/3k2J9',
  ),
  'Invitation.expiresAt': dated('Time at which the link ends.'),
  'User.invitedAt': dated(
    'Time of the invitation of a user that has chosen no password yet. Null otherwise; visible to resellers and managers only.',
  ),
  isInvitation: as('True if the user has chosen no password yet.'),
};
