import type { RouteObject } from 'react-router';
import { page } from '../../core/page.ts';

export const surveyRoutes: RouteObject[] = [
  page({
    path: '/survey',
    title: 'survey:title',
    namespaces: ['survey', 'integrations'],
    load: async () => ({ Component: (await import('./survey-page.tsx')).SurveyPage }),
  }),
];
