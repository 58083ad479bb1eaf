import { CodePane } from './code-pane.tsx';

export const story = {
  title: 'Code pane',
  Story: () => (
    <CodePane
      label="Example request"
      hint="Run it in a terminal"
      code={'curl https://api.example/sendings \\\n  -H "Authorization: Bearer $TOKEN"'}
    />
  ),
};
