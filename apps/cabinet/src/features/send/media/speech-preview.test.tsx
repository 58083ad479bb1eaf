import { screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { draw } from '../../../../test/draw.tsx';
import { accept } from '../../../../test/server.ts';
import { i18n } from '../../../core/i18n/i18n.ts';
import { WizardProvider } from '../form/send-form.ts';
import { SpeechPreview } from './speech-preview.tsx';

function Preview() {
  const [text, setText] = useState('Tea is ready');
  return (
    <WizardProvider value={{ sample: { values: {} } } as never}>
      <button onClick={() => setText('Tea is cold')}>Change</button>
      <SpeechPreview voice="polly:anna" text={text} />
    </WizardProvider>
  );
}

test('another text can be listened to while the one before is still being spoken', async () => {
  const never = new Promise<void>(() => {});
  const bodies = accept('post', '/tts/generate', {}, never);
  const { user } = await draw(<Preview />, { namespaces: ['send', 'sendings'] });
  const listen = () =>
    waitFor(() => {
      const button = screen.getByRole('button', { name: i18n.t('send:speech.listen') });
      expect(button).toHaveProperty('disabled', false);
      return button;
    });
  await user.click(await listen());
  await user.click(screen.getByRole('button', { name: 'Change' }));
  await user.click(await listen());
  await waitFor(() =>
    expect(bodies).toEqual([
      { tts: 'polly:anna', text: 'Tea is ready' },
      { tts: 'polly:anna', text: 'Tea is cold' },
    ]),
  );
});
