import { MAX_MONEY, OPERATION_COMMENT_LENGTH, type OperationColumns } from '@heliograph/contract';
import {
  cutText,
  parseMoney,
  parseOperationAmount,
  restoreCell,
  type Money,
  type OperationReason,
} from '@heliograph/domain';
import type { SheetRow } from '../../core/sheets/sheet.ts';

export const MAX_AMOUNT = parseMoney(MAX_MONEY);
/** Longer names of accounts do not exist. What is stored of them is shown in the preview. */
const MAX_ACCOUNT_LENGTH = 254;

export interface ParsedRow {
  n: number;
  account: string;
  amount: Money | null;
  comment: string | null;
  reason: OperationReason | null;
}

export function parseRow({ n, cells, formulas }: SheetRow, columns: OperationColumns): ParsedRow {
  const account = plain(cells[columns.account]);
  const comment = columns.comment === null ? '' : plain(cells[columns.comment]);
  const amount = parseOperationAmount(plain(cells[columns.amount]), MAX_AMOUNT);
  const isAmount = typeof amount === 'bigint';
  const used = [columns.account, columns.amount, columns.comment ?? -1];
  const isFormula =
    used.some((column) => formulas?.includes(column)) ||
    [columns.account, columns.amount].some((column) => cells[column]?.trimStart().startsWith('='));
  const isLong = comment.length > OPERATION_COMMENT_LENGTH;
  let reason: OperationReason | null = null;
  if (isFormula) reason = 'formula';
  else if (!account) reason = 'no_account';
  else if (account.length > MAX_ACCOUNT_LENGTH) reason = 'unknown_account';
  else if (!isAmount) reason = amount;
  else if (isLong) reason = 'long_comment';
  return {
    n,
    account: cutText(account, MAX_ACCOUNT_LENGTH),
    amount: isAmount ? amount : null,
    comment: cutText(comment, OPERATION_COMMENT_LENGTH) || null,
    reason,
  };
}

/** Without control characters, and without the apostrophe that exports put before a formula. */
function plain(cell = ''): string {
  return restoreCell(cell)
    .replace(/[\p{Cc}\ufeff\ufffe\uffff]+/gu, ' ')
    .toWellFormed()
    .trim();
}
