/** Prints a text alone, without the page around it. */
export function printText(title: string, text: string): void {
  const frame = document.createElement('iframe');
  frame.style.cssText = 'position:fixed;width:0;height:0;border:0;visibility:hidden';
  frame.title = title;
  document.body.append(frame);
  const { contentWindow: view, contentDocument: page } = frame;
  if (!view || !page) return frame.remove();
  page.title = title;
  const lines = page.createElement('pre');
  lines.textContent = text;
  page.body.append(lines);
  view.addEventListener('afterprint', () => frame.remove());
  view.print();
}
