import type { Task } from '@heliograph/contract';
import { useEffect, useState } from 'react';
import { addSample, paceOf, type Pace, type Sample } from './pace.ts';
import { progressOf } from './task-progress.ts';

const NONE: Sample[] = [];

/** The pace of a running task, from its counters as the socket brings them. */
export function useTaskPace(task: Task): Pace | null {
  const { ended: done, expected } = progressOf(task);
  const isRunning = task.state === 'running';
  const [samples, setSamples] = useState(NONE);
  useEffect(() => {
    if (!isRunning) return setSamples(NONE);
    const look = () => setSamples((now) => addSample(now, { at: Date.now(), done }));
    look();
    // It slows down by itself while nothing arrives.
    const timer = setInterval(look, 5000);
    return () => clearInterval(timer);
  }, [isRunning, done]);
  return isRunning ? paceOf(samples, task, expected) : null;
}
