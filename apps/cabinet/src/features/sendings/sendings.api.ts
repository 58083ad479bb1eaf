import { billings, Outcome, sendings, SendingType, Status } from '@heliograph/contract';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../core/api.ts';
import { isRefusedForGood } from '../../core/errors.ts';
import { keysOf } from '../../core/query-keys.ts';
import { actOnRow, rowQuery } from '../../core/row-calls.ts';
import { listSpec, manyOf, oneOf, span, text } from '../../list/state/list-spec.ts';

export const outgoingSpec = listSpec(sendings.find, {
  filters: {
    status: manyOf(Status.options),
    outcome: manyOf(Outcome.options),
    type: manyOf(SendingType.options),
    live: oneOf(['true', 'false']),
    recipient: text,
    groupId: text,
    mccmnc: text,
    country: text,
    sender: text,
    TokenId: text,
    OwnerId: text,
    updatedAt: span,
  },
  order: ['createdAt'],
  period: 'createdAt',
  scope: ['payload', 'Owner'],
});

/** The recipients of one task: `fixed` holds its `groupId`, and all outcomes where none is chosen. */
export const recipientSpec = listSpec(sendings.find, {
  name: 'taskRecipients',
  filters: {
    outcome: manyOf(Outcome.options),
    clicked: oneOf(['true', 'false']),
    recipient: text,
  },
  order: ['createdAt'],
  scope: ['payload', 'Owner'],
});

export const sendingQuery = rowQuery('sendings', sendings.get, { $scope: ['full'] });

/** Refused with 409 once a carrier has the message, or may have it. */
export const useCancelSending = actOnRow(sendings.cancel, 'sendings', 'billings');

/** A look-up that failed is silently repeated every five seconds, one that was refused is not. */
export const billingQuery = (id: string) =>
  queryOptions({
    queryKey: keysOf('billings').get(id),
    queryFn: ({ signal }) => api(billings.get, { params: { id }, signal }),
    retry: (_failures, error) => !isRefusedForGood(error),
    retryDelay: 5000,
  });
