import { insertAt, type Edit } from './variables.ts';

export const MARKS = [
  'bold',
  'italic',
  'heading',
  'list',
  'link',
  'button',
  'image',
  'line',
] as const;
export type Mark = (typeof MARKS)[number];

const AROUND = { bold: '**', italic: '*' };
const BEFORE_LINE = { heading: '## ', list: '- ' };

/** A text in Markdown with a mark where the selection is. `label` stands where nothing is selected. */
export function marked(
  text: string,
  { start, end }: { start: number; end: number },
  mark: Mark,
  label: string,
): Edit {
  const selected = text.slice(start, end);
  if (mark === 'bold' || mark === 'italic') {
    const around = AROUND[mark];
    return insertAt(text, start, end, around + (selected || label) + around);
  }
  if (mark === 'heading' || mark === 'list') {
    const from = text.lastIndexOf('\n', start - 1) + 1;
    const lines = text.slice(from, end).split('\n');
    return insertAt(text, from, end, lines.map((line) => BEFORE_LINE[mark] + line).join('\n'));
  }
  if (mark === 'line')
    return insertAt(text, start, end, `${selected}${paragraphAfter(text, end)}---\n\n`);
  const piece = {
    link: `[${selected || label}](https://)`,
    image: `![${selected || label}](https://)`,
    button: `${paragraphAfter(text, start)}[${selected || label}](https:// "button")\n\n`,
  }[mark];
  // The address is what is missing.
  const { text: whole } = insertAt(text, start, end, piece);
  return { text: whole, caret: start + piece.lastIndexOf('https://') + 'https://'.length };
}

/** What separates a paragraph from the text before it. */
const paragraphAfter = (text: string, at: number): string => {
  const before = text.slice(0, at);
  return !before || before.endsWith('\n\n') ? '' : before.endsWith('\n') ? '\n' : '\n\n';
};
