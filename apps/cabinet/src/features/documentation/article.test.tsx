import { screen } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { expect, test, vi } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { server } from '../../../test/server.ts';
import { i18n } from '../../core/i18n/i18n.ts';
import { Article } from './article.tsx';

vi.stubGlobal(
  'IntersectionObserver',
  class {
    observe = () => undefined;
    disconnect = () => undefined;
  },
);

test('a page that cannot be read is said at the first failure, and shown when a repetition succeeds', async () => {
  let calls = 0;
  let succeed: () => void = () => undefined;
  const second = new Promise<void>((resolve) => (succeed = resolve));
  server.use(
    http.get('*/docs/:locale/api/page.md', async () => {
      calls += 1;
      if (calls === 1) return new HttpResponse('', { status: 502 });
      await second;
      return new HttpResponse('# Keys\n\nHow they work.');
    }),
  );
  await draw(<Article category="api" file="page" />, { namespaces: ['documentation'] });
  expect(await screen.findByRole('alert')).toBeTruthy();
  succeed();
  expect(await screen.findByText('How they work.')).toBeTruthy();
  expect(screen.queryByRole('alert')).toBeNull();
});

const CALL = `### POST /sendings

| Name | Type |
| --- | --- |
| \`return\` | string, **required** |

\`\`\`http test
POST /api/sendings
Authorization: Bearer hg_…
Content-Type: application/json

{"type": "sms"}
\`\`\`
`;

test('a call of the reference is shown in the language that the reader has chosen at another one', async () => {
  const page = `# Reference\n\n${CALL}\n${CALL.replaceAll('sendings', 'tasks')}`;
  server.use(http.get('*/docs/:locale/api/page.md', () => new HttpResponse(page)));
  const { user } = await draw(<Article category="api" file="page" />, {
    namespaces: ['documentation'],
  });
  const [first, second] = await screen.findAllByRole('button', { name: /^Code examples/ });
  expect(screen.queryByRole('tab')).toBeNull();
  await user.click(first!);
  expect(first!.getAttribute('aria-expanded')).toBe('true');
  const names = (await screen.findAllByRole('tab')).map((tab) => tab.textContent);
  expect(names).toEqual(['curl', 'TypeScript', 'PHP', 'Python', '1C']);
  expect(screen.getByRole('group', { name: 'POST /sendings, curl' }).textContent).toContain(
    `curl '${location.origin}/api/sendings'`,
  );
  await user.click(screen.getByRole('tab', { name: 'Python' }));
  await user.click(second!);
  const program = await screen.findByRole('group', { name: 'POST /tasks, Python' });
  expect(program.textContent).toContain('/api/tasks"');
  await user.click(second!);
  expect(screen.queryByRole('group', { name: 'POST /tasks, Python' })).toBeNull();
});

test('the contents list the headings of all levels, indented by their level', async () => {
  const page = '# Page\n\n## Two\n\n### Three\n\n#### Four\n\n##### Five\n\n###### Six';
  server.use(http.get('*/docs/:locale/api/page.md', () => new HttpResponse(page)));
  await draw(<Article category="api" file="page" />, { namespaces: ['documentation'] });
  const contents = await screen.findByRole('navigation', {
    name: i18n.t('documentation:contents'),
    hidden: true,
  });
  const entries = [...contents.querySelectorAll('li')].map((entry) => [
    entry.textContent,
    entry.style.getPropertyValue('--depth'),
  ]);
  expect(entries).toEqual([
    ['Two', '0'],
    ['Three', '1'],
    ['Four', '2'],
    ['Five', '3'],
    ['Six', '4'],
  ]);
});
