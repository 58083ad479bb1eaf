import { parseMarkdown } from './markdown-parser.ts';
import { MarkdownView } from './markdown-view.tsx';

const TEXT = `
A paragraph with \`code\` that copies itself, **strong** words and [a link](https://example.com).

::: tip
Something useful.
:::

::: danger Not undone
Something dangerous.
:::

| Field | Meaning |
| --- | --- |
| \`id\` | Identifier |

\`\`\`sh
curl https://api.example/sendings
\`\`\`
`;

export const story = {
  title: 'Markdown view',
  Story: () => <MarkdownView nodes={parseMarkdown(TEXT).nodes} source="/docs/en/api/example.md" />,
};
