// A small WebDAV client for tests of the stand-in.

import { createStandIn, type StandIn } from "../src/server.ts"
import { childOf, childrenOf, dav, type Element, parseXml } from "../src/xml.ts"

export interface DavOptions {
  readonly user?: string
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** One resource of a multistatus: its existing properties, by name. */
export interface DavResource {
  readonly href: string
  readonly properties: Readonly<Record<string, Element>>
}

export interface DavClient extends StandIn {
  clock: number
  readonly ask: (method: string, path: string, asked?: DavOptions) => Promise<Response>
  /** Sends a PROPFIND or REPORT at depth 1. Throws unless the status is 207. */
  readonly find: (method: string, path: string, asked?: DavOptions) => Promise<readonly DavResource[]>
}

export function createDavClient(): DavClient {
  const client = { clock: Date.UTC(2026, 10, 15, 12) }
  const standIn = createStandIn({ now: () => client.clock })
  const ask: DavClient["ask"] = (method, path, { user = "alice", body, headers = {} } = {}) =>
    standIn.fetch(
      new Request(`http://localhost/remote.php/dav/${path}`, {
        method,
        headers: { authorization: `Basic ${btoa(`${user}:${user}-Pass-2026`)}`, ...headers },
        ...(body === undefined ? {} : { body }),
      }),
    )
  const multistatus = async (method: string, path: string, asked: DavOptions = {}): Promise<Element> => {
    const reply = await ask(method, path, { ...asked, headers: { depth: "1", ...asked.headers } })
    const text = await reply.text()
    if (reply.status !== 207) throw new Error(`${method} ${path} was ${reply.status}: ${text}`)
    return parseXml(text)
  }
  return Object.assign(client, standIn, {
    ask,
    find: async (method: string, path: string, asked?: DavOptions) =>
      resourcesIn(await multistatus(method, path, asked)),
  })
}

function resourcesIn(multistatus: Element): readonly DavResource[] {
  return childrenOf(multistatus, dav, "response").map((response) => {
    const good = childrenOf(response, dav, "propstat").filter((one) =>
      childOf(one, dav, "status")?.text.includes("200"),
    )
    const properties = good.flatMap((one) => childOf(one, dav, "prop")?.children ?? [])
    return {
      href: childOf(response, dav, "href")?.text ?? "",
      properties: Object.fromEntries(properties.map((property) => [property.name, property])),
    }
  })
}

export const namesOf = (resources: readonly DavResource[]): readonly string[] =>
  resources.map(({ href }) => decodeURIComponent(href.replace(/\/$/, "").split("/").at(-1) ?? ""))
