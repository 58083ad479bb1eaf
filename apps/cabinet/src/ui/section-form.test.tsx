import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { draw } from '../../test/draw.tsx';
import { i18n } from '../core/i18n/i18n.ts';
import { SectionForm } from './section-form.tsx';

const section = (id: string, isDone: boolean, onClear?: () => void) => ({
  id,
  title: `Section ${id}`,
  fields: [id],
  isDone,
  onClear,
  content: <input aria-label={id} />,
});
const text = (state: 'done' | 'error') => i18n.t(`common:section.${state}`);
const drawn = (name: string) => screen.getByRole('region', { name: new RegExp(name) });

test('marks complete sections and those with errors', async () => {
  await draw(
    <SectionForm
      sections={[section('contact', true), section('bank', true), section('legal', false)]}
      errors={{ 'bank.bik': 'wrong', banker: 'other', contact: undefined }}
    />,
  );
  expect(within(drawn('contact')).getByText(text('done'))).toBeTruthy();
  expect(within(drawn('bank')).getByText(text('error'))).toBeTruthy();
  expect(within(drawn('bank')).queryByText(text('done'))).toBeNull();
  expect(within(drawn('legal')).queryByText(text('done'))).toBeNull();
});

test('its menu leads to a section by the hash and moves the focus there', async () => {
  const { user, router } = await draw(
    <SectionForm sections={[section('contact', true), section('bank', false)]} errors={{}} />,
  );
  const nav = screen.getByRole('navigation', { name: i18n.t('common:section.nav'), hidden: true });
  await user.click(within(nav).getByRole('link', { name: /bank/, hidden: true }));
  expect(router.state.location.hash).toBe('#bank');
  const heading = screen.getByRole('heading', { name: 'Section bank' });
  await waitFor(() => expect(document.activeElement).toBe(heading));
});

test('clears a section', async () => {
  let cleared = 0;
  const { user } = await draw(
    <SectionForm sections={[section('bank', true, () => (cleared += 1))]} errors={{}} />,
  );
  const name = `${i18n.t('common:section.clear')}: Section bank`;
  await user.click(screen.getByRole('button', { name }));
  expect(cleared).toBe(1);
});

test('a hash that cannot be decoded leads nowhere', async () => {
  const { router } = await draw(<SectionForm sections={[section('contact', true)]} errors={{}} />);
  await act(() => router.navigate('/here#%E0%A4%A'));
  expect(router.state.location.hash).toBe('#%E0%A4%A');
  expect(drawn('contact')).toBeTruthy();
});
