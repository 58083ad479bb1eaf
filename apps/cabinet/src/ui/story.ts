import type { FC } from 'react';

/** What a file `*.story.tsx` exports: one component at work, as `/debug` shows it. */
export interface StoryModule {
  story: { title: string; Story: FC };
}
