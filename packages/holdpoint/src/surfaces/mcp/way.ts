// How a question reaches a client, as a table of what the client can do. Pure. docs/mcp.md gives the reasons.

import type { Client, ClientOverride, UrlWay } from "./client.ts"
import { isModern } from "./client.ts"

/**
 * `round`: in an input_required result; the client comes again. `push`: as a request in the middle of the call. `error`:
 * the call ends with -32042. `text`: the call ends with words and a link. `none`: it cannot be asked.
 */
export type Carrier = "round" | "push" | "error" | "text" | "none"

/** `form` and `url` as they are; `acknowledge`: a link in a form with one box to tick; `page`: the address of a form. */
export type Shape = "form" | "url" | "acknowledge" | "page"

export interface Way {
  readonly carrier: Carrier
  readonly shape: Shape
}

export interface WaySettings {
  readonly urlWay: UrlWay
  /** For clients that show forms only: a link in a form, or in the words of a result. */
  readonly formLink: "form" | "text"
  readonly clients: Readonly<Record<string, ClientOverride>>
}

export interface Asking {
  readonly mode: "form" | "url"
  /** False when this client cannot show the fields of the form. */
  readonly fits: boolean
  /** Whether there is a page of ours on which a form can be answered. */
  readonly hasPage: boolean
  /** The author's wish for this one question. */
  readonly urlWay?: UrlWay
}

export function wayOf(asking: Asking, client: Client, settings: WaySettings): Way {
  return asking.mode === "form" ? formWay(asking, client, settings) : urlWay("url", asking, client, settings)
}

function formWay(asking: Asking, client: Client, settings: WaySettings): Way {
  if (client.form && asking.fits) {
    if (isModern(client)) return { carrier: "round", shape: "form" }
    if (client.isReachable) return { carrier: "push", shape: "form" }
  }
  if (!asking.hasPage) return { carrier: "none", shape: "form" }
  return urlWay("page", asking, client, settings)
}

function urlWay(shape: "url" | "page", asking: Asking, client: Client, settings: WaySettings): Way {
  if (client.url) return { carrier: isModern(client) ? "round" : legacyUrlWay(asking, client, settings), shape }
  const fitsForm = client.form && settings.formLink === "form"
  if (fitsForm && isModern(client)) return { carrier: "round", shape: "acknowledge" }
  if (fitsForm && client.isReachable) return { carrier: "push", shape: "acknowledge" }
  return { carrier: "text", shape }
}

/** The author's wish for the question, then what is known of the client, then the server's setting. */
function legacyUrlWay(asking: Asking, client: Client, settings: WaySettings): UrlWay {
  if (!client.isReachable) return "error"
  const known = client.name === undefined ? undefined : settings.clients[client.name]?.urlWay
  return asking.urlWay ?? known ?? settings.urlWay
}

/**
 * Clients of which it is known how they take the error, which no capability tells. What an author says of them counts
 * more.
 */
export const knownClients: Readonly<Record<string, ClientOverride>> = {
  // Shows the links, waits for the completion and offers to call again.
  "Visual Studio Code": { urlWay: "error" },
  "Visual Studio Code - Insiders": { urlWay: "error" },
}
