import { NativeSelect, TextInput } from '@mantine/core';
import { act, screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { createClient, endpoint, NoAnswer } from '@heliograph/contract';
import { i18n } from '../i18n/i18n.ts';
import { session } from '../session/session.ts';
import { draw } from '../../../test/draw.tsx';
import { accept, refuse } from '../../../test/server.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { ContractForm } from './contract-form.tsx';
import { FormFooter } from './form-footer.tsx';
import { useContractForm } from './use-contract-form.tsx';

const api = createClient({ base: 'http://localhost/api' });
const create = endpoint('POST', '/boats', {
  body: z.strictObject({
    name: z.string().min(1),
    crew: z.array(z.string()).optional(),
    data: z.strictObject({ port: z.string().max(5) }),
  }),
  response: z.object({}),
  can: 'templates.create',
});

interface BoatFormProps {
  isEdit?: boolean;
  check?: () => Promise<Record<string, string>>;
  onDone?: () => void;
}

function BoatForm({ isEdit, check, onDone }: BoatFormProps) {
  const form = useContractForm({
    initial: { name: isEdit ? 'Anna' : '', data: { port: 'Riga' }, crew: ['1'] },
    schema: create.body,
    check,
    isEdit,
    submit: (body) => api(create, { body }),
    onDone,
  });
  const footer = <FormFooter form={form} submit="Save" onCancel={() => {}} />;
  return (
    <ContractForm form={form} footer={footer}>
      <TextInput {...form.field('name')} label="Name" required />
      <NativeSelect {...form.field('data.port')} label="Port" data={['Riga', 'Reval', 'Danzig']} />
    </ContractForm>
  );
}

function BoatDialog() {
  const [opened, setOpened] = useState(true);
  return (
    <Dialog opened={opened} onClose={() => setOpened(false)} title="Boat">
      <BoatForm />
    </Dialog>
  );
}

const name = () => screen.getByRole('textbox', { name: /Name/ });
const port = () => screen.getByRole('combobox', { name: 'Port' });
const save = () => screen.getByRole('button', { name: 'Save' });

test('checks the body by the schema, marks the field and moves the focus to it', async () => {
  const { user } = await draw(<BoatForm />);
  await user.selectOptions(port(), 'Danzig');
  await user.click(save());
  await waitFor(() => expect(document.activeElement).toBe(name()));
  expect(name().getAttribute('aria-invalid')).toBe('true');
  expect(screen.getByText(i18n.t('errors:rule.required'))).toBeTruthy();
  expect(port().getAttribute('aria-invalid')).toBe('true');
  expect(screen.queryByRole('alert')).toBeNull();
});

test.each([
  ['errors', { errors: [{ property: 'data.port', constraints: { unknown: 'no such port' } }] }],
  ['data', { data: [{ field: 'data.port', type: 'unknown', message: 'no such port' }] }],
])('puts a refusal in `%s` on its field, until the user corrects it', async (_, refusal) => {
  const { user } = await draw(<BoatForm />);
  refuse('post', '/boats', refusal);
  await user.type(name(), 'Anna');
  await user.click(save());
  await screen.findByText(i18n.t('errors:rule.unknown'));
  await waitFor(() => expect(document.activeElement).toBe(port()));
  expect(screen.queryByRole('alert')).toBeNull();
  await user.selectOptions(port(), 'Reval');
  expect(screen.queryByText(i18n.t('errors:rule.unknown'))).toBeNull();
});

test('shows errors of fields that are not drawn in a summary with links to the marked ones', async () => {
  const { user } = await draw(<BoatForm />);
  refuse('post', '/boats', {
    errors: [
      { property: 'crew.0', constraints: { too_small: 'too few' } },
      { property: 'name', constraints: { unique: 'taken' } },
    ],
  });
  await user.type(name(), 'Anna');
  await user.click(save());
  const summary = await screen.findByRole('alert');
  expect(summary.textContent).toContain(i18n.t('errors:rule.too_small'));
  await waitFor(() => expect(document.activeElement).toBe(name()));
  await user.click(port());
  await user.click(within(summary).getByRole('button', { name: 'Name' }));
  expect(document.activeElement).toBe(name());
});

test('shows a refusal without fields as a sentence and moves the focus to it', async () => {
  const { user } = await draw(<BoatForm />);
  refuse('post', '/boats', {});
  await user.type(name(), 'Anna');
  await user.click(save());
  const summary = await screen.findByRole('alert');
  expect(summary.textContent).toBe(i18n.t('errors:refused'));
  await waitFor(() => expect(document.activeElement).toBe(summary));
});

test('says why a check could not be made, and checks again', async () => {
  const bodies = accept('post', '/boats');
  let isAway = true;
  const check = () => (isAway ? Promise.reject(new NoAnswer()) : Promise.resolve({}));
  const { user } = await draw(<BoatForm check={check} />);
  await user.type(name(), 'Anna');
  await user.click(save());
  expect((await screen.findByRole('alert')).textContent).toBe(i18n.t('errors:offline'));
  expect(bodies).toEqual([]);
  isAway = false;
  await user.click(save());
  await waitFor(() => expect(bodies).toHaveLength(1));
});

test('submits a double click once and keeps the focus on its button while it waits', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const bodies = accept('post', '/boats', {}, promise);
  let done = 0;
  const { user } = await draw(<BoatForm onDone={() => (done += 1)} />);
  await user.type(name(), 'Anna');
  await user.dblClick(save());
  await waitFor(() => expect(bodies).toHaveLength(1));
  expect(save().getAttribute('aria-disabled')).toBe('true');
  expect(save().hasAttribute('disabled')).toBe(false);
  expect(document.activeElement).toBe(save());
  resolve();
  await waitFor(() => expect(done).toBe(1));
  expect(bodies).toEqual([{ name: 'Anna', data: { port: 'Riga' }, crew: ['1'] }]);
  await waitFor(() => expect(save().getAttribute('aria-disabled')).toBeNull());
});

