import { fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { draw } from '../../test/draw.tsx';
import { Dialog } from './dialog.tsx';
import { Dropzone } from './dropzone.tsx';
import type { Send } from './use-uploads.ts';

interface Sending {
  file: File;
  progress: (ratio: number) => void;
  resolve: (stored: string) => void;
  reject: (error: Error) => void;
  signal: AbortSignal;
}
const sendings: Sending[] = [];
const send: Send<string> = (file, progress, signal) =>
  new Promise((resolve, reject) => {
    sendings.push({ file, progress, resolve, reject, signal });
    signal.addEventListener('abort', () => reject(signal.reason as Error));
  });
const onSent = vi.fn<(stored: string) => void>();
const LIMIT = 1024 * 1024;

beforeEach(() => {
  sendings.length = 0;
  onSent.mockClear();
});

interface Props {
  preset?: 'all' | 'image' | 'sheet';
  extensions?: string[];
  isSingle?: boolean;
}
const drawn = (props: Props = {}) =>
  draw(<Dropzone preset="all" maxSize={LIMIT} send={send} onSent={onSent} {...props} />, {
    namespaces: ['storage'],
  });
const file = (name: string, size = 3) => new File([new Uint8Array(size)], name);
const drop = (...files: File[]) =>
  fireEvent.drop(screen.getByText(/or paste/), { dataTransfer: { files } });
const names = () => sendings.map((one) => one.file.name);
/** Of each file, what is said beside its name. */
const said = () => screen.getAllByRole('listitem').map((item) => item.textContent);

test('says which formats and sizes it takes', async () => {
  await drawn({ preset: 'image' });
  expect(screen.getByText('PNG, JPG, JPEG, GIF, WEBP, up to 1 MB each')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Choose files' })).toHaveProperty('disabled', false);
});

test('takes only the formats of its preset that its form can read', async () => {
  await drawn({ preset: 'sheet', extensions: ['csv'] });
  expect(screen.getByText('CSV, up to 1 MB each')).toBeTruthy();
  drop(file('a.ods'), file('b.csv'));
  await waitFor(() => expect(names()).toEqual(['b.csv']));
});

test('sends dropped files one after another, with progress', async () => {
  await drawn();
  drop(file('a.txt'), file('b.txt'));
  await waitFor(() => expect(names()).toEqual(['a.txt']));
  sendings[0]!.progress(0.5);
  const bar = screen.getByRole('progressbar', { name: /a\.txt/ });
  await waitFor(() => expect(bar.getAttribute('aria-valuenow')).toBe('50'));
  expect(said()).toEqual(['a.txt 50%', 'b.txt waiting']);
  sendings[0]!.resolve('A');
  await waitFor(() => expect(names()).toEqual(['a.txt', 'b.txt']));
  sendings[1]!.resolve('B');
  await waitFor(() => expect(onSent.mock.calls).toEqual([['A'], ['B']]));
  await waitFor(() => expect(said()).toEqual(['a.txt uploaded', 'b.txt uploaded']));
});

test('refuses each file that is too large, empty or of another format, and sends the others', async () => {
  await drawn({ preset: 'image' });
  drop(file('big.png', LIMIT + 1), file('empty.png', 0), file('a.exe'), file('a.png', LIMIT));
  await waitFor(() => expect(names()).toEqual(['a.png']));
  expect(said().slice(0, 3)).toEqual([
    'big.png The file is larger than 1 MB.',
    'empty.png The file is empty.',
    'a.exe This format is not accepted here.',
  ]);
});

test('cancels the file that is being sent, and one that waits, each by itself', async () => {
  const { user } = await drawn();
  drop(file('a.txt'), file('b.txt'), file('c.txt'));
  await waitFor(() => expect(names()).toEqual(['a.txt']));
  await user.click(screen.getByRole('button', { name: 'Cancel the upload of b.txt' }));
  await user.click(screen.getByRole('button', { name: 'Cancel the upload of a.txt' }));
  await waitFor(() => expect(names()).toEqual(['a.txt', 'c.txt']));
  expect(sendings[0]!.signal.aborted).toBe(true);
  await waitFor(() => expect(said()).toEqual(['c.txt 0%']));
  expect(onSent).not.toHaveBeenCalled();
});

test('goes on after a file that failed, and says why it did', async () => {
  await drawn();
  drop(file('a.txt'), file('b.txt'));
  await waitFor(() => expect(names()).toEqual(['a.txt']));
  sendings[0]!.reject(new Error('lost'));
  await waitFor(() => expect(names()).toEqual(['a.txt', 'b.txt']));
  await waitFor(() => expect(said()[0]).toMatch(/^a\.txt .+/));
});

test('takes one file where one is wanted, also pasted', async () => {
  await drawn({ isSingle: true });
  fireEvent.paste(document.body, { clipboardData: { files: [file('a.txt'), file('b.txt')] } });
  await waitFor(() => expect(names()).toEqual(['a.txt']));
  expect(said()).toHaveLength(1);
});

test('the button opens the file dialog by the keyboard', async () => {
  const { user } = await drawn();
  const input = document.querySelector<HTMLInputElement>('input[type=file]')!;
  const opened = vi.spyOn(input, 'click');
  await user.tab();
  await user.keyboard('{Enter}');
  expect(opened).toHaveBeenCalledOnce();
});

const zone = <Dropzone preset="all" maxSize={LIMIT} send={send} onSent={onSent} />;
const paste = () => fireEvent.paste(document.body, { clipboardData: { files: [file('a.txt')] } });

test('takes nothing that is pasted into a dialog over it', async () => {
  await draw(
    <>
      {zone}
      <Dialog opened onClose={() => {}} title="Over">
        Text
      </Dialog>
    </>,
    { namespaces: ['storage'] },
  );
  await screen.findByText('Text');
  paste();
  expect(screen.queryByText(/a\.txt/)).toBeNull();
});

test('takes what is pasted into the dialog that it is in', async () => {
  await draw(
    <Dialog opened onClose={() => {}} title="Files">
      {zone}
    </Dialog>,
    { namespaces: ['storage'] },
  );
  await screen.findByText(/or paste/);
  paste();
  await waitFor(() => expect(names()).toEqual(['a.txt']));
});
