import { Stack } from '@mantine/core';
import { loadTexts } from '../core/i18n/i18n.ts';
import { later } from './later.tsx';
import type { Send } from './use-uploads.ts';

const Dropzone = later(async () => {
  await loadTexts(['storage']);
  return (await import('./dropzone.tsx')).Dropzone<string>;
});

/** Takes as long as an upload over a slow line. */
const send: Send<string> = (file, onProgress, signal) =>
  new Promise((resolve, reject) => {
    let ratio = 0;
    const timer = setInterval(() => {
      ratio += 0.1;
      onProgress(Math.min(1, ratio));
      if (ratio < 1.3) return;
      clearInterval(timer);
      if (file.name.includes('fail')) reject(new Error('The connection was lost.'));
      else resolve(file.name);
    }, 300);
    signal.addEventListener('abort', () => {
      clearInterval(timer);
      reject(signal.reason as Error);
    });
  });

function Story() {
  return (
    <Stack gap="sm">
      <Dropzone preset="all" maxSize={20_971_520} send={send} onSent={() => undefined} />
      <Dropzone preset="image" maxSize={1_048_576} send={send} onSent={() => undefined} isSingle />
    </Stack>
  );
}

export const story = { title: 'Dropzone', Story };
