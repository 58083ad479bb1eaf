import { useEffect, useRef, useState } from 'react';

/** `empty`: there is nothing to play. */
export type PlayerState = 'empty' | 'loading' | 'play' | 'pause';

/** Specification, section 4: a finished recording returns to its beginning after this time. */
const REWIND_MS = 300;

/** The state of an `audio` element, by its events. */
export function usePlayer(hasSource: boolean, onError: () => void) {
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
export function clockText(seconds: number): string {
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}
