import { byOwner, type ByOwner } from './by-owner.ts';

export interface AlongIds extends Omit<ByOwner, 'column'> {
  /** `payments p`: a table whose owner is `owner_id`, and its alias. */
  from: string;
  alias: string;
  columns?: string;
  /** What the rows are ordered by before their ids, if anything; the indexes then have it in front of the id. */
  by?: string;
  /** Conditions that exclude each other and have an index (owner_id, ..., id) each, such as one for each status; null for no condition. */
  parts: (string | null)[];
  where: string[];
  direction: 'asc' | 'desc';
  take: string;
}

/**
 * A select of at least the first `take` rows in their order. Each part is read along its own index and the results are merged, so that a rare
 * status does not scan the others.
 */
export function alongIds(
  { from, alias, columns = `${alias}.id`, by, parts, where, direction, take, ...owner }: AlongIds,
  bind: (value: unknown) => string,
): string {
  const order = [...(by ? [by] : []), `${alias}.id`].map((one) => `${one} ${direction}`).join(', ');
  return byOwner({ ...owner, column: `${alias}.owner_id` }, bind, (within) => {
    const read = (part: string | null) => {
      const all = [within, ...(part === null ? [] : [part]), ...where].join(' and ');
      return `(select ${columns} from ${from} where ${all} order by ${order} limit ${take})`;
    };
    return parts.map(read).join(' union all ');
  });
}
