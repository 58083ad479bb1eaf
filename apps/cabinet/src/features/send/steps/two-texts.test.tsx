import { screen, waitFor } from '@testing-library/react';
import { sendings } from '@heliograph/contract';
import { expect, test } from 'vitest';
import { draw } from '../../../../test/draw.tsx';
import { useContractForm } from '../../../core/forms/use-contract-form.tsx';
import { i18n } from '../../../core/i18n/i18n.ts';
import { SendFormProvider, WizardProvider, type Wizard } from '../form/send-form.ts';
import { FIELDS, NAMES } from '../form/send-rules.ts';
import { emptyValues, toInput, type SendValues } from '../form/send-values.ts';
import { TwoTexts } from './two-texts.tsx';

const sent: ReturnType<typeof toInput>[] = [];

function Form({ second }: { second: string }) {
  const empty = emptyValues('sms');
  const initial: SendValues = {
    ...empty,
    payload: { ...empty.payload, sender: 'MIRTEA', text: 'New tea' },
    include: { ...empty.include, typed: '+79990000000\n+79990000001' },
    variants: { ...empty.variants, isOn: true, text: second },
  };
  const form = useContractForm({
    initial,
    schema: sendings.create.body,
    names: NAMES,
    fields: FIELDS,
    toBody: toInput,
    submit: (body) => {
      sent.push(body);
      return Promise.resolve();
    },
  });
  const wizard = { sample: { values: {} } } as unknown as Wizard;
  return (
    <SendFormProvider value={form}>
      <WizardProvider value={wizard}>
        <TwoTexts />
        <button type="button" onClick={() => void form.submit()}>
          Submit
        </button>
      </WizardProvider>
    </SendFormProvider>
  );
}

async function drawn(second: string) {
  sent.length = 0;
  const { user } = await draw(<Form second={second} />, { namespaces: ['send'] });
  return user;
}
const select = (field: string) =>
  screen.getByRole<HTMLSelectElement>('combobox', { name: i18n.t(`send:field.${field}` as never) });
const text = () =>
  screen.getByRole('textbox', { name: new RegExp(i18n.t('send:field.secondText')) });
const submit = () => screen.getByRole('button', { name: 'Submit' });

test('says what will be sent to whom, and sends what is chosen', async () => {
  const user = await drawn('Try our new tea');
  const hours = (count: number) => i18n.t('send:hours', { count });
  const plan = (by: 'replied' | 'delivered', half: string, after: number, rest: string) =>
    i18n.t(`send:variants.plan.${by}`, { half, hours: hours(after), rest });
  expect(screen.getByText(plan('replied', '10%', 4, '80%'))).toBeTruthy();
  await user.selectOptions(select('share'), '50%');
  await user.selectOptions(select('by'), i18n.t('send:variants.by.delivered'));
  await user.selectOptions(select('restAfter'), hours(24));
  expect(screen.getByText(plan('delivered', '25%', 24, '50%'))).toBeTruthy();
  await user.click(submit());
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]!.variants).toEqual({
    text: 'Try our new tea',
    share: 50,
    by: 'delivered',
    hours: 24,
  });
});

test('a second text that is the first is marked on its field, until it is another', async () => {
  const user = await drawn('New tea');
  await user.click(submit());
  await waitFor(() => expect(text().getAttribute('aria-invalid')).toBe('true'));
  expect(sent).toEqual([]);
  await user.type(text(), '!');
  expect(text().getAttribute('aria-invalid')).not.toBe('true');
  await user.click(submit());
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]!.variants!.text).toBe('New tea!');
});
