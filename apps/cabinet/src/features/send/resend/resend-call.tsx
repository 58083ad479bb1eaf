import type { Sending } from '@heliograph/contract';
import { NativeSelect } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useSettings } from '../../../core/settings.ts';
import { mayRecord, type ResendValues } from './resend-values.ts';
import { AttachmentField } from '../media/attachment-field.tsx';
import { NoRecordings } from '../media/no-recordings.tsx';
import { usePrices } from '../form/use-prices.ts';
import { voiceOptions } from '../media/voice-options.ts';

interface ResendCallProps {
  sending: Sending;
  values: ResendValues;
  onChange: (patch: Partial<ResendValues>) => void;
  error?: ReactNode;
}

/** The content of a call: the text spoken by a voice, or a recording where the tariff bills seconds. */
export function ResendCall({ sending, values: { audio, tts }, onChange, error }: ResendCallProps) {
  const { t } = useTranslation();
  const { session, tools } = useSettings();
  const { hasPerSecondPrice } = usePrices();
  const isOwn = sending.OwnerId === session.OwnerId;
  const voices = voiceOptions(tools.speech?.voices ?? [], tts, (number) =>
    t('send:speech.synthesizer', { number }),
  );
  const recording = mayRecord(sending, session.OwnerId)
    ? [{ value: '', label: t('send:speech.recording') }]
    : [];
  const choose = (value: string) =>
    onChange({ tts: value || null, audio: value ? null : (sending.payload.audio ?? null) });
  return (
    <>
      {voices.length > 0 && (
        <NativeSelect
          data-path="tts"
          label={t('send:speech.source')}
          value={audio ? '' : (tts ?? '')}
          onChange={(event) => choose(event.currentTarget.value)}
          data={[...recording, ...voices]}
          error={isOwn ? undefined : error}
        />
      )}
      {(audio || !tts) &&
        isOwn &&
        (hasPerSecondPrice === false ? (
          <NoRecordings onRemove={audio ? () => onChange({ audio: null }) : undefined} />
        ) : (
          <div data-path="audio">
            <AttachmentField
              type="voice"
              media={['audio']}
              label={t('send:addAudio')}
              value={audio}
              onChange={(id) => onChange({ audio: id })}
              error={error}
              field="payload.audio"
            />
          </div>
        ))}
    </>
  );
}
