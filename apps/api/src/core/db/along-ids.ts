import { byOwner, type ByOwner } from './by-owner.ts';

export interface AlongIds extends Omit<ByOwner, 'column'> {
  /** `payments p`: a table whose owner is `owner_id`, and its alias. */
  from: string;
  alias: string;
  columns?: string;
  /** Conditions that exclude each other and have an index (owner_id, ..., id) each, such as one for each status; null for no condition. */
  parts: (string | null)[];
  where: string[];
  direction: 'asc' | 'desc';
  take: string;
}

/**
 * A select of at least the first `take` rows by id. Each part is read along its own index and the results are merged, so that a rare
 * status does not scan the others.
 */
export function alongIds(
  { from, alias, columns = `${alias}.id`, parts, where, direction, take, ...owner }: AlongIds,
  bind: (value: unknown) => string,
): string {
  const read = (part: string | null) =>
    byOwner({ ...owner, column: `${alias}.owner_id` }, bind, (within) => {
      const all = [within, ...(part === null ? [] : [part]), ...where].join(' and ');
      return `select ${columns} from ${from} where ${all} order by ${alias}.id ${direction} limit ${take}`;
    });
  return parts.map((part) => `(${read(part)})`).join(' union all ');
}
