// How a question reaches a client, as a table of what the client can do. Pure. docs/mcp.md gives the reasons.

import type { Client, ClientOverride, UrlWay } from "./client.ts"
import { isModern } from "./client.ts"

/**
 * `round`: in an input_required result; the client comes again. `push`: as a request in the middle of the call. `error`:
 * the call ends with -32042. `text`: the call ends with words and a link. `none`: it cannot be needs.
 */
export type Means = "round" | "push" | "error" | "text" | "none"

/** `form` and `url` as they are; `acknowledge`: a link in a form with one box to tick; `page`: the address of a form. */
export type Shape = "form" | "url" | "acknowledge" | "page"

export interface Channel {
  readonly by: Means
  readonly shape: Shape
}

/** A form that its client is sent to a page for: what the client answers is not the person's answer. */
export const isOnPage = ({ mode }: { readonly mode: "form" | "url" }, { shape }: Channel): boolean =>
  mode === "form" && shape !== "form"

export interface ChannelSettings {
  readonly urlWay: UrlWay
  /** For clients that show forms only: a link in a form, or in the words of a result. */
  readonly formLink: "form" | "text"
  readonly clients: Readonly<Record<string, ClientOverride>>
}

export interface ChannelNeeds {
  readonly mode: "form" | "url"
  /** False when this client cannot show the fields of the form. */
  readonly fits: boolean
  /** Whether there is a page of ours on which a form can be answered. */
  readonly hasPage: boolean
  /** The author's wish for this one question. */
  readonly urlWay?: UrlWay
}

export function channelOf(needs: ChannelNeeds, client: Client, settings: ChannelSettings): Channel {
  return needs.mode === "form" ? formChannel(needs, client, settings) : urlChannel("url", needs, client, settings)
}

function formChannel(needs: ChannelNeeds, client: Client, settings: ChannelSettings): Channel {
  if (client.form && needs.fits) {
    if (isModern(client)) return { by: "round", shape: "form" }
    if (client.isReachable) return { by: "push", shape: "form" }
  }
  if (!needs.hasPage) return { by: "none", shape: "form" }
  return urlChannel("page", needs, client, settings)
}

function urlChannel(shape: "url" | "page", needs: ChannelNeeds, client: Client, settings: ChannelSettings): Channel {
  if (client.url) return { by: isModern(client) ? "round" : legacyUrlMeans(needs, client, settings), shape }
  const fitsForm = client.form && settings.formLink === "form"
  if (fitsForm && isModern(client)) return { by: "round", shape: "acknowledge" }
  if (fitsForm && client.isReachable) return { by: "push", shape: "acknowledge" }
  return { by: "text", shape }
}

/** The author's wish for the question, then what is known of the client, then the server's setting. */
function legacyUrlMeans(needs: ChannelNeeds, client: Client, settings: ChannelSettings): UrlWay {
  if (!client.isReachable) return "error"
  const known = client.name === undefined ? undefined : settings.clients[client.name]?.urlWay
  return needs.urlWay ?? known ?? settings.urlWay
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
