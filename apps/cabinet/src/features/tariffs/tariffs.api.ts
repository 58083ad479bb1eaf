import { tariffs, type SendingType, type Settings } from '@heliograph/contract';
import { SENDING_TYPES } from '@heliograph/domain';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../core/api.ts';
import { keysOf } from '../../core/query-keys.ts';
import { ACCOUNT_SIZES, listSpec, oneOf, text } from '../../list/state/list-spec.ts';

export const tariffSpec = listSpec(tariffs.find, {
  filters: { source: oneOf(SENDING_TYPES), OwnerId: text },
  order: ['createdAt', 'title'],
  search: true,
  ...ACCOUNT_SIZES,
});

/** Under the noun of the ledger: a charge or a refund moves what is used. */
export const volumesQuery = (OwnerId?: string) =>
  queryOptions({
    queryKey: keysOf('billings').of('volumes', OwnerId),
    queryFn: ({ signal }) => api(tariffs.volumes, { query: OwnerId ? { OwnerId } : {}, signal }),
  });

/** Calls are billed by the length of their audio: that of a text which a voice reads, or of a recording, which the calculator does not have. */
export const pricedByText = ({ sendings, tools }: Settings): SendingType[] =>
  sendings.types.filter((type) => type !== 'voice' || tools.speech);
