// The resources of items in collections, and of folders without special properties.

import type { Call } from "../area.ts"
import { type Element, type Xml, xml } from "../xml.ts"
import { element, hrefXml, nameOf, type Properties, type PropertyName, privileges, type Resource } from "./answers.ts"
import type { Item } from "./store.ts"

interface FolderOptions {
  readonly kind: Xml
  readonly rights: readonly string[]
  readonly extraProperties?: Properties
}

/** A folder without special properties. */
export function folderResource(call: Call, path: string, { kind, rights, extraProperties }: FolderOptions): Resource {
  return {
    path,
    defaultProperties: ["{DAV:}resourcetype"],
    properties: {
      "{DAV:}resourcetype": kind,
      "{DAV:}current-user-privilege-set": privileges(rights),
      "{DAV:}current-user-principal": hrefXml(call, `principals/users/${call.user?.id}/`),
      ...extraProperties,
    },
  }
}

const defaultsOfItem: readonly PropertyName[] = [
  "{DAV:}getlastmodified",
  "{DAV:}getcontentlength",
  "{DAV:}resourcetype",
  "{DAV:}getetag",
  "{DAV:}getcontenttype",
]

/** An item in a collection: an event, a task, a card. */
export function itemResource(path: string, item: Item, type: string, extraProperties: Properties = {}): Resource {
  return {
    path,
    defaultProperties: defaultsOfItem,
    properties: {
      "{DAV:}getlastmodified": xml`${new Date(item.modified).toUTCString()}`,
      "{DAV:}getcontentlength": xml`${Buffer.byteLength(item.text)}`,
      "{DAV:}resourcetype": { xml: "" },
      "{DAV:}getetag": xml`"${item.etag}"`,
      "{DAV:}getcontenttype": xml`${type}`,
      ...extraProperties,
    },
  }
}

/** The content of a property that a request sets, as it is returned later. */
export function contentOf(value: Element): Xml {
  if (value.children.length === 0) return xml`${value.text}`
  return xml`${value.children.map((child) => element(nameOf(child), contentOf(child)))}`
}
