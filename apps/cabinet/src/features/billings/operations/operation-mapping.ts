import type { OperationColumns, OperationFile } from '@heliograph/contract';
import { OPERATION_FIELDS, type OperationField } from '@heliograph/domain';

/** The column of each field; absent while none is chosen. Null of a comment is none. */
export type OperationMapping = Partial<OperationColumns>;

/** The columns that are recognised as a field. */
export const columnsOf = ({ columns }: OperationFile, field: OperationField): number[] =>
  columns.flatMap((column, i) => (column.field === field ? [i] : []));

/** A field with several columns is left to the person. */
export function mappingOf(file: OperationFile): OperationMapping {
  const [account, amount, comment] = OPERATION_FIELDS.map((field) => columnsOf(file, field));
  const only = (columns: number[]) => (columns.length === 1 ? columns[0] : undefined);
  return {
    account: only(account!),
    amount: only(amount!),
    comment: comment!.length ? only(comment!) : null,
  };
}

/** Fields whose column is that of a field before them. */
export function repeatedFields(mapping: OperationMapping): Set<OperationField> {
  return new Set(
    OPERATION_FIELDS.filter((field, i) =>
      OPERATION_FIELDS.slice(0, i).some(
        (other) => typeof mapping[other] === 'number' && mapping[other] === mapping[field],
      ),
    ),
  );
}

/** As the call takes it; null while a column is missing or chosen twice. */
export function toColumns(mapping: OperationMapping): OperationColumns | null {
  const { account, amount, comment } = mapping;
  if (account === undefined || amount === undefined || comment === undefined) return null;
  if (repeatedFields(mapping).size) return null;
  return { account, amount, comment };
}
