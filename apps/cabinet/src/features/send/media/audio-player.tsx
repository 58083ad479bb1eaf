import { ActionIcon, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFileUrl } from '../../../core/file-url.ts';
import { IconPause, IconPlay } from '../../../ui/icons.ts';
import classes from './audio-player.module.css';

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

/** `empty`: there is nothing to play. */
type PlayerState = 'empty' | 'loading' | 'play' | 'pause';

/** Specification, section 4: a finished recording returns to its beginning after this time. */
const REWIND_MS = 300;

/** The state of an `audio` element, by its events. */
function usePlayer(hasSource: boolean, onError: () => void) {
  const ref = useRef<HTMLAudioElement>(null);
  const [state, setState] = useState<PlayerState>(hasSource ? 'pause' : 'empty');
  const [at, setAt] = useState(0);
  const [length, setLength] = useState<number | null>(null);
  const [isBroken, setBroken] = useState(false);
  const ending = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(ending.current), []);

  const seek = (to: number) => {
    if (ref.current) ref.current.currentTime = to;
    setAt(to);
  };
  const rewind = () => {
    setState('pause');
    seek(0);
  };
  const toggle = () => {
    clearTimeout(ending.current);
    // A recording that cannot be played fires an `error` event.
    if (state === 'pause') ref.current?.play().catch(() => undefined);
    else ref.current?.pause();
  };
  const events = {
    onPlay: () => {
      setBroken(false);
      setState('loading');
    },
    onWaiting: () => setState('loading'),
    onPlaying: () => setState('play'),
    onPause: () => setState('pause'),
    onEnded: () => (ending.current = setTimeout(rewind, REWIND_MS)),
    onError: () => {
      setBroken(true);
      onError();
      rewind();
    },
    onTimeUpdate: () => setAt(ref.current?.currentTime ?? 0),
    onDurationChange: () => {
      const seconds = ref.current?.duration ?? Number.NaN;
      setLength(Number.isFinite(seconds) ? seconds : null);
    },
  };
  return { ref, state, at, length, isBroken, toggle, seek, events };
}

/** `0:07`, `12:03`. */
function clockText(seconds: number): string {
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}
