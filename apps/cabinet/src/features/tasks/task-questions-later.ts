import { later } from '../../ui/later.tsx';

export const TaskQuestions = later(
  async () => (await import('./task-questions.tsx')).TaskQuestions,
);
