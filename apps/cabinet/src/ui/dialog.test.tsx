import { TextInput } from '@mantine/core';
import { screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { draw } from '../../test/draw.tsx';
import { i18n } from '../core/i18n/i18n.ts';
import { Dialog, Sheet } from './dialog.tsx';
import { SecretOnce } from './secret-once.tsx';

function Trial({ savesNothing }: { savesNothing?: boolean }) {
  const [opened, setOpened] = useState(true);
  return (
    <Dialog
      opened={opened}
      title="Trial"
      onClose={() => setOpened(false)}
      savesNothing={savesNothing}
    >
      <form>
        <TextInput label="Text" />
      </form>
    </Dialog>
  );
}
const question = () => screen.queryByText(i18n.t('common:discard.title'));

test('has one of the widths of dialogs, the smallest by default', async () => {
  const opened = { opened: true, onClose: () => {} };
  await draw(
    <>
      <Dialog {...opened} title="Small" />
      <Dialog {...opened} title="Large" size={1200} />
      {/* @ts-expect-error: no width of a dialog */}
      <Dialog {...opened} title="Other" size={560} />
    </>,
  );
  const widthOf = (name: string) =>
    screen
      .getByRole('dialog', { name, hidden: true })
      .closest<HTMLElement>('.mantine-Modal-root')!
      .style.getPropertyValue('--modal-size');
  expect(await screen.findByRole('dialog', { name: 'Large', hidden: true })).toBeTruthy();
  expect(widthOf('Small')).toContain('31.25rem');
  expect(widthOf('Large')).toContain('75rem');
});

test('asks before what was typed is lost', async () => {
  const { user } = await draw(<Trial />);
  await user.type(await screen.findByLabelText('Text'), 'tea');
  await user.keyboard('{Escape}');
  await waitFor(() => expect(question()).toBeTruthy());
  expect(screen.getByLabelText('Text')).toBeTruthy();
});

test('closes at once where nothing is ever saved', async () => {
  const { user } = await draw(<Trial savesNothing />);
  await user.type(await screen.findByLabelText('Text'), 'tea');
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByLabelText('Text')).toBeNull());
  expect(question()).toBeNull();
});

test('what is shown once is closed by a button only', async () => {
  const closed = vi.fn<() => void>();
  const { user } = await draw(
    <Dialog opened title="Trial" onClose={closed}>
      <SecretOnce label="Token" value="secret" warning="Store it now." />
    </Dialog>,
  );
  await screen.findByLabelText('Token');
  await user.keyboard('{Escape}');
  await user.click(document.querySelector('.mantine-Modal-inner')!);
  expect(closed).not.toHaveBeenCalled();
  await user.click(screen.getByRole('button', { name: i18n.t('common:close') }));
  expect(closed).toHaveBeenCalledOnce();
});

function EditOverDetail() {
  const [isEditing, setEditing] = useState(false);
  const [detail, setDetail] = useState(false);
  return (
    <>
      <button onClick={() => setDetail(true)}>Open</button>
      <Dialog opened={isEditing} onClose={() => setEditing(false)} title="Edit">
        A form
      </Dialog>
      {detail && (
        <Sheet opened onClose={() => setDetail(false)} title="Detail">
          <button onClick={() => setEditing(true)}>Edit it</button>
        </Sheet>
      )}
    </>
  );
}

test('a dialog that was mounted before a sheet opens over it, and closes first', async () => {
  const { user } = await draw(<EditOverDetail />);
  await user.click(screen.getByRole('button', { name: 'Open' }));
  await user.click(await screen.findByRole('button', { name: 'Edit it' }));
  const dialog = await screen.findByRole('dialog', { name: 'Edit' });
  const layer = (element: Element) =>
    element.closest('[data-dialog]')!.getAttribute('style') ??
    element.closest('[style*="z-index"]')!.getAttribute('style');
  expect(layer(screen.getByRole('dialog', { name: 'Detail' }))).toContain('- 1)');
  expect(layer(dialog)).not.toContain('- 1)');
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Edit' })).toBeNull());
  expect(screen.getByRole('dialog', { name: 'Detail' })).toBeTruthy();
});
