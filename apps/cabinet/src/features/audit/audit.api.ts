import { audit, AUDIT_ACTIONS } from '@heliograph/contract';
import { ACCOUNT_SIZES, listSpec, manyOf, text } from '../../list/state/list-spec.ts';

const common = { order: ['createdAt'], period: 'createdAt', ...ACCOUNT_SIZES } as const;
const filters = { action: manyOf(AUDIT_ACTIONS), ActorId: text, ip: text };

/** Of every account within reach. */
export const auditSpec = listSpec(audit.find, {
  filters: { ...filters, OwnerId: text },
  ...common,
});

/** Of one's own account. */
export const accountAuditSpec = listSpec(audit.find, {
  filters,
  ...common,
  name: 'accountAudit',
});
