import type { ChannelDriver } from '@heliograph/contract';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { i18n } from '../../core/i18n/i18n.ts';
import { ChannelForm } from './channel-form.tsx';

const driver = (name: string, types: ChannelDriver['types']): ChannelDriver => ({
  name,
  types,
  options: [],
  presets: [],
  canRehearse: false,
});
const drivers = [driver('http', ['sms', 'email', 'viber']), driver('smtp', ['email'])];

test('a channel is offered the types that its driver carries, and keeps those it had', async () => {
  const { user } = await draw(<ChannelForm row={null} drivers={drivers} onClose={() => {}} />, {
    namespaces: ['channels', 'common'],
  });
  const box = (type: string) =>
    screen.queryByRole<HTMLInputElement>('checkbox', { name: i18n.t(`common:type.${type}`) });
  await user.click(box('sms')!);
  await user.click(box('email')!);
  await user.selectOptions(screen.getByLabelText(i18n.t('channels:driver')), 'smtp');
  expect(box('sms')).toBeNull();
  expect(box('email')!.checked).toBe(true);
  await user.selectOptions(screen.getByLabelText(i18n.t('channels:driver')), 'http');
  expect(box('sms')!.checked).toBe(false);
  expect(box('email')!.checked).toBe(true);
});
