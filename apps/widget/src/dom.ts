export type Child = Node | string;
type Attribute = string | ((event: never) => unknown);

/** An element with attributes, listeners (`on…`) and children. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, Attribute> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'string') element.setAttribute(name, value);
    else element.addEventListener(name.slice(2), value as EventListener);
  }
  element.append(...children);
  return element;
}
