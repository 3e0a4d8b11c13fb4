// Puts the parts of Slack together. Outlet and directory source are needed before there is a hub, the rest when the
// server's pages are mounted.

import type { Addresses } from "../../core/addresses.ts"
import { HoldpointError } from "../../core/error.ts"
import type { Principal, PrincipalId } from "../../core/principal.ts"
import type { Hub } from "../../hub/hub.ts"
import type { Fetch } from "../../ports/fetch.ts"
import type { Mount } from "../../ports/mount.ts"
import type { Runtime } from "../../ports/runtime.ts"
import type { Storage } from "../../ports/storage.ts"
import type { KeyRing } from "../../sealing/key-ring.ts"
import { createSealer } from "../../sealing/seal.ts"
import { createEvents, type SlackEvents } from "./events.ts"
import { createSlackHttp } from "./http.ts"
import { createLinks, type SlackLinks } from "./links.ts"
import { createReceiver } from "./receiver.ts"
import { openSocket, type SlackSocket } from "./socket.ts"
import { createWorkspaces, type Workspaces } from "./workspaces.ts"

/** The options of `createSlack`. */
export interface SlackOptions {
  /** A bot token (`xoxb-…`) for each workspace in which the app is installed. */
  readonly botTokens: readonly string[]
  /** Verifies what Slack sends over HTTP. Needed unless there is an app token. */
  readonly signingSecret?: string | undefined
  /** An app-level token (`xapp-…`): events come by socket mode instead of HTTP. */
  readonly appToken?: string | undefined
  /** The id of the app. Requests of other apps are refused. */
  readonly appId?: string | undefined
  /** Another address of Slack's Web API, for tests and for trying out. */
  readonly apiUrl?: string | undefined
  readonly storage: Pick<Storage, "records">
  readonly keys: KeyRing | (() => KeyRing)
  readonly runtime: Runtime
  /** The person as known now, with roles; undefined for one who is not known any more. */
  readonly personNow: (person: PrincipalId) => Promise<Principal | undefined>
  readonly fetch?: Fetch
  readonly report: (doing: string, error: unknown) => void
}

/** What Slack needs of the server that it is a part of. */
export interface SlackSite {
  readonly hub: Pick<Hub, "answer" | "get" | "list">
  readonly addresses: Addresses
}

/** Slack as a part of a server: made by `createSlack`. */
export interface Slack extends Pick<SlackEvents, "onMessage"> {
  readonly workspaces: Workspaces
  readonly links: SlackLinks
  /** Serves Slack's requests, or opens the connection of socket mode. Called once, when there is a hub. */
  mount(site: SlackSite): Mount & { readonly connected: Promise<void> }
}

/** Makes the part of a server by which people answer questions in Slack. */
export function createSlack(options: SlackOptions): Slack {
  const { storage, runtime, report, personNow, signingSecret, appToken, appId, apiUrl } = options
  assertReachable(options)
  const workspaces = createWorkspaces(options)
  const links = createLinks({ storage, runtime, personNow })
  const sealer = () => createSealer(options.keys)
  const events = createEvents({ storage, sealer, runtime, links, invite: async () => {}, report })
  return {
    workspaces,
    links,
    onMessage: events.onMessage,
    mount() {
      const receiver = createReceiver({
        ...{ workspaces, events, storage, runtime, appId, report },
        interact: async () => undefined,
        command: async () => undefined,
      })
      const socket = appToken === undefined ? undefined : openSocket({ appToken, apiUrl, receiver, runtime, report })
      const http = signingSecret === undefined ? noHttp : createSlackHttp({ receiver, signingSecret, runtime, report })
      events.start()
      return { ...http, connected: socket?.connected ?? Promise.resolve(), close: () => close(events, socket) }
    },
  }
}

async function close(events: SlackEvents, socket: SlackSocket | undefined): Promise<void> {
  await socket?.close()
  await events.close()
}

/** With socket mode alone, nothing is served. */
const noHttp: Pick<Mount, "handles" | "fetch"> = {
  handles: () => false,
  fetch: async () => new Response(null, { status: 404 }),
}

function assertReachable({ botTokens, signingSecret, appToken }: SlackOptions): void {
  if (botTokens.length === 0)
    throw new HoldpointError("invalid_config", "Slack needs a bot token (xoxb-…) for each workspace.")
  if (signingSecret === undefined && appToken === undefined)
    throw new HoldpointError(
      "invalid_config",
      "Slack needs the app's signing secret, for events over HTTP, or an app-level token (xapp-…), for socket mode.",
    )
}
