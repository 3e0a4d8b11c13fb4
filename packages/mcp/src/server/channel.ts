// Decides how a question reaches a client, by the client's capabilities. Pure. docs/mcp.md gives the reasons.

import type { Client, ClientOverride, UrlWay } from "./client.ts"
import { isModern } from "./client.ts"

/**
 * How the client is asked. `round`: by an input_required result, after which the client calls again. `push`: by a
 * request of this server during the call. `error`: the call ends with error -32042. `text`: the call ends with a text
 * and a link. `none`: the client cannot be asked.
 */
export type ChannelMethod = "round" | "push" | "error" | "text" | "none"

/**
 * What the client is shown. `form` and `url`: the question itself. `acknowledge`: a link in a form with one checkbox.
 * `page`: the address of a page with the form.
 */
export type Shape = "form" | "url" | "acknowledge" | "page"

export interface Channel {
  readonly method: ChannelMethod
  readonly shape: Shape
}

/** Whether the client is sent to a page for a form: then the client's reply is not the person's answer. */
export const isOnPage = ({ mode }: { readonly mode: "form" | "url" }, { shape }: Channel): boolean =>
  mode === "form" && shape !== "form"

export interface ChannelSettings {
  readonly urlWay: UrlWay
  /** How clients that support only forms get a link: in a form, or in the text of a result. */
  readonly formLink: "form" | "text"
  readonly clients: Readonly<Record<string, ClientOverride>>
}

export interface ChannelNeeds {
  readonly mode: "form" | "url"
  /** Whether this client can show all fields of the form. */
  readonly fitsClient: boolean
  /** Whether this server has a page on which a form can be answered. */
  readonly hasPage: boolean
  /** The author's choice for this question. */
  readonly urlWay?: UrlWay
}

export function channelOf(needs: ChannelNeeds, client: Client, settings: ChannelSettings): Channel {
  return needs.mode === "form" ? formChannel(needs, client, settings) : urlChannel("url", needs, client, settings)
}

function formChannel(needs: ChannelNeeds, client: Client, settings: ChannelSettings): Channel {
  if (client.form && needs.fitsClient) {
    if (isModern(client)) return { method: "round", shape: "form" }
    if (client.isReachable) return { method: "push", shape: "form" }
  }
  if (!needs.hasPage) return { method: "none", shape: "form" }
  return urlChannel("page", needs, client, settings)
}

function urlChannel(shape: "url" | "page", needs: ChannelNeeds, client: Client, settings: ChannelSettings): Channel {
  if (client.url) return { method: isModern(client) ? "round" : legacyUrlWay(needs, client, settings), shape }
  const fitsForm = client.form && settings.formLink === "form"
  if (fitsForm && isModern(client)) return { method: "round", shape: "acknowledge" }
  if (fitsForm && client.isReachable) return { method: "push", shape: "acknowledge" }
  return { method: "text", shape }
}

/** Precedence: the question's option, the client's override, the server's setting. */
function legacyUrlWay(needs: ChannelNeeds, client: Client, settings: ChannelSettings): UrlWay {
  if (!client.isReachable) return "error"
  const override = client.name === undefined ? undefined : settings.clients[client.name]?.urlWay
  return needs.urlWay ?? override ?? settings.urlWay
}

/**
 * Clients that handle the -32042 error well. No capability declares this, so they are listed by name. The author's
 * overrides take precedence.
 */
export const knownClients: Readonly<Record<string, ClientOverride>> = {
  // Shows the links, waits for the completion and offers to call again.
  "Visual Studio Code": { urlWay: "error" },
  "Visual Studio Code - Insiders": { urlWay: "error" },
}