test('says why Save cannot be used, and does not submit by Enter either', async () => {
  const bodies = accept('post', '/boats');
  const { user } = await draw(<BoatForm isEdit />);
  expect(save().getAttribute('aria-disabled')).toBe('true');
  const reason = document.getElementById(save().getAttribute('aria-describedby')!);
  expect(reason?.textContent).toBe(i18n.t('common:form.unchanged'));
  await user.type(name(), '{Enter}');
  expect(bodies).toEqual([]);
  await user.type(name(), 'B{Enter}');
  await waitFor(() => expect(bodies).toHaveLength(1));
});

test('asks before another page takes unsaved changes away', async () => {
  const { user, router } = await draw(<BoatForm />);
  await user.type(name(), 'Anna');
  await act(() => router.navigate('/there'));
  await user.click(await screen.findByRole('button', { name: i18n.t('common:discard.stay') }));
  expect(router.state.location.pathname).toBe('/here');
  await act(() => router.navigate('/there'));
  await user.click(await screen.findByRole('button', { name: i18n.t('common:discard.go') }));
  expect(await screen.findByRole('heading', { name: 'There' })).toBeTruthy();
});

test('does not hold the page back when another account takes it over', async () => {
  const { user } = await draw(<BoatForm />);
  await user.type(name(), 'Anna');
  const isAsked = () => !dispatchEvent(new Event('beforeunload', { cancelable: true }));
  await waitFor(() => expect(isAsked()).toBe(true));
  // As another tab does that begins to act as somebody.
  act(() => session.start('other'));
  expect(isAsked()).toBe(false);
  act(() => session.end('signedOut'));
});

test('leaves without a question when everything is as it was', async () => {
  const { user, router } = await draw(<BoatForm />);
  await user.type(name(), 'A{Backspace}');
  await act(() => router.navigate('/there'));
  expect(await screen.findByRole('heading', { name: 'There' })).toBeTruthy();
});

test('a dialog asks before it closes over unsaved changes, by keyboard too', async () => {
  const { user } = await draw(<BoatDialog />);
  await user.selectOptions(port(), 'Reval');
  await user.keyboard('{Escape}');
  const stay = await screen.findByRole('button', { name: i18n.t('common:discard.stay') });
  await waitFor(() => expect(document.activeElement).toBe(stay));
  await user.keyboard('{Enter}');
  expect(screen.getByRole('dialog', { name: 'Boat' })).toBeTruthy();
  await user.click(screen.getByRole('button', { name: i18n.t('common:close') }));
  await user.click(await screen.findByRole('button', { name: i18n.t('common:discard.go') }));
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Boat' })).toBeNull());
});
