import { Button } from '@mantine/core';
import { screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { draw } from '../../test/draw.tsx';
import { i18n } from '../core/i18n/i18n.ts';
import { StepperDialog } from './stepper-dialog.tsx';

function TopUp({ busy }: { busy?: boolean }) {
  const [opened, setOpened] = useState(true);
  const [step, setStep] = useState(0);
  return (
    <StepperDialog
      opened={opened}
      title="Top up"
      busy={busy}
      step={step}
      steps={[
        { title: 'Payer', content: <Button onClick={() => setStep(1)}>Company</Button> },
        { title: 'Payment', content: 'Sum', confirm: <Button>Pay</Button> },
      ]}
      onBack={() => setStep(step - 1)}
      onClose={() => setOpened(false)}
    />
  );
}
const back = () => screen.queryByRole('button', { name: i18n.t('common:step.back') });
const step = (number: number) => i18n.t('common:step.of', { number, count: 2 });

test('goes on and back, and moves the focus to the title of the step', async () => {
  const { user } = await draw(<TopUp />);
  await screen.findByText(step(1));
  expect(back()).toBeNull();
  expect(screen.queryByRole('button', { name: 'Pay' })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Company' }));
  const title = screen.getByRole('heading', { name: 'Payment' });
  expect(document.activeElement).toBe(title);
  expect(screen.getByText(step(2))).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Pay' })).toBeTruthy();
  await user.click(back()!);
  expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Payer' }));
});

test('closes', async () => {
  const { user } = await draw(<TopUp />);
  await screen.findByText(step(1));
  await user.click(screen.getAllByRole('button', { name: i18n.t('common:close') }).at(-1)!);
  await waitFor(() => expect(screen.queryByText(step(1))).toBeNull());
});

test('stays open while a call runs', async () => {
  const { user } = await draw(<TopUp busy />);
  await screen.findByText(step(1));
  await user.keyboard('{Escape}');
  for (const close of screen.getAllByRole('button', { name: i18n.t('common:close') }))
    expect(close.hasAttribute('disabled')).toBe(true);
  expect(screen.getByText(step(1))).toBeTruthy();
});
