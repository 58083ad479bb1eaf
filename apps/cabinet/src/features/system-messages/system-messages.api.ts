import { SYSTEM_MESSAGE_TYPES, systemMessages } from '@heliograph/contract';
import { rowQuery, sendBody } from '../../core/row-calls.ts';
import { ACCOUNT_SIZES, listSpec, oneOf } from '../../list/state/list-spec.ts';

export const systemMessageSpec = listSpec(systemMessages.find, {
  filters: { type: oneOf(SYSTEM_MESSAGE_TYPES) },
  order: ['createdAt'],
  ...ACCOUNT_SIZES,
});

export const systemMessageQuery = rowQuery('systemMessages', systemMessages.get);

export const useSendSystemMessage = sendBody(
  systemMessages.create,
  'systemMessages',
  'notifications',
);
