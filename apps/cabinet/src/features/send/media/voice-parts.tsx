import { NativeSelect, SegmentedControl } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useSettings } from '../../../core/settings.ts';
import { focusDrawn, useMessage } from '../form/send-form.ts';
import { usePrices } from '../form/use-prices.ts';
import { TextEditor } from '../text/text-editor.tsx';
import { AttachmentField } from './attachment-field.tsx';
import { SpeechPreview } from './speech-preview.tsx';
import { NoRecordings, voiceOptions } from './voice-options.tsx';

interface VoicePartsProps {
  fallback: number | null;
}

/** The content of a call: a recording, or a text with a voice. */
export function VoiceParts({ fallback }: VoicePartsProps) {
  const { t } = useTranslation();
  const { message, set } = useMessage(fallback);
  const { audio, tts } = message.payload;
  const { speech } = useSettings().tools;
  const isSpoken = !!tts && !audio;
  const choose = (kind: string) => {
    set('audio', null);
    set('tts', kind === 'speech' ? speech!.voice : null);
  };
  return (
    <>
      {speech && (
        <SegmentedControl
          aria-label={t('send:speech.source')}
          value={isSpoken ? 'speech' : 'recording'}
          onChange={choose}
          data={[
            { value: 'recording', label: t('send:speech.recording') },
            { value: 'speech', label: t('send:speech.text') },
          ]}
        />
      )}
      {isSpoken ? <Spoken fallback={fallback} /> : <Recording fallback={fallback} />}
    </>
  );
}

function Spoken({ fallback }: VoicePartsProps) {
  const { t } = useTranslation();
  const { message, set, pathOf, errorOf } = useMessage(fallback);
  const { text, tts } = message.payload;
  const { speech } = useSettings().tools;
  const { hasPerSecondPrice } = usePrices();
  const take = (fileId: string) => {
    set('audio', fileId);
    set('tts', null);
    focusDrawn(pathOf('payload.text'));
  };
  return (
    <>
      {speech && (
        <NativeSelect
          label={t('send:speech.voice')}
          required
          value={tts!}
          onChange={(event) => set('tts', event.currentTarget.value)}
          data={voiceOptions(speech.voices, tts!, (number) =>
            t('send:speech.synthesizer', { number }),
          )}
          error={errorOf('payload.tts')}
        />
      )}
      <div data-path={pathOf('payload.text')}>
        <TextEditor
          type="voice"
          label={speech ? t('send:text') : t('send:spoken', { voice: tts })}
          required
          value={text}
          onChange={(value) => set('text', value)}
          error={errorOf('payload.text')}
        />
      </div>
      {speech?.voices.some(({ id }) => id === tts) && (
        <SpeechPreview
          voice={tts!}
          text={text}
          onTake={hasPerSecondPrice === false ? undefined : take}
        />
      )}
    </>
  );
}

/** Only where the tariff bills seconds; a recording from a template or a draft can be removed. */
function Recording({ fallback }: VoicePartsProps) {
  const { t } = useTranslation();
  const { message, set, pathOf, errorOf } = useMessage(fallback);
  const { audio } = message.payload;
  const { hasPerSecondPrice } = usePrices();
  return (
    <div data-path={pathOf('payload.audio')}>
      {hasPerSecondPrice === false ? (
        <NoRecordings onRemove={audio ? () => set('audio', null) : undefined} />
      ) : (
        <AttachmentField
          type="voice"
          media={['audio']}
          label={t('send:addAudio')}
          value={audio}
          onChange={(id) => set('audio', id)}
          error={errorOf('payload.audio') ?? errorOf('payload.text')}
          field={pathOf('payload.text')}
        />
      )}
    </div>
  );
}
