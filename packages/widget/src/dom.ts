// Creates DOM elements. Strings become text, never markup.

type Attribute = string | number | boolean | undefined | ((event: Event) => void)
export type Child = Node | string | false | undefined

/** Functions become event listeners; true is an attribute without a value; false and undefined are omitted. */
export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, Attribute>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.replace(/^on/, ""), value)
    else if (value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : String(value))
  }
  element.append(...children.filter((child): child is Node | string => child !== false && child !== undefined))
  return element
}

export interface ButtonOptions {
  readonly primary?: boolean
  /** The name of the part, for style sheets of the page. */
  readonly part?: string
}

export function button(text: string, onclick: () => void, { primary = false, part }: ButtonOptions = {}) {
  const parts = ["button", ...(primary ? ["primary"] : []), ...(part === undefined ? [] : [part])].join(" ")
  return h("button", { type: "button", class: primary ? "primary" : undefined, part: parts, onclick }, text)
}

let lastId = 0

/** A unique id, so that labels can refer to their controls. */
export const newId = (name: string): string => `${name}-${++lastId}`

/** The focused element, also inside of shadow roots. */
export function deepActiveElement(): Element | null {
  let active = document.activeElement
  while (active?.shadowRoot?.activeElement != null) active = active.shadowRoot.activeElement
  return active
}
