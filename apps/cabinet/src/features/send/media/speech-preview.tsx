import { ApiError, tts as synthesis } from '@heliograph/contract';
import { Alert, Button, Group, Paper, Stack, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../core/api.ts';
import { errorText, LOCK_MS } from '../../../core/errors.ts';
import { useMutationOnce } from '../../../core/use-mutation-once.ts';
import { CopyId } from '../../../ui/copy-id.tsx';
import { IconSpeech } from '../../../ui/icons.ts';
import { AudioPlayer } from './audio-player.tsx';
import { useLock } from '../form/use-lock.ts';
import { filledIn, namesIn } from '../form/variables.ts';
import { useWizard } from '../form/send-form.ts';

interface SpeechPreviewProps {
  voice: string;
  text: string;
  /** Sends the recording in place of the text; absent where recordings cannot be sent. */
  onTake?: (fileId: string) => void;
}

/** The text spoken by a voice. A change of the text or the voice removes the recording. */
export function SpeechPreview({ voice, text, onTake }: SpeechPreviewProps) {
  const { t } = useTranslation();
  const { sample } = useWizard();
  const place = useRef<HTMLDivElement>(null);
  const { left, lock } = useLock('tts');
  const spokenText = filledIn(text, sample.values).trim();
  const { mutate, reset, data, error, isPending } = useMutationOnce({
    mutationFn: (body: { tts: string; text: string }) => api(synthesis.generate, { body }),
    // The player replaces the pressed button; its own is disabled until the recording is there.
    onSuccess: () => requestAnimationFrame(() => place.current?.focus({ preventScroll: true })),
    onError(refused) {
      // Specification, section 9: the rate limit of recordings.
      if (refused instanceof ApiError && refused.status === 429) lock(Date.now() + LOCK_MS);
    },
    meta: { showsErrors: true },
  });
  useEffect(reset, [voice, spokenText, reset]);
  const fileId = data?.fileId;
  const isLocked = left > 0;
  const isLimited = error instanceof ApiError && error.status === 429;
  return (
    <Paper withBorder p="sm" component="section" aria-label={t('send:speech.preview')}>
      <Stack gap="xs" ref={place} tabIndex={-1}>
        <AudioPlayer fileId={fileId ?? null} title={t('send:speech.preview')} autoPlay />
        {fileId ? (
          <Taken fileId={fileId} isPersonal={namesIn(text).length > 0} onTake={onTake} />
        ) : (
          <Group>
            <Button
              size="xs"
              variant="default"
              leftSection={<IconSpeech size={16} aria-hidden />}
              loading={isPending}
              disabled={!spokenText || isLocked}
              onClick={() => mutate({ tts: voice, text: spokenText })}
            >
              {isLocked ? t('send:speech.listenIn', { count: left }) : t('send:speech.listen')}
            </Button>
          </Group>
        )}
        {isLocked && (
          <Alert color="yellow" role="alert">
            {t('sendings:errors.tts.limit')}
          </Alert>
        )}
        {!!error && !isLimited && (
          <Alert color="red" role="alert">
            {errorText(t, error)}
          </Alert>
        )}
      </Stack>
    </Paper>
  );
}

interface TakenProps {
  fileId: string;
  /** True when it contains the values of one contact. */
  isPersonal: boolean;
  onTake?: (fileId: string) => void;
}

/** The actions of a recording. */
function Taken({ fileId, isPersonal, onTake }: TakenProps) {
  const { t } = useTranslation();
  return (
    <>
      <Text size="xs" c="dimmed" role="status">
        {t(isPersonal ? 'send:speech.personal' : 'send:speech.kept')}
      </Text>
      <CopyId id={fileId} />
      {onTake && !isPersonal && (
        <Group>
          <Button size="xs" variant="default" onClick={() => onTake(fileId)}>
            {t('send:speech.take')}
          </Button>
        </Group>
      )}
    </>
  );
}
