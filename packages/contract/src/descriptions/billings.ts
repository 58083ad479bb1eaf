import { as, dated, id, PRICE, sum, time, type Description } from './description.ts';

export const BILLINGS: Record<string, Description> = {
  Billing: as('Ledger entry.'),
  'Billing.source': as(
    'Source of the entry: `accrual` and `subtract` for manual entries, `sendings.{type}` for messages, `transfer` for payments between a reseller and its customer.',
  ),
  'Billing.amount': sum('Change of the balance. Charges are negative.', -3.5),
  BillingStatus: as(
    'Status of a ledger entry. Entries with `refunded` and `invalid` do not affect the balance.',
  ),
  'Billing.status': as('Status of the entry.'),
  'Billing.data': as('Composition of the amount.'),
  'Billing.data.price': as(`${PRICE} Null for manual entries.`, 3.5),
  'Billing.data.params': as(
    'Charged message. Null for manual entries and if the message is no longer stored.',
  ),
  'params.type': as('Message type.'),
  'params.segments': as('Number of segments of the message.', 1),
  'params.attempt': as('Number of the attempt in its chain, starting from 0.', 0),
  'params.groupId': id('Group of the bulk that contains the message. Null for a single message.'),
  'Billing.meta': as('Related ledger entries.'),
  'Billing.meta.billings': as(
    'Related ledger entries: this entry and the other side of a transfer.',
  ),
  'Billing.meta.origin': as(
    'Cause of the entry: a payment, a refund, an invoice, a referral bonus, a bulk operation, a subscription, a package of messages, a monthly minimum, the settlement of a closed account, or a call that was shorter than its reserve, by the id of its message. Null for charges and manual entries.',
  ),
  'meta.TaskId': id('Task of the bulk operation that caused the entry. For managers only.'),
  'Billing.meta.referral': as('Referral of a bonus; only in scope `referral`.'),
  'meta.referral.name': as('Masked username of the referred account.', 'an•••'),
  'meta.referral.paid': sum('Payment that the bonus is a share of.', 500),
  'meta.referral.isReturn': as(
    'True if the entry takes a bonus back because the payment was refunded.',
  ),
  'billings.find.?$scope': as(
    '`referral` returns only referral bonuses and what was taken back of them, with `meta.referral`.',
    ['referral'],
  ),
  BillingOrigin: as('Cause of a ledger entry.'),
  OperationFile: as('Columns and first rows of a file of balance operations.'),
  'OperationFile.columns': as('Columns of the file with the recognised fields.'),
  'OperationFile.columns.name': as('Header of the column.', 'Amount'),
  'OperationFile.columns.field': as(
    'Recognised field. Null if the column is not recognised. Of several columns with the same field one must be chosen.',
  ),
  'OperationFile.hasHeader': as('True if a header row was detected.'),
  'OperationFile.rows': as('First rows below the header, with cells in the order of the columns.', [
    ['mirtea', '500', 'Bonus of November'],
  ]),
  'OperationFile.sheets': as('Sheets of the workbook, in order. Empty for text files.', [
    'Bonuses',
  ]),
  'OperationFile.sheet': as('The sheet that was read. Null for text files.', 'Bonuses'),
  'OperationInput.sheet': as(
    'Name of the sheet in the workbook. Defaults to the first sheet.',
    'Bonuses',
  ),
  'OperationInput.columns': as(
    'Columns of the file by number, from 0. Recognised by the header by default.',
    { account: 0, amount: 1, comment: 2 },
  ),
  'OperationInput.hasHeader': as(
    'Whether there is a header row. Detected by default. Used only together with `columns`.',
  ),
  'billingOperations.columns.from': as('Source of the operations.'),
  'billingOperations.columns.from.key': id('Id of a stored spreadsheet, an .xlsx or a text file.'),
  'billingOperations.columns.sheet': as(
    'Name of the sheet in the workbook. Defaults to the first sheet.',
    'Bonuses',
  ),
  'OperationInput.from': as('Source of the operations.'),
  'OperationInput.from.key': id('Id of a stored spreadsheet, an .xlsx or a text file.'),
  'OperationColumns.account': as('Column of the account: its id, username or e-mail.', 0),
  'OperationColumns.amount': as(
    'Column of the amount: a positive amount adds to the balance, a negative one takes from it.',
    1,
  ),
  'OperationColumns.comment': as('Column of the comment. Null if there is none.', 2),
  BillingOperation: as('Balance operations of a spreadsheet.'),
  'BillingOperation.state': as(
    'State of the operations. `previewed`: checked, nothing is entered. `running`: the task enters the rows. `finished`: each row has an outcome.',
  ),
  'BillingOperation.filename': as('Title of the stored file.', 'bonuses.xlsx'),
  'BillingOperation.hash': as(
    'SHA-256 of the file, hexadecimal. Pass it when the operations are started.',
    '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  ),
  'BillingOperation.sheet': as('The sheet that was read. Null for text files.', 'Bonuses'),
  'BillingOperation.rows': as('Number of rows in the file, without the header.', 123),
  'BillingOperation.ready': as('Number of rows that can be entered.', 120),
  'BillingOperation.repeated': as(
    'Number of rows that can be entered and name the account of an earlier one. They are entered as well.',
    2,
  ),
  'BillingOperation.reasons': as('Number of rows that cannot be entered, by reason.', {
    unknown_account: 2,
    zero: 1,
  }),
  'BillingOperation.sums': as('Sums of the rows that can be entered, by currency.'),
  OperationSums: as('Sums of operations in one currency.'),
  'OperationSums.currency': as('Currency of the accounts, ISO 4217.', 'RUB'),
  'OperationSums.accounts': as('Number of accounts.', 118),
  'OperationSums.entries': as('Number of rows.', 120),
  'OperationSums.credits': as('Sum of what is added to balances.', 60_000),
  'OperationSums.debits': as('Sum of what is taken from balances. Not negative.', 1500),
  'BillingOperation.previous': as(
    'The last operations that were started from a file with the same contents. Null if there are none.',
  ),
  'previous.id': id('Id of the operations and of their task.'),
  'previous.startedAt': time('Time of the start.'),
  'BillingOperation.ReportId': id(
    'File in the storage with the outcome of each row. Null until the operation ends.',
  ),
  'BillingOperation.startedAt': dated('Time of the start.'),
  'BillingOperation.finishedAt': dated('Time of the end.'),
  BillingOperationRow: as('A row of balance operations.'),
  'BillingOperationRow.n': as('Row number in the file, from 1.', 2),
  'BillingOperationRow.account': as('Account as the file names it.', 'mirtea'),
  'BillingOperationRow.Owner': as('The account. Null if it was not found.'),
  'BillingOperationRow.currency': as(
    'Currency of the account, ISO 4217. Null if the account was not found.',
    'RUB',
  ),
  'BillingOperationRow.amount': as(
    'Signed amount in the currency of the account. Null if it is not valid.',
    500,
  ),
  'BillingOperationRow.comment': as('Comment of the entry. Null if there is none.', 'Bonus'),
  'BillingOperationRow.isRepeated': as(
    'True if the row can be entered and an earlier one names the same account.',
  ),
  'BillingOperationRow.outcome': as(
    'Outcome of the row. `applied`: entered in the ledger. `refused`: not entered, for the reason. `cancelled`: the task was stopped before. Null until the row is processed.',
  ),
  'BillingOperationRow.reason': as('Why the row is not entered. Null if it is not refused.'),
  'billingOperations.rows.data': as('Rows on this page.'),
  'billingOperations.rows.total': as('Number of matching rows, counted up to 10,000.', 1),
  'billingOperations.rows.totalIsCapped': as('True if more rows match than `total` counts.', false),
  'billingOperations.rows.limit': as('Maximum number of rows on this page.', 16),
  'billingOperations.rows.offset': as('Number of rows skipped before this page.', 0),
  'billingOperations.rows.?hasProblem': as(
    '`true` or `1` returns only refused rows, `false` or `0` only the others.',
    'true',
  ),
  'billingOperations.run.hash': as(
    'Hash of the preview.',
    '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  ),
  'billingOperations.run.locale': as('Language of the report. Defaults to English.'),
  'BillingOrigin.type': as('Type of the cause.', 'payment'),
  'BillingOrigin.id': id('Id of the cause.'),
  'BillingOrigin.PaymentId': id('Refunded payment. Only for a refund.'),
  'data.multiplier': as(
    'Number of units charged: segments of an SMS, seconds of a call, otherwise 1.',
    1,
  ),
  'data.hidden': as('Internal data, visible to managers and the author of the entry.'),
  'hidden.comment': as('Reason for the entry. Null if there is none.', 'Invoice 17 is paid'),
  'hidden.noRef': as('True excludes the entry from the referral programme.'),
  'Billing.volumeStep': as('Volume step of the tariff that the price has. Absent without one.'),
  tariffVersion: as(
    'Version of this tariff. Null for manual entries, and for charges of before versions.',
    3,
  ),
  'Billing.TariffId': id('Tariff of the price. Null for manual entries.'),
  'Billing.Counterpart': as('Other account of a transfer.'),
  'Billing.refundedAt': dated('Time of the refund.'),
  BillingInput: as('Manual ledger entry.'),
  'BillingInput.source': as(
    'Source of the entry. `accrual` increases the balance; all other sources decrease it. A message type without a prefix means `sendings.{type}`.',
  ),
  'BillingInput.amount': sum(
    'Amount, greater than zero. With `data.multiplier`, the amount of one unit.',
    1000,
  ),
  'BillingInput.OwnerId': id(
    'Account whose balance changes. The caller must have access to it; it cannot be the account of the caller.',
  ),
  'BillingInput.data': as('Additional data of the entry.'),
};
