import type { Range, SendingsWhere } from '@heliograph/contract';
import { statusCode, type StoredStatus } from '@heliograph/domain';
import { conditions, type Bind } from '../../../core/db/find-page.ts';
import { LIST, type Query } from './sendings.list.ts';

export type SendingsReport = SendingsWhere & { createdAt: Range };

/** The code of `paused` in `CURRENT_STATUS`; the others are those of the domain. */
export const PAUSED_CODE = 6;

/** The status of a sending `s` as a code. Only of open sendings it has to be derived from their batch and task. */
export const CURRENT_STATUS = `coalesce(s.status, (select case when n.is_paused then ${PAUSED_CODE} else n.now_status end from sendings_now n where n.id = s.id))`;

/** The conditions of a report on sendings `s`, without those of the access scope. */
export function reportConditions(
  { createdAt, status, OwnerId, ...filter }: SendingsReport,
  bind: Bind,
  country: string,
): string[] {
  const query = { filter, range: { createdAt } } as unknown as Query;
  const codes = status?.map((name) =>
    name === 'paused' ? PAUSED_CODE : statusCode(name as StoredStatus),
  );
  return [
    ...conditions(LIST, query, bind, country),
    ...(OwnerId ? [`s.owner_id = ${bind(OwnerId)}`] : []),
    ...(codes ? [`${CURRENT_STATUS} = any(${bind(codes)})`] : []),
  ];
}
