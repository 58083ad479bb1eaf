import { describe, expect, it } from 'vitest';
import type { ModerationAction, TaskAction, TaskState } from './tasks.ts';
import { moderationTransition, isTaskRemovable, taskTransition } from './tasks.ts';

const STATES: TaskState[] = ['scheduled', 'running', 'paused', 'stopped', 'completed', 'failed'];

describe('taskTransition', () => {
  it.each([
    ['pause', { scheduled: 'paused', running: 'paused' }],
    ['stop', { scheduled: 'stopped', running: 'stopped' }],
    ['cancel', { scheduled: 'stopped', running: 'stopped', paused: 'stopped' }],
    ['resume', { paused: 'scheduled' }],
    ['start', { scheduled: 'running' }],
    ['complete', { running: 'completed' }],
    ['fail', { scheduled: 'failed', running: 'failed' }],
  ] as [TaskAction, Partial<Record<TaskState, TaskState>>][])(
    '%s is allowed exactly as %j',
    (action, allowed) => {
      const found = STATES.map((from) => [from, taskTransition(from, action)]);
      expect(found).toEqual(STATES.map((from) => [from, allowed[from] ?? null]));
    },
  );

  it('allows removing every task except a running one', () => {
    expect(STATES.filter((state) => !isTaskRemovable(state))).toEqual(['running']);
  });
});

describe('moderationTransition', () => {
  it.each([
    ['approve', ['approved', null, null]],
    ['reject', ['rejected', 'rejected', null]],
    ['edit', ['pending', 'approved', 'pending']],
    ['rewrite', ['pending', 'pending', 'pending']],
  ] as [ModerationAction, (string | null)[]][])('%s', (action, expected) => {
    const states = ['pending', 'approved', 'rejected'] as const;
    expect(states.map((from) => moderationTransition(from, action))).toEqual(expected);
  });
});
