/** Creates elements, and changes only what differs, to keep the focus and not disturb screen readers. */
export type Child = Node | string | undefined | false;
type Handlers = { [Name in keyof HTMLElementEventMap as `on${Name}`]?: (event: HTMLElementEventMap[Name]) => void };
type Fields<Name extends keyof HTMLElementTagNameMap> = Partial<
  Omit<HTMLElementTagNameMap[Name], `on${string}` | 'attributes'>
> &
  Handlers & { attributes?: Record<string, string> };

export function el<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  fields: Fields<Name> = {},
  ...children: Child[]
): HTMLElementTagNameMap[Name] {
  const node = document.createElement(name);
  const { attributes = {}, ...others } = fields as { attributes?: Record<string, string> };
  for (const [key, value] of Object.entries(others)) {
    if (key.startsWith('on')) node.addEventListener(key.slice(2), value as EventListener);
    else Object.assign(node, { [key]: value });
  }
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...present(children));
  return node;
}

/** Creates an SVG element. */
export function draw(name: string, attributes: Record<string, string | number>, ...children: SVGElement[]): SVGElement {
  const node = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, String(value));
  node.append(...children);
  return node;
}

export function setText(node: Element, text: string): void {
  if (node.textContent !== text) node.textContent = text;
}

export function fillWith(node: Element, ...children: Child[]): void {
  node.replaceChildren(...present(children));
}

function present(children: readonly Child[]): (Node | string)[] {
  return children.filter((child): child is Node | string => child !== undefined && child !== false && child !== '');
}
