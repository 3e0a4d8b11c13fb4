// Creates DOM elements. Strings become text, never markup.

import { isOpenable } from "@holdpoint/hub/forms"

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

/** Returns the element with this id. Throws if the page has none. */
export function elementById(id: string): HTMLElement {
  const element = document.getElementById(id)
  if (element === null) throw new Error(`The page has no #${id}.`)
  return element
}

let lastId = 0

/** A unique id, so that labels can refer to their controls. */
export const newId = (name: string): string => `${name.replace(/\W+/g, "-")}-${++lastId}`

export const button = (words: string, onclick: () => void, style = ""): HTMLButtonElement =>
  h("button", { type: "button", class: style, onclick }, words)

/** Moves the focus to new content, so that keyboard and screen reader users notice it. */
export function focusOn(element: HTMLElement): void {
  element.tabIndex = -1
  element.focus({ preventScroll: true })
  element.scrollIntoView({ block: "nearest" })
}

/** The text of a question. It stays text, except for addresses of this server's own pages, which become links. */
export const withOwnLinks = (text: string): readonly Child[] =>
  linked(text, (address) => URL.parse(address)?.origin === location.origin)

/** Turns the URLs in a text into links that open a new tab. */
export function linked(text: string, isLink: (address: string) => boolean = isOpenable): readonly Child[] {
  return text.split(/(https?:\/\/[^\s<>"“”]+[^\s<>"“”.,;:!?)])/).map((piece, index) => {
    if (index % 2 === 0 || !isLink(piece)) return piece
    return h("a", { href: piece, target: "_blank", rel: "noopener" }, piece)
  })
}
