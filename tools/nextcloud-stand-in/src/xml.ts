// XML for the stand-in: a parsed tree with resolved namespaces, and templates that escape their values.

import sax from "sax"

export interface Element {
  /** The namespace URI, "" when there is none. */
  readonly space: string
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly Element[]
  /** The text of this element only, without its children. */
  readonly text: string
}

export const dav = "DAV:"
export const oc = "http://owncloud.org/ns"
export const nc = "http://nextcloud.org/ns"
export const caldav = "urn:ietf:params:xml:ns:caldav"
export const carddav = "urn:ietf:params:xml:ns:carddav"
export const calendarServer = "http://calendarserver.org/ns/"
export const apple = "http://apple.com/ns/ical/"
export const sabre = "http://sabredav.org/ns"

interface OpenElement {
  readonly space: string
  readonly name: string
  readonly attributes: Record<string, string>
  readonly children: Element[]
  text: string
}

/** The root element. Throws when the document is not well-formed; entities that it defines are not expanded. */
export function parseXml(document: string): Element {
  const parser = sax.parser(true, { xmlns: true })
  const openElements: OpenElement[] = []
  let root: Element | undefined
  parser.onerror = (error) => {
    throw error
  }
  parser.onopentag = ({ local, uri, attributes }: sax.QualifiedTag) => {
    const namedAttributes = Object.values(attributes).map(({ local: name, value }): [string, string] => [name, value])
    openElements.push({
      space: uri,
      name: local,
      attributes: Object.fromEntries(namedAttributes),
      children: [],
      text: "",
    })
  }
  const add = (text: string): void => {
    const openElement = openElements.at(-1)
    if (openElement !== undefined) openElement.text += text
  }
  parser.ontext = add
  parser.oncdata = add
  parser.onclosetag = () => {
    const closedElement = openElements.pop()
    const parent = openElements.at(-1)
    if (closedElement !== undefined && parent === undefined) root = closedElement
    else if (closedElement !== undefined) parent?.children.push(closedElement)
  }
  parser.write(document).close()
  if (root === undefined) throw new Error("The document has no element.")
  return root
}

export function childOf(element: Element | undefined, space: string, name: string): Element | undefined {
  return element?.children.find((child) => child.name === name && child.space === space)
}

export function childrenOf(element: Element | undefined, space: string, name: string): readonly Element[] {
  return element?.children.filter((child) => child.name === name && child.space === space) ?? []
}

/** The text of a child; undefined when there is none. */
export function textOf(element: Element | undefined, space: string, name: string): string | undefined {
  return childOf(element, space, name)?.text
}

/** Marks a string as XML. */
export interface Xml {
  readonly xml: string
}

/**
 * A template tag: values are escaped as text, unless they are XML or a list of XML.
 * `xml\`<d:displayname>${name}</d:displayname>\``
 */
export function xml(
  parts: TemplateStringsArray,
  ...values: readonly (string | number | Xml | readonly Xml[] | undefined)[]
): Xml {
  return { xml: parts.reduce((text, part, index) => text + toXml(values[index - 1]) + part) }
}

function toXml(value: string | number | Xml | readonly Xml[] | undefined): string {
  if (value === undefined) return ""
  if (typeof value === "string" || typeof value === "number") return escapeXml(String(value))
  return "xml" in value ? value.xml : value.map((one) => one.xml).join("")
}

/** Escapes text for XML, and drops characters that XML does not allow. */
export function escapeXml(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, "")
    .replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
