// Markup as plain data, written as HTML text or as DOM elements. Text is always text: no value becomes markup.

/** An element as plain data. Attributes that are undefined or false are left out; true has no value. */
export interface FormNode {
  readonly tag: string
  readonly attributes: Readonly<Record<string, string | number | boolean | undefined>>
  readonly children: readonly (FormNode | string)[]
}

/** The part of a browser's `document` that makes elements. */
export interface ElementMaker<E extends MadeElement> {
  createElement(tag: string): E
}

/** The part of a browser's element that `toElements` fills in. */
export interface MadeElement {
  setAttribute(name: string, value: string): void
  append(...children: unknown[]): void
}

/** Children that are false or undefined are left out. */
export function node(
  tag: string,
  attributes: FormNode["attributes"] = {},
  ...children: readonly (FormNode | string | false | undefined)[]
): FormNode {
  return { tag, attributes, children: children.filter((child) => child !== false && child !== undefined) }
}

/** Writes nodes as HTML, with every text and value escaped. */
export function toHtml(nodes: readonly (FormNode | string)[]): string {
  return nodes.map((node) => (typeof node === "string" ? escapeText(node) : elementText(node))).join("")
}

/** Makes elements with the page's `document`. */
export function toElements<E extends MadeElement>(nodes: readonly FormNode[], document: ElementMaker<E>): readonly E[] {
  const make = ({ tag, attributes, children }: FormNode): E => {
    const element = document.createElement(tag)
    for (const [name, value] of shownAttributes(attributes))
      element.setAttribute(name, value === true ? "" : String(value))
    element.append(...children.map((child) => (typeof child === "string" ? child : make(child))))
    return element
  }
  return nodes.map(make)
}

/** Elements without content, which have no closing tag. */
const voidTags = new Set(["input"])

function elementText({ tag, attributes, children }: FormNode): string {
  const words = shownAttributes(attributes).map(([name, value]) =>
    value === true ? ` ${name}` : ` ${name}="${escapeText(String(value))}"`,
  )
  const openTag = `<${tag}${words.join("")}>`
  if (voidTags.has(tag)) return openTag
  // An HTML parser drops a line break at the start of a textarea. The one added here protects the person's own.
  return `${openTag}${tag === "textarea" ? "\n" : ""}${toHtml(children)}</${tag}>`
}

const shownAttributes = (attributes: FormNode["attributes"]) =>
  Object.entries(attributes).filter(([, value]) => value !== undefined && value !== false)

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
}

const escapeText = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? "")
