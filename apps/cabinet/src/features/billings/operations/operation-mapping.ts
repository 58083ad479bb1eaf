import type { OperationColumns, OperationFile } from '@heliograph/contract';
import { OPERATION_FIELDS, type OperationField } from '@heliograph/domain';

/** The column of each field; null while none is chosen. */
export type OperationMapping = Record<OperationField, number | null>;

export function mappingOf({ columns }: OperationFile): OperationMapping {
  const at = (field: OperationField) => {
    const index = columns.findIndex((column) => column.field === field);
    return index < 0 ? null : index;
  };
  return { account: at('account'), amount: at('amount'), comment: at('comment') };
}

/** Fields whose column is that of a field before them. */
export function repeatedFields(mapping: OperationMapping): Set<OperationField> {
  return new Set(
    OPERATION_FIELDS.filter((field, i) =>
      OPERATION_FIELDS.slice(0, i).some(
        (other) => mapping[other] !== null && mapping[other] === mapping[field],
      ),
    ),
  );
}

/** As the call takes it; null while a column is missing or chosen twice. */
export function toColumns(mapping: OperationMapping): OperationColumns | null {
  const { account, amount, comment } = mapping;
  if (account === null || amount === null || repeatedFields(mapping).size) return null;
  return { account, amount, comment };
}
