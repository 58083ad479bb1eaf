import type { AccountChange } from '@heliograph/contract';

/** What is changed in many accounts at a time. */
export const KINDS = [
  'suspend',
  'resume',
  'tariff',
  'overdraft',
  'types',
  'manager',
  'test',
  'caps',
] as const;
export type Kind = (typeof KINDS)[number];

export type ChangeParts = Omit<AccountChange, 'id'>;

export interface ChangeValues {
  kind: Kind;
  reason: string;
  overdraft: number | null;
  types: string[];
  ManagerId: string | null;
  isTest: 'true' | 'false';
  tariff: string | null;
  day: number | null;
  month: number | null;
  timeZone: string;
}

/** The parts of a change, as the contract has them. */
export function partsOf(values: ChangeValues): ChangeParts {
  switch (values.kind) {
    case 'suspend':
      return { suspend: { reason: values.reason.trim() } };
    case 'resume':
      return { resume: true };
    case 'tariff':
      return { tariffs: values.tariff ? [{ id: values.tariff, priority: 0 }] : [] };
    case 'overdraft':
      return { settings: { overdraft: values.overdraft ?? 0 } };
    case 'types':
      return { settings: { types: values.types.length ? (values.types as never) : null } };
    case 'manager':
      return { settings: { ManagerId: values.ManagerId } };
    case 'test':
      return { settings: { isTest: values.isTest === 'true' } };
    case 'caps': {
      const { day, month, timeZone } = values;
      return { caps: { day, month, timeZone } };
    }
  }
}

/** Fields without which there is no such change. */
export const wrongIn = ({ kind, reason, overdraft }: ChangeValues) => ({
  reason: kind === 'suspend' && !reason.trim() && 'required',
  overdraft: kind === 'overdraft' && overdraft === null && 'required',
});
