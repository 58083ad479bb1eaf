import type {
  Automation,
  AutomationStepInput,
  AutomationStepKind,
  AutomationTrigger,
  AutomationTriggerKind,
  AUTOMATION_TYPES,
} from '@heliograph/contract';
import type { WaitUnit } from '@heliograph/domain';
import type { AutomationDraft } from './automations.api.ts';

export type MessageType = (typeof AUTOMATION_TYPES)[number];
type DateTrigger = Extract<AutomationTrigger, { when: 'date' }>;
type KeywordTrigger = Extract<AutomationTrigger, { when: 'keyword' }>;

/** A step with the fields of all kinds, so that a change of the kind loses nothing. */
export interface StepValues {
  /** Of the row in the form. */
  key: number;
  id?: number;
  do: AutomationStepKind;
  amount: number | null;
  unit: WaitUnit;
  type: MessageType;
  sender: string;
  text: string;
  TemplateId: string | null;
  add: string[];
  remove: string[];
}

export interface AutomationValues {
  title: string;
  when: AutomationTriggerKind;
  ListId: string | null;
  SegmentId: string | null;
  field: DateTrigger['field'];
  /** `09:30` */
  time: string;
  days: number | null;
  keywords: string[];
  mode: KeywordTrigger['mode'];
  timeZone: string;
  steps: StepValues[];
}

export const newStep = (key: number, kind: AutomationStepKind): StepValues => ({
  key,
  do: kind,
  amount: 1,
  unit: 'days',
  type: 'sms',
  sender: '',
  text: '',
  TemplateId: null,
  add: [],
  remove: [],
});

const START: Omit<AutomationValues, 'title' | 'timeZone' | 'steps'> = {
  when: 'listed',
  ListId: null,
  SegmentId: null,
  field: 'date',
  time: '10:00',
  days: 14,
  keywords: [],
  mode: 'equals',
};

export function initialValues(row: Automation | null, timeZone: string): AutomationValues {
  if (!row) return { ...START, title: '', timeZone, steps: [newStep(0, 'message')] };
  return {
    ...START,
    ...(row.trigger as Partial<typeof START>),
    title: row.title,
    timeZone: row.timeZone,
    steps: row.steps.map((step, key) => ({ ...newStep(key, step.do), ...(step as object) })),
  };
}

function triggerOf(values: AutomationValues): AutomationDraft['trigger'] {
  const { when, ListId, SegmentId, field, time, days, keywords, mode } = values;
  switch (when) {
    case 'listed':
      return { when, ListId: ListId! };
    case 'segment':
      return { when, SegmentId: SegmentId! };
    case 'date':
      return { when, field, ListId, time };
    case 'silence':
      // An empty field is refused beside it.
      return { when, days: days as number };
    case 'keyword':
      return { when, mode, keywords };
  }
}

function stepOf(step: StepValues): AutomationStepInput {
  const id = step.id !== undefined && { id: step.id };
  switch (step.do) {
    case 'wait':
      return { ...id, do: 'wait', amount: step.amount as number, unit: step.unit };
    case 'message':
      return { ...id, do: 'message', type: step.type, sender: step.sender, text: step.text };
    case 'template':
      return { ...id, do: 'template', TemplateId: step.TemplateId! };
    case 'tag':
      return { ...id, do: 'tag', add: step.add, remove: step.remove };
    case 'stop':
      return { ...id, do: 'stop', if: 'replied' };
  }
}

export const bodyOf = (values: AutomationValues): AutomationDraft => ({
  title: values.title.trim(),
  timeZone: values.timeZone,
  trigger: triggerOf(values),
  steps: values.steps.map(stepOf),
});

/** Names of the fields of the trigger in the form, by their paths in the body. */
export const NAMES = Object.fromEntries(
  ['ListId', 'SegmentId', 'field', 'time', 'days', 'keywords', 'mode'].map((name) => [
    `trigger.${name}`,
    name,
  ]),
);
