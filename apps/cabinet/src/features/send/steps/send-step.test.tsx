import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { draw } from '../../../../test/draw.tsx';
import { useContractForm } from '../../../core/forms/use-contract-form.tsx';
import { i18n } from '../../../core/i18n/i18n.ts';
import { SendFormProvider, WizardProvider, type Wizard } from '../form/send-form.ts';
import { brokenRules } from '../form/send-rules.ts';
import { emptyValues, type SendValues } from '../form/send-values.ts';
import { SendStep } from './send-step.tsx';

function Step({ at }: { at: string }) {
  const initial: SendValues = { ...emptyValues('sms'), when: 'later', at };
  const form = useContractForm({ initial, submit: () => Promise.resolve() });
  const wizard = {
    broken: brokenRules(form.values, Date.now()),
    estimate: { estimate: undefined, error: null, isReady: false, isCurrent: false },
    go: () => {},
  } as unknown as Wizard;
  return (
    <SendFormProvider value={form}>
      <WizardProvider value={wizard}>
        <SendStep />
      </WizardProvider>
    </SendFormProvider>
  );
}

test('a start in a year of five digits, which browsers take, is a warning and not the end of the page', async () => {
  await draw(<Step at="20266-11-21T14:30" />, { namespaces: ['send', 'list'] });
  await screen.findByText(i18n.t('send:notYet'));
  const name = i18n.t('send:mendField', { field: i18n.t('send:field.at') });
  expect(screen.getByRole('button', { name })).toBeTruthy();
});
