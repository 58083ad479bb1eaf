import { expect, it } from 'vitest';
import { marked, type Mark } from './markdown-edits.ts';

/** The selection is between the bars, the caret afterwards at the last one. */
const at = (text: string) => {
  const start = text.indexOf('|');
  const rest = text.slice(0, start) + text.slice(start + 1);
  const end = rest.indexOf('|');
  return end < 0
    ? { text: rest, start, end: start }
    : { text: rest.slice(0, end) + rest.slice(end + 1), start, end };
};

it.each<[Mark, string, string]>([
  ['bold', 'a |tea| b', 'a **tea**| b'],
  ['bold', 'a |', 'a **text**|'],
  ['italic', '|tea|', '*tea*|'],
  ['heading', 'a\n|tea|\nb', 'a\n## tea|\nb'],
  ['heading', 'a\nt|ea', 'a\n## t|ea'],
  ['list', 'a\n|b\nc|', 'a\n- b\n- c|'],
  ['link', 'see |here|', 'see [here](https://|)'],
  ['link', '|', '[text](https://|)'],
  ['image', '|', '![text](https://|)'],
  ['button', '|', '[text](https://| "button")\n\n'],
  ['button', 'Hello|', 'Hello\n\n[text](https://| "button")\n\n'],
  ['button', 'Hello\n|', 'Hello\n\n[text](https://| "button")\n\n'],
  ['button', 'Hello\n\n|Order|', 'Hello\n\n[Order](https://| "button")\n\n'],
  ['line', 'Hello|', 'Hello\n\n---\n\n|'],
  ['line', '|', '---\n\n|'],
])('%s in %j', (mark, before, after) => {
  const { text, start, end } = at(before);
  const { text: whole, caret } = marked(text, { start, end }, mark, 'text');
  expect(`${whole.slice(0, caret)}|${whole.slice(caret)}`).toBe(after);
});
