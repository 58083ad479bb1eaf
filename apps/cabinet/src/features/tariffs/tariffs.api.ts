import { tariffs, type SendingType, type Settings } from '@heliograph/contract';
import { SENDING_TYPES } from '@heliograph/domain';
import { ACCOUNT_SIZES, listSpec, oneOf, text } from '../../list/state/list-spec.ts';

export const tariffSpec = listSpec(tariffs.find, {
  filters: { source: oneOf(SENDING_TYPES), OwnerId: text },
  order: ['createdAt', 'title'],
  search: true,
  ...ACCOUNT_SIZES,
});

/** Calls are billed by the length of their audio: that of a text which a voice reads, or of a recording, which the calculator does not have. */
export const pricedByText = ({ sendings, tools }: Settings): SendingType[] =>
  sendings.types.filter((type) => type !== 'voice' || tools.speech);
