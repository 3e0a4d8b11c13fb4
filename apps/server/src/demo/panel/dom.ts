// Elements of the page, made by functions: whatever is put into one is text, never markup.

type Attribute = string | number | boolean | undefined | ((event: Event) => void)
export type Child = Node | string | false | undefined

/** `onclick` and the like are functions; true is an attribute without a value; false and undefined are left out. */
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

/** What the page brings along. */
export function part(id: string): HTMLElement {
  const found = document.getElementById(id)
  if (found === null) throw new Error(`The page has no #${id}.`)
  return found
}

let made = 0

/** For labels, which name what they belong to by its id. */
export const newId = (name: string): string => `${name.replace(/\W+/g, "-")}-${++made}`

export const button = (words: string, onclick: () => void, style = ""): HTMLButtonElement =>
  h("button", { type: "button", class: style, onclick }, words)

/** Where somebody is told something new, the focus goes there: keyboards and screen readers come along. */
export function arriveAt(element: HTMLElement): void {
  element.tabIndex = -1
  element.focus({ preventScroll: true })
  element.scrollIntoView({ block: "nearest" })
}

/** Addresses in a text become links, each in a window of its own. */
export function linked(text: string): readonly Child[] {
  return text.split(/(https?:\/\/[^\s<>"“”]+[^\s<>"“”.,;:!?)])/).map((piece, at) => {
    if (at % 2 === 0 || !URL.canParse(piece)) return piece
    return h("a", { href: piece, target: "_blank", rel: "noopener" }, piece)
  })
}
