import { automations, type Automation } from '@heliograph/contract';
import { expect, it } from 'vitest';
import { bodyOf, initialValues, newStep } from './automation-values.ts';

const ID = '01930000-0000-7000-8000-0000000000b1';
const STEPS = [
  { id: 1, do: 'message', type: 'viber', sender: 'TEA', text: 'Hi' },
  { id: 2, do: 'wait', amount: 3, unit: 'hours' },
  { id: 3, do: 'stop', if: 'replied' },
  { id: 4, do: 'tag', add: ['a'], remove: [] },
  { id: 5, do: 'template', TemplateId: ID },
];
const row = (trigger: object) =>
  ({ title: 'Tea', timeZone: 'UTC', trigger, steps: STEPS }) as unknown as Automation;

it.each([
  { when: 'listed', ListId: ID },
  { when: 'segment', SegmentId: ID },
  { when: 'date', field: 'custom03', ListId: null, time: '09:30' },
  { when: 'silence', days: 3 },
  { when: 'keyword', keywords: ['tea'], mode: 'starts' },
])('what is stored is saved as it is: %j', (trigger) => {
  const body = bodyOf(initialValues(row(trigger), 'Europe/Madrid'));
  expect(body).toEqual({ title: 'Tea', timeZone: 'UTC', trigger, steps: STEPS });
  expect(automations.create.body!.safeParse(body).success).toBe(true);
});

it('a new one begins with a message, and its steps have no ids', () => {
  const values = initialValues(null, 'Europe/Madrid');
  const steps = [...values.steps, newStep(1, 'stop')];
  expect(bodyOf({ ...values, title: ' Tea ', ListId: ID, steps })).toEqual({
    title: 'Tea',
    timeZone: 'Europe/Madrid',
    trigger: { when: 'listed', ListId: ID },
    steps: [
      { do: 'message', type: 'sms', sender: '', text: '' },
      { do: 'stop', if: 'replied' },
    ],
  });
});
