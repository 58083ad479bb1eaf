import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { i18n } from '../../core/i18n/i18n.ts';
import { TaskPart } from './task-part.tsx';

const tasks = { A: 'a', B: 'b', rest: 'c' };

test.each(['A', 'B'] as const)('text %s leads to the page with both', async (part) => {
  await draw(<TaskPart part={part} tasks={tasks} />, { namespaces: ['tasks'] });
  const name = i18n.t('tasks:textOfTwo', { text: part });
  const link = await screen.findByRole('link', { name });
  expect(link.getAttribute('href')).toBe('/messages/tasks/c');
});

test('the rest is named and leads nowhere else', async () => {
  await draw(<TaskPart part="rest" tasks={tasks} />, { namespaces: ['tasks'] });
  await screen.findByText(i18n.t('tasks:restOfTwo'));
  expect(screen.queryByRole('link')).toBeNull();
});
