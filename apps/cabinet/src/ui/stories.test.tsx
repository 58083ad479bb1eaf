import { screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { draw } from '../../test/draw.tsx';
import type { StoryModule } from './story.ts';

const stories = import.meta.glob<StoryModule>('./*.story.tsx');

test.each(Object.entries(stories))('%s is drawn without a complaint', async (_, load) => {
  const { story } = await load();
  const complain = vi.spyOn(console, 'error');
  await draw(
    <section aria-label={story.title}>
      <story.Story />
    </section>,
  );
  expect(screen.getByRole('region', { name: story.title }).childElementCount).toBeGreaterThan(0);
  expect(complain).not.toHaveBeenCalled();
});
