import { ActionIcon, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFileUrl } from '../../../core/file-url.ts';
import { IconPause, IconPlay } from '../../../ui/icons.ts';
import classes from './audio-player.module.css';
import { clockText, usePlayer } from './use-player.ts';

interface AudioPlayerProps {
  /** The stored file; null while there is none. */
  fileId: string | null;
  title: string;
  /** As far as it is known before the recording is. */
  seconds?: number | null;
  /** Plays as soon as there is something to. */
  autoPlay?: boolean;
}

interface PlayerProps extends Omit<AudioPlayerProps, 'fileId'> {
  src: string | undefined;
  onError: () => void;
}

/** Another recording starts from its beginning. */
export function AudioPlayer({ fileId, ...props }: AudioPlayerProps) {
  const { url, renewExpired } = useFileUrl(fileId);
  return <Player key={url} src={url} onError={renewExpired} {...props} />;
}

function Player({ src, onError, title, seconds, autoPlay }: PlayerProps) {
  const { t } = useTranslation();
  const { ref, state, at, length, isBroken, toggle, seek, events } = usePlayer(!!src, onError);
  const whole = length ?? seconds ?? 0;
  const positionText = t('send:player.of', { at: clockText(at), length: clockText(whole) });
  const isOn = state === 'play' || state === 'loading';
  return (
    <div className={classes.player} role="group" aria-label={title} data-state={state}>
      {src && (
        // oxlint-disable-next-line jsx-a11y/media-has-caption
        <audio
          ref={ref}
          src={src}
          preload={autoPlay ? 'auto' : 'none'}
          autoPlay={autoPlay}
          {...events}
        />
      )}
      <ActionIcon
        variant="default"
        size="lg"
        radius="xl"
        aria-label={t(isOn ? 'send:player.pause' : 'send:player.play', { title })}
        loading={state === 'loading'}
        disabled={state === 'empty'}
        onClick={toggle}
      >
        {isOn ? <IconPause size={18} aria-hidden /> : <IconPlay size={18} aria-hidden />}
      </ActionIcon>
      <input
        type="range"
        className={classes.position}
        aria-label={t('send:player.position')}
        aria-valuetext={positionText}
        min={0}
        max={whole || 1}
        step={0.1}
        value={Math.min(at, whole)}
        disabled={length === null}
        onChange={(event) => seek(Number(event.currentTarget.value))}
      />
      <Text size="xs" c="dimmed" className="numeric" aria-hidden>
        {positionText}
      </Text>
      {isBroken && (
        <Text size="xs" c="var(--mantine-color-error)" role="alert" className={classes.fault}>
          {t('send:player.broken')}
        </Text>
      )}
    </div>
  );
}
